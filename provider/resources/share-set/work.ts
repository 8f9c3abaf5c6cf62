import { failed } from "../../errors";
import { portOfKey, staysAtService } from "../../messages/sets";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { keyed } from "../changes";
import type { Outcome } from "../lifecycle";
import { isNameDerived, type Notes, notesOf, withServiceName } from "../notes";
import { createShare } from "../share/create";
import { deleteShare } from "../share/delete";
import { compareShare } from "../share/diff";
import type { ShareInputs, ShareOutputs } from "../share/inputs";
import { updateShare } from "../share/update";
import type { Retaining, StateShare } from "./inputs";
import type { SetProgress } from "./progress";

/** The outcome of the work on one key: the next state of its share, and the reason if the share is not as declared. */
export interface KeyOutcome {
  share?: StateShare | undefined;
  error?: Error | undefined;
}

/** The checked inputs of a key. */
export type Wanted = ShareInputs & Retaining & Notes;

/** The outcome of each key. */
export type Outcomes = [key: string, outcome: KeyOutcome][];

/** The work that one key needs. `replace`: its share is gone, or its front door or tunnel changes so that an update cannot help. */
export type Need = "nothing" | "create" | "update" | "replace" | "delete";

/** The work of one create or update of a set. */
export interface SetWork {
  service: Service;
  label: string;
  before: ReadonlyMap<string, StateShare>;
  wanted: ReadonlyMap<string, Wanted>;
  needs: ReadonlyMap<string, Need>;
  /** The keys that wait: each with the key whose share has to free the port first. */
  holders: ReadonlyMap<string, string>;
  outcomes: Map<string, Promise<KeyOutcome>>;
  progress: SetProgress;
  until: Until;
}

/** Compares one key of the program with its share in the state. */
export async function needOf(
  service: Service,
  share: StateShare | undefined,
  wanted: Wanted | undefined,
  until: Until,
): Promise<Need> {
  if (!wanted) return share ? "delete" : "nothing";
  if (!share) return "create";
  const { id, outputs } = share;
  const diff = await compareShare(service, id, outputs, withServiceName(outputs, wanted), until, wanted.name);
  if (diff.replaces.length > 0) return "replace";
  // The set owns a share whose key stays, even if its update fails.
  service.frontDoor(wanted.frontdoorId).shares.ledger.record("confirmed", id);
  return diff.changes ? "update" : "nothing";
}

/** Does the work of these keys at the same time. */
export const doWork = (work: SetWork, keys: string[]): Promise<Outcomes> =>
  Promise.all(keys.map(async (key): Promise<Outcomes[number]> => [key, await outcomeOf(work, key)]));

/** Does the work of one key once: a second call gets the same outcome. Never rejects. */
function outcomeOf(work: SetWork, key: string): Promise<KeyOutcome> {
  const known =
    work.outcomes.get(key) ??
    doKey(work, key)
      .catch((error: unknown): KeyOutcome => ({ share: work.before.get(key), error: error as Error }))
      .finally(work.progress.countOne);
  work.outcomes.set(key, known);
  return known;
}

/** Does the work of one key. @throws FrontdoorError if the share stays as it is in the state. */
async function doKey(work: SetWork, key: string): Promise<KeyOutcome> {
  const { service, before, wanted: all, holders, until } = work;
  const [share, wanted] = [before.get(key), all.get(key)];
  const holder = holders.get(key);
  if (wanted && holder !== undefined && (await outcomeOf(work, holder)).error !== undefined)
    throw failed(portOfKey(wanted.ingressPort, keyed("shares", holder)));
  switch (work.needs.get(key)) {
    case "create":
      return wanted ? create(service, wanted, until) : {};
    case "update": {
      if (!share || !wanted) return {};
      const { id, outputs } = share;
      return asKeyOutcome(await updateShare(service, id, outputs, withServiceName(outputs, wanted), until), wanted);
    }
    case "replace": {
      if (!share || !wanted) return {};
      await deleteShare(service, share.id, share.outputs, until);
      // The old share is gone, whatever comes of the new one.
      return create(service, wanted, until).catch((error: unknown) => ({ error: error as Error }));
    }
    case "delete":
      return share ? remove(work, key, share) : {};
    default:
      return { share };
  }
}

const create = async (service: Service, wanted: Wanted, until: Until): Promise<KeyOutcome> =>
  asKeyOutcome(await createShare(service, wanted, isNameDerived(wanted), until), wanted);

/** Deletes the share of a removed key, unless the state says to retain it. */
async function remove(
  { service, label, until }: SetWork,
  key: string,
  { id, outputs }: StateShare,
): Promise<KeyOutcome> {
  if (outputs.__retain) service.say(staysAtService(label, keyed("shares", key), id));
  else await deleteShare(service, id, outputs, until);
  return {};
}

const asKeyOutcome = (
  { id, outputs, unfinished }: Outcome<ShareOutputs>,
  wanted: { name: string } & Notes,
): KeyOutcome => ({
  share: { id, outputs: { ...outputs, ...notesOf(outputs, wanted) } },
  error: unfinished,
});
