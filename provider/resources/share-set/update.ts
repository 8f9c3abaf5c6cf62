import { FrontdoorError, troubleOf } from "../../errors";
import { firstOf } from "../../messages/messages";
import { setUnfinished } from "../../messages/sets";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { keyed } from "../changes";
import type { Outcome } from "../lifecycle";
import { sharesOf } from "../share/users";
import {
  plannedShares,
  setLabel,
  setOutputs,
  type ShareSetInputs,
  type ShareSetOutputs,
  type StateShare,
} from "./inputs";
import { adoptersIn, holdersOf, keysOnOwnPorts, portsOf, refuseCycle } from "./ports";
import { setProgress } from "./progress";
import { needOf, type Outcomes, doWork, type SetWork, type Wanted } from "./work";

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
