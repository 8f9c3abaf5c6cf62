import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";
import { blocksOf } from "../docs/pages";
import { Shell } from "../docs/pasted";

let shell: Shell;

beforeAll(async () => {
  shell = await Shell.open();
});
afterAll(() => shell.close());

describe("docs/getting-started.md", () => {
  it("can be followed as it is pasted, from a checkout and an empty folder to the endpoints", async () => {
    const blocks = blocksOf("docs/getting-started.md");
    const [pack, project, stack, up, look, ...others] = blocks.filter(({ language }) => language === "sh");
    expect(others).toEqual([]);

    const home = `export HOME='${shell.copies.folder}'\n`;
    await shell.paste(`${home}cd '${root}'\n${pack?.code ?? ""}`);
    shell.go("home-of-projects");
    await shell.paste(home + (project?.code ?? ""));
    const folder = shell.go("home-of-projects", "my-tunnels");
    symlinkSync(join(shell.copies.folder, "node_modules"), join(folder, "node_modules"));
    for (const { title, code } of blocks) if (title !== undefined) writeFileSync(join(folder, title), code);

    const own = (stack?.code ?? "").replace("YOUR_FRONT_DOOR", shell.copies.emulator.frontdoorId);
    await shell.paste(own, shell.copies.emulator.token);
    const { stdout, text } = await shell.paste(up?.code ?? "");
    expect(shell.copies.writes()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
    expect(stdout).toMatch(/"intranet": ?"[\w.-]+:443"/);
    expect(text).not.toContain(shell.copies.emulator.token);
    expect((await shell.paste(look?.code ?? "")).stdout).toMatch(/branch-office\S* +DEPLOYED/);
    await shell.paste("pulumi preview --expect-no-changes");
    await shell.paste("pulumi destroy --yes");
  });
});
