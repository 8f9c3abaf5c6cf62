import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, startPulumi, well } from "../harness/command";
import { engineEnvironment, quickJavaScript } from "../harness/environment";
import { removeFolder, root } from "../harness/folder";

// What goes wrong in the first minutes with the plugin, on the engine: the words on the screen stand in the page's table, beside what
// leads out, and that leads out.

const base = mkdtempSync(join(tmpdir(), "frontdoor-first-steps-"));
const table = readFileSync(join(root, "docs/how-to/use-the-plugin.md"), "utf8").split("## If it fails")[1] ?? "";

afterAll(() => {
  removeFolder(base);
});

const tunnel = `const { IpsecTunnel } = require("pulumi-frontdoor/plugin");
new IpsecTunnel("branch", { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16" });
`;

interface Project {
  folder: string;
  pulumi: (...args: string[]) => Promise<Ended>;
  /** Writes Pulumi.yaml, with these plugins and the path of each. */
  name: (plugins: Record<string, string>) => void;
}

/** Makes a project with a stack. What a test installs lies in `work`, or in the project's folder below it. */
async function projectIn(work: string, program: string): Promise<Project> {
  const folder = join(base, work, "packages", "site");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(base, work, "state"));
  const env = {
    ...engineEnvironment(join(base, work)),
    ...{ FRONTDOOR_ID: "fd-1", FRONTDOOR_TOKEN: "preview-without-credentials", NODE_OPTIONS: quickJavaScript },
    // No host of the internet answers a download.
    ...{ HTTPS_PROXY: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" },
  };
  const pulumi = (...args: string[]) => startPulumi(args, { cwd: folder, env }).end;
  const name = (plugins: Record<string, string>) => {
    const providers = Object.entries(plugins).map(([plugin, path]) => ({ name: plugin, path }));
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      JSON.stringify({ name: "site", runtime: "nodejs", plugins: { providers } }),
    );
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "site", private: true, main: "index.js" }));
  writeFileSync(join(folder, "index.js"), program);
  name({});
  well(await pulumi("stack", "init", "dev"));
  return { folder, pulumi, name };
}

const install = (...folder: string[]) => {
  symlinkSync(join(root, "node_modules"), join(base, ...folder, "node_modules"));
};

const noFolder = "no folder at path";
const noPlugin = "Could not automatically download and install resource plugin 'pulumi-resource-frontdoor'";
const own = "node_modules/pulumi-frontdoor/dist/plugin";

/** The cell of the page's table beside the words on the screen. */
const remedyOf = (words: string) =>
  table
    .split("\n")
    .find((line) => line.split("|")[1]?.replaceAll("`", "").includes(words))
    ?.split("|")[2] ?? "";

async function expectRefusal(ended: Promise<Ended>, words: string): Promise<void> {
  const { code, text } = await ended;
  expect(code).not.toBe(0);
  expect(text).toContain(words);
}

const expectPreview = async ({ pulumi }: Project) => {
  expect(well(await pulumi("preview")).stdout).toMatch(/\+ +frontdoor:index:IpsecTunnel/);
};

it("in a fresh clone, pulumi install needs the package first", async () => {
  const project = await projectIn("clone", tunnel);
  project.name({ frontdoor: own });
  await expectRefusal(project.pulumi("install"), noFolder);
  expect(remedyOf(noFolder)).toContain("`npm ci`");
  install("clone", "packages", "site");
  await expectPreview(project);
});

it("in a workspace, the path is that of the folder in which npm installs", async () => {
  const project = await projectIn("workspace", tunnel);
  install("workspace");
  project.name({ frontdoor: own });
  await expectRefusal(project.pulumi("preview"), noFolder);
  expect(remedyOf(noFolder)).toContain(`\`../../${own}\``);
  project.name({ frontdoor: `../../${own}` });
  await expectPreview(project);
});

it("a program that imports the plugin's classes needs the plugin's folder in Pulumi.yaml", async () => {
  const project = await projectIn("forgotten", tunnel);
  install("forgotten");
  await expectRefusal(project.pulumi("preview"), noPlugin);
  expect(remedyOf(noPlugin)).toContain("`plugins.providers`");
  project.name({ frontdoor: `../../${own}` });
  await expectPreview(project);
});

const componentLibrary = `#!/usr/bin/env node
const pulumi = require("@pulumi/pulumi");
const { IpsecSite } = require("pulumi-frontdoor/plugin");

class Branch extends pulumi.ComponentResource {
  constructor(name, options) {
    super("lib:index:Branch", name, {}, options);
    const shares = { web: { target: "10.8.0.20:443", ingressPort: 443 } };
    const site = { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16", envZId: "env-agent-1", shares };
    new IpsecSite(name, site, { parent: this });
    this.registerOutputs({});
  }
}

const construct = async (name, _type, _inputs, options) => ({ urn: new Branch(name, options).urn, state: {} });
pulumi.provider.main({ version: "0.0.1", construct }, process.argv.slice(2));
`;

it("a component library in TypeScript, used from another language, needs the folder of the plugin inside the library", async () => {
  // Another language registers a component as this program does.
  const program = `const { ComponentResource } = require("@pulumi/pulumi");
new ComponentResource("lib:index:Branch", "branch", {}, {}, true);
`;
  const project = await projectIn("library", program);
  install("library", "packages", "site");
  const library = join(base, "library", "packages", "lib");
  mkdirSync(library);
  writeFileSync(join(library, "pulumi-resource-lib"), componentLibrary, { mode: 0o755 });
  install("library", "packages", "lib");
  project.name({ lib: "../lib" });
  await expectRefusal(project.pulumi("preview"), noPlugin);
  expect(remedyOf(noPlugin)).toContain(`\`LIBRARY/${own}\``);
  project.name({ lib: "../lib", frontdoor: `../lib/${own}` });
  await expectPreview(project);
});
