import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Stack } from "../harness/stack";

/** What is kept of each edition: its program (`index.js`), the state that it made (`state.json`) and the service's data (`service.db`). */
export const records = readdirSync(__dirname, { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() ? each.name : [],
);

export const inRecord = (record: string, file: string): string => join(__dirname, record, file);

/** An empty stack for a record's program, on a service that keeps its data in a file. */
export const openStack = (record: string, dataFile: string): Promise<Stack> =>
  Stack.open({ dataFile }, { project: "recorded", source: inRecord(record, "index.js") });

/** What runs from now on is the package that is installed in the stack's folder, its plugin too. */
export function useInstalled({ env, folder }: Stack): void {
  const plugin = join(folder, "node_modules", "pulumi-frontdoor", "dist", "plugin");
  env["PATH"] = [plugin, process.env["PATH"]].join(delimiter);
}
