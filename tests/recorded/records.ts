import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { well } from "../harness/command";
import { installPacked, removeFolder, root } from "../harness/folder";
import { Stack } from "../harness/stack";

/** What is kept of each edition: its program (`index.js`), the state that it made (`state.json`) and the service's data (`service.db`). */
export const records = readdirSync(__dirname, { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() ? each.name : [],
);

const inRecord = (record: string, file: string): string => join(__dirname, record, file);

/** An empty stack for a record's program, on a service that keeps its data in a file. */
const openStack = (record: string, dataFile: string): Promise<Stack> =>
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

if (require.main === module)
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
