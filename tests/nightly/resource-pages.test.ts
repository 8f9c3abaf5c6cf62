import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

/** A line without what differs from run to run: durations, hosts, ids and widths. */
const withoutChance = (line: string) => line.replace(/\([\d.]+s\)|nlb-\w+|tnl-\d+|\s+/g, " ").trim();

describe("the pages of the resources show the output of `pulumi up`", () => {
  it.each(["ipsec-tunnel.md", "ipsec-share.md", "ipsec-share-set.md", "ipsec-site.md"])("%s", async (page) => {
    const blocks = blocksOf(`docs/reference/${page}`);
    const name = page.replace(".md", "");
    const folder = shell.go(name);
    symlinkSync(join(shell.copies.folder, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ main: "index.ts" }));
    writeFileSync(join(folder, "index.ts"), blocks.find(({ language }) => language === "ts")?.code ?? "");
    await shell.paste("pulumi stack init dev");
    const { text } = await shell.paste(
      "export PULUMI_NODEJS_TRANSPILE_ONLY=true\npulumi up --yes --skip-preview --color never",
    );
    const shown =
      blocks
        .find(({ language }) => language === "text")
        ?.code.trim()
        .split("\n") ?? [];
    const printed = text.split("\n").map(withoutChance);
    expect(shown.length).toBeGreaterThan(2);
    expect(printed).toEqual(expect.arrayContaining(shown.map(withoutChance)));
  });
});
