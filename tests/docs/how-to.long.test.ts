import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Block, blocksOf } from "./pages";
import { start, well } from "../harness/command";
import { type Shell, useShell } from "../harness/copies";
import { removeFolder, root } from "../harness/folder";

let shell: Shell;
useShell((opened) => (shell = opened));

/** A line without what differs from run to run: durations, hosts, ids and widths. */
const withoutChance = (line: string) => line.replace(/\([\d.]+s\)|nlb-\w+|tnl-\d+|\s+/g, " ").trim();
const lines = (text: string) => text.split("\n").map(withoutChance);

describe("pages as they are followed", () => {
  /** Leaves the check of types to one run of the compiler at the end of a page. */
  const unchecked = "export PULUMI_NODEJS_TRANSPILE_ONLY=true\n";

  const paste = (code: string) => shell.paste(unchecked + code);

  const gettingStarted = readFileSync(join(root, "examples", "quickstart", "index.ts"), "utf8");

  /** Opens a project of its own with the stack `dev`, in which this program is deployed. */
  async function project(name: string, program?: string): Promise<string> {
    const folder = await shell.project(name, program);
    if (program !== undefined) await paste("pulumi up --yes --skip-preview");
    shell.copies.writes();
    return join(folder, "index.ts");
  }

  const linesWith = (diff: string, mark: "+" | "-") =>
    diff
      .split("\n")
      .filter((line) => line.startsWith(" ") || line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join("");

  /** Returns the text with a diff of a page applied. */
  function edited(text: string, diff: string): string {
    const previous = linesWith(diff, "-");
    if (text.split(previous).length !== 2) throw new Error(`the program does not have this once:\n${previous}`);
    return text.replace(previous, () => linesWith(diff, "+"));
  }

  /** Does what the blocks of a page say, and returns the writes of each block of commands. */
  async function follow(blocks: Block[], program: string, inPage = (code: string) => code): Promise<string[][]> {
    const writes: string[][] = [];
    for (const { language, title, code } of blocks) {
      if (language === "sh") {
        await paste(inPage(code));
        writes.push(shell.copies.writes().map((each) => each.replace(/\/(shr|tnl)-.*/, "/<id>")));
      } else if (language === "diff") writeFileSync(program, edited(readFileSync(program, "utf8"), inPage(code)));
      else if (title === "index.ts") writeFileSync(program, inPage(code));
    }
    await shell.paste("tsc --noEmit --strict --skipLibCheck --target es2022 --module node20 --types node index.ts");
    return writes;
  }

  /** The last blocks of a page: a look and a repair. */
  const drifting = 2;
  /** The blocks that add an application, and those that move one; a program without a site is the page's last block. */
  const [adding, moving] = [[0, 2] as const, [2, -1] as const].map((range) =>
    blocksOf("docs/how-to/applications.md").slice(...range),
  );

  /** The blocks of a page that no other test runs. */
  const ownBlocks = (page: string) =>
    blocksOf(page).filter(({ mark }) => mark?.file === "tests/docs/how-to.long.test.ts");

  const patch = "PATCH /ipsec-shares/<id>";

  it.each([
    ["hand-over", ownBlocks("docs/how-to/hand-over.md"), [[], [], []]],
    ["upgrade-and-rename", blocksOf("docs/how-to/upgrade-and-rename.md"), [[], [], []]],
    ["recover", blocksOf("docs/how-to/recover.md").slice(0, -drifting), [[], [], [], []]],
  ])("%s", async (name, blocks, writes) => {
    const program = await project(name, gettingStarted);
    expect(await follow(blocks, program)).toEqual(writes);
    await paste("pulumi preview --expect-no-changes");
  });

  describe("docs/how-to/replace-a-tunnel.md", () => {
    const blocks = ownBlocks("docs/how-to/replace-a-tunnel.md");
    const [rename, recreate] = blocks.splice(0, 2);
    const ready = ({ status }: { status: string }) => status === "DEPLOYED";
    const single = `
      import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";
      const site = { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16", locationId: "us-east-1" };
      const customer = new IpsecTunnel("customer-a-dc1", {
        ...site,
      });
      const place = { ipsecTunnelId: customer.id, envZId: "ijcrWb-ZOq" };
      export const { id } = new IpsecShare("app-db", { ...place, target: "10.20.100.1:8443", ingressPort: 8443 });
    `.replace(/^ {6}/gm, "");

    it("beside the first tunnel: an endpoint and a tunnel that is UP at each moment, and a new key", async () => {
      const program = await project("replace-beside", gettingStarted);
      const { emulator } = shell.copies;
      const [previous] = emulator.tunnels();
      const { settings } = emulator;
      Object.assign(settings, { connectionStatus: "DOWN", connectionStatuses: { [previous?.id ?? ""]: "UP" } });
      const previousKey = emulator.samplePsk(previous?.id ?? "");
      const device = join(program, "..", "customer-a-dc1-2.swanctl.conf");
      const isUp = ({ id, status }: { id: string; status: string }) =>
        ready({ status }) && settings.connectionStatuses[id] === "UP";
      const log: string[] = [];
      let fewest = Infinity;
      settings.onAnswer = ({ method, path, status }) => {
        const tunnels = emulator.tunnels().filter(ready);
        const reachable = emulator
          .shares()
          .filter((share) => ready(share) && tunnels.some(({ id }) => id === share.ipsecTunnelId));
        fewest = Math.min(fewest, reachable.length);
        const up = tunnels.filter(isUp).map(({ locationId }) => locationId);
        const [, kind] = /^\/ipsec-(\w+)/.exec(path) ?? [];
        if (method !== "GET" && status < 300) log.push(`${method} ${kind}`);
        log.push(`UP: ${up.join(", ")}`);
        // The device of the remote site connects once it has the file, and only with the key of the tunnel.
        const key = existsSync(device) ? readFileSync(device, "utf8") : "";
        for (const { id } of tunnels) if (key.includes(emulator.samplePsk(id))) settings.connectionStatuses[id] = "UP";
      };
      const removal = blocks.slice(-2);
      await follow(blocks.slice(0, -2), program);
      const first = gettingStarted.slice(gettingStarted.indexOf("const customer"));
      writeFileSync(program, readFileSync(program, "utf8").replace(first, ""));
      await follow(removal, program);
      settings.onAnswer = null;
      expect(fewest).toBe(1);
      expect(readFileSync(device, "utf8")).not.toContain(previousKey);
      const isNews = (line: string, index: number) =>
        line !== log.slice(0, index).findLast((each) => each.startsWith("UP"));
      expect(log.filter(isNews)).toEqual([
        ...["UP: us-east-1", "POST tunnels", "POST shares", "UP: us-east-1, us-west-1"],
        ...["DELETE shares", "DELETE tunnels", "UP: us-west-1"],
      ]);
    });

    it.each([
      ["a site", gettingStarted],
      ["a single tunnel and its share", single],
    ])("in place, %s: one run gives the location a tunnel with another key", async (kind, source) => {
      const program = await project(kind.replaceAll(" ", "-"), source);
      const { emulator } = shell.copies;
      const [previous] = emulator.tunnels();
      const [opening, name] = ["-", "+"].map((mark) => linesWith(rename?.code ?? "", mark as "-" | "+")) as [
        string,
        string,
      ];
      const given = source === single ? opening.replace("IpsecSite", "IpsecTunnel") : opening;
      writeFileSync(
        program,
        source.replace(given, () => name.replace(opening, given)),
      );
      expect(await follow(recreate ? [recreate] : [], program)).toEqual([
        ["DELETE /ipsec-shares/<id>", "DELETE /ipsec-tunnels/<id>", "POST /ipsec-tunnels", "POST /ipsec-shares"],
      ]);
      const [next] = emulator.tunnels().filter(ready);
      expect(next?.locationId).toBe(previous?.locationId);
      const file = readFileSync(join(program, "..", "customer-a-dc1.swanctl.conf"), "utf8");
      expect(file).toContain(emulator.samplePsk(next?.id ?? ""));
      expect(file).not.toContain(emulator.samplePsk(previous?.id ?? ""));
      writeFileSync(program, source);
      await paste("pulumi preview --expect-no-changes");
    });
  });

  const locations = () =>
    shell.copies.emulator.tunnels().flatMap(({ status, locationId }) => (status === "DEPLOYED" ? [locationId] : []));
  const present = (...blocks: (Block | undefined)[]) => blocks.filter((each) => each !== undefined);
  const shares = () => shell.copies.emulator.shares().filter(({ status }) => status === "DEPLOYED");

  /** Follows a page that extends the program, and whose preview looks as the page shows it. */
  async function extend(blocks: Block[], program: string): Promise<string[]> {
    const [edit, preview, shown, up] = blocks;
    if (edit) await follow([edit], program);
    const { text } = await paste(`${preview?.code.trim() ?? ""} --color never`);
    const isPlugin = readFileSync(program, "utf8").includes("pulumi-frontdoor/plugin");
    const code = (shown?.code.trim() ?? "-").replaceAll(/pulumi-nodejs:dynamic\/frontdoor:/g, (type) =>
      isPlugin ? "frontdoor:index:" : type,
    );
    expect(lines(text)).toEqual(expect.arrayContaining(lines(code)));
    await paste(up?.code ?? "");
    await paste("pulumi preview --expect-no-changes");
    return shell.copies.writes();
  }

  it.each([
    ["dynamic provider", gettingStarted],
    ["plugin", gettingStarted.replace('"pulumi-frontdoor"', '"pulumi-frontdoor/plugin"')],
  ])(
    "in one project, with the %s, the pages in the order of the index delete only what they announce",
    async (name, first) => {
      const program = await project(`in-order-${name.split(" ")[0]}`, first);
      const text = () => readFileSync(program, "utf8");
      const removed = (code: string) => {
        expect(text()).toContain(code);
        writeFileSync(program, text().replace(code, ""));
      };
      /** Follows blocks whose edits are of the first site, of which the program has others. */
      const inFirstSite = async (blocks: Block[], inPage?: (code: string) => string) => {
        const rest = text().slice(text().indexOf("export const {"));
        writeFileSync(program, text().replace(rest, ""));
        for (const { language, code } of blocks)
          if (language === "diff") writeFileSync(program, edited(text(), inPage?.(code) ?? code));
        writeFileSync(program, `${text()}${rest}`);
        return follow(
          blocks.filter(({ language }) => language === "sh"),
          program,
          inPage,
        );
      };
      const added = ["POST /ipsec-tunnels", "POST /ipsec-shares"];
      const gone = ["DELETE /ipsec-shares/<id>", "DELETE /ipsec-tunnels/<id>"];

      const [used, preview, remove, urns, forget, ...others] = blocksOf("docs/how-to/remove-a-site.md");
      expect(others).toEqual([]);
      const additions = ["sites.md", "two-tunnels.md"].flatMap((page) => blocksOf(`docs/how-to/${page}`));
      expect(await extend(additions.slice(0, 4), program)).toEqual(added);
      expect(await extend(additions.slice(4), program)).toEqual(added);
      expect(locations().toSorted()).toEqual(["us-east-1", "us-east-2", "us-west-2"]);

      expect(await inFirstSite(adding ?? [])).toEqual([["POST /ipsec-shares"]]);

      const [port, move, second, up, leave, ...arrive] = moving ?? [];
      expect(await inFirstSite(present(port, move))).toEqual([[patch]]);
      const moved = shares().find(({ ingressPort }) => ingressPort === 9443)?.id ?? "";
      expect(await follow(present(second, up), program)).toEqual([["POST /ipsec-tunnels"]]);
      expect(await inFirstSite(present(leave))).toEqual([]);
      expect(await follow(arrive, program)).toEqual([[patch]]);
      expect(shares().map(({ id }) => id)).toContain(moved);

      const replacement = ownBlocks("docs/how-to/replace-a-tunnel.md").slice(2);
      expect(await follow(replacement.slice(0, -2), program)).toEqual([added, []]);
      removed(text().slice(text().indexOf("const customer ="), text().indexOf("const next =")));
      expect(await follow(replacement.slice(-2), program)).toEqual([[], gone]);
      expect(locations().toSorted()).toEqual(["ca-central-1", "us-east-2", "us-west-1", "us-west-2"]);

      const siteOf = (block?: Block) => linesWith((block?.code ?? "").replace(/^ .*\n/, ""), "+");
      await paste(used?.code ?? "");
      removed(siteOf(additions[0]));
      expect(await follow(present(preview, remove), program)).toEqual([[], gone]);
      const { stdout } = await paste(urns?.code ?? "");
      const [urn = ""] = /urn:\S+IpsecSite::customer-a-dc1-backup/.exec(stdout) ?? [];
      await paste((forget?.code ?? "").replace("URN", urn));
      removed(siteOf(additions[4]));
      await paste("pulumi up --yes --skip-preview");
      expect(shell.copies.writes()).toEqual([]);
      expect(locations().toSorted()).toEqual(["ca-central-1", "us-east-2", "us-west-1"]);
      expect(shares()).toHaveLength(3);
    },
  );

  it("docs/how-to/adopt.md and docs/how-to/import.md", async () => {
    const { emulator } = shell.copies;
    const address = { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16" };
    const { id: ipsecTunnelId } = emulator.seedTunnel({ ...address, name: "customer-a-dc1", status: "DEPLOYED" });
    const application = { target: "10.20.100.1:8443", ingressPort: 8443, envZId: "ijcrWb-ZOq" };
    const { id } = emulator.seedShare({ ...application, name: "app-db", ipsecTunnelId, status: "DEPLOYED" });
    const withIds = (code: string) => code.replace("tnl-1", ipsecTunnelId).replace("shr-1", id);

    const page = "docs/how-to/adopt.md";
    const commands = [page, "docs/how-to/import.md"].flatMap((each) =>
      blocksOf(each).flatMap(({ language, code }) => (language === "sh" ? code : [])),
    );
    const program = await project("adopt");
    writeFileSync(program, withIds(blocksOf(page).find(({ title }) => title === "index.ts")?.code ?? ""));
    await paste(commands.slice(0, 2).join(""));
    expect(shell.copies.writes()).toEqual([]);

    emulator.reset();
    emulator.seedTunnel({ ...address, name: "customer-a-dc1", status: "DEPLOYED" });
    await project("adopt-sites");
    await paste(commands[2] ?? "");
    expect(shell.copies.writes()).toEqual([]);

    rmSync(await project("import"));
    await paste(commands.slice(3).join(""));
    expect(shell.copies.writes()).toEqual([]);
  });

  it("docs/how-to/recover.md, drift", async () => {
    await project("detect-drift", gettingStarted);
    const [look = "", restore = ""] = blocksOf("docs/how-to/recover.md")
      .slice(-drifting)
      .map(({ code }) => code);
    await paste(look);
    const [share] = shell.copies.emulator.shares();
    shell.copies.emulator.patchShare(share?.id ?? "", { target: "elsewhere:443" });
    await expect(paste(look)).rejects.toThrow("elsewhere:443");
    expect(shell.copies.writes()).toEqual([]);
    await paste(restore);
    expect(shell.copies.writes()).toEqual([`PATCH /ipsec-shares/${share?.id}`]);
    await paste(look);
  });

  it.each(["ipsec-tunnel.md", "ipsec-share.md", "ipsec-share-set.md", "ipsec-site.md"])(
    "docs/reference/%s shows the output of `pulumi up`",
    async (page) => {
      const blocks = blocksOf(`docs/reference/${page}`);
      const codeIn = (wanted: string) => blocks.find(({ language }) => language === wanted)?.code ?? "";
      writeFileSync(await project(page.replace(".md", "")), codeIn("ts"));
      const { text } = await paste("pulumi up --yes --skip-preview --color never");
      const shown = lines(codeIn("text").trim());
      expect(shown.length).toBeGreaterThan(2);
      expect(lines(text)).toEqual(expect.arrayContaining(shown));
    },
  );
});

describe("commands as they are pasted", () => {
  /** The commands on a page, or only those that the page says a test runs. */
  const commandsOf = (page: string, test?: string) =>
    blocksOf(page).flatMap(({ language, mark, code }) =>
      language === "sh" && (test === undefined || mark?.file === test) ? code : [],
    );

  const branch = `
  import { IpsecTunnel } from "pulumi-frontdoor";
  export const { id } = new IpsecTunnel("branch", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
`;

  it("docs/getting-started.md, from a checkout and an empty folder to the endpoints", async () => {
    const blocks = blocksOf("docs/getting-started.md");
    const [path = "", pack = "", inFolder = "", stack = "", up = "", ownStack = "", account = "", ...others] =
      commandsOf("docs/getting-started.md");
    expect(others).toEqual([]);

    const { emulator, folder } = shell.copies;
    const home = `export HOME='${folder}'\n`;
    const { stdout: found } = await shell.paste(`cd '${root}'\n${path}\nnode --version\npulumi version`);
    expect(found).toMatch(/^v(2[2-9]|[3-9]\d)\..*\nv3\.\d+\.\d+\n$/);
    await shell.paste(`${home}cd '${root}'\n${pack}`);
    shell.go("home-of-projects");
    await shell.paste(home + inFolder);
    const own = shell.go("home-of-projects", "my-tunnels");
    symlinkSync(join(folder, "node_modules"), join(own, "node_modules"));
    for (const { title, code } of blocks) if (title !== undefined) writeFileSync(join(own, title), code);

    // The emulator of the test stands for the one that the page starts, and so does its folder of states.
    const here = { "http://127.0.0.1:8480/frontdoor": emulator.baseUrl, "emulator-token": emulator.token };
    const typed = Object.entries(here).reduce((commands, [theirs, ours]) => commands.replace(theirs, ours), stack);
    await shell.paste(typed.replace(/^export .*\n/m, ""));
    const { stdout, text } = await shell.paste(up);
    const shown = blocks.filter(({ language }) => language === "text").map(({ code }) => code.trim());
    expect(shown).toHaveLength(1);
    expect(lines(text)).toEqual(expect.arrayContaining(lines(shown[0] ?? "-")));
    expect(shell.copies.writes()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
    expect(stdout).toMatch(/"app-db": ?"[\w.-]+:8443"/);
    expect(text).not.toContain(emulator.token);
    expect(stdout).toMatch(/customer-a-dc1\S* +DEPLOYED/);
    await shell.paste("pulumi preview --expect-no-changes && pulumi destroy --yes");

    // The passphrase of the test stays, and so do the URL and the token of the emulator.
    await shell.paste(ownStack.replace("YOUR_FRONT_DOOR", emulator.frontdoorId));
    await shell.paste(
      account.replace("frontdoor:credentialsFile ABSOLUTE_PATH", `--secret frontdoor:token ${emulator.token}`),
    );
    await shell.paste("pulumi up --yes && pulumi destroy --yes");
  });

  it("docs/before-you-start.md, in a folder of its own before there is a project", async () => {
    const [inFolder = "", ...others] = commandsOf("docs/before-you-start.md");
    expect(others).toEqual([]);
    const { folder, emulator } = shell.copies;
    writeFileSync(join(folder, "pulumi-frontdoor-0.0.0.tgz"), "");
    shell.go("home-before");
    await shell.paste(`export HOME='${folder}'\n${inFolder}`);
    shell.go("home-before", "front-door-ids");
    const { text } = await shell.paste("npx pulumi-frontdoor ids");
    expect(text).toContain(`reading from ${emulator.baseUrl} with FRONTDOOR_TOKEN`);
    expect(text).toContain(emulator.frontdoorId);
  });

  it("docs/how-to/policies.md", async () => {
    await shell.project("policies", branch.replace("203.0.113.7", "8.8.8.8"));
    // Only the events of a stack whose tunnel exists contain its key.
    await shell.paste("pulumi up --yes --skip-preview");
    const [preview = "", strict = "", report = "", ...others] = commandsOf(
      "docs/how-to/policies.md",
      "tests/docs/how-to.long.test.ts",
    );
    expect(others).toEqual([]);
    expect((await shell.paste(preview)).text).toContain("frontdoor");
    // Strict policies refuse this program, as they should: it is the policies that speak.
    await expect(shell.paste(strict)).rejects.toThrow("[mandatory]");
    expect((await shell.paste(`${report}cat policies.sarif`)).stdout).toContain('"version": "2.1.0"');
  });

  it("docs/how-to/tunnel-down.md", async () => {
    const { emulator } = shell.copies;
    const { id } = emulator.seedTunnel({ name: "down", status: "DEPLOYED" });
    emulator.settings.connectionStatuses[id] = "DOWN";
    const [look = ""] = commandsOf("docs/how-to/tunnel-down.md");
    const { text } = await shell.paste(look.replace("tnl-7", id).replace("FD", emulator.frontdoorId));
    expect(text).toMatch(/connection +DOWN/);
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
      "tests/docs/how-to.long.test.ts",
    );
    expect(others).toEqual([]);
    const data = join(shell.copies.folder, "mine.db");
    const ready = join(shell.copies.folder, "ready.json");
    const line = `${begin.trim().replace("mine.db", data)} --ready-file ${ready}`;
    const emulator = start("bash", ["-c", line], { cwd: root, env: { ...process.env } });
    try {
      await emulator.says(/^export FRONTDOOR_BASE_URL/m);
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

describe("the README", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-readme-"));
  const where = () => ({ cwd: folder, env: { ...process.env, CI: "1" } });
  const left = ["node_modules", ".git", ".frontdoor", "release", "sdks"];

  afterAll(() => {
    removeFolder(folder);
  });

  it("README.md shows two commands that make a tunnel with its shares and take them down", async () => {
    cpSync(root, folder, { recursive: true, filter: (path) => path === root || !left.includes(basename(path)) });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const [up = "", destroy = ""] = blocksOf("README.md").flatMap(({ language, code }) =>
      language === "sh" ? [code.trim()] : [],
    );
    const run = async (line: string) => well(await start("bash", ["-c", line], where()).end).text;
    const made = await run(up);
    expect(made).toMatch(/\+ \d+ created/);
    const shown =
      blocksOf("README.md")
        .find(({ language }) => language === "text")
        ?.code.trim()
        .split("\n") ?? [];
    const withoutChance = (text: string) => text.replace(/\(\d+s\)|nlb-\w+|\s+/g, " ");
    expect(shown).toHaveLength(6);
    for (const line of shown) expect(withoutChance(made)).toContain(withoutChance(line).trim());
    expect(made).toMatch(
      /^Node {4}\S+\nPulumi {2}\S+\nStarting the emulator …\nEmulator at http:\S+ until this command ends\. /m,
    );
    expect(made).toMatch(/^Setting up the stack quickstart .*\nRunning pulumi up …\n/m);
    const [, path = ""] = /^ {2}export PATH="(.*):\$PATH"$/m.exec(made) ?? [];
    expect(await run(`PATH='${path}' pulumi version`)).toMatch(/^v3\./);
    expect(made.trim().split("\n").at(-1)).toBe(
      'Look: npm start -- --watch. Try next: change an ingressPort in examples/quickstart/index.ts and run "npm start" again.',
    );
    expect(await run(up)).not.toContain("created");
    await lookAndTryNext(run, up);
    expect(await run(destroy)).toMatch(/- \d+ deleted/);
  });

  /** What the last line advises: the page stays there, and meanwhile a changed port is one update. */
  async function lookAndTryNext(run: (line: string) => Promise<string>, up: string): Promise<void> {
    // Not by npm, which hands no signal on without a terminal.
    const watching = start("node", ["scripts/quickstart.mjs", "start", "--watch"], where());
    const [, page = ""] = await watching.says(/^Look: (http:\S+\/), until Ctrl-C\. Try next: .*$/m);
    expect(watching.said.stdout).toContain(`Watch it live: ${page}\n`);
    expect(await (await fetch(page)).text()).toContain("<!doctype html>");

    const program = join(folder, "examples", "quickstart", "index.ts");
    const text = readFileSync(program, "utf8");
    writeFileSync(program, text.replace("ingressPort: 8443", "ingressPort: 9443"));
    expect(await run(up)).toMatch(/~ 1 updated/);
    process.kill(watching.pid, "SIGINT");
    expect((await watching.end).code).toBe(0);
  }
});
