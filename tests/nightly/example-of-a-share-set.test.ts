import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { well } from "../harness/command";
import { Copies } from "../harness/copies";
import { root } from "../harness/folder";
import { expectSound } from "../policy/sound-example";

let copies: Copies;

beforeAll(async () => {
  copies = await Copies.open();
});
afterAll(() => copies.close());
beforeEach(() => {
  copies.emulator.reset();
});

const example = "share-set";
const pulumi = async (...args: string[]) => well(await copies.pulumi(example, ...args));
const up = () => pulumi("up", "--yes", "--skip-preview");
const output = async (name: string) =>
  JSON.parse((await pulumi("stack", "output", name, "--json")).stdout) as Record<string, string>;
const write = (file: string, text: string) => {
  writeFileSync(join(copies.folder, example, file), text);
};
const live = () => copies.emulator.shares().filter(({ status }) => status !== "DELETED");
async function destroy() {
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(live()).toEqual([]);
}

/** What the page says under this title, as a program on a tunnel that is there. */
function documented(title: string, ids: Record<string, string> = {}): string {
  const page = readFileSync(join(root, "docs", "share-sets.md"), "utf8");
  const [, code = ""] = page.split(`\`\`\`ts title="${title}"\n`);
  const own = (code.split("```")[0] ?? "").replaceAll("shr-1", ids["web"] ?? "shr-1");
  return [
    'import { IpsecShare, IpsecShareSet, IpsecTunnel } from "pulumi-frontdoor";',
    'const tunnel = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });',
    'const place = { ipsecTunnelId: tunnel.id, envZId: "env-1" };',
    ...[own, "void IpsecShare, IpsecShareSet;"],
  ].join("\n");
}

describe("share-set", () => {
  beforeAll(async () => {
    copies.copy(example);
    await pulumi("stack", "init", "dev");
  });

  it("publishes what the file has, and writes what an edit of it changes and nothing else", async () => {
    await up();
    expect(copies.writes()).toEqual(["POST /ipsec-tunnels", ...Array<string>(3).fill("POST /ipsec-shares")]);
    await pulumi("preview", "--expect-no-changes");
    await expectSound(copies, example);
    expect(await output("endpoints")).toMatchObject({ wiki: expect.stringMatching(/:8444$/) as string });

    const file = join(copies.folder, example, "services.json");
    const { tickets, ...others } = JSON.parse(readFileSync(file, "utf8")) as Record<string, object>;
    write("services.json", JSON.stringify({ tickets: { ...tickets, ingressPort: 8445 }, ...others }));
    await up();
    expect(copies.writes()).toEqual([expect.stringMatching(/^PATCH /)]);
    expect(await output("endpoints")).toMatchObject({ tickets: expect.stringMatching(/:8445$/) as string });
    await destroy();
  });

  it("moves a single share into a set and out of it as the page says, without a write", async () => {
    write("index.ts", documented("alone").replace(', adopt: "shr-1"', ""));
    await up();
    const ids = await output("ids");
    copies.writes();
    for (const title of ["in a set", "alone"]) {
      write("index.ts", documented(title, ids));
      await up();
      expect([title, copies.writes(), await output("ids")]).toEqual([title, [], ids]);
      await pulumi("preview", "--expect-no-changes");
    }
    await destroy();
  });
});
