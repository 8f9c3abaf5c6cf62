import type { Kept } from "../model/state";
import {
  addEdits,
  changed,
  declared,
  type Edit,
  identityEdits,
  idOf,
  type Program,
  shareEdits,
  tunnelEdits,
  withArgs,
} from "./alphabet";

/** Two tunnels, and two shares on the first. */
export const singles: Program = [
  declared("tunnels", "t1", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" }),
  declared("tunnels", "t2", { peerPublicIp: "203.0.113.8", peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
  declared("shares", "s1", { envZId: "env-1", target: "web.internal:443", ingressPort: 443 }, "t1"),
  declared("shares", "s2", { envZId: "env-1", target: "db.internal:5432", ingressPort: 5432 }, "t1"),
];

/** Every edit of such a program, but for taking back the last one. */
export const editsOfSingles = (program: Program, state: readonly Kept[]): Edit[] => [
  ...addEdits(program, singles),
  ...program.flatMap((one) => {
    const id = idOf(state, one);
    const adopting = id === undefined ? undefined : { ...one.args, adopt: id };
    const edits = one.kind === "tunnels" ? tunnelEdits(program, one) : shareEdits(program, one);
    return [...identityEdits(program, one, adopting), ...edits];
  }),
  ...swaps(program),
];

function swaps(program: Program): Edit[] {
  const [one, other, t1, t2] = ["s1", "s2", "t1", "t2"].map((name) => program.find(({ slot }) => slot === name));
  const places = (at: Program) =>
    t1 &&
    t2 &&
    withArgs(withArgs(at, "t1", { locationId: t2.args["locationId"] }), "t2", { locationId: t1.args["locationId"] });
  const placesSwapped = places(program);
  const ofTunnels: Edit[] = placesSwapped
    ? [{ name: "swap places", program: placesSwapped, renews: ["t1", "t2"], isRefusable: true }]
    : [];
  if (!one || !other) return ofTunnels;
  const port = ({ args }: typeof one) => ({ ingressPort: args["ingressPort"] });
  const ports = withArgs(withArgs(program, "s1", port(other)), "s2", port(one));
  const tunnels = changed(
    changed(program, "s1", () => ({ on: other.on ?? "" })),
    "s2",
    () => ({ on: one.on ?? "" }),
  );
  return [
    ...ofTunnels,
    { name: "swap ports", program: ports, ...(one.on === other.on && { isRefusable: true as const }) },
    ...(one.on === other.on ? [] : [{ name: "swap tunnels", program: tunnels }]),
  ];
}
