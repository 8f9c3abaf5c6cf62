import { mayHaveRun } from "../api/collection";
import type { Kind, Service } from "../api/service";
import type { Named, WireTunnel } from "../api/types";
import { isOver, type Until } from "../clock";
import { FrontdoorError, isConflict, shown } from "../errors";
import { pauseAfter } from "../ticks";
import { whenAccepted } from "./accepted";
import { judgeDeleted } from "./judge";
import type { Origin } from "./lifecycle";

interface Creation<Wire extends Named> extends Origin {
  kind: Kind<Wire>;
  /** "IPsec tunnel" or "IPsec share". */
  what: string;
  body: { name: string };
  /** The tunnel a share is to be on. */
  tunnelIds?: string[];
  /** True when the entry is what the body asks for, in every field. */
  isAlike: (entry: Wire) => boolean;
}

const mostTries = 3;
/** How long a write whose answer was lost is given to show. */
export const lostAnswerMs = 12_000;

/**
 * Creates exactly one: looks first, and looks again before any second POST where the first one's answer was lost.
 * `found` tells that it was there already, left by an interrupted run (`isLeft`) or by a POST whose answer was lost.
 * @throws FrontdoorError.
 */
export async function createOnce<Wire extends Named>(
  { kind, what, body, tunnelIds = [], isAlike, isNameDerived, keeps }: Creation<Wire>,
  { clock, say }: Pick<Service, "clock" | "say">,
  until: Until,
): Promise<{ id: string; found?: Wire; isLeft?: true }> {
  const look = async () => (await kind.names.look(body.name, until)).find(isAlike);
  const settled = async (patienceMs: number) => {
    for (const startedMs = clock.now(); ;) {
      const found = await look();
      const waitedMs = clock.now() - startedMs;
      if (found || waitedMs > patienceMs || isOver(clock, until)) return found;
      await clock.sleep(pauseAfter(waitedMs, Math.random()), until.signal);
    }
  };

  const left = await look();
  if (left && !isNameDerived) {
    const remedy = `to take it over set adopt: "${left.id}", to have a second one give it another name`;
    throw new FrontdoorError(`${what} "${body.name}": ${left.id} is exactly like it; nothing was created: ${remedy}`, {
      kind: "failed",
    });
  }
  if (left) {
    if (keeps.has(left.id) || kind.made.has(left.id)) {
      const remedy = "give one of the two another name";
      throw new FrontdoorError(
        `${what} "${body.name}": ${left.id} of this name is another resource's here; ${remedy}`,
        {
          kind: "failed",
        },
      );
    }
    say(`${what} "${body.name}": took over ${left.id}, which is exactly like it (an interrupted run leaves such)`);
    keeps.add(left.id);
    return { id: left.id, found: left, isLeft: true };
  }
  for (let tries = 1; ; tries++) {
    const post = () => kind.calls.create(body, until);
    // After a lost answer it is the look that has to come first, not another POST as soon as nothing is in its way.
    const sent = tries === 1 ? whenAccepted({ kind, tunnelIds }, post, clock, until) : post();
    const lost = await sent.catch((error: unknown) => error as Error);
    if (typeof lost === "string") {
      kind.made.add(lost);
      return { id: lost };
    }
    // A refusal of a second try can mean that the first one has arrived late.
    if (lost && !mayHaveRun(lost) && !(tries > 1 && isConflict(lost))) throw lost;
    // What was accepted without telling the id is never sent again, however late it shows.
    const found = await settled(lost ? lostAnswerMs : Infinity);
    if (found) {
      kind.made.add(found.id);
      return { id: found.id, found };
    }
    if (!lost) {
      const next = 'run "pulumi up" again, it looks first';
      throw new FrontdoorError(`${what} "${body.name}": the service accepted it, but does not show it; ${next}`, {
        kind: "timed-out",
      });
    }
    if (tries >= mostTries || isOver(clock, until)) throw lost;
  }
}

/**
 * Where a tunnel create was refused since its place is taken (spec: one tunnel per front door and location): returns once what is
 * there and on its way out has gone.
 * @throws FrontdoorError that names what stays there.
 */
export async function awaitRoom(
  kind: Kind<WireTunnel>,
  locationId: string | undefined,
  error: unknown,
  until: Until,
): Promise<void> {
  if (!isConflict(error)) throw error;
  const { entries } = await kind.calls.list(locationId === undefined ? [] : [["locationId", locationId]], until);
  const there = entries.filter(
    (tunnel) => tunnel.status !== "DELETED" && (locationId ?? tunnel.locationId) === tunnel.locationId,
  );
  if (there.length === 0) throw error;
  if (there.every((tunnel) => tunnel.status === "DELETING")) {
    await Promise.all(there.map((tunnel) => kind.poller.wait(tunnel.id, judgeDeleted, until, "delete")));
    return;
  }
  const names = there
    .slice(0, 5)
    .map(
      (tunnel) =>
        `"${shown(tunnel.name, 80)}" (${tunnel.id}, ${shown(tunnel.locationId ?? "no location", 80)}, ${shown(tunnel.status, 30)})`,
    );
  const rule = "one tunnel is allowed per front door and location";
  throw new FrontdoorError(
    `${(error as Error).message}; ${rule}, and there is ${names.join(", ")}: if that is why, choose another locationId or adopt it`,
    { kind: "failed" },
  );
}
