import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startPulumi, well } from "../harness/command";
import { Copies, bringUp, destroy, instantiate, outputsOf } from "../harness/copies";
import { engineEnvironment, quick } from "../harness/environment";
import { root } from "../harness/folder";

it("the program of npm start makes a tunnel and a share, and tells how to reach it", async () => {
  const copies = await Copies.open();
  try {
    copies.copy("quickstart");
    const writes = await bringUp(copies, "quickstart");
    expect(writes).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
    const { nlbDnsName } = copies.emulator.tunnels()[0] ?? {};
    expect(await outputsOf(copies, "quickstart")).toEqual({
      ...{ tunnelId: expect.any(String) as string, sampleConfig: "[secret]" },
      endpoints: { "app-db": `${nlbDnsName}:8443` },
    });
    await destroy(copies, "quickstart");
  } finally {
    await copies.close();
  }
});

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    engines: object;
    dependencies: Record<string, string>;
  };

it("the TypeScript template makes a project that runs as it is, on the version of its own", async () => {
  const copies = await Copies.open();
  try {
    const env = { ...engineEnvironment(copies.folder), ...copies.env };
    const folder = await instantiate("typescript", { cwd: copies.folder, env });
    const [project, own] = [manifestIn(folder), manifestIn(root)];
    expect(project.name).toBe("from-typescript");
    expect(project.engines).toEqual(own.engines);
    expect(project.dependencies).toEqual({
      "@pulumi/pulumi": own.dependencies["@pulumi/pulumi"],
      "pulumi-frontdoor": `^${own.version}`,
    });

    symlinkSync(join(copies.folder, "node_modules"), join(folder, "node_modules"));
    const where = { cwd: folder, env: { ...env, NODE_OPTIONS: quick } };
    const pulumi = async (...args: string[]) => well(await startPulumi(args, where).end);
    await pulumi("stack", "init", "dev");
    const { stdout } = await pulumi("preview", "--json");
    const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
    expect(steps.map(({ op, urn }) => `${op} ${urn.split("::").at(-1) ?? ""}`).sort()).toEqual([
      "create app-db",
      "create app-web",
      "create customer-a-dc1",
      "create from-typescript-dev",
    ]);
  } finally {
    await copies.close();
  }
});
