import type { Draft, Edit } from "./draft";
import { addShare, fieldEdits } from "./edits-fields";
import { identityEdits } from "./edits-identity";
import { optionEdits } from "./edits-options";
import { worldEdits } from "./edits-world";
import type { Random } from "../harness/random";
import type { Host } from "./schedule";

export const edits: Record<string, Edit> = { ...fieldEdits, ...identityEdits, ...optionEdits, ...worldEdits };

const bagOf = (host: Host) =>
  Object.entries(edits).flatMap(([name, { weight, host: only = host }]) =>
    Array.from({ length: only === host ? weight : 0 }, () => name),
  );
const bags = { plugin: bagOf("plugin"), dynamic: bagOf(undefined) };

/**
 * Edits that need a whole run. If a run leaves out a part of what is moved with aliases, or an import on a new tunnel, the engine breaks
 * its own state ("snapshot integrity error", docs/reliability.md). If it leaves out the resource that adopts a share, it deletes the share.
 */
const wholeRuns = ["rename with alias", "move with alias", "site with aliases", "rename and adopt", "import"];
const partial = ["--target", "--exclude"];

/** Makes some edits, one in most steps; their names. */
export function edit(random: Random, draft: Draft, host: Host): string[] {
  const made: string[] = [];
  for (let count = random.pick([1, 1, 1, 2, 2, 3]); count > 0; count--) {
    const name = random.pick(bags[host ?? "dynamic"]);
    if (edits[name]?.make(random, draft)) made.push(name);
  }
  if (made.some((name) => wholeRuns.includes(name)) && made.some((name) => partial.includes(name))) {
    delete draft.step.flags;
    return made.filter((name) => !partial.includes(name));
  }
  if (made.length > 0) return made;
  addShare(random, draft.program);
  return ["add a share"];
}
