import { Secret, type Kept, type Registration, type Retries } from "../model/program";
import { peer } from "../harness/things";
import {
  type Args,
  changed,
  declared,
  type Edit,
  idOf,
  keysOf,
  partIdsOf,
  plain,
  type Program,
  secret,
  tunnelEdits,
  withArgs,
} from "./alphabet";
import { hush } from "./service";

const target = new Secret(`${hush}target.internal:1`);
const third = { peerPublicIp: "203.0.113.9", peerCidr: "10.29.0.0/16" };
const share = (n: number): Args => ({ envZId: "env-1", target: `host-${n}.internal:1`, ingressPort: 1000 + n });
const part = (n: number): Args => ({ target: `host-${n}.internal:1`, ingressPort: 1000 + n });

/** Two tunnels, shares and sets on both, secrets in some, and the options that the state keeps on those of the second. */
export const optional: Program = [
  declared("tunnels", "t1", { ...peer, locationId: "loc-1" }),
  { ...declared("tunnels", "t2", { peerPublicIp: "203.0.113.8", peerCidr: "10.21.0.0/16" }), trigger: "1" },
  declared("shares", "s1", { envId: new Secret(secret), target, ingressPort: 1 }, "t1"),
  { ...declared("shares", "s2", share(2), "t1"), trigger: "1" },
  declared(
    "sets",
    "services",
    { envZId: "env-1", shares: { k1: { ...part(11), target, envId: new Secret(secret) }, k2: part(12) } },
    "t1",
  ),
  { ...declared("shares", "p1", share(3), "t2"), isProtected: true },
  { ...declared("sets", "p2", { envZId: "env-1", shares: { q1: part(13) } }, "t2"), isProtected: true },
  { ...declared("shares", "r1", share(4), "t2"), isRetained: true },
];

const edited = (name: string, program: Program, more: Partial<Edit> = {}): Edit => ({ name, program, ...more });

/** Edits with Pulumi's options, and of resources that adopt in the edit in which the old resource leaves. */
export const editsWithOptions = (program: Program, state: readonly Kept[]): Edit[] => [
  ...hooked(program),
  ...(["s1", "s2", "services", "p1"].every((slot) => program.some((one) => one.slot === slot))
    ? [...withOptions(program), ...adoptions(program, state)]
    : []),
];

/** A hook has a failed create tried once more. An engine before the mended retry calls Create for it, also after a part of the work. */
const hooked = (program: Program): Edit[] =>
  (["create again", "update what exists"] as const).flatMap((retries) => [
    edited(
      `add t3 and s3, a failed create is tried again: ${retries}`,
      [...plain(program), ...added("t3", "s3").map(trying(retries))],
      {
        renews: ["t3", "s3"],
      },
    ),
    edited(
      `add a set, a failed create is tried again: ${retries}`,
      [...plain(program), ...added("more").map(trying(retries))],
      {
        renews: ["more", "m1", "m2"],
      },
    ),
  ]);

const trying = (retries: Retries) => (one: Registration) => ({ ...one, retries });
const addable: Program = [
  declared("tunnels", "t3", { ...third, locationId: "loc-3" }),
  declared("shares", "s3", share(5), "t3"),
  declared("sets", "more", { envZId: "env-1", shares: { m1: part(21), m2: part(22) } }, "t1"),
];
const added = (...slots: string[]) => addable.filter(({ slot }) => slots.includes(slot));

function withOptions(program: Program): Edit[] {
  const now = (slot: string, change: Partial<Registration>, at = program) => changed(at, slot, () => change);
  const shares = (slot: string) => {
    const all = program.find((one) => one.slot === slot)?.args["shares"] as Record<string, Args>;
    return { ...all, k1: { ...all["k1"], target: "changed.internal:1" } };
  };
  const other = { target: "changed.internal:1" };
  const services = ["services", "k1", "k2"];
  const isRefusable = true as const;
  return [
    edited("a transform sets envZId of s1", now("s1", { transformed: { envZId: "env-3" } }), { isRefusable }),
    edited("a transform sets target of s2", now("s2", { transformed: other })),
    edited("a transform sets envZId of services", now("services", { transformed: { envZId: "env-3" } })),
    edited(
      "change target and port of s1, target ignored",
      now("s1", { ignores: ["target"] }, withArgs(program, "s1", { ...other, ingressPort: 9 })),
    ),
    edited(
      "change peerCidr of t1, ignored",
      now("t1", { ignores: ["peerCidr"] }, withArgs(program, "t1", { peerCidr: "10.40.0.0/16" })),
    ),
    edited("move s2 to t2, ignored", now("s2", { on: "t2", ignores: ["ipsecTunnelId"] })),
    edited(
      "change target of s2, replaceOnChanges",
      now("s2", { replacesOn: ["target"] }, withArgs(program, "s2", other)),
      { renews: ["s2"] },
    ),
    edited(
      "change k1, replaceOnChanges",
      now("services", { replacesOn: ["shares"] }, withArgs(program, "services", { shares: shares("services") })),
      { renews: services },
    ),
    edited("replacementTrigger of s2", now("s2", { trigger: "2" }), { renews: ["s2"], isRefusable, isOneWay: true }),
    edited("replacementTrigger of t2", now("t2", { trigger: "2" }), { renews: ["t2"], isRefusable, isOneWay: true }),
    edited("change target of p1, protected", withArgs(program, "p1", other)),
    edited("move p1 and p2 to t1, protected", now("p2", { on: "t1" }, now("p1", { on: "t1" }))),
    edited(
      "remove p1, protected",
      plain(program).filter(({ slot }) => slot !== "p1"),
      { isRefused: true, isRefusable },
    ),
    edited("replace t2 delete-first, below p1", withArgs(program, "t2", { peerCidr: "10.41.0.0/16" }), {
      isRefused: true,
      isRefusable,
    }),
    edited(
      "remove r1, retained",
      plain(program).filter(({ slot }) => slot !== "r1"),
      { renews: ["r1"], isOneWay: true },
    ),
  ];
}

/** Another resource adopts an id whose old resource leaves, is replaced, or is on a tunnel that is replaced. */
function adoptions(program: Program, state: readonly Kept[]): Edit[] {
  const [t1, s2, services] = ["t1", "s2", "services"].map((slot) => program.find((one) => one.slot === slot));
  if (!t1 || !s2 || !services) return [];
  const [id, key] = [idOf(state, s2), partIdsOf(state).get("k1")];
  const all = services.args["shares"] as Record<string, Args>;
  const without = (at: Program, slot: string) => at.filter((one) => one.slot !== slot);
  const withoutKey = changed(program, "services", ({ args }) => ({ args: { ...args, shares: { k2: all["k2"] } } }));
  const single = (args: Args, adopt: unknown, on: string) =>
    declared("shares", "s3", { ...(args["envId"] === undefined && { envZId: "env-1" }), ...args, adopt }, on);
  const joined = withArgs(program, "services", { shares: { ...all, k3: { ...part(2), adopt: id } } });
  const adoptions: [string, Program, string[]][] = [
    ["s3 adopts s2, which leaves", [...without(plain(program), "s2"), single(s2.args, id, "t1")], ["s2"]],
    ["s3 on t2 adopts s2, which leaves", [...without(plain(program), "s2"), single(s2.args, id, "t2")], ["s2"]],
    ["k3 adopts s2, which leaves", without(joined, "s2"), ["s2"]],
    ["s3 adopts k1, which leaves", [...withoutKey, single({ ...all["k1"] }, key, "t1")], ["k1"]],
    ["s3 on t2 adopts k1, which leaves", [...withoutKey, single({ ...all["k1"] }, key, "t2")], ["k1"]],
  ];
  return adoptions.flatMap(([name, at, renews]) => {
    const more = { renews: [...renews, "s3", "k3"], isRefusable: true as const, isOneWay: true as const };
    const [deleteFirst, createFirst] = tunnelEdits(at, t1).map((edit) => ({
      ...more,
      program: at.map((one) => (one.slot === "t1" ? (edit.program.find(({ slot }) => slot === "t1") ?? one) : one)),
      renews: [
        ...more.renews,
        ...program.filter(({ on }) => on === "t1").flatMap((one) => [one.slot, ...keysOf(one)]),
        "t1",
      ],
    }));
    return [
      edited(name, at, more),
      ...(deleteFirst ? [{ ...deleteFirst, name: `${name}, replace t1 delete-first` }] : []),
      ...(createFirst ? [{ ...createFirst, name: `${name}, replace t1 create-first` }] : []),
    ];
  });
}
