import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPulumi, well } from "../harness/command";
import { engineEnvironment, quickJavaScript } from "../harness/environment";
import { programFolder, removeFolder } from "../harness/folder";
import { pathWithPlugin, pluginClasses } from "../harness/plugin";
import { descendants, isProvider, kill, type Process } from "../harness/processes";
import { heldIn, inFolder } from "../harness/state";
import type { Host, Kill, Program } from "./schedule";
import { type Unfolded, unfolded } from "./sets";

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

/** One stack in a folder of its own. */
export class Stack {
  name = "test";
  private readonly folder = programFolder(join(__dirname, "program.js"), "chaos");
  private machine = 0;

  private constructor(
    private readonly env: Record<string, string>,
    private readonly imports: string,
  ) {}

  static async open(env: Record<string, string>, host?: Host): Promise<Stack> {
    const stack = host
      ? new Stack({ ...env, PATH: pathWithPlugin }, pluginClasses)
      : new Stack(env, "pulumi-frontdoor");
    well(await stack.start(["stack", "init", stack.name]).end);
    return stack;
  }

  /** From now on there is no record of what interrupted runs began. */
  anotherMachine(): void {
    this.machine += 1;
  }

  program(program: Program): void {
    writeFileSync(join(this.folder, "resources.json"), JSON.stringify({ ...program, imports: this.imports }));
  }

  /** A file for `pulumi import` in this folder; its name. */
  importFile(resources: { type: string; name: string; id: string }[]): string {
    writeFileSync(join(this.folder, "import.json"), JSON.stringify({ resources }));
    return "import.json";
  }

  start(args: string[]): Running {
    const records = join(this.folder, `records-${this.machine}`);
    const own = { NODE_OPTIONS: quickJavaScript, FRONTDOOR_STATE_DIR: records, XDG_STATE_HOME: records };
    const env = { ...engineEnvironment(this.folder), ...own, ...this.env };
    const { pid, end } = startPulumi(args, { cwd: this.folder, env });
    let orphans: Process[] = [];
    const strike = (who: Kill["who"]) => {
      const all = descendants(pid);
      if (who !== "provider") {
        orphans = all;
        kill(pid);
      }
      if (who !== "engine") for (const each of all.filter(isProvider)) kill(each.pid);
    };
    let isOverdue = false;
    const limit = setTimeout(() => {
      isOverdue = true;
      strike("both");
    }, longestRunMs);
    const interrupt = () => {
      // What it has started is to end with it.
      orphans = descendants(pid);
      kill(pid, "SIGINT");
    };
    const watched = end
      .then(({ code, text }) => ({ code, text, isOverdue, orphans }))
      .finally(() => {
        clearTimeout(limit);
      });
    return { strike, interrupt, end: watched };
  }

  /** The tunnels and shares in the state, those of sets each as an entry of its own, and the URNs of operations it holds as pending. */
  state(): { kept: Unfolded[]; pending: string[] } {
    const { entries, pending } = heldIn(inFolder(join(this.folder, "state")).read("chaos", this.name));
    return { kept: entries.flatMap(unfolded), pending };
  }

  /** The text of every file that the engine has written here, for a search. */
  files(): string[] {
    return readdirSync(join(this.folder, "state"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  }

  close(): void {
    removeFolder(this.folder);
  }
}
