import { mayHaveRun } from "../api/collection";
import type { Kind, Service } from "../api/service";
import type { Named } from "../api/types";
import { isOver, type Until } from "../clock";
import { FrontdoorError, isConflict } from "../errors";
import { hashOf } from "../ownership/creates";
import { pauseAfter } from "../ticks";
import { whenAccepted } from "./accepted";

interface Creation<Wire extends Named> {
  kind: Kind<Wire>;
  /** "IPsec tunnel" or "IPsec share". */
  what: string;
  body: { name: string };
  isNameDerived: boolean;
  /** The tunnel a share is to be on. */
  tunnelIds?: string[];
  /** True when the entry is what the body asks for, in every field. */
  isAlike: (entry: Wire) => boolean;
  /** What is required of every such resource, in canonical form: by it one that was asked for earlier is known again. */
  required: (from: object) => unknown[];
  /** Says who is in the way where the service refuses the create. */
  holder: (error: unknown) => Promise<string | undefined>;
}

/** Where it comes from: this call's POST, an earlier one of this call whose answer was lost, or what an interrupted run has left. */
export interface Created<Wire> {
  id: string;
  found?: Wire;
  isLeft?: true;
}

const mostTries = 3;
/** How long after a request has ended at the latest its work may take to show. */
export const lostAnswerMs = 12_000;

type Making = Pick<Service, "clock" | "say" | "config">;

/**
 * Creates exactly one: looks first, and looks again before any second POST where the first one's answer was lost, be it in this
 * run or in an interrupted one of this stack, until nothing of it can still come.
 * @throws FrontdoorError.
 */
export async function createOnce<Wire extends Named>(
  creation: Creation<Wire>,
  service: Making,
  until: Until,
): Promise<Created<Wire>> {
  const { kind, what, body, tunnelIds = [] } = creation;
  const { clock, config } = service;
  const { name } = body;
  const origin = kind.claims.urnOf(name) ?? "";
  const likeness = hashOf(creation.required(body));
  /** A request sent at that time has ended by now, and its work has shown. */
  const isPast = (postedAtMs: number) => clock.wall() > postedAtMs + config.requestTimeoutMs + lostAnswerMs;
  const look = async () => (await kind.names.look(name, until)).filter(({ id }) => !kind.claims.isHeld(id));
  const settled = async (isIt: (entry: Wire) => boolean, isEnough: () => boolean) => {
    for (const startedMs = clock.now(); ;) {
      const found = (await look()).find(isIt);
      if (found || isEnough() || isOver(clock, until)) return found;
      await clock.sleep(pauseAfter(clock.now() - startedMs, Math.random()), until.signal);
    }
  };
  const made = (id: string) => {
    kind.claims.hold(id);
    kind.creates.note(name, { origin, postedAtMs: clock.wall(), likeness, id });
    return id;
  };

  await kind.departures.awaitGone(name, clock, until);
  const left = await leftOver(creation, origin, look, settled, isPast, service);
  if (left) return { id: made(left.id), found: left, isLeft: true };
  for (let tries = 1; ; tries++) {
    let postedAtMs = clock.wall();
    const post = () =>
      kind.calls.create(body, until, () => {
        postedAtMs = clock.wall();
        kind.creates.note(name, { origin, postedAtMs, likeness });
      });
    // After a lost answer it is the look that has to come first, not another POST as soon as nothing is in its way.
    const sent = tries === 1 ? whenAccepted({ kind, tunnelIds }, post, clock, until) : post();
    const lost = await sent.catch((error: unknown) => error as Error);
    if (typeof lost === "string") return { id: made(lost) };
    // A refusal of a second try can mean that the first one has arrived late.
    if (lost && !mayHaveRun(lost) && !(tries > 1 && isConflict(lost))) {
      kind.creates.forget(name);
      throw await explained(lost, creation);
    }
    // What was accepted without telling the id is never sent again, however late it shows.
    const found = await settled(creation.isAlike, () => lost !== undefined && isPast(postedAtMs));
    if (found) return { id: made(found.id), found };
    if (!lost) {
      const next = 'run "pulumi up" again, it looks first';
      throw new FrontdoorError(`${what} "${name}": the service accepted it, but does not show it; ${next}`, {
        kind: "timed-out",
      });
    }
    if (tries >= mostTries || isOver(clock, until)) throw await explained(lost, creation);
  }
}

/** What is there already and this stack's by proof, or by the user's word (frontdoor:takeOver). @throws FrontdoorError of what is neither. */
async function leftOver<Wire extends Named>(
  { kind, what, body: { name }, isNameDerived, isAlike, required }: Creation<Wire>,
  origin: string,
  look: () => Promise<Wire[]>,
  settled: (isIt: (entry: Wire) => boolean, isEnough: () => boolean) => Promise<Wire | undefined>,
  isPast: (postedAtMs: number) => boolean,
  { config: { takeOver }, say }: Making,
): Promise<Wire | undefined> {
  const begun = kind.creates.find(name, origin);
  const isBegun = (entry: Wire) =>
    begun !== undefined &&
    (begun.id === undefined ? hashOf(required(entry)) === begun.likeness : entry.id === begun.id);
  const proven = begun && (await settled(isBegun, () => isPast(begun.postedAtMs)));
  const found = proven ?? (await look()).find(isAlike);
  if (!found) return undefined;
  const isOurs = (proven && takeOver !== "never") ?? (takeOver === "alike" && isNameDerived);
  if (isOurs) {
    say(
      `${what} "${name}": took over ${found.id}, which ${proven ? "an interrupted run began" : "is exactly like it"}`,
    );
    return found;
  }
  const why = proven ? "an interrupted run began it" : "nothing shows that this stack has made it";
  const remedy =
    `to take it over set adopt: "${found.id}", to have a second one give it another name, ` +
    "to have your own made anew (up --replace) set deleteBeforeReplace: true";
  const machines = isNameDerived && !proven ? ", or see frontdoor:takeOver for machines that keep no files" : "";
  throw new FrontdoorError(
    `${what} "${name}": ${found.id} is exactly like it, and ${why}; nothing was created: ${remedy}${machines}`,
    { kind: "failed" },
  );
}

async function explained<Wire extends Named>(error: unknown, { holder }: Creation<Wire>): Promise<unknown> {
  const inTheWay = isConflict(error) ? await holder(error).catch(() => undefined) : undefined;
  if (inTheWay === undefined) return error;
  const { message, trouble } = error as FrontdoorError;
  return new FrontdoorError(`${message}; ${inTheWay}`, trouble);
}
