import type { Kind } from "../api/service";
import type { WireTunnel } from "../api/types";
import type { Until } from "../clock";
import { FrontdoorError, isConflict } from "../errors";
import { namedPlaces, renamed } from "./holders";
import { judgeDeleted } from "./judge";

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
  const rule = "one tunnel is allowed per front door and location";
  const remedy = `if that is why, choose another locationId; ${renamed(there[0]?.id ?? "")}`;
  throw new FrontdoorError(`${(error as Error).message}; ${rule}, and there is ${namedPlaces(there)}: ${remedy}`, {
    kind: "failed",
  });
}
