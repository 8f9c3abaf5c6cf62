import type { Kind } from "../service";
import type { Named } from "../api/types";
import type { Until } from "../time/clock";
import { FrontdoorError } from "../errors";
import { isThere } from "./holders";

/** What can't be taken over, and why. */
export const notAdopted = (label: string, why: string) =>
  new FrontdoorError(
    `${label}: not adopted: ${why}; nothing was changed: change the program, or leave adopt out to create a new one`,
    {
      kind: "failed",
    },
  );

/**
 * Whether there is nothing to adopt, nor any need to: `adopt` can stay in a program long after what it was for was replaced.
 * @throws FrontdoorError.
 */
export async function isMoot<Wire extends Named>(
  { claims, calls }: Kind<Wire>,
  { adopt = "", name }: { adopt?: string | undefined; name: string },
  until: Until,
): Promise<boolean> {
  if (!claims.isKnown(name)) return false;
  const live = await calls.get(adopt, until);
  return !live || !isThere(live);
}

/** The existing resource a program wants to take over. @throws FrontdoorError where it is not there or going. */
export async function adoptable<Wire extends Named>(
  kind: Kind<Wire>,
  id: string,
  label: string,
  frontdoorId: string,
  until: Until,
): Promise<Wire> {
  const live = await kind.calls.get(id, until);
  if (!live || live.status === "DELETED") throw notAdopted(label, `front door ${frontdoorId} has none of this id`);
  if (live.status === "DELETING") throw notAdopted(label, "it is being deleted");
  return live;
}
