import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { safeText } from "../../provider/errors";
import { onPath } from "../on-path";
import { type Check, note, ok, wrong } from "./check";
import { packageVersionHere } from "./package-here";
import { type Plugin, pluginsHere } from "./plugins";
import { isAtLeast } from "./version";

/** The oldest engine that this package supports. */
const oldestEngine = "3.200.0";
const longestMs = 20_000;

/** The installed package, whose dist/ holds this command. */
const own = z
  .object({ version: z.string(), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")));

/** Checks the versions of Node, the engine, the package and the plugin on this machine. */
export async function checkMachine(): Promise<Check[]> {
  const [node, engine, plugins] = await Promise.all([checkNode(), checkEngine(), pluginsHere(said)]);
  return [
    node,
    engine,
    parallelism(process.env["PULUMI_PARALLEL"]),
    checkPackage(),
    ...plugins.map(checkPlugin),
    ...(plugins.length === 0 ? [noPlugin] : []),
  ];
}

/** Checks the Node that the engine runs programs with. Another Node can run this command. */
async function checkNode(): Promise<Check> {
  const oldest = own.engines.node.replace(/^\D+/, "");
  const version = await said("node", ["--version"]);
  const install = `install Node ${oldest} or later, and put it first on PATH [node-version]`;
  if (version === undefined) return wrong("Node", "there is none on PATH, and the engine needs one", install);
  return isAtLeast(version, oldest) ? ok("Node", version) : wrong("Node", `${version} on PATH is too old`, install);
}

async function checkEngine(): Promise<Check> {
  const version = await said("pulumi", ["version"]);
  const install = `install Pulumi ${oldestEngine} or later and put it on PATH: https://www.pulumi.com/docs/install/ [engine-version]`;
  if (version === undefined) return wrong("engine", "there is no pulumi on PATH", install);
  return isAtLeast(version, oldestEngine) ? ok("engine", version) : wrong("engine", `${version} is too old`, install);
}

/** Reports the number of resources that the engine works on at a time. Resources mostly wait, so the default is low for many resources. */
function parallelism(chosen: string | undefined): Check {
  if (chosen !== undefined) return ok("parallelism", `${chosen} resources at a time (PULUMI_PARALLEL)`);
  const remedy = "for many resources run pulumi with --parallel 256, or set PULUMI_PARALLEL=256";
  return note("parallelism", `${4 * availableParallelism()} resources at a time, the engine's default`, remedy);
}

/** Compares the package that a program in this folder would import with this command's own package. */
function checkPackage(): Check {
  const version = packageVersionHere();
  if (version === undefined) return ok("package", `${own.version}; none in this folder`);
  if (version === own.version) return ok("package", version);
  const remedy = "run the command of this folder: npx frontdoor doctor";
  return note("package", `${version} here, and this command has ${own.version}`, remedy);
}

function checkPlugin({ version, where, isOnPath }: Plugin): Check {
  if (version === own.version) return ok("plugin", `${version}, ${where}`);
  return wrong(
    "plugin",
    `${version}, ${where}, is not the version of this package (${own.version})`,
    isOnPath
      ? "put dist/plugin of this package first on PATH [plugin-version]"
      : `run "pulumi plugin rm resource frontdoor ${version}" [plugin-version]`,
  );
}

const noPlugin = note(
  "plugin",
  "none on PATH, none installed",
  'only "pulumi-frontdoor/plugin", import and other languages need the plugin: put dist/plugin of this package on PATH',
);

/** Returns the output of a command; undefined if there is no such command or it fails. */
async function said(command: string, args: string[]): Promise<string | undefined> {
  const program = onPath(command);
  if (program === undefined) return undefined;
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: longestMs });
    return safeText(stdout, 1_000_000);
  } catch {
    return undefined;
  }
}
