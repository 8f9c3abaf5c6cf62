import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { startPulumi, well } from "../harness/command";
import { answers, answersAs, Copies } from "../harness/copies";
import { engineEnvironment, quick } from "../harness/environment";
import { root } from "../harness/folder";

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    engines: object;
    dependencies: Record<string, string>;
  };

const questions = () => {
  const text = readFileSync(join(root, "templates", "typescript", "Pulumi.yaml"), "utf8");
  const { template } = parse(text) as { template: { config: Record<string, { description: string }> } };
  return template.config;
};

it("no template and no example takes from a registry what only a stranger can publish there", () => {
  const files = execFileSync("git", ["ls-files", "templates", "examples"], { cwd: root, encoding: "utf8" });
  const manifests = files.split("\n").filter((file) => /(?:package\.json|requirements\.txt|go\.mod)$/.test(file));
  const { pulumi } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { pulumi: { server: string } };
  // A file of this machine, or a Go module of the owner that package.json names.
  const [owned = ""] = /github\.com\/[^/]+\/pulumi-frontdoor\//.exec(pulumi.server) ?? [];
  const named = manifests.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .filter((line) => /^(?!\s*(?:#|\/\/)).*pulumi[-_]frontdoor/.test(line)),
  );
  expect(named).toContainEqual(expect.stringContaining(`${owned}sdk/go `));
  expect(named.filter((line) => !line.includes('"file:') && !line.includes(owned))).toEqual([]);
});

describe("pulumi new with the TypeScript template", () => {
  let copies: Copies;
  let env: Record<string, string | undefined>;
  beforeAll(async () => {
    copies = await Copies.open();
    const bin = join(copies.folder, "bin");
    mkdirSync(bin);
    // Instead of a registry, a project gets what the folder of all has.
    const npm = `#!/bin/sh\nln -s ${join(copies.folder, "node_modules")} node_modules\n`;
    writeFileSync(join(bin, "npm"), npm, { mode: 0o755 });
    const own = engineEnvironment(copies.folder);
    env = { ...own, ...copies.env, PATH: [bin, own["PATH"]].join(delimiter), NODE_OPTIONS: quick };
  });
  afterAll(() => copies.close());

  /** Makes a project with a stack, with what a user types. */
  const make = (name: string, flags: string[], typed = "") => {
    const words = ["new", join(root, "templates", "typescript"), "--name", name, "--dir", join(copies.folder, name)];
    const more = ["--description", "A site", "--stack", "dev", "--color", "never", ...flags];
    const interactive = { ...env, PULUMI_TEST_INTERACTIVE: "1" };
    return execFileSync("pulumi", [...words, ...more], {
      cwd: copies.folder,
      env: interactive,
      input: typed,
      encoding: "utf8",
    });
  };
  const pulumi = (name: string, ...args: string[]) => startPulumi(args, { cwd: join(copies.folder, name), env }).end;
  const configOf = async (name: string) => {
    const { stdout } = well(await pulumi(name, "config", "--json"));
    return Object.entries(JSON.parse(stdout) as Record<string, { value: string }>)
      .filter(([key]) => key !== "pulumi:tags")
      .map(([key, { value }]) => [key, value]);
  };

  it("asks for the front door, an API account or a token, and the site, and the answers make the site", async () => {
    // Pulumi asks in the order of the project's name and "frontdoor".
    const account = ["/home/jane/credentials.json", "fd-1", ""];
    const text = make("site-asked", [], [...account, ...Object.values(answers), ""].join("\n"));
    for (const [key, { description }] of Object.entries(questions())) expect(text).toContain(`${description} (${key})`);
    expect(await configOf("site-asked")).toEqual([
      ["frontdoor:credentialsFile", "/home/jane/credentials.json"],
      ["frontdoor:frontdoorId", "fd-1"],
      ...Object.entries(answers).map(([key, value]) => [`site-asked:${key}`, value]),
    ]);
    const { name, engines, dependencies } = manifestIn(join(copies.folder, "site-asked"));
    const own = manifestIn(root);
    expect(name).toBe("site-asked");
    expect(engines).toEqual(own.engines);
    expect(dependencies).toEqual({ "@pulumi/pulumi": own.dependencies["@pulumi/pulumi"] });

    well(await pulumi("site-asked", "config", "rm", "frontdoor:credentialsFile"));
    const { stdout } = well(await pulumi("site-asked", "preview", "--json"));
    const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
    expect(steps.map(({ op, urn }) => `${op} ${urn.split("::").at(-1) ?? ""}`).sort()).toEqual([
      "create site",
      "create site",
      "create site-app",
      "create site-asked-dev",
    ]);
  });

  it("takes the answers from --config with --yes, and without them the preview names the one that is missing", async () => {
    make("given", ["--yes", ...answersAs("--config")]);
    expect(await configOf("given")).toEqual(Object.entries(answers).map(([key, value]) => [`given:${key}`, value]));
    make("empty", ["--yes"]);
    const { code, text } = await pulumi("empty", "preview");
    expect(code).not.toBe(0);
    expect(text).toContain("Missing required configuration variable 'empty:peerPublicIp'");
    expect(text).not.toContain("IpsecTunnel");
  });
});
