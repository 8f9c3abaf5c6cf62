import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { well } from "../harness/command";
import { removeFolder } from "../harness/folder";
import type { Stack } from "../harness/stack";
import { inRecord, openStack } from "./records";

/** Works on a fresh stack that has a record's state, on a service that has its data. */
export async function onImported(record: string, work: (stack: Stack) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-recorded-"));
  const data = join(folder, "service.db");
  copyFileSync(inRecord(record, "service.db"), data);
  const stack = await openStack(record, data);
  try {
    well(await stack.run("stack", "import", "--file", inRecord(record, "state.json")));
    await work(stack);
  } finally {
    await stack.close();
    removeFolder(folder);
  }
}
