import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { start } from "../harness/command";
import { root } from "../harness/folder";
import { installed, Place } from "./command";

const page = readFileSync(join(root, "docs", "reference", "command-line.md"), "utf8");
const howTo = readFileSync(join(root, "docs", "how-to", "set-up-the-device.md"), "utf8");
const blocks = [...`${page}\n${howTo}`.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);

let emulator: Emulator;
let place: Place;

beforeAll(async () => {
  emulator = await startEmulator();
  place = new Place(emulator);
  emulator.seedTunnel({ id: "tnl-1", name: "branch-office", locationId: "loc-1" });
  emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
  writeFileSync(place.path("frontdoor"), `#!/bin/sh\nexec '${process.execPath}' '${installed}' "$@"\n`);
  // npx runs the command of the project's folder.
  writeFileSync(place.path("npx"), '#!/bin/sh\nexec "$@"\n');
  for (const name of ["frontdoor", "npx"]) chmodSync(place.path(name), 0o755);
});
afterAll(async () => {
  await emulator.close();
  place.remove();
});

describe("docs/reference/command-line.md, and the file for a device in docs/how-to/set-up-the-device.md", () => {
  it.each(blocks.filter((block) => !block.startsWith("npx frontdoor emulator")))("as pasted: %s", async (block) => {
    // The emulator of the test stands for the one that the page starts.
    const script = block.replace(/^export .*$/m, "");
    const PATH = [place.folder, process.env["PATH"]].join(delimiter);
    const { code, text } = await start("bash", ["-e", "-c", script], place.where({ PATH })).end;
    expect([code, text]).toEqual([0, expect.not.stringMatching(/^frontdoor: /m)]);
    expect(text).not.toContain(emulator.token);
  });

  it("leaves the files that it says", () => {
    for (const file of ["branch-office.conf", "branch-office.swanctl.conf", "web.svg"])
      expect(existsSync(place.path(file))).toBe(true);
  });

  it("names every command, and each has an example in its help", async () => {
    const { stdout } = await place.run(["--help"]);
    const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = ""]) => name);
    const commands = names.filter((name) => name !== "help");
    expect(commands.length).toBeGreaterThan(9);
    for (const name of commands) {
      expect(page).toContain(`\`${name}\``);
      const help = await place.run([name, "--help"]);
      expect(help.code).toBe(0);
      expect(help.stdout).toMatch(new RegExp(`^ +frontdoor ${name}|frontdoor ${name} `, "m"));
    }
  });
});

it.each(["cli-main.js", "cli-work.js", "cli-emulator.js"])(
  "no text in dist/%s cites a page that the package does not ship",
  (file) => {
    const cited = readFileSync(join(root, "dist", file), "utf8").match(/[\w/-]+\.md\b/g) ?? [];
    const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
    expect(cited.filter((page) => page !== "README.md" && !files.includes(page))).toEqual([]);
  },
);
