import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Ended, start, well } from "../harness/command";
import { Copies } from "../harness/copies";
import { engineEnvironment, quick } from "../harness/environment";

/** A shell of a user's: commands are pasted, one block after the other, into one folder with an emulator beside it. */
export class Shell {
  private cwd: string;
  private readonly env: Record<string, string | undefined>;

  private constructor(readonly copies: Copies) {
    this.cwd = copies.folder;
    const modules = join(copies.folder, "node_modules");
    const own = join(copies.folder, "bin");
    mkdirSync(own);
    symlinkSync(join(modules, "pulumi-frontdoor", "dist", "cli.js"), join(own, "frontdoor"));
    // What it would install is there: the registry has no such version yet.
    writeFileSync(join(own, "npm"), `#!/bin/sh\n[ "$1" = install ] || PATH=\${PATH#${own}:} exec npm "$@"\n`, {
      mode: 0o755,
    });
    // What stands in the project's own folder of commands.
    writeFileSync(join(own, "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    const engine = engineEnvironment(copies.folder);
    const path = [
      own,
      join(modules, "pulumi-frontdoor", "dist", "plugin"),
      join(modules, ".bin"),
      engine["PATH"] ?? "",
    ];
    this.env = {
      ...engine,
      PATH: path.join(delimiter),
      NODE_OPTIONS: quick,
      PULUMI_NON_INTERACTIVE: "1",
      ...copies.env,
    };
  }

  static async open(): Promise<Shell> {
    return new Shell(await Copies.open());
  }

  /** Goes to a folder below the one of all. */
  go(...folder: string[]): string {
    this.cwd = join(this.copies.folder, ...folder);
    mkdirSync(this.cwd, { recursive: true });
    return this.cwd;
  }

  /** Pastes a block, with something on its standard input. It stops at the first command that fails. */
  async paste(code: string, input = ""): Promise<Ended> {
    const script = `set -eo pipefail\n${code}\npwd >&3`;
    const where = join(this.copies.folder, "cwd");
    const typed = join(this.copies.folder, "typed");
    writeFileSync(typed, input);
    const line = 'exec bash -c "$0" 3> "$1" < "$2"';
    const ended = well(await start("bash", ["-c", line, script, where, typed], { cwd: this.cwd, env: this.env }).end);
    return ended;
  }

  close(): Promise<void> {
    return this.copies.close();
  }
}
