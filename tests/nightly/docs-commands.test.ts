import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "../harness/command";
import { root } from "../harness/folder";
import { blocksOf } from "../docs/pages";
import { Shell } from "../docs/pasted";

let shell: Shell;

beforeAll(async () => {
  shell = await Shell.open();
});
afterAll(() => shell.close());
beforeEach(() => {
  shell.copies.emulator.reset();
});

/** The commands on a page, or only those that the page says a test runs. */
const commandsOf = (page: string, test?: string) =>
  blocksOf(page).flatMap(({ language, mark, code }) =>
    language === "sh" && (test === undefined || mark?.file === test) ? code : [],
  );

/** A folder with this project in it, a stack of its own and what is installed. */
async function project(name: string, program?: string): Promise<string> {
  const folder = shell.go(name);
  symlinkSync(join(shell.copies.folder, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ main: "index.ts" }));
  if (program !== undefined) writeFileSync(join(folder, "index.ts"), program);
  await shell.paste("pulumi stack init dev");
  return folder;
}

const branch = `
  import { IpsecTunnel } from "pulumi-frontdoor";
  export const { id } = new IpsecTunnel("branch", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
`;

describe("commands as they are pasted", () => {
  it("docs/getting-started.md, from a checkout and an empty folder to the endpoints", async () => {
    const blocks = blocksOf("docs/getting-started.md");
    const [pack = "", inFolder = "", stack = "", up = "", ownStack = "", ...others] =
      commandsOf("docs/getting-started.md");
    expect(others).toEqual([]);
    expect(commandsOf("README.md")).toContain(pack);

    const { emulator, folder } = shell.copies;
    const home = `export HOME='${folder}'\n`;
    await shell.paste(`${home}cd '${root}'\n${pack}`);
    shell.go("home-of-projects");
    await shell.paste(home + inFolder);
    const own = shell.go("home-of-projects", "my-tunnels");
    symlinkSync(join(folder, "node_modules"), join(own, "node_modules"));
    for (const { title, code } of blocks) if (title !== undefined) writeFileSync(join(own, title), code);

    // The emulator of the test stands for the one that the page starts, and so does its folder of states.
    const here = { "http://127.0.0.1:8480/frontdoor": emulator.baseUrl, "emulator-token": emulator.token };
    const typed = Object.entries(here).reduce((commands, [theirs, ours]) => commands.replace(theirs, ours), stack);
    await shell.paste(typed.replace("pulumi login --local\n", "").replace(/^export .*\n/m, ""));
    const { stdout, text } = await shell.paste(up);
    expect(shell.copies.writes()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
    expect(stdout).toMatch(/"app-db": ?"[\w.-]+:8443"/);
    expect(text).not.toContain(emulator.token);
    expect(stdout).toMatch(/customer-a-dc1\S* +DEPLOYED/);
    await shell.paste("pulumi preview --expect-no-changes && pulumi destroy --yes");

    const prod = ownStack.replace(/^unset .*\n/, "").replace("YOUR_FRONT_DOOR", emulator.frontdoorId);
    await shell.paste(prod, emulator.token);
    await shell.paste("pulumi up --yes && pulumi destroy --yes");
  });

  it("docs/how-to/policies.md", async () => {
    await project("policies", branch.replace("203.0.113.7", "8.8.8.8"));
    const [preview = "", strict = "", report = "", ...others] = commandsOf("docs/how-to/policies.md");
    expect(others).toEqual([]);
    expect((await shell.paste(preview)).text).toContain("frontdoor");
    // Strict policies refuse this program, as they should: it is the policies that speak.
    await expect(shell.paste(strict)).rejects.toThrow("[mandatory]");
    expect((await shell.paste(`${report}cat policies.sarif`)).stdout).toContain('"version": "2.1.0"');
  });

  it("docs/how-to/several-stacks.md", async () => {
    shell.go();
    shell.copies.copy("network");
    shell.copies.copy("services");
    const [block = ""] = commandsOf("docs/how-to/several-stacks.md");
    await shell.paste(block.replace("cd examples/network", "cd network"));
    expect(shell.copies.writes()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares", "POST /ipsec-shares"]);
  });

  it("docs/how-to/emulator.md", async () => {
    const [begin = "", environment = "", ...others] = commandsOf(
      "docs/how-to/emulator.md",
      "tests/nightly/docs-commands.test.ts",
    );
    expect(others).toEqual([]);
    const data = join(shell.copies.folder, "mine.db");
    const ready = join(shell.copies.folder, "ready.json");
    const line = `${begin.trim().replace("mine.db", data)} --ready-file ${ready}`;
    const emulator = start("bash", ["-c", line], { cwd: root, env: { ...process.env } });
    try {
      while (!existsSync(ready)) {
        await Promise.race([
          sleep(100),
          emulator.end.then(({ text }) => {
            throw new Error(text);
          }),
        ]);
      }
      const read =
        'curl -sf -H "Authorization: Bearer $FRONTDOOR_TOKEN" "$FRONTDOOR_BASE_URL/v2/$FRONTDOOR_ID/ipsec-tunnels"';
      expect((await shell.paste(`${environment}${read}`)).stdout).toContain('"content"');
    } finally {
      // npx waits for the emulator, and hands no signal on without a terminal.
      process.kill((JSON.parse(readFileSync(ready, "utf8")) as { pid: number }).pid, "SIGINT");
      await emulator.end;
    }
  });
});
