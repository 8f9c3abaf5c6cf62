import { isBusy, isPresent, type Named, type WireTunnel } from "../api/wire";
import { effectMs, lagMs } from "../consistency";
import { isConflict, isRefused, limit, mayHaveRun, seconds, wordsOf } from "../errors";
import { backoff, persist, retryPause, type Until } from "../time";
import { acceptWritten, type Evidence } from "../view/acceptors";
import type { Subject, WriteTarget } from "./find";
import type { Context, Kind } from "./service";

const mostTries = 5;
/** A 429 can come after the work, but nothing takes effect after a 429. So one read decides whether to send again. */
export const mostLimitedTries = 10;

/** The error of a write that the service has not accepted. */
interface WriteFailure {
  error: unknown;
  /** True if a send can have taken effect: then the state must not say that nothing happened. */
  canHaveEffect: boolean;
}

/**
 * Sends a PUT or PATCH so that it happens once, because each accepted one recreates the share. After a lost answer, such as a 503, the
 * provider polls until the write can no longer take effect, for at least 30 s, because reads can lag behind, and longer by a pause that the
 * service asks for. It sends the write again only after a read that does not show the evidence. A pause that outlasts the deadline ends the
 * write. Returns undefined if the service has accepted the write.
 */
export async function writeOnce<Wire extends Named>(
  subject: Subject<Wire>,
  send: (onSend: () => void) => Promise<void>,
  evidence: Evidence<Wire>,
  until: Context,
): Promise<WriteFailure | undefined> {
  const { kind, id } = subject;
  const { clock, view } = kind;
  const { isById } = evidence;
  const write = new GuardedWrite(subject, send, evidence, until);
  let tries = 0;
  let pauseMs = 0;
  let failure: WriteFailure | undefined;
  /** Returns the end, or undefined if the write may be sent again. */
  const attempt = async (): Promise<{ failure?: WriteFailure } | undefined> => {
    tries += 1;
    pauseMs = 0;
    try {
      await retryWhileBusy(subject, () => write.sendAfterRead(), until);
      return {};
    } catch (error) {
      failure = { error, canHaveEffect: write.canHaveEffect };
      const isLimited = isRefused(error, 429);
      const isRepeated = isLimited ? tries < mostLimitedTries : mayHaveRun(error) && tries < mostTries;
      const pauseEndsMs = clock.now() + kind.pauseMs();
      if (!isRepeated || pauseEndsMs >= until.deadlineMs) return { failure };
      if (isLimited) {
        pauseMs = Math.max(kind.pauseMs(), retryPause(tries, clock.random()));
        return undefined;
      }
      const deadlineMs = Math.min(until.deadlineMs, Math.max(pauseEndsMs + lagMs, write.settledFromMs));
      const ended = await view.wait(id, acceptWritten(evidence), { ...until, deadlineMs }, { isById });
      return ended.now === "done" ? {} : undefined;
    }
  };
  const end = (await persist(clock, until, () => pauseMs, attempt)) ?? { failure };
  return end.failure;
}

/** A write of which each send but the first follows a read that succeeded. */
class GuardedWrite<Wire extends Named> {
  canHaveEffect = false;
  /** The time from which no send can take effect any more. */
  settledFromMs = -Infinity;
  private last: { error: unknown } | undefined;

  constructor(
    private readonly subject: Subject<Wire>,
    private readonly send: (onSend: () => void) => Promise<void>,
    private readonly evidence: Evidence<Wire>,
    private readonly until: Context,
  ) {}

  /** Returns without a send if the read proves an earlier one. @throws the error of the last send, also if the read fails. */
  async sendAfterRead(): Promise<void> {
    if (this.last && (await this.isProved(this.last.error))) return;
    try {
      await this.send(() => {
        this.settledFromMs = this.subject.kind.clock.now() + effectMs(this.until.service.config.requestTimeoutMs);
      });
    } catch (error) {
      this.last = { error };
      this.canHaveEffect ||= mayHaveRun(error) || isRefused(error, 429);
      throw error;
    }
  }

  private async isProved(last: unknown): Promise<boolean> {
    const { kind, id } = this.subject;
    const seen = await kind.calls.get(id, this.until).catch(() => {
      throw last;
    });
    const history = { waitedMs: 0, statuses: new Set(seen && [seen.status]) };
    return this.canHaveEffect && acceptWritten(this.evidence)(seen, history).now === "done";
  }
}

/**
 * Sends a write, and sends it again if the service refuses it for a reason that passes by itself: work on the resource or on its tunnel,
 * or something that this run has just done and the service does not show yet. Reads before each further try. The rules are in
 * `refusedStep`. @throws FrontdoorError of the last try.
 */
export async function retryWhileBusy<T, Wire extends Named>(
  target: WriteTarget<Wire>,
  write: () => Promise<T>,
  until: Until,
): Promise<T> {
  const { clock, tunnels, view } = target.kind;
  const { id, tunnelIds = [] } = target;
  let wasBusy = false;
  const { answer } = await persist(
    clock,
    until,
    async ({ error, waitedMs }) => {
      const says = saysOf(error, tunnels ? shareDestination : tunnelDestination);
      if (says === "for good") return undefined;
      const known = await knownAbout(target, until);
      // If the work has ended since the refusal, one more try can succeed.
      const step = refusedStep(says, known === "nothing more" && wasBusy ? "busy" : known);
      if (step !== "retry") return undefined;
      wasBusy = known === "busy";
      reportRefused(until, clock.now(), known);
      // It shows within 30 s, so the pauses grow three times as fast: a few tries are enough.
      const agedMs = known === "not shown yet" ? 3 * waitedMs : waitedMs;
      return backoff(agedMs, clock.random()) * (0.5 + clock.random());
    },
    async () => ({ answer: await write() }),
  );
  if (id !== undefined) view.noteWrite(id, tunnelIds);
  return answer;
}

/** Reports the refusal instead of a status: the resource still has the status from before the write. */
function reportRefused({ report, startedMs, deadlineMs }: Until, nowMs: number, known: RefusalCause): void {
  const begunMs = startedMs ?? nowMs;
  const why = known === "not shown yet" ? "the service may not show the last change yet" : "the tunnel is busy";
  report?.(`refused for ${seconds(nowMs - begunMs)} while ${why}, limit ${limit(deadlineMs - begunMs)}`);
}

/** Returns what passes by itself, as far as this run and the service show it. A read that fails says nothing about the write. */
async function knownAbout<Wire extends Named>(target: WriteTarget<Wire>, until: Until): Promise<RefusalCause> {
  const { kind, id, tunnelIds = [], isFreedNow } = target;
  const { calls, tunnels } = kind;
  const unread = () => undefined;
  if (isFreedNow) return (await isFreedNow().catch(() => false)) ? "not shown yet" : "nothing more";
  // No write is sent again without a read: of the resource itself, or of the list that a create has.
  const own = id === undefined ? undefined : await calls.get(id, until).catch(unread);
  if (id !== undefined && !own) return "nothing more";
  const passing = tunnels && knownHere(target, tunnels);
  if (own && passing) return passing;
  if (own && isBusy(own)) return "busy";
  if (!tunnels || tunnelIds.length === 0) return "nothing more";
  const query = tunnelIds.map((tunnelId): [string, string] => ["ipsecTunnelId", tunnelId]);
  const entries = (await calls.list(query, until).catch(unread))?.entries;
  if (!own && !entries) return "nothing more";
  if (passing) return passing;
  if (entries?.some((entry) => entry.id !== id && isOn(entry, tunnelIds) && isBusy(entry))) return "busy";
  const on = await Promise.all(tunnelIds.map((each) => tunnels.calls.get(each, until).catch(unread)));
  return on.some((tunnel) => tunnel && isPresent(tunnel) && isBusy(tunnel)) ? "busy" : "nothing more";
}

/** Returns what this run knows without a read, as lists can lag behind its own writes. */
function knownHere<Wire extends Named>(
  { kind, tunnelIds = [] }: WriteTarget<Wire>,
  tunnels: Kind<WireTunnel>,
): RefusalCause | undefined {
  if (tunnels.ledger.news.isRecent("deployed", tunnelIds.at(-1) ?? "")) return "not shown yet";
  return kind.view.isWaitingOn(tunnelIds) ? "busy" : undefined;
}

/** The entry of a share that is being deleted need not show its tunnel. */
const isOn = (entry: Named & { ipsecTunnelId?: string }, tunnelIds: string[]) =>
  entry.ipsecTunnelId === "" || tunnelIds.includes(entry.ipsecTunnelId ?? "");

/** What the service's answer to a write says. */
export type Says =
  /** Another 400; 409, 412, 423, 425: the write can be refused because of a resource's present state. */
  | "conflict"
  /** 400 `Value for … must be of …` about the tunnel, the location or the port. */
  | "wrong destination"
  /** 404. */
  | "not found"
  /** 401, 403, 422, any other status, and 400 `Value for … must be of …` about another argument. */
  | "for good";

/** What this run knows about a refusal. The first of these facts that holds counts. */
export type RefusalCause =
  /** In the last 30 s, this run has seen the tunnel become DEPLOYED, or has deleted the tunnel at the location. */
  | "not shown yet"
  /** The resource itself or its own tunnel is busy, or another share on that tunnel. */
  | "busy"
  /** The tunnel at the location is being deleted, or this run moves or deletes the share that has the port. */
  | "holder leaves"
  /** Another resource has the location or the port. */
  | "holder stays"
  /** The tunnel of the share is missing, or is being deleted. */
  | "tunnel gone"
  | "nothing more";

export type RefusedStep =
  /** Send the write again after a pause: for 30 s if something may not show yet, else until the deadline. */
  | "retry"
  /** Wait until the holder is gone, then send the write again. */
  | "wait"
  /** Fail, and name the cause beside the words of the service. */
  | "explain"
  /** Fail with the words of the service. */
  | "fail";

/** Decides what follows a refused write: the table "Refused writes" of docs/how-it-works.md. */
export function refusedStep(says: Says, known: RefusalCause): RefusedStep {
  if (says === "for good") return "fail";
  switch (known) {
    case "not shown yet":
      return "retry";
    case "busy":
      return says === "conflict" ? "retry" : "fail";
    case "holder leaves":
      return says === "not found" ? "fail" : "wait";
    case "holder stays":
      return says === "not found" ? "fail" : "explain";
    case "tunnel gone":
      return "explain";
    case "nothing more":
      return "fail";
  }
}

/** The only form of a 400 that the specification shows, and the property that it names (spec: Errors). */
const form = /\bValue for \W?([\w.[\]-]+)\W? must be of\b/i;

/** Returns the property that a 400 of that form names. */
export const propertyIn = (error: unknown): string | undefined =>
  isRefused(error, 400) ? form.exec(wordsOf(error))?.[1] : undefined;

/** Returns what a refusal says. `destination` matches the properties that say where the resource is to be. */
export function saysOf(error: unknown, destination: RegExp): Says {
  if (isRefused(error, 404)) return "not found";
  if (!isConflict(error)) return "for good";
  const property = propertyIn(error);
  if (property === undefined) return "conflict";
  return destination.test(property) ? "wrong destination" : "for good";
}

/** Properties that say where a tunnel, or a share, is to be. */
export const tunnelDestination = /location/i;
export const shareDestination = /tunnel|port/i;
