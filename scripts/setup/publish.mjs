import { existsSync, renameSync, rmSync } from "node:fs";

/** Puts a finished directory in its place by one rename; when another process was quicker, that one's stays. */
export function publish(finished, into) {
  try {
    renameSync(finished, into);
  } catch (error) {
    if (!existsSync(into)) throw error;
    rmSync(finished, { recursive: true, force: true });
  }
}
