import type { Kind } from "./records";
import { shares } from "./shares";
import { tunnels } from "./tunnels";

/** What each kind of resource has of its own. Its path, words, table and reset follow from this list. */
export const definitions = { tunnel: tunnels, share: shares } satisfies Record<Kind, object>;
