import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { well } from "../tests/harness/command";
import { root, installPacked } from "../tests/harness/folder";
import type { Stack } from "../tests/harness/stack";
import { inRecord, openStack, records } from "../tests/recorded/records";

const usage = `Runs the program of tests/recorded/NAME and keeps beside it the state that it made and the service's data.

  --package FOLDER   the package that makes them: a checkout, built, of another version (default: this one)
`;

async function main(): Promise<void> {
  const options = { package: { type: "string", default: root } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [name = ""] = positionals;
  if (!records.includes(name)) throw new Error(`${usage}\nNAME is one of ${records.join(", ")}`);
  const data = inRecord(name, "service.db");
  rmSync(data, { force: true });
  const stack = await openStack(name, data);
  try {
    installPacked(stack.folder, values.package);
    useInstalled(stack);
    well(await stack.up({}));
    const file = inRecord(name, "state.json");
    well(await stack.run("stack", "export", "--file", file));
    writeFileSync(file, withoutPositions(readFileSync(file, "utf8")));
  } finally {
    await stack.close();
  }
  chmodSync(data, 0o644);
}

/** What runs from now on is the package that is installed in the stack's folder, its plugin too. */
function useInstalled({ env, folder }: Stack): void {
  const plugin = join(folder, "node_modules", "pulumi-frontdoor", "dist", "plugin");
  env["PATH"] = [plugin, process.env["PATH"]].join(delimiter);
}

/** The same state without where in which file a resource was declared: names of folders of this machine. */
const withoutPositions = (state: string) =>
  `${JSON.stringify(
    JSON.parse(state, (key, value: unknown) => (["sourcePosition", "stackTrace"].includes(key) ? undefined : value)),
  )}\n`;

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
