import { build, type Plugin } from "esbuild";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A change of the sources. The text `from` must be in the file exactly once. */
interface Patch {
  file: string;
  from: string;
  to: string;
}

interface Planted {
  name: string;
  /** Limits the walks that look for the bug, as `--only` of `npm run prove` does. */
  only?: string;
  patches: readonly Patch[];
}

const bug = (name: string, file: string, from: string, to: string, how: Partial<Planted> = {}): Planted => ({
  name,
  patches: [{ file: `provider/${file}`, from, to }],
  ...how,
});

/** Bugs that lose, duplicate, orphan or leak resources, each of which the walk must find. */
export const planted: readonly Planted[] = [
  bug(
    "a refresh believes a replica that lags behind the run's own write",
    "converge/progress.ts",
    "return remainingMs > 0 ?",
    "return remainingMs > Infinity ?",
    { only: "ordinary days" },
  ),
  bug(
    "a POST is repeated although an earlier one took effect",
    "converge/create.ts",
    "const matches = [...this.listed, ...(await this.readKnown(record))].filter(",
    "const matches = (this.isSent ? [] : this.listed).filter(",
  ),
  bug(
    "no read before a create",
    "converge/create.ts",
    "this.listed = named.filter(",
    "this.listed = (this.isSent ? named : []).filter(",
  ),
  bug(
    "a resource that was there before the POST is resumed",
    "run/creation-records.ts",
    "created === undefined ? !before.includes(id) :",
    "created === undefined ? true :",
  ),
  bug(
    "a create is recorded only after its answer",
    "converge/create.ts",
    "this.writeRecord({ before });",
    "void before;",
  ),
  bug(
    "a record is removed before the state holds the id",
    "converge/create.ts",
    "this.writeRecord({ before: [], id });",
    "this.creation.kind.records.remove(this.name);",
  ),
  bug(
    "an id is dropped on timeout",
    "resources/updatable.ts",
    "return this.unfinished(id, { ...this.stateAt(status, inputs), __settlesAt }, whyOf(waited));",
    "throw new Error(whyOf(waited).reason);",
  ),
  bug(
    "a tunnel of an interrupted run makes no room",
    "resources/tunnel.ts",
    "await ensureGone(tunnelSubject(context.service, id, before), context);",
    "",
  ),
  bug(
    "a refresh forgets a share in ERROR",
    "resources/updatable.ts",
    "return wire && rules.outputsOf(wire, state);",
    'return wire?.status === "ERROR" ? undefined : wire && rules.outputsOf(wire, state);',
  ),
  bug(
    "a set forgets a share that is not ready",
    "resources/share-set-update.ts",
    "ends.flatMap(([key, { share }]) => (share ?",
    "ends.flatMap(([key, { share, error }]) => (share && !error ?",
    { only: "sets" },
  ),
  bug(
    "the share of a removed key stays at the service",
    "resources/share-set-update.ts",
    "      await deleteShare(this.context, id, outputs);",
    "      if (id.length === 0) await deleteShare(this.context, id, outputs);",
    { only: "sets" },
  ),
  bug(
    "a secret is lost on a renamed key",
    "host/host.ts",
    "if (!secrets.includes(name)) return encodedValue(value, secrets);",
    'if (!secrets.includes(name) || name === "envZId") return encodedValue(value, secrets);',
    { only: "dynamic options" },
  ),
  bug(
    "a resource deletes what another resource of the program has adopted",
    "resources/adopt.ts",
    'if (fate === "stays" || (fate === "unknown"',
    'if (id === "" || (id === "" && fate === "unknown"',
    { only: "options" },
  ),
  bug(
    "the line of a preview lacks a field that the PATCH has",
    "resources/updatable.ts",
    "Object.keys(write.want).join",
    "Object.keys(write.want).slice(1).join",
    { only: "options" },
  ),
  bug(
    "a create that a hook tries again sends a second POST",
    "converge/create.ts",
    'this.answeredId = this.origin === "" ? undefined : creation.kind.register.createdFor(this.origin);',
    "",
    { only: "options" },
  ),
  {
    name: "a line shows a secret",
    only: "options",
    patches: [
      {
        file: "provider/host/host.ts",
        from: "for (const path of secretPaths) this.service.secrets.addAll(valueAt(values, path), plain);",
        to: "void [plain, secretPaths];",
      },
      {
        file: "provider/resources/updatable.ts",
        from: "return `${statusPrefix(diff, state)}${interrupted(requests)}`;",
        to: "return `${statusPrefix(diff, state)}${interrupted(requests)}; ${String(inputs.target)}`;",
      },
    ],
  },
  bug(
    "absence counts at another address",
    "converge/ensure.ts",
    "if (there !== undefined) throw failed(seenElsewhere(",
    'if (there === "") throw failed(seenElsewhere(',
    { only: "ordinary days" },
  ),
  bug(
    "a tunnel that has worked is replaced when it fails",
    "resources/tunnel.ts",
    "(hasEnded(seen) && !(isFailed(seen) && hasWorked(state)))",
    "hasEnded(seen)",
    { only: "ordinary days" },
  ),
];

interface Found {
  edits: number;
  seconds: number;
  violation: string;
}

/** Walks until the first violation. Returns undefined if there is none. */
async function walk(bundle: string, edits: number, only: string): Promise<string | undefined> {
  const withoutPairs = only.startsWith("ordinary") ? [] : ["--pairs", "0"];
  const args = [bundle, "--first", "--edits", String(edits), "--only", only, ...withoutPairs];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => (text += piece.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes("VIOLATION"));
  if (at >= 0) return lines.slice(at, at + 2).join(" ");
  if (!text.includes(" violations, ")) throw new Error(`the walk ended with ${String(code)}: ${text}`);
  return undefined;
}

/** Plants a bug and walks until it is found. Walks of few edits come first. */
export async function find(
  root: string,
  { patches, only = "" }: Planted,
  [least, most]: readonly [least: number, most: number],
): Promise<Found | undefined> {
  const begunMs = performance.now();
  // From there, the emulator finds the files of its page. A walk that a test has given up can still run from its own bundle.
  const bundle = join(root, "dist", `planted-${randomUUID()}.cjs`);
  await bundlePlanted(root, patches, bundle);
  try {
    for (let edits = least; edits <= most; edits++) {
      const violation = await walk(bundle, edits, only);
      if (violation) return { edits, violation, seconds: Math.round((performance.now() - begunMs) / 1000) };
    }
    return undefined;
  } finally {
    rmSync(bundle);
  }
}

/** Tries each planted bug whose name contains the text. */
export async function tryPlanted(root: string, only: string, mostEdits: number): Promise<number> {
  let missed = 0;
  for (const each of planted.filter(({ name }) => name.includes(only))) {
    const found = await find(root, each, [0, mostEdits]);
    if (!found) missed += 1;
    const row = found ? ["found", `${found.edits} edits`, `${found.seconds} s`] : ["MISSED", "", ""];
    console.log([...row, each.name, found?.violation.slice(0, 300) ?? ""].join(" | "));
  }
  return missed;
}

/** Applies a patch. @throws Error if its text is not in the file exactly once. */
function patched(text: string, { file, from, to }: Patch): string {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} holds ${times} times, not once: ${from}`);
  return text.replace(from, () => to);
}

const planting = (root: string, patches: readonly Patch[]): Plugin => ({
  name: "planting",
  setup: (building) => {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const own = patches.filter(({ file }) => join(root, file) === path);
      return own.length > 0 ? { contents: own.reduce(patched, readFileSync(path, "utf8")), loader: "ts" } : undefined;
    });
  },
});

/** Bundles `npm run prove` with a planted bug into a file of its own; no source is changed. */
async function bundlePlanted(root: string, patches: readonly Patch[], outfile: string): Promise<void> {
  for (const patch of patches) patched(readFileSync(join(root, patch.file), "utf8"), patch);
  await build({
    ...{ entryPoints: [join(root, "tests/prove/main.ts")], outfile, plugins: [planting(root, patches)] },
    ...{ bundle: true, platform: "node", packages: "external", logLevel: "warning" },
  });
}
