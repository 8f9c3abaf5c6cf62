import { failed, FrontdoorError, seconds, troubleOf } from "../errors";
import { type Planned, UNKNOWN, valueOf } from "../fields/field";
import type { ShareInputs, ShareOutputs } from "../fields/share";
import { writesPerSecond } from "../http/pace";
import {
  type Diff,
  isNameDerived,
  keyed,
  type Notes,
  notesOf,
  type Outcome,
  replaceRequests,
  withServiceName,
} from "../lifecycle/lifecycle";
import { firstOf, portOfKey, setUnfinished, staysAtService } from "../messages";
import type { Service } from "../operations/service";
import type { Until } from "../time";
import { sharesOf } from "./owner";
import { compareShare, type Comparison, confirmShare, createShare, deleteShare, plannedWrite } from "./share";
import { adoptersIn, holdersOf, keysOnOwnPorts, knownPorts, portsOf, refuseCycle } from "./share-set-check";
import {
  defaultNames,
  type PlannedShare,
  plannedShares,
  type Retaining,
  setFields,
  setLabel,
  setOutputs,
  type ShareSetInputs,
  type ShareSetOutputs,
  sharesIn,
  type StateShare,
} from "./share-set-inputs";
import { updateShare } from "./share-update";

type PlannedShares = ReturnType<typeof plannedShares>;

/** Refuses a cycle of ports that the state and the program show. @throws FrontdoorError `failed`. */
export function refuseKnownCycle(olds: ShareSetOutputs, news: Planned<ShareSetInputs>): void {
  const inState = sharesIn(olds);
  const wanted = knownPorts(plannedShares(news));
  refuseCycle(setLabel(news), holdersOf(portsOf(inState, adoptersIn(wanted, inState)), wanted));
}

/** Compares each share of the state with its key in the program. A set is replaced only if each of its shares would be. */
export async function diffSet(
  service: Service,
  olds: ShareSetOutputs,
  news: Planned<ShareSetInputs>,
  until: Until,
): Promise<Diff> {
  const planned = plannedShares(news);
  const inState = sharesIn(olds);
  const isReplaced = isTunnelReplaced(service, news, planned);
  const diffs = await Promise.all(
    [...inState].map(([key, each]) => compareKey(service, each, planned?.get(key), isReplaced, until)),
  );
  const isAny = (name: string) => diffs.some(({ replaces }) => replaces.includes(name));
  const replaces = ["frontdoorId", "ipsecTunnelId"].filter(isAny);
  const isAdded = planned === undefined || [...planned.keys()].some((key) => !inState.has(key));
  const isSetDifferent = setFields.some((name) => isDifferent(name, valueOf(olds, name), valueOf(news, name)));
  const changes = isAdded || isSetDifferent || diffs.some((diff) => diff.changes);
  // A set that changes owns nothing before its update: with replaceOnChanges, Pulumi may delete all its shares first.
  if (!changes && diffs.every(({ isConfirmed }) => isConfirmed))
    for (const [key, { id, outputs }] of inState) {
      const share = planned.get(key);
      confirmShare(service, id, outputs, share === undefined || share === UNKNOWN ? outputs.name : String(share.name));
    }
  return {
    changes,
    isOfInputs: changes && replaces.length === 0 && diffs.every((diff) => diff.isOfInputs || !diff.changes),
    replaces,
    deleteBeforeReplace: !replaces.includes("frontdoorId"),
  };
}

/** True if a value of the set itself changes. A default that the program no longer gives changes only the shares, if at all. */
const isDifferent = (name: string, old: unknown, now: unknown): boolean =>
  old !== now && now !== UNKNOWN && !(now === undefined && defaultNames.includes(name));

async function compareKey(
  service: Service,
  { id, outputs }: StateShare,
  share: PlannedShare | typeof UNKNOWN | undefined,
  isReplaced: boolean,
  until: Until,
): Promise<Comparison> {
  if (share !== undefined && share !== UNKNOWN) {
    const diff = await compareShare(service, id, outputs, withServiceName(outputs, share), until, share.name);
    if ((share.retain ?? false) === (outputs.__retain ?? false)) return diff;
    // `retain` is an input, and differs.
    return { ...diff, changes: true, isOfInputs: diff.isOfInputs || !diff.changes, isConfirmed: false };
  }
  // If the tunnel is replaced, the share of a removed key also has to go before the tunnel.
  const before: Planned<ShareInputs> = { ...outputs, ipsecTunnelId: UNKNOWN };
  if (isReplaced) return compareShare(service, id, outputs, before, until, outputs.name);
  return { changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true, isConfirmed: false };
}

/** True if Pulumi replaces the tunnel delete first: the tunnel is unknown, although check has seen no unknown tunnel. */
function isTunnelReplaced(
  service: Service,
  { ipsecTunnelId, frontdoorId }: Planned<ShareSetInputs>,
  planned: PlannedShares = new Map(),
): boolean {
  if (ipsecTunnelId !== UNKNOWN) return false;
  if (frontdoorId === UNKNOWN) return true;
  const { declarations } = service.frontDoor(frontdoorId).shares;
  return ![...planned.values()].some((share) => share !== UNKNOWN && declarations.named(share.name)?.hasUnknownTunnel);
}

/**
 * Creates or updates a set. All shares are written at the same time, but a share that needs the port of another waits for that share.
 * If one fails, the others continue. Shares of removed keys are deleted last, or before the share that needs their port.
 * @throws FrontdoorError `failed` if ports change places in a cycle.
 */
export async function updateSet(
  service: Service,
  before: ReadonlyMap<string, StateShare>,
  inputs: ShareSetInputs,
  until: Until,
): Promise<Omit<Outcome<ShareSetOutputs>, "id">> {
  // Nothing is unknown any more.
  const wanted = plannedShares(inputs) as Map<string, Wanted>;
  const label = setLabel(inputs);
  const keys = [...new Set([...wanted.keys(), ...before.keys()])];
  const needs = new Map(
    await Promise.all(
      keys.map(async (key) => [key, await needOf(service, before.get(key), wanted.get(key), until)] as const),
    ),
  );
  const progress = setProgress(service, label, keys.length, until);
  const holders = await portHolders(service, before, inputs, wanted, until);
  refuseCycle(label, holders);
  const parts = { service, label, before, wanted, needs, holders, progress };
  const work: SetWork = { ...parts, outcomes: new Map(), until: { ...until, report: progress.report } };
  progress.announce([...needs.values()].filter((need) => need !== "nothing").length);
  const outcomes = await writeThenDelete(work, inputs);
  const shares = outcomes.flatMap(([key, { share }]): [string, StateShare][] =>
    share ? [[key, withRetain(share, wanted.get(key))]] : [],
  );
  const outputs = setOutputs(inputs, new Map(shares));
  const wrong = outcomes.flatMap(([key, { error }]): [string, Error][] => (error ? [[key, error]] : []));
  return wrong.length > 0 ? { outputs, unfinished: unfinishedSet(service, label, wrong, wanted.size) } : { outputs };
}

/** Returns, for each key that waits for a port, the key whose share has the port. An adopted share has the port that the service shows. */
async function portHolders(
  service: Service,
  before: ReadonlyMap<string, StateShare>,
  { frontdoorId, ipsecTunnelId }: ShareSetInputs,
  wanted: ReadonlyMap<string, Wanted>,
  until: Until,
): Promise<Map<string, string>> {
  const frontDoor = service.frontDoor(frontdoorId);
  const adopters = adoptersIn(wanted, before);
  // The program has these ids, even if their adoption fails: with --continue-on-error, Pulumi still deletes what the program removed.
  for (const id of adopters.keys()) frontDoor.shares.ledger.record("acquired", id);
  const listed = adopters.size > 0 ? await sharesOf(frontDoor, ipsecTunnelId, until) : [];
  const adopted = listed.flatMap((share) => {
    const key = adopters.get(share.id);
    return key === undefined ? [] : [{ ...share, key }];
  });
  return holdersOf([...portsOf(before, adopters), ...adopted], wanted);
}

/** Writes the wanted shares, then deletes those of removed keys. */
async function writeThenDelete(work: SetWork, { frontdoorId, ipsecTunnelId }: ShareSetInputs): Promise<Outcomes> {
  const { service, before, wanted, until } = work;
  if (before.size === 0) {
    // With `--replace`, Pulumi creates the new set before it deletes the old one. The keys whose port the old set may have go first. If
    // one of them gets no share, no other share is created.
    const frontDoor = service.frontDoor(frontdoorId);
    const first = await doWork(work, await keysOnOwnPorts(frontDoor, wanted, ipsecTunnelId, until));
    if (first.some(([, { share }]) => share === undefined)) return first;
  }
  const written = await doWork(work, [...wanted.keys()]);
  const removed = [...before.keys()].filter((key) => !wanted.has(key));
  const hasFailed = written.some(([, { error }]) => error !== undefined);
  // After a failed write, no share is deleted. A key does not count if another key needed its port, or if another resource owns its share.
  const isSkipped = (key: string) => hasFailed && !work.outcomes.has(key) && !isOwned(work, key);
  const skipped = removed.filter(isSkipped).map((key): Outcomes[number] => [key, { share: before.get(key) }]);
  const others = removed.filter((key) => !isSkipped(key));
  return [...written, ...skipped, ...(await doWork(work, others))];
}

/** True if another resource of this run has the share of a key. */
function isOwned({ service, before }: SetWork, key: string): boolean {
  const share = before.get(key);
  return (
    share !== undefined && service.frontDoor(share.outputs.frontdoorId).shares.ledger.stateOf(share.id) === "owned"
  );
}

/** Returns the share with the `retain` of the program. A removed key keeps that of the state. */
const withRetain = (share: StateShare, wanted: Wanted | undefined): StateShare =>
  wanted ? { ...share, outputs: { ...share.outputs, __retain: wanted.retain === true ? true : undefined } } : share;

/** Returns the error of a set, which has the first reasons in short. The log has ten of them in full. */
function unfinishedSet(service: Service, label: string, wrong: [string, Error][], total: number): FrontdoorError {
  const reasons = wrong.map(([key, { message }]) => `${keyed("shares", key)}: ${message}`);
  for (const reason of firstOf(reasons)) service.say(`${label}: ${reason}`);
  const isLate = wrong.some(([, error]) => troubleOf(error)?.kind === "timed-out");
  const message = setUnfinished(label, wrong.length, Math.max(total, wrong.length), reasons);
  return new FrontdoorError(message, { kind: isLate ? "timed-out" : "failed" });
}

/** The outcome of the work on one key: the next state of its share, and the reason if the share is not as declared. */
interface KeyOutcome {
  share?: StateShare | undefined;
  error?: Error | undefined;
}

/** The checked inputs of a key. */
type Wanted = ShareInputs & Retaining & Notes;

/** The outcome of each key. */
type Outcomes = [key: string, outcome: KeyOutcome][];

/** The work that one key needs. `replace`: its share is gone, or its front door or tunnel changes so that an update cannot help. */
type Need = "nothing" | "create" | "update" | "replace" | "delete";

/** The work of one create or update of a set. */
interface SetWork {
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
async function needOf(
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
  service.frontDoor(wanted.frontdoorId).shares.ledger.record("update begins", id);
  return diff.changes ? "update" : "nothing";
}

/** Does the work of these keys at the same time. */
const doWork = (work: SetWork, keys: string[]): Promise<Outcomes> =>
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

/** Returns the line that a preview shows beside a set: the number of requests of each kind. */
export function previewSet(olds: ShareSetOutputs, news: Planned<ShareSetInputs>, diff: Diff): string | undefined {
  const inState = sharesIn(olds);
  if (diff.replaces.length > 0) return `${inState.size} shares: ${replaceRequests(diff)}`;
  const planned = plannedShares(news);
  if (planned === undefined) return undefined;
  const counts = { POST: 0, PATCH: 0, PUT: 0, DELETE: 0 };
  for (const [key, share] of planned) {
    const before = inState.get(key);
    if (!before) counts.POST += 1;
    else if (share !== UNKNOWN) {
      const write = plannedWrite(before.outputs, withServiceName(before.outputs, share));
      if (write) counts[write.method] += 1;
    }
  }
  for (const [key, { outputs }] of inState) if (!planned.has(key) && outputs.__retain !== true) counts.DELETE += 1;
  const requests = Object.entries(counts).filter(([, count]) => count > 0);
  if (requests.length === 0) return undefined;
  const recreated = counts.PATCH + counts.PUT;
  const line = requests.map(([method, count]) => `${count} × ${method}`).join(", ");
  return recreated > 0 ? `${line}; the service recreates ${recreated} of ${inState.size} shares` : line;
}

/** A set that needs longer announces its writes before the first one. */
const longMs = 10_000;
const reportEveryMs = 1_000;

/** Shows how many shares of a set are done. */
interface SetProgress {
  /** Shows how long so many writes will take, if that is long. */
  announce(writes: number): void;
  countOne: () => void;
  /** Reports once a second at most: each share reports its polls. */
  report: () => void;
}

function setProgress({ config, clock, say }: Service, label: string, total: number, until: Until): SetProgress {
  let doneCount = 0;
  let reportedMs = -Infinity;
  return {
    announce(writes) {
      const sendingMs = (writes / writesPerSecond(config.requestsPerSecond)) * 1000;
      if (sendingMs < longMs) return;
      say(
        `${label}: ${writes} shares to write at ${config.requestsPerSecond} requests a second: about ${seconds(sendingMs)}, and the time that the service takes`,
      );
    },
    countOne() {
      doneCount += 1;
    },
    report() {
      const now = clock.now();
      if (now - reportedMs < reportEveryMs) return;
      reportedMs = now;
      until.report?.(`${doneCount}/${total} shares done after ${seconds(now - (until.startedMs ?? now))}`);
    },
  };
}
