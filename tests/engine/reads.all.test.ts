import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { evaluate } from "../harness/command";
import { dynamicClasses, hasGo, pluginClasses, quick } from "../harness/environment";
import { ownStack } from "../harness/own-stack";
import { Stack } from "../harness/stack";
import { type Emulator, startEmulator } from "../../emulator";
import { Workspace } from "../cli/command";
import { root } from "../harness/folder";
import { heldIn, inFolder, nameOf } from "../harness/state";
import { peer } from "../harness/things";

describe("get", () => {
  const tunnel = { ...peer, locationId: "loc-1" };

  const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

  const program = `
  const tunnel = frontdoor.IpsecTunnel.get("hq", "tnl-1");
  const share = frontdoor.IpsecShare.get("web", "fd-1/shr-1");
  exports.told = pulumi.all([tunnel.peerCidr, tunnel.frontdoorId, share.ingressPort, tunnel.id]);
  exports.sample = tunnel.sampleConfig;`;

  describe.each([dynamicClasses, pluginClasses])("get of %s", (imports) => {
    let stack: Stack;
    const told = async () => JSON.parse((await stack.run("stack", "output", "--json")).text) as unknown;
    beforeAll(async () => {
      stack = await Stack.open({}, { imports });
      stack.emulator.seedTunnel({ id: "tnl-1", ...tunnel });
      stack.emulator.seedShare({ id: "shr-1", ...share });
    });
    afterAll(() => stack.close());

    it("reads a tunnel and a share that are managed elsewhere, in a preview too", async () => {
      expect(await stack.preview(program)).toMatchObject({ code: 0, errors: [] });
      expect(await stack.up(program)).toMatchObject({ code: 0, errors: [] });
      expect(await told()).toEqual({ told: ["10.20.0.0/16", "fd-1", 443, "tnl-1"], sample: "[secret]" });
      expect(stack.stateText()).not.toContain(stack.emulator.samplePsk("tnl-1"));
    });

    it("shows what has changed, in the next up and in a refresh, and writes nothing", async () => {
      stack.emulator.patchShare("shr-1", { ingressPort: 8443 });
      expect(await stack.up(program)).toMatchObject({ code: 0, errors: [] });
      expect(await told()).toMatchObject({ told: expect.arrayContaining([8443]) as unknown });
      expect(await stack.refresh()).toMatchObject({ code: 0, errors: [] });
      expect(stack.calls()).toEqual([]);
    });

    it("leaves them to their owner in a destroy", async () => {
      expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
      expect([stack.calls(), stack.alive()]).toEqual([[], ["shr-1", "tnl-1"]]);
    });
  });
});

/** Names that tunnels can have and variables can't. */
const names = ['Büro "Nord"', "büro nord", "a ${b} \\ 'c'", "x".repeat(255), "class"];

const shareNames = ["class", "Web-1", "web-1", "y".repeat(63)];

/** A service on which tunnels and shares were made by hand, and shares that are called like tunnels and like each other. */
async function madeByHand(): Promise<Emulator> {
  const emulator = await startEmulator({ provisionMs: 100, teardownMs: 100, token: "very-secret-token" });
  const at = peer;
  for (const [number, name] of names.entries())
    emulator.seedTunnel({ ...at, id: `tnl-${number}`, name, locationId: `loc-${number}` });
  for (let number = 0; number < 12; number++)
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: shareNames[number] ?? `service-${number}`, ipsecTunnelId: `tnl-${number % 5}` },
      ...{ envZId: `env-${number % 3}`, target: `s${number}.internal:443`, ingressPort: 8000 + number },
      locationId: number % 2 === 0 ? "loc-1" : null,
    });
  return emulator;
}

const files = {
  "Pulumi.yaml": { name: "imports", runtime: "nodejs" },
  "package.json": { main: "index.ts" },
  "tsconfig.json": { compilerOptions: { target: "es2023", module: "node20", strict: true, skipLibCheck: true } },
};

it("what was made by hand is imported, and the program that is written finds nothing to do", async () => {
  const emulator = await madeByHand();
  const workspace = new Workspace(emulator);
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(workspace.path(name), JSON.stringify(content));
    symlinkSync(join(root, "node_modules"), workspace.path("node_modules"));
    mkdirSync(workspace.path("state"));
    await workspace.pulumi(["stack", "init", "test"]);
    await workspace.run(["import", "--out", "import.json", "--program", "ts", "--program-out", "index.ts"]);
    const file = ["--file", "import.json", "--generate-code=false", "--yes", "--skip-preview"];
    await workspace.pulumi(["import", ...file]);
    await workspace.pulumi(["preview", "--expect-no-changes"], { NODE_OPTIONS: quick });
    await workspace.pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await workspace.pulumi(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);

    const state = inFolder(workspace.path("state")).read("imports", "test");
    const { entries } = heldIn(state);
    const all = [...emulator.tunnels(), ...emulator.shares()].map(({ id }) => id);
    expect(entries.map(({ id }) => id).sort()).toEqual(all.sort());
    expect(new Set(entries.map(({ urn }) => nameOf(urn))).size).toBe(17);
    const written = ["import.json", "index.ts"].map((name) => readFileSync(workspace.path(name), "utf8"));
    for (const text of [...written, state]) expect(text).not.toContain(emulator.samplePsk("tnl-0"));

    // Since the up, the state knows that shares go before their tunnel.
    await workspace.pulumi(["state", "unprotect", "--all", "--yes"]);
    await workspace.pulumi(["destroy", "--yes", "--skip-preview"]);
    expect(emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
  } finally {
    await emulator.close();
    workspace.remove();
  }
});

const siteProgram = { ts: "index.ts", yaml: "Main.yaml" };

/** Writes sites in a language, and adopts them. No run writes to Frontdoor. Without `adopt`, the program finds nothing to do. */
async function adoptAsSites(language: keyof typeof siteProgram, ...onPath: string[]): Promise<void> {
  const emulator = await madeByHand();
  const share = { ipsecTunnelId: "tnl-0", target: "x.internal:1" };
  const odd = ["class", 'mail "${x}" server', "no", "null", "8443", "true"];
  for (const [index, name] of odd.entries())
    emulator.seedShare({ ...share, id: `shr-${20 + index}`, name, ingressPort: 9000 + index });
  const workspace = new Workspace(emulator);
  const file = siteProgram[language];
  const env = { NODE_OPTIONS: quick, PATH: [...onPath, process.env["PATH"]].join(delimiter) };
  try {
    const runtime = language === "ts" ? "nodejs" : "yaml";
    const all = { ...files, "Pulumi.yaml": { name: "imports", runtime } };
    for (const [name, content] of Object.entries(all)) writeFileSync(workspace.path(name), JSON.stringify(content));
    symlinkSync(join(root, "node_modules"), workspace.path("node_modules"));
    mkdirSync(workspace.path("state"));
    await workspace.pulumi(["stack", "init", "test"]);
    const { text } = await workspace.run(["import", "--sites", "--program", language, "--program-out", file]);
    expect(text).toContain(`5 IPsec sites, ${12 + odd.length} IPsec shares → ${file}`);
    await workspace.pulumi(["preview"], { PATH: env.PATH });
    await workspace.pulumi(["up", "--yes", "--skip-preview"], env);
    const program = readFileSync(workspace.path(file), "utf8");
    writeFileSync(workspace.path(file), program.replace(/^ *adopt: .*\n/gm, ""));
    await workspace.pulumi(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"], env);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    const { entries } = heldIn(inFolder(workspace.path("state")).read("imports", "test"));
    const ids = [...emulator.tunnels(), ...emulator.shares()].map(({ id }) => id);
    expect(entries.map(({ id }) => id).sort()).toEqual(ids.sort());
  } finally {
    await emulator.close();
    workspace.remove();
  }
}

it("what was made by hand becomes sites, which an up adopts without a write", () => adoptAsSites("ts"));

(hasGo() ? it : it.skip)("sites of a YAML program are adopted without a write, too", async () => {
  const host = (await evaluate("engine", 'it.goTool("language-yaml")')) as string;
  await adoptAsSites("yaml", host, join(root, "dist", "plugin"));
});

describe("a preview", () => {
  const program = ({ target = "web.internal:443", location = "loc-1", mail = 25 }) => `
  const hq = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "${location}" });
  const at = { ipsecTunnelId: hq.id, envZId: "env-1" };
  new frontdoor.IpsecShare("web", { ...at, target: "${target}", ingressPort: 443 });
  new frontdoor.IpsecShareSet("rest", { ...at, shares: { mail: { target: "mail.internal:25", ingressPort: ${mail} } } });`;

  it.each([dynamicClasses, pluginClasses])("shows the requests beside each resource: %s", async (imports) => {
    const stack = await ownStack();
    stack.imports = imports;
    expect(await stack.up(program({}))).toMatchObject({ code: 0 });
    const { text: changed } = await stack.preview(program({ target: "new.internal:443", mail: 2525 }));
    expect(changed).toMatch(/IpsecShare web .*interrupted until DEPLOYED, keeps its id: PATCH target/);
    expect(changed).toMatch(/IpsecShareSet rest .*1 of 1 shares interrupted until DEPLOYED, ids stay: 1 × PATCH/);
    const [tunnel] = stack.emulator.tunnels();
    stack.emulator.setStatus(tunnel?.id ?? "", "ERROR");
    await stack.run("refresh", "--yes", "--skip-preview");
    const { text: failed } = await stack.preview(program({}));
    expect(failed).toMatch(/IpsecTunnel hq .*Frontdoor shows ERROR .*Another `rotation` rebuilds the tunnel/);
  });

  it("of shares that move is not blocked by a policy", async () => {
    const stack = await ownStack({}, { imports: pluginClasses });
    expect(await stack.up(program({}))).toMatchObject({ code: 0 });
    stack.calls();
    const config = join(stack.folder, "policies.json");
    writeFileSync(config, JSON.stringify({ all: "disabled", "match-share-locations": "mandatory" }));
    const policy = ["--policy-pack", join(root, "policy"), "--policy-pack-config", config];
    const moved = program({ location: "loc-2" });
    expect(await stack.preview(moved, ...policy)).toMatchObject({ code: 0, errors: [] });
    expect(await stack.up(moved, ...policy)).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls().filter((call) => call.startsWith("PATCH"))).toHaveLength(2);
    expect(await stack.preview(moved, ...policy, "--expect-no-changes")).toMatchObject({ code: 0 });
    expect(stack.emulator.shares().map(({ locationId }) => locationId)).toEqual(["loc-2", "loc-2"]);
  });
});
