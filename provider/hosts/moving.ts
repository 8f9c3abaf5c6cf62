import { failed } from "../errors";
import { firstOf } from "../resources/changes";
import type { Change } from "../resources/lifecycle";

/**
 * Of a replaced set the engine has that process delete the old one that has served it, and what the new one's holds by then it need not
 * see: the other host's, or that of a provider with another address. @throws FrontdoorError `failed`.
 */
export function refuseLeaving(properties: Record<string, Change>): void {
  const isLeaving = (path: string) => path.startsWith("shares[") && properties[path]?.endsWith("-replace");
  const leaving = Object.keys(properties).filter(isLeaving);
  if (leaving.length === 0) return;
  throw failed(
    `${firstOf(leaving).join(", ")}: no longer in its set, which goes to the other host, or to a provider of another address, in the same edit: move it with all its keys, and take keys out in the next "pulumi up"; nothing was changed`,
  );
}
