import { failed, FrontdoorError, troubleOf } from "../../errors";
import { portOfKey, setUnfinished, staysAtService } from "../../messages/messages";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { keyed } from "../changes";
import type { Made } from "../lifecycle";
import { isNameDerived, type Notes, notesOf, withOwnName } from "../notes";
import { createShare } from "../share/create";
import { deleteShare } from "../share/delete";
import { compareShare } from "../share/diff";
import type { ShareInputs, ShareOutputs } from "../share/inputs";
import { updateShare } from "../share/update";
import { sharesOf } from "../share/users";
import {
  partsOf,
  type Retaining,
  setLabel,
  setOutputs,
  type ShareSetInputs,
  type ShareSetOutputs,
  type StateShare,
} from "./inputs";
import { adoptersIn, holdersOf, keysOnOwnPorts, placesOf, refuseCycle } from "./ports";
import { type SetProgress, setProgress } from "./progress";

/** The end of work on one share: its next state, and the reason if it is not as declared. */
interface End {
  share?: StateShare | undefined;
  error?: Error | undefined;
}

type Wanted = ShareInputs & Retaining & Notes;

/** What one key needs. */
type Need = "nothing" | "create" | "update" | "replace" | "delete";

/** The work of one create or update of a set. */
interface SetWork {
  service: Service;
  label: string;
  before: ReadonlyMap<string, StateShare>;
  wanted: ReadonlyMap<string, Wanted>;
  needs: ReadonlyMap<string, Need>;
  /** By key, the key whose share has to leave its port first. */
  holders: ReadonlyMap<string, string>;
  ends: Map<string, Promise<End>>;
  progress: SetProgress;
  until: Until;
}

/**
 * Creates or updates a set. All shares are written at the same time; a share that needs the port of another waits until that one has
 * left it. If one fails, the others continue. Shares of removed keys are deleted last, or before the share that needs their port.
 * @throws FrontdoorError `failed` if ports change places in a cycle.
 */
export async function updateSet(
  service: Service,
  before: ReadonlyMap<string, StateShare>,
  inputs: ShareSetInputs,
  asked: Until,
): Promise<Omit<Made<ShareSetOutputs>, "id">> {
  // Nothing is unknown any more.
  const wanted = partsOf(inputs) as Map<string, Wanted>;
  const label = setLabel(inputs);
  const keys = [...new Set([...wanted.keys(), ...before.keys()])];
  const needs = new Map(
    await Promise.all(
      keys.map(async (key) => [key, await needOf(service, before.get(key), wanted.get(key), asked)] as const),
    ),
  );
  const progress = setProgress(service, label, keys.length, asked);
  const holders = await portHolders(service, before, inputs, wanted, asked);
  refuseCycle(label, holders);
  const work = { service, label, before, wanted, needs, holders, ends: new Map<string, Promise<End>>(), progress };
  progress.announce([...needs.values()].filter((need) => need !== "nothing").length);
  const ends = await endsOfAll({ ...work, until: { ...asked, report: progress.report } }, inputs);
  const shares = ends.flatMap(([key, { share }]): [string, StateShare][] =>
    share ? [[key, withRetain(share, wanted.get(key))]] : [],
  );
  const outputs = setOutputs(inputs, new Map(shares));
  const wrong = ends.flatMap(([key, { error }]): [string, Error][] => (error ? [[key, error]] : []));
  return wrong.length > 0 ? { outputs, unfinished: unfinishedSet(label, wrong, wanted.size) } : { outputs };
}

async function needOf(
  service: Service,
  share: StateShare | undefined,
  wanted: Wanted | undefined,
  until: Until,
): Promise<Need> {
  if (!wanted) return share ? "delete" : "nothing";
  if (!share) return "create";
  const { id, outputs } = share;
  const diff = await compareShare(service, id, outputs, withOwnName(outputs, wanted), until, wanted.name);
  if (diff.replaces.length > 0) return "replace";
  // A share whose key stays is the set's, even if its update fails.
  service.frontDoor(wanted.frontdoorId).shares.ledger.record("confirmed", id);
  return diff.changes ? "update" : "nothing";
}

/** Returns which keys wait for which: a share to adopt leaves the port on which the service shows it. */
async function portHolders(
  service: Service,
  before: ReadonlyMap<string, StateShare>,
  { frontdoorId, ipsecTunnelId }: ShareSetInputs,
  wanted: ReadonlyMap<string, Wanted>,
  until: Until,
): Promise<Map<string, string>> {
  const frontDoor = service.frontDoor(frontdoorId);
  const adopters = adoptersIn(wanted, before);
  // Whatever comes of it, the program has these: with --continue-on-error Pulumi goes on to delete.
  for (const id of adopters.keys()) frontDoor.shares.ledger.record("returned", id);
  const shown = adopters.size > 0 ? await sharesOf(frontDoor, ipsecTunnelId, until) : [];
  const adopted = shown.flatMap((share) => {
    const key = adopters.get(share.id);
    return key === undefined ? [] : [{ ...share, key }];
  });
  return holdersOf([...placesOf(before, adopters), ...adopted], wanted);
}

/** Writes the wanted shares, then deletes those of removed keys. */
async function endsOfAll(work: SetWork, { frontdoorId, ipsecTunnelId }: ShareSetInputs): Promise<[string, End][]> {
  const { service, before, wanted, until } = work;
  if (before.size === 0) {
    // With `--replace`, Pulumi creates a set beside the old one. If the old one still has a port, nothing else of the set begins.
    const frontDoor = service.frontDoor(frontdoorId);
    const first = await endsOf(work, await keysOnOwnPorts(frontDoor, wanted, ipsecTunnelId, until));
    if (first.some(([, { share }]) => share === undefined)) return first;
  }
  const written = await endsOf(work, [...wanted.keys()]);
  const removed = [...before.keys()].filter((key) => !wanted.has(key));
  const hasFailed = written.some(([, { error }]) => error !== undefined);
  // After a failed write nothing more is deleted.
  const isUnstarted = (key: string) => hasFailed && !work.ends.has(key) && !isOwned(work, key);
  const unstarted = removed.filter(isUnstarted).map((key): [string, End] => [key, { share: before.get(key) }]);
  return [
    ...written,
    ...unstarted,
    ...(await endsOf(
      work,
      removed.filter((key) => !isUnstarted(key)),
    )),
  ];
}

/** True if another resource of this run has the share of a key. */
function isOwned({ service, before }: SetWork, key: string): boolean {
  const share = before.get(key);
  return (
    share !== undefined && service.frontDoor(share.outputs.frontdoorId).shares.ledger.stateOf(share.id) === "owned"
  );
}

const endsOf = (work: SetWork, keys: string[]): Promise<[string, End][]> =>
  Promise.all(keys.map(async (key): Promise<[string, End]> => [key, await endOf(work, key)]));

function endOf(work: SetWork, key: string): Promise<End> {
  const known =
    work.ends.get(key) ??
    worked(work, key)
      .catch((error: unknown): End => ({ share: work.before.get(key), error: error as Error }))
      .finally(work.progress.countOne);
  work.ends.set(key, known);
  return known;
}

/** @throws FrontdoorError: the share then stays as it is in the state. */
async function worked(work: SetWork, key: string): Promise<End> {
  const { service, before, wanted: all, holders, until } = work;
  const [share, wanted] = [before.get(key), all.get(key)];
  const holder = holders.get(key);
  if (wanted && holder !== undefined && (await endOf(work, holder)).error !== undefined)
    throw failed(portOfKey(wanted.ingressPort, keyed("shares", holder)));
  switch (work.needs.get(key)) {
    case "create":
      return wanted ? created(service, wanted, until) : {};
    case "update": {
      if (!share || !wanted) return {};
      const { id, outputs } = share;
      return madeFrom(await updateShare(service, id, outputs, withOwnName(outputs, wanted), until), wanted);
    }
    case "replace": {
      if (!share || !wanted) return {};
      await deleteShare(service, share.id, share.outputs, until);
      // The old share is gone, whatever comes of the new one.
      return created(service, wanted, until).catch((error: unknown) => ({ error: error as Error }));
    }
    case "delete":
      return share ? removed(work, key, share) : {};
    default:
      return { share };
  }
}

const created = async (service: Service, wanted: Wanted, until: Until): Promise<End> =>
  madeFrom(await createShare(service, wanted, isNameDerived(wanted), until), wanted);

/** Deletes the share of a removed key, unless the state says to retain it. */
async function removed({ service, label, until }: SetWork, key: string, { id, outputs }: StateShare): Promise<End> {
  if (outputs.__retain) service.say(staysAtService(label, keyed("shares", key), id));
  else await deleteShare(service, id, outputs, until);
  return {};
}

const madeFrom = ({ id, outputs, unfinished }: Made<ShareOutputs>, wanted: { name: string } & Notes): End => ({
  share: { id, outputs: { ...outputs, ...notesOf(outputs, wanted) } },
  error: unfinished,
});

/** Notes `retain` of the program. A removed key keeps the note of the state. */
const withRetain = (share: StateShare, wanted: Wanted | undefined): StateShare =>
  wanted ? { ...share, outputs: { ...share.outputs, __retain: wanted.retain === true ? true : undefined } } : share;

function unfinishedSet(label: string, wrong: [string, Error][], total: number): FrontdoorError {
  const reasons = wrong.map(([key, { message }]) => `${keyed("shares", key)}: ${message}`);
  const isLate = wrong.some(([, error]) => troubleOf(error)?.kind === "timed-out");
  const message = setUnfinished(label, wrong.length, Math.max(total, wrong.length), reasons);
  return new FrontdoorError(message, { kind: isLate ? "timed-out" : "failed" });
}
