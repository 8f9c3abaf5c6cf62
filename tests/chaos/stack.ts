import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineEnvironment, javascript } from "../engine/environment";
import { descendants, isProvider, kill, type Process } from "./processes";
import type { Kill, Program } from "./schedule";

const root = join(__dirname, "..", "..");
const longestRunMs = 180_000;

/** One command of the engine while it runs. */
export interface Running {
  /** Ends the engine, its provider or both, as they are now. */
  strike(who: Kill["who"]): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Its end; `code` is -1 where it was killed, `isOverdue` tells that the harness had to. */
  end: Promise<{ code: number; text: string; isOverdue: boolean; orphans: Process[] }>;
}

/** A resource as the state keeps it. */
export interface Kept {
  urn: string;
  id: string;
  outputs: Record<string, unknown>;
  /** To be deleted: what has replaced it is there already. */
  delete?: boolean;
  protect?: boolean;
  retainOnDelete?: boolean;
  deletedWith?: string;
}

/** An initialised stack without resources, made once and copied for each schedule. */
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-chaos-"));
  cpSync(join(__dirname, "program"), folder, { recursive: true });
  mkdirSync(join(folder, "state"));
  const runtime = { name: "nodejs", options: { typescript: false } };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "chaos", runtime }));
  const { code, text } = await new Stack(folder, {}).start(["stack", "init", "test"]).end;
  if (code !== 0) throw new Error(text);
  return folder;
}

/** One stack in a folder of its own. */
export class Stack {
  name = "test";
  private machine = 0;

  constructor(
    private readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  static async open(env: Record<string, string>): Promise<Stack> {
    template ??= makeTemplate();
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-chaos-"));
    cpSync(await template, folder, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    return new Stack(folder, env);
  }

  /** From now on there is no record of what interrupted runs began. */
  anotherMachine(): void {
    this.machine += 1;
  }

  program(program: Program): void {
    writeFileSync(join(this.folder, "resources.json"), JSON.stringify(program));
  }

  start(args: string[]): Running {
    const records = join(this.folder, `records-${this.machine}`);
    const own = { NODE_OPTIONS: javascript, FRONTDOOR_STATE_DIR: records, XDG_STATE_HOME: records };
    const env = { ...engineEnvironment(this.folder), ...own, ...this.env };
    const command = [...args, "--non-interactive", "--color", "never"];
    const child = spawn("pulumi", command, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const pid = child.pid ?? 0;
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
    }
    let orphans: Process[] = [];
    const strike = (who: Kill["who"]) => {
      const all = descendants(pid);
      if (who !== "provider") {
        orphans = all;
        kill(pid);
      }
      if (who !== "engine") for (const each of all.filter(isProvider)) kill(each.pid);
    };
    const end = new Promise<Awaited<Running["end"]>>((resolve, reject) => {
      let isOverdue = false;
      const limit = setTimeout(() => {
        isOverdue = true;
        strike("both");
      }, longestRunMs);
      child.once("error", reject);
      // Not "close": what a killed engine leaves behind holds its output open.
      child.once("exit", (code) => {
        clearTimeout(limit);
        setImmediate(() => {
          resolve({ code: code ?? -1, text: said.join(""), isOverdue, orphans });
        });
      });
    });
    const interrupt = () => {
      process.kill(pid, "SIGINT");
    };
    return { strike, interrupt, end };
  }

  /** The tunnels and shares in the state, and the URNs of operations it holds as pending. */
  state(): { kept: Kept[]; pending: string[] } {
    const text = readFileSync(join(this.folder, "state", ".pulumi", "stacks", "chaos", `${this.name}.json`), "utf8");
    const { checkpoint } = JSON.parse(text) as {
      checkpoint: { latest?: { resources?: Kept[]; pending_operations?: { resource: { urn: string } }[] } };
    };
    const { resources = [], pending_operations: pending = [] } = checkpoint.latest ?? {};
    const isOurs = (urn: string) => urn.includes("frontdoor:Ipsec");
    return {
      kept: resources.filter(({ urn }) => isOurs(urn)),
      pending: pending.map(({ resource }) => resource.urn).filter(isOurs),
    };
  }

  /** The text of every file that the engine has written here, for a search. */
  files(): string[] {
    return readdirSync(join(this.folder, "state"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes what all stacks were copied from. */
export async function removeTemplate(): Promise<void> {
  if (template) rmSync(await template, { recursive: true, force: true });
  template = undefined;
}
