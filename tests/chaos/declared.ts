import type { Emulator } from "../../emulator";
import type { Entry } from "../harness/state";
import { type Args, type Identity, type Program, type Step, without } from "./schedule";
import { flat } from "./sets";

/** What the last successful `up` covered. */
export interface Covered {
  program: Program;
  /** By logical name. */
  ids: Map<string, string>;
}

type Kind = "tunnels" | "shares";

/** What a resource was in the program before: the same, one of its aliases, or what it adopts; undefined where it is new. */
function formerName(kind: Kind, name: string, args: Args, before: Program): string | undefined {
  const adopted = (args["adopt"] as { own?: string } | undefined)?.own;
  const was: Identity[] = [{ name, place: args.opts?.place }, ...(args.opts?.was ?? [])];
  const known = was.find((each) => {
    const old = before[kind][each.name ?? name];
    return old !== undefined && (old.opts?.place ?? "") === (each.place ?? "");
  });
  return known ? (known.name ?? name) : adopted !== undefined && before[kind][adopted] ? adopted : undefined;
}

/** What counts for a replacement; `ignored` is left aside on both sides. */
const kept = (args: Args, ignored: string[] = []) =>
  JSON.stringify(Object.entries(without(args, "opts", "adopt", "retain", "storeSampleConfig", ...ignored)).sort());

/** Names of what a step may replace, so that it can be gone for a while: anything else stays as it is. */
export function replaceable(earlier: Program, { program: now, flags, faults, run }: Step): Set<string> {
  const [before, program] = [flat(earlier), flat(now)];
  const spared = new Set<string>(flags?.replace);
  if (run === "destroy") for (const name of namesOf(program)) spared.add(name);
  const doFail = faults.some((fault) => fault.fault === "fail" && fault.kind === "tunnel");
  const tunnels = new Set<string>();
  for (const [name, args] of Object.entries(program.tunnels)) {
    const former = formerName("tunnels", name, args, before);
    const old = former === undefined ? undefined : before.tunnels[former];
    if (former === undefined || !old) continue;
    const ignored = args.opts?.ignoreChanges ?? [];
    // A change that was passed over before is one now.
    const isUnveiled = old.opts?.ignoreChanges?.some((key) => !ignored.includes(key));
    if (!doFail && !isUnveiled && !spared.has(name) && kept(old, ignored) === kept(args, ignored)) continue;
    // One that only moves keeps its shares until the new one is there.
    const isMove =
      !isUnveiled &&
      !spared.has(name) &&
      kept(old, [...ignored, "locationId"]) === kept(args, [...ignored, "locationId"]);
    const isGoneFirst = [old, args].some((each) => each.opts?.deleteBeforeReplace === true);
    if (!isMove || isGoneFirst) for (const each of [former, name]) tunnels.add(each);
    spared.add(name);
  }
  // A tunnel of before that is not declared any more goes with whatever is left on it.
  for (const [name, share] of Object.entries(program.shares)) {
    const former = formerName("shares", name, share, before);
    const old = former === undefined ? undefined : before.shares[former];
    if (former === undefined || !old) continue;
    const on = [share, old].map((each) => (each["ipsecTunnelId"] as { tunnel: string }).tunnel);
    if (on.some((tunnel) => tunnels.has(tunnel)) || share.opts?.replaceOnChanges)
      for (const each of [former, name]) spared.add(each);
  }
  return spared;
}

/** What was declared before and, as whatever name, is not any more: a run that then fails on something else has deleted it all the same. */
export function dropped(earlier: Program, now: Program): string[] {
  const [before, program] = [flat(earlier), flat(now)];
  const former = (["tunnels", "shares"] as const).flatMap((kind) =>
    Object.entries(program[kind]).map(([name, args]) => formerName(kind, name, args, before)),
  );
  return namesOf(before).filter((name) => !former.includes(name));
}

export function namesOf(program: Program): string[] {
  const { tunnels, shares } = flat(program);
  return [...Object.keys(tunnels), ...Object.keys(shares)];
}

/** What the program declares and the last successful up covered, but is not alive at the service or not in the state. */
export function declaredButGone(
  covered: Covered,
  now: Program,
  spared: Set<string>,
  state: Entry[],
  emulator: Emulator,
) {
  const [before, program] = [flat(covered.program), flat(now)];
  const served = [...emulator.tunnels(), ...emulator.shares()];
  const problems: string[] = [];
  for (const kind of ["tunnels", "shares"] as const) {
    for (const [name, args] of Object.entries(program[kind])) {
      const former = formerName(kind, name, args, before);
      const id = former === undefined ? undefined : covered.ids.get(former);
      if (id === undefined || spared.has(name)) continue;
      const status = served.find((each) => each.id === id)?.status ?? "gone";
      if (["DELETING", "DELETED", "gone"].includes(status))
        problems.push(`declared but gone: ${name} (${id}) is ${status}`);
      // With `retain` a share may be in no state until the resource that adopts it is created.
      const isHandedOver = former !== name && former !== undefined && before[kind][former]?.["retain"] === true;
      if (!isHandedOver && !state.some((each) => each.id === id))
        problems.push(`declared but forgotten: ${name} (${id})`);
    }
  }
  return problems;
}
