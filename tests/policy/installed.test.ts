import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Project, reported, root } from "./project";

let project: Project;
afterEach(() => project.close());

/** Puts the package as npm packs it into the project, its dependencies linked. */
function install(folder: string): void {
  const modules = join(folder, "node_modules");
  rmSync(modules);
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "pulumi-frontdoor") symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: root,
  });
  execFileSync("tar", ["-xzf", join(folder, packed.toString().trim().split("\n").at(-1) ?? ""), "-C", folder]);
  cpSync(join(folder, "package"), join(modules, "pulumi-frontdoor"), { recursive: true });
}

describe("the installed package", () => {
  it("has the pack as a folder, with its presets", async () => {
    project = await Project.open("quickstart");
    install(project.folder);
    const installed = join("node_modules", "pulumi-frontdoor", "policy");
    const plain = await project.preview("--policy-pack", installed);
    expect([plain.code, reported(plain)]).toEqual([
      0,
      ["advisory guard-dangerous-ports database", "advisory guard-dangerous-ports ssh"],
    ]);
    const strict = await project.preview(
      ...["--policy-pack", installed, "--policy-pack-config", join(project.folder, installed, "strict.json")],
    );
    expect(strict.code).not.toBe(0);
    expect(reported(strict)).toEqual([
      "mandatory guard-dangerous-ports database",
      "mandatory guard-dangerous-ports ssh",
      "mandatory keep-targets-private ssh",
      "mandatory keep-targets-private web",
      "mandatory limit-ingress-ports ssh",
      "mandatory use-public-peers branch-office",
      "remediate avoid-stored-keys",
    ]);
  });

  it("lends its policies to a pack of one's own, with an exception", async () => {
    project = await Project.open("policy-violations");
    install(project.folder);
    const run = await project.preview("--policy-pack", "own-pack");
    expect(run.code).not.toBe(0);
    const found = reported(run);
    expect(found).toContain("mandatory limit-ingress-ports wiki");
    expect(found).toContain("advisory avoid-stored-keys lisbon");
    expect(found.join("\n")).not.toContain("guard-dangerous-ports");
    expect(run.text).toContain("our-company@v1.0.0");
  });
});
