import { replaceRequests } from "../changes";
import type { Diff } from "../lifecycle";

/** Returns the line that a preview shows beside a tunnel: the order of the requests, and the part of its shares. */
export function previewTunnel(diff: Diff): string | undefined {
  if (diff.replaces.length === 0) return undefined;
  const shares = diff.deleteBeforeReplace
    ? "are deleted first, and created again on the new tunnel"
    : "move to the new tunnel by PATCH in between";
  return `${replaceRequests(diff)}; its shares ${shares}`;
}
