import { copyFileSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { well } from "../harness/command";
import { removeFolder } from "../harness/folder";
import { Stack } from "../harness/stack";

/** What is kept of each edition: its program (`index.js`), the state that it made (`state.json`) and the service's data (`service.db`). */
export const records = readdirSync(__dirname, { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() ? each.name : [],
);

export const inRecord = (record: string, file: string): string => join(__dirname, record, file);

/** An empty stack for a record's program, on a service that keeps its data in a file. */
export const openStack = (record: string, dataFile: string): Promise<Stack> =>
  Stack.open({ dataFile }, { project: "recorded", source: inRecord(record, "index.js") });

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
