import { type Planned, UNKNOWN, valueOf } from "../../provider/fields/field";
import {
  plannedShares,
  type PlannedShare,
  type ShareSetInputs,
  type ShareSetOutputs,
  sharesIn,
  type StateShare,
} from "../../provider/resources/share-set/inputs";
import { holdersOf, knownPorts, portsOf } from "../../provider/resources/share-set/ports";
import { notUnderstood, type Step } from "./preview";
import { type Asked, certain, creation, deletion, inputsOf, possible, replacement, update } from "./requests";

/** The change of one key. */
export interface KeyChange extends Asked {
  key: string;
  id: string | undefined;
  /** The key whose share has to leave its port first. */
  after?: string | undefined;
}

/** Returns the change of each key of a set. If its shares are secret, each one in the state may be updated. @throws Misuse. */
export function keyChanges(step: Step): KeyChange[] {
  const outputs = step.oldState?.outputs;
  const olds = outputs && isMap(outputs, "shares") ? sharesIn(outputs as object as ShareSetOutputs) : undefined;
  const inputs = inputsOf(step) as Planned<ShareSetInputs>;
  const news = isMap(inputs, "shares") ? plannedShares(inputs) : undefined;
  if ((outputs && !olds) || (step.newState && !news)) return hiddenChanges(step, news);
  const [before, parts] = [olds ?? new Map<string, StateShare>(), news ?? new Map<string, PlannedShare>()];
  const holders = step.op === "update" ? holdersOf(portsOf(before, new Map()), knownPorts(parts)) : undefined;
  return [...new Set([...before.keys(), ...parts.keys()])].map((key) => ({
    ...{ key, id: before.get(key)?.id, after: holders?.get(key) },
    ...keyRequest(step, before.get(key), parts.get(key)),
  }));
}

/** Returns the shares of a set in the state and in the program, as far as they are known. */
export function sharesOfSet(step: Step): {
  olds: Map<string, { share: object; isRetained: boolean }>;
  news: Map<string, object>;
} {
  const outputs = step.oldState?.outputs;
  const before = outputs && isMap(outputs, "shares") ? sharesIn(outputs as object as ShareSetOutputs) : [];
  const inputs = inputsOf(step) as Planned<ShareSetInputs>;
  const planned = isMap(inputs, "shares") ? (plannedShares(inputs) ?? []) : [];
  return {
    olds: new Map(
      [...before].map(([key, { outputs: share }]) => [key, { share, isRetained: share.__retain === true }]),
    ),
    news: new Map([...planned].map(([key, share]) => [key, share === UNKNOWN ? {} : share])),
  };
}

const isMap = (from: object, name: string) => typeof valueOf(from, name) === "object";

function keyRequest(step: Step, old: StateShare | undefined, part: PlannedShare | typeof UNKNOWN | undefined): Asked {
  if (!old) return part === UNKNOWN ? certain("POST") : creation(part ?? {});
  if (step.op === "replace" && part) return replacement(step);
  if (step.op !== "update") return deletion(step);
  if (!part) return certain(old.outputs.__retain ? "none" : "DELETE");
  return part === UNKNOWN ? possible("PATCH") : update(old.outputs, part);
}

/** Only the ids of the old shares are known, and the keys of the new ones if `news` are. */
function hiddenChanges(step: Step, news: ReturnType<typeof plannedShares>): KeyChange[] {
  const { ids } = step.oldState?.outputs ?? {};
  if (typeof ids !== "object" || ids === null) throw notUnderstood("the shares of a set are secret or unknown");
  const known = new Map(Object.entries(ids as Record<string, string>));
  const asked = step.op === "delete" ? deletion(step) : step.op === "update" ? possible("PATCH") : replacement(step);
  // The plugin's preview also knows the keys of secret shares.
  const planned = valueOf(step.newState?.outputs ?? {}, "ids");
  const keys = news ?? (typeof planned === "object" && planned !== null ? new Map(Object.entries(planned)) : undefined);
  const isGone = (key: string) => step.op === "update" && keys?.has(key) === false;
  return [
    ...[...known].map(([key, id]) => ({ key, id, ...(isGone(key) ? possible("DELETE") : asked) })),
    ...[...(news ?? new Map<string, PlannedShare>())]
      .filter(([key]) => !known.has(key))
      .map(([key, share]) => ({ key, id: undefined, ...(share === UNKNOWN ? certain("POST") : creation(share)) })),
  ];
}
