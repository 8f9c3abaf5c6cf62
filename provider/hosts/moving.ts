import { failed } from "../errors";
import type { Diff } from "../resources/lifecycle";

/**
 * Of a replaced set the engine has that process delete the old one that has served it, and what the new one's holds by then it need not
 * see: the other host's, or that of a provider with another address. @throws FrontdoorError `failed`.
 */
export function refuseLeaving({ replaces }: Diff): void {
  const leaving = replaces.filter((path) => path.startsWith("shares["));
  if (leaving.length === 0) return;
  const first = leaving.slice(0, 10).join(", ");
  throw failed(
    `${first}: no longer in its set, which goes to the other host, or to a provider of another address, in the same edit: move it with all its keys, and take keys out in the next "pulumi up"; nothing was changed`,
  );
}
