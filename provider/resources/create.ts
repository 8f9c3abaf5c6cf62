import { mayHaveRun } from "../api/collection";
import type { Kind, Service } from "../service";
import type { Named } from "../api/types";
import { isOver, type Until } from "../time/clock";
import { failed, FrontdoorError, isConflict } from "../errors";
import { hashOf } from "../ownership/creates";
import { persist } from "../time/persist";
import { pauseAfter } from "../time/ticks";
import { whenAccepted } from "./accepted";
import { ifOwn } from "./holders";

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
  /** The required fields in canonical form: by them one that was asked for earlier is known again, whatever else has changed. */
  required: (from: object) => unknown[];
  /** Adds to a refusal why, as far as that can be told. */
  explained?: (error: unknown) => Promise<unknown>;
}

/** Where it comes from: this call's POST, an earlier one of this call whose answer was lost, or what an interrupted run has left. */
export interface Created<Wire> {
  id: string;
  found?: Wire;
  isLeft?: true;
}

/** How long after a request has ended at the latest its work may take to show. */
export const lostAnswerMs = 12_000;

/** Whether a request sent at that wall-clock time has ended by now, and its work has shown. */
export const isPast = (sentAtMs: number, { clock, config }: Pick<Service, "clock" | "config">): boolean =>
  clock.wall() > sentAtMs + config.requestTimeoutMs + lostAnswerMs;

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
  const { kind, what, body, tunnelIds = [], explained = (error) => Promise.resolve(error) } = creation;
  const { clock } = service;
  const { name } = body;
  const origin = kind.claims.originOf(name) ?? "";
  const record = { origin, likeness: hashOf(creation.required(body)), ...(creation.isNameDerived && { name }) };
  const search = searchFor(kind, name, service, until);
  const made = (id: string) => {
    kind.claims.hold(id);
    kind.creates.note(name, { ...record, postedAtMs: clock.wall(), before: [], id });
    return id;
  };

  await kind.departures.awaitGone(name, until);
  const { left, before } = await leftOver(creation, origin, search, service);
  if (left) return { id: made(left.id), found: left, isLeft: true };
  for (let tries = 1; ; tries++) {
    let postedAtMs = clock.wall();
    const post = () =>
      kind.calls.create(body, until, () => {
        postedAtMs = clock.wall();
        kind.creates.note(name, { ...record, postedAtMs, before });
      });
    // After a lost answer it is the look that has to come first, not another POST as soon as nothing is in its way.
    const sent = tries === 1 ? whenAccepted({ kind, tunnelIds }, post, until) : post();
    const { id, error } = await sent.then(
      (id) => ({ id, error: undefined }),
      (error: unknown) => ({ id: undefined, error }),
    );
    if (id !== undefined) return { id: made(id) };
    // A refusal of a second try can mean that the first one has arrived late.
    if (error && !mayHaveRun(error) && !(tries > 1 && isConflict(error))) {
      kind.creates.forget(name);
      throw await explained(error);
    }
    // What was accepted without telling the id is never sent again, however late it shows.
    const found = await search.settled(creation.isAlike, () => error !== undefined && isPast(postedAtMs, service));
    if (found) return { id: made(found.id), found };
    if (!error) {
      const next = 'run "pulumi up" again, it looks first';
      throw new FrontdoorError(`${what} "${name}": the service accepted it, but does not show it; ${next}`, {
        kind: "timed-out",
      });
    }
    if (tries >= 3 || isOver(clock, until)) throw await explained(error);
  }
}

/** How a create looks for what has its name. */
function searchFor<Wire extends Named>(
  { inventory, claims }: Kind<Wire>,
  name: string,
  { clock }: Making,
  until: Until,
) {
  const look = () => inventory.named(name, until);
  return {
    look,
    /** Looks until it shows, and is not another resource's of this run, until a look that lacks it is enough, or until the deadline. */
    settled: (isIt: (entry: Wire) => boolean, isEnough: () => boolean) => {
      let isLastLook = false;
      return persist(
        clock,
        until,
        ({ error, waitedMs }) => (error || isLastLook ? undefined : pauseAfter(waitedMs, clock.random())),
        async () => {
          // What a slow answer lacks can have come since it was asked for.
          isLastLook = isEnough();
          return (await look()).find((entry) => !claims.isHeld(entry.id) && isIt(entry));
        },
      );
    },
  };
}

/**
 * What is there already and this stack's by proof, or by the user's word (frontdoor:takeOver); else the ids of what has the name
 * before a POST. @throws FrontdoorError of what is like it and neither.
 */
async function leftOver<Wire extends Named>(
  { kind, what, body: { name }, isNameDerived, isAlike, required }: Creation<Wire>,
  origin: string,
  { look, settled }: ReturnType<typeof searchFor<Wire>>,
  service: Making,
): Promise<{ left?: Wire; before: string[] }> {
  const { takeOver } = service.config;
  const begun = kind.creates.find(name, origin);
  const isBegun = (entry: Wire) =>
    begun !== undefined &&
    (begun.id === undefined
      ? hashOf(required(entry)) === begun.likeness && !begun.before.includes(entry.id)
      : entry.id === begun.id);
  const proven = begun && (await settled(isBegun, () => isPast(begun.postedAtMs, service)));
  const there = proven ? [proven] : await look();
  const found = proven ?? there.find((entry) => !kind.claims.isHeld(entry.id) && isAlike(entry));
  // What the state holds may be gone by now, and shown once more by the next run's state.
  const held = [...kind.claims.idsInState(name), ...kind.departures.idsOf(name)];
  if (!found) return { before: [...there.map(({ id }) => id), ...held] };
  const isOurs = proven ? takeOver !== "never" : takeOver === "alike" && isNameDerived;
  if (isOurs) {
    service.say(
      `${what} "${name}": took over ${found.id}, which ${proven ? "an interrupted run began" : "is exactly like it"}`,
    );
    return { left: found, before: [] };
  }
  const why = proven
    ? "was begun by an interrupted run, and frontdoor:takeOver is never"
    : "is exactly like it, and nothing shows that this stack has made it: it may be another one's";
  const own = ifOwn(kind.claims, name, found.id);
  const remedy = kind.claims.isOwnInState(name, found.id) ? own : `to have a second one give it another name; ${own}`;
  const machines = isNameDerived && !proven ? ", or see frontdoor:takeOver for machines that keep no files" : "";
  throw failed(`${what} "${name}": ${found.id} ${why}; nothing was created: ${remedy}${machines}`);
}
