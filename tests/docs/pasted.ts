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
    // Dependencies are in place, and dist/, which other tests read, is built: a file to install must be there, and packing builds nothing.
    writeFileSync(join(own, "npm"), npmOn(own), { mode: 0o755 });
    // What stands in the project's own folder of commands.
    writeFileSync(join(own, "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    const engine = engineEnvironment(copies.folder);
    const plugin = join(modules, "pulumi-frontdoor", "dist", "plugin");
    const path = [own, plugin, join(modules, ".bin"), engine["PATH"] ?? ""].join(delimiter);
    this.env = { ...engine, PATH: path, NODE_OPTIONS: quick, PULUMI_NON_INTERACTIVE: "1", ...copies.env };
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
    const typed = join(this.copies.folder, "typed");
    writeFileSync(typed, input);
    const args = ["-c", 'exec bash -c "$0" < "$1"', `set -eo pipefail\n${code}`, typed];
    return well(await start("bash", args, { cwd: this.cwd, env: this.env }).end);
  }

  close(): Promise<void> {
    return this.copies.close();
  }
}

/** npm without a registry, for a folder of commands that is first on the path. */
const npmOn = (own: string) => `#!/bin/sh
case "$1" in
  ci|install)
    for each; do
      case "$each" in
        pulumi-frontdoor) echo "npm: no registry has $each" >&2; exit 1 ;;
        *.tgz) test -f "$each" || { echo "npm: there is no $each" >&2; exit 1; } ;;
      esac
    done
    exit ;;
  pack)
    unset NODE_OPTIONS
    set -- "$@" --ignore-scripts ;;
esac
PATH=\${PATH#${own}:} exec npm "$@"
`;
