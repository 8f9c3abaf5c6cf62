import { Secret } from "../model/adapter";
import { servedName } from "../model/program";
import type { Kept } from "../model/state";
import {
  addEdits,
  changed,
  declared,
  type Edit,
  identityEdits,
  idOf,
  plain,
  type Program,
  shareEdits,
  tunnelEdits,
  withArgs,
} from "./alphabet";
import type { Item } from "./service";

/** A secret of the program, which no state, message or notice may show. */
export const secret = "hush-env-1";

/** Two tunnels, and two shares on the first. */
export const singles: Program = [
  declared("tunnels", "t1", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" }),
  declared("tunnels", "t2", { peerPublicIp: "203.0.113.8", peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
  declared("shares", "s1", { envId: new Secret(secret), target: "web.internal:443", ingressPort: 443 }, "t1"),
  declared(
    "shares",
    "s2",
    { envZId: "env-1", target: "db.internal:5432", ingressPort: 5432, locationId: "loc-1" },
    "t1",
  ),
];

/** Every edit of such a program, except the revert of the last edit. */
export const editsOfSingles = (program: Program, state: readonly Kept[]): Edit[] => [
  ...addEdits(program, singles),
  ...program.flatMap((one) => {
    const id = idOf(state, one);
    const adopting = id === undefined ? undefined : { ...one.args, adopt: id };
    const edits = one.kind === "tunnels" ? tunnelEdits(program, one) : shareEdits(program, one);
    const identities = identityEdits(program, one, adopting);
    return [...identities, ...edits, ...(one.kind === "shares" ? identities.flatMap(withTarget(one.slot)) : [])];
  }),
  ...swaps(program),
  ...besideStrangers(program, state),
];

const third = declared("shares", "s3", { envZId: "env-1", target: "third.internal:443", ingressPort: 9443 }, "t1");

/** The edit that adopts a share under another name, with a change of its target. */
const withTarget =
  (slot: string) =>
  (edit: Edit): Edit[] =>
    edit.name.endsWith("with adopt")
      ? [
          {
            ...{ ...edit, name: `${edit.name} and change target` },
            program: edit.program.map((one) =>
              one.slot === slot ? { ...one, args: { ...one.args, target: "adopted.internal:1" } } : one,
            ),
          },
        ]
      : [];

/** Edits while another owner has a share on the tunnel that has the name of a third share of the program. */
function besideStrangers(program: Program, state: readonly Kept[]): Edit[] {
  const t1 = program.find(({ slot }) => slot === "t1");
  const ipsecTunnelId = t1 && idOf(state, t1);
  if (!t1 || ipsecTunnelId === undefined) return [];
  const like = (fields: Item["fields"]): Item => ({
    ...{ id: "shr-stranger-like", kind: "share", status: "DEPLOYED" },
    fields: { ...(third.args as Item["fields"]), name: String(servedName(third)), ipsecTunnelId, ...fields },
  });
  const added = { program: [...plain(program), third], renews: ["s3"] };
  const replaced = tunnelEdits(program, t1).filter(({ name }) => name.endsWith("delete-first"));
  return [
    { ...added, name: "add s3 beside somebody's identical share", stranger: like({}), isRefusable: true },
    { ...added, name: "add s3 beside somebody's share of its name", stranger: like({ ingressPort: 9444 }) },
    ...replaced.map((edit): Edit => ({
      ...edit,
      name: `${edit.name} below somebody's share`,
      stranger: like({}),
      isRefusable: true,
    })),
  ];
}

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
