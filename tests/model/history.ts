import fc from "fast-check";
import type { RequestFault, Settings, WorkFault } from "../../emulator";
import type { ModelKill } from "./process";
import { type ModelProgram, type ModelResource, type ModelSet, setSlot } from "./program";

export type ModelFault = RequestFault | ({ fault: "fail" } & WorkFault);

/** One run: what the program says from now on, what goes wrong, and what is killed. */
export interface ModelStep {
  run: "up" | "refresh" | "destroy";
  program: ModelProgram;
  faults: ModelFault[];
  kill?: ModelKill | undefined;
  /** Whether a refresh comes before the run that sets everything right: it wipes the engine's mark of what is partly created. */
  isRefreshed: boolean;
  /** Slots for `--replace`. */
  replaced: readonly string[];
  /** Another's share, exactly like the one in this slot as it was last seen, is there before the run. */
  likeness?: string | undefined;
  /** From here on the record of interrupted creates is another, empty one. */
  freshMachine?: "run" | "recovery" | undefined;
  /** The service brings what is in ERROR to DEPLOYED after the run. */
  isMended: boolean;
  /** A second stack of the same program, project and name tries its luck after the step. */
  isTwice: boolean;
}

export interface ModelHistory {
  settings: Partial<Settings>;
  steps: ModelStep[];
}

const called = fc.constantFrom("", "", "", "b");
const place = fc.constantFrom("", "", "", "c1");
const edited = fc.constantFrom("aliased" as const, "adopted" as const, "bare" as const);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const tunnel = (n: number) =>
  fc
    .record({ cidr: fc.constantFrom(0, 0, 0, 1, 2), at: fc.constantFrom(0, 0, 1), called, place, edited })
    .map(({ cidr, at, ...rest }) => ({
      ...rest,
      args: { peerPublicIp: "203.0.113.7", peerCidr: `10.${20 + cidr}.0.0/16`, locationId: `loc-${n}${at}` },
    }));

const share = (n: number) =>
  fc
    .record({
      ...{
        on: fc.constantFrom("t1", "t2"),
        target: fc.nat(2),
        isPlaced: fc.boolean(),
        isNamed: fc.constantFrom(false, false, true),
      },
      ...{ isEnvId: fc.boolean(), called, place, edited },
    })
    .map(({ on, target, isPlaced, isNamed, isEnvId, ...rest }) => ({
      ...{ ...rest, on },
      args: {
        ...{ [isEnvId ? "envId" : "envZId"]: "env-1", target: `host-${target}.internal:443`, ingressPort: 1000 + n },
        ...(isPlaced && { locationId: "loc-9" }),
        ...(isNamed && { name: `named-s${n}` }),
      },
    }));

const program: fc.Arbitrary<ModelProgram> = fc
  .tuple(tunnel(1), maybe(tunnel(2)), fc.tuple(maybe(share(1)), maybe(share(2)), maybe(share(3))))
  .map(([t1, t2, shares]) => ({
    tunnels: { t1, ...(t2 && { t2 }) },
    shares: Object.fromEntries(
      shares.flatMap((each, n) => (each ? [[`s${n + 1}`, { ...each, on: t2 ? each.on : "t1" }]] : [])),
    ),
  }));

const where = fc.record({
  method: fc.constantFrom("GET", "POST", "PATCH", "PUT", "DELETE", undefined),
  path: fc.constantFrom("/ipsec-shares", "/ipsec-tunnels", "/ipsec-shares/", ""),
  times: fc.constantFrom(1, 1, 2, 7),
  skip: fc.nat(6),
});
const when = fc.constantFrom("before" as const, "after" as const);
const status = fc.constantFrom(500, 502, 503);
const refused = fc.constantFrom(400, 401, 403, 409, 429);
/** Together with the longest lag less than the 12 s for which a lost answer is looked after. */
const lateMs = fc.integer({ min: 0, max: 5_500 });
const shape = fc.constantFrom("nulls", "wrong types", "no id", "list", "null body", "unknown status", "empty");

/** What can go wrong without a connection. */
const fault: fc.Arbitrary<ModelFault> = fc.oneof(
  fc.tuple(where, when).map(([at, moment]) => ({ fault: "drop" as const, ...at, when: moment })),
  fc.tuple(where, lateMs).map(([at, delayMs]) => ({ fault: "late" as const, ...at, delayMs })),
  fc.tuple(where, lateMs).map(([at, delayMs]) => ({ fault: "late" as const, ...at, delayMs, answer: { status: 503 } })),
  fc
    .tuple(where, when, status)
    .map(([at, moment, code]) => ({ fault: "answer" as const, ...at, when: moment, status: code })),
  fc.tuple(where, refused).map(([at, code]) => ({
    ...{ fault: "answer" as const, ...at, status: code },
    body: { error: "made_up", message: "made up" },
  })),
  fc.tuple(where, when, fc.constantFrom(200, 404, 502)).map(([at, moment, code]) => ({
    ...{ fault: "html" as const, ...at, when: moment, status: code },
  })),
  fc.tuple(where, shape).map(([at, name]) => ({ fault: "shape" as const, ...at, shape: name as "nulls" })),
  fc.tuple(where).map(([at]) => ({ fault: "garbage" as const, ...at, when: "after" as const })),
  fc
    .tuple(
      fc.constantFrom("tunnel" as const, "share" as const),
      fc.constantFrom("create" as const, "update" as const, "delete" as const),
    )
    .map(([kind, op]) => ({ fault: "fail" as const, kind, op })),
  fc.constant({ fault: "fail" as const, kind: "tunnel" as const, op: "create" as const }),
);

const kill: fc.Arbitrary<ModelKill> = fc.record({
  who: fc.constantFrom("engine" as const, "provider" as const),
  when,
  send: fc.nat(25),
});

const step: fc.Arbitrary<ModelStep> = fc
  .record({
    run: fc.constantFrom(
      "up" as const,
      "up" as const,
      "up" as const,
      "up" as const,
      "refresh" as const,
      "destroy" as const,
    ),
    program,
    faults: fc.array(fault, { maxLength: 3 }),
    kill: maybe(kill),
    isRefreshed: fc.boolean(),
    replaced: fc.constantFrom([], [], [], [], ["t1"], ["s1"], ["s2"]),
    likeness: fc.constantFrom(undefined, undefined, undefined, "s1", "s2"),
    freshMachine: fc.constantFrom(undefined, undefined, undefined, undefined, "run" as const, "recovery" as const),
    isMended: fc.boolean(),
    isTwice: fc.constantFrom(false, false, false, false, false, false, false, true),
  })
  // What a replacement that was only asked for on the command line has left, another machine has no way to know.
  .map((each) => (each.freshMachine ? { ...each, replaced: [] } : each));

const lagMs = fc.constantFrom(0, 0, 1_500, 5_000);
const accepted = fc.constantFrom<Settings["updateAcceptedIn"]>(["NEW", "DEPLOYED", "ERROR"], ["DEPLOYED", "ERROR"]);

const settings: fc.Arbitrary<Partial<Settings>> = fc.record({
  provisionMs: fc.constantFrom(0, 1_000, 20_000),
  teardownMs: fc.constantFrom(0, 1_000, 20_000),
  readLagMs: lagMs,
  listLagMs: lagMs,
  deletedShownAs: fc.constantFrom("DELETED" as const, "404" as const),
  deletedListed: fc.boolean(),
  filtersHonoured: fc.constantFrom(true, true, true, false),
  createBody: fc.boolean(),
  updateBody: fc.boolean(),
  deleteBody: fc.boolean(),
  updateAcceptedIn: accepted,
  deleteAcceptedIn: accepted,
  // A duplicate must not be hidden by the service refusing it.
  duplicateIngressPort: fc.constantFrom("allowed" as const, "refused" as const),
  unsetAs: fc.constantFrom(null, "" as const, "absent" as const),
});

/** What of the program a step changes: programs that are drawn apart differ in too much for what one plain edit does to show. */
const changed = fc.constantFrom("all" as const, "all" as const, "arguments of tunnels" as const, "shares" as const);

function after(before: ModelProgram, now: ModelProgram, what: "all" | "arguments of tunnels" | "shares"): ModelProgram {
  if (what === "all") return now;
  if (what === "arguments of tunnels") {
    const tunnels = Object.entries(before.tunnels).map(([slot, old]) => [
      slot,
      { ...old, args: now.tunnels[slot]?.args ?? old.args },
    ]);
    return { tunnels: Object.fromEntries(tunnels) as ModelProgram["tunnels"], shares: before.shares };
  }
  const shares = Object.entries(now.shares).map(([slot, share]) => [
    slot,
    { ...share, on: before.tunnels["t2"] ? share.on : "t1" },
  ]);
  return { tunnels: before.tunnels, shares: Object.fromEntries(shares) as ModelProgram["shares"] };
}

export const history: fc.Arbitrary<ModelHistory> = fc
  .record({ settings, steps: fc.array(fc.tuple(step, changed), { minLength: 1, maxLength: 4 }) })
  .map(({ steps, ...rest }) => ({
    ...rest,
    steps: steps.reduce<ModelStep[]>((all, [each, what]) => {
      const before = all.at(-1)?.program;
      return [...all, before ? { ...each, program: after(before, each.program, what) } : each];
    }, []),
  }));

const set = fc.record({
  keys: fc.subarray(["s1", "s2", "s3"]),
  on: fc.constantFrom("t1", "t1", "t2"),
  ...{ called, place, edited },
  /** Of all ports: a share then needs the port of the next one or of the one before it, and no two exchange theirs. */
  shift: fc.nat(2),
  isReplaced: fc.constantFrom(false, false, false, false, false, false, true),
});

/** A key has retain if the next program adopts its share elsewhere: else the set deletes the share. */
const withRetain = (steps: ModelStep[]): ModelStep[] =>
  steps.map((each, at) => {
    // A refresh runs no program.
    const following = steps.slice(at + 1).find(({ run }) => run !== "refresh");
    const next = following?.run === "up" ? following.program : undefined;
    const { shares, set: own } = each.program;
    const isGiven = (slot: string) =>
      own?.keys.includes(slot) &&
      next !== undefined &&
      !next.set?.keys.includes(slot) &&
      next.shares[slot]?.edited === "adopted";
    const all = Object.entries(shares).map(([slot, share]): [string, ModelResource] => [
      slot,
      isGiven(slot) ? { ...share, args: { ...share.args, retain: true } } : share,
    ]);
    return { ...each, program: { ...each.program, shares: Object.fromEntries(all) } };
  });

/** Shares of its programs are those of a set: always all, in one set, whose ports then change too, or now these and now those. */
export const historyWithSets: fc.Arbitrary<ModelHistory> = fc
  .tuple(history, fc.array(set, { minLength: 4, maxLength: 4 }), fc.boolean())
  .map(([{ settings: chosen, steps }, sets, isSteady]) => ({
    settings: chosen,
    steps: withRetain(
      steps.flatMap((each, at) => {
        const ofStep = sets[at];
        if (!ofStep) return [];
        const { keys: now, on: wished, shift, isReplaced, ...called } = ofStep;
        const keys = isSteady ? ["s1", "s2", "s3"] : now;
        const { tunnels, shares } = each.program;
        const on = tunnels["t2"] ? wished : "t1";
        const whole: ModelSet = { ...called, ...(isSteady && { called: "", place: "" }), keys, on };
        const inSet = (slot: string) => keys.includes(slot);
        const all = Object.entries(shares).map(([slot, share], n): [string, ModelResource] => [
          slot,
          inSet(slot)
            ? { ...share, on, args: { ...share.args, ...(isSteady && { ingressPort: 1001 + n + shift }) } }
            : share,
        ]);
        const replaced = [
          ...each.replaced.filter((slot) => !inSet(slot)),
          ...(isReplaced && !isSteady && !each.freshMachine ? [setSlot] : []),
        ];
        return [{ ...each, replaced, program: { tunnels, shares: Object.fromEntries(all), set: whole } }];
      }),
    ),
  }));

/** What a history holds, in words: fast-check counts them. */
export function drawn({ steps }: ModelHistory): string[] {
  const found = steps.flatMap((each, at) => {
    const former = { ...steps[at - 1]?.program.tunnels, ...steps[at - 1]?.program.shares };
    const [setBefore, set] = [steps[at - 1]?.program.set, each.program.set];
    const isIn = (one: ModelSet | undefined, slot: string) => one?.keys.includes(slot);
    const ofSet =
      set && setBefore
        ? [
            Object.keys(each.program.shares).some(
              (slot) => former[slot] && isIn(set, slot) && !isIn(setBefore, slot),
            ) && "share into the set",
            Object.keys(each.program.shares).some(
              (slot) => former[slot] && !isIn(set, slot) && isIn(setBefore, slot),
            ) && "share out of the set",
            (set.called !== setBefore.called || set.place !== setBefore.place) && `set renamed, ${set.edited}`,
            set.on !== setBefore.on && "set to another tunnel",
          ]
        : [];
    const edits = Object.entries({ ...each.program.tunnels, ...each.program.shares }).flatMap(([slot, now]) => {
      const before = former[slot];
      if (!before) return [];
      const isRenamed = before.called !== now.called && `rename, ${now.edited}`;
      const isMoved = before.place !== now.place && `move, ${now.edited}`;
      const isOtherTunnel = before.on !== now.on && "share to another tunnel";
      const isReplaced = before.args["peerCidr"] !== now.args["peerCidr"] && "tunnel replaced";
      const isElsewhere = now.on === undefined && before.args["locationId"] !== now.args["locationId"];
      return [isRenamed, isMoved, isOtherTunnel, isReplaced, isElsewhere && "tunnel to another place"];
    });
    const others = [
      each.kill && `${each.kill.who} killed`,
      each.faults.length > 0 && "faults",
      each.replaced.length > 0 && "--replace",
      each.likeness !== undefined && "another's exactly alike",
      each.freshMachine && "another machine",
      each.isTwice && "a second stack",
    ];
    return [...ofSet, ...edits, ...others].filter((what) => typeof what === "string");
  });
  return [...new Set(found)];
}
