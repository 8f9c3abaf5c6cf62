import type { Diff } from "../lifecycle";

/** Returns the line that a preview shows beside a tunnel: the order of the requests, and the part of its shares. */
export function previewTunnel({ replaces, deleteBeforeReplace }: Diff): string | undefined {
  if (replaces.length === 0) return undefined;
  return deleteBeforeReplace
    ? "DELETE, then POST; its shares are deleted first, and created again on the new tunnel"
    : "POST, then DELETE; its shares move to the new tunnel by PATCH in between";
}
