import { existsSync } from "node:fs";
import { isPresent } from "../../provider/api/wire";
import { problemIn, safeText, troubleOf } from "../../provider/errors";
import type { ShareResult } from "../../provider/functions/args";
import { firstOf } from "../../provider/messages";
import { configOf, reading } from "../shared/configuration";
import type { Io } from "../shared/io";
import { Misuse } from "../shared/outcome";
import { adoptedIn, type Change } from "./changes";
import type { Preview } from "./preview";

/** The requests that begin with the delete of a tunnel. A tunnel that is created first waits for the shares of other stacks to move. */
const deletes: readonly string[] = ["DELETE", "DELETE+POST"];

/**
 * Returns the refusals of tunnels that cannot be deleted, because shares that the preview does not have are on them, such as those of
 * another stack. It reads the service with the stack's settings or those of the environment, and only if a tunnel is deleted. Without
 * settings, or if a read fails, it says so and refuses nothing.
 */
export async function usedByOthers(io: Io, preview: Preview, changes: readonly Change[]): Promise<string[]> {
  const tunnels = changes.filter(({ kind, request }) => kind === "tunnel" && deletes.includes(request));
  const [first] = tunnels;
  // A preview without its parts lacks shares of the program.
  if (!first || !preview.isComplete) return [];
  const known = idsIn(preview);
  try {
    const file = `Pulumi.${first.urn.split("::")[0]?.split(":").at(-1) ?? ""}.yaml`;
    const config = await configOf(io, existsSync(io.pathOf(file)) ? { stackConfig: file } : {});
    return await reading(io, config, async (reads) => {
      const lists = await Promise.all(
        tunnels.map(async ({ id: ipsecTunnelId = "", name, frontdoorId }) => {
          const place = frontdoorId === undefined ? {} : { frontdoorId };
          const { shares } = await reads.getShares({ ipsecTunnelId, ...place });
          return { name, others: shares.filter((share) => isPresent(share) && !known.has(share.id)) };
        }),
      );
      return lists.filter(({ others }) => others.length > 0).map(({ name, others }) => refusal(name, others));
    });
  } catch (error) {
    if (!(error instanceof Misuse) && !troubleOf(error)) throw error;
    io.say(`Shares of other stacks on these tunnels were not looked for: ${problemIn((error as Error).message)}.`);
    return [];
  }
}

/** Returns the ids of all resources of a preview, also of shares in sets, and of those that it adopts. */
function idsIn({ steps }: Preview): Set<unknown> {
  const states = steps.flatMap(({ oldState, newState }) => [oldState, newState]);
  const ids = states.flatMap((state): unknown[] => [
    state?.id,
    ...Object.values({ ...(state?.outputs["ids"] as object) }),
  ]);
  return new Set([...ids, ...steps.flatMap(adoptedIn)]);
}

const refusal = (tunnel: string, others: ShareResult[]): string =>
  `Frontdoor will refuse to delete tunnel ${safeText(tunnel, 80)}: shares that are not in the preview still use it: ` +
  `${firstOf(others.map(({ id, name }) => `"${safeText(name, 80)}" (${id})`)).join(", ")}. First delete or move them, each in the stack that declares it. [tunnel-in-use]`;
