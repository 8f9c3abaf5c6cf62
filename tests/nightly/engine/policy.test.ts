import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownImports } from "../../harness/environment";
import { ownStack } from "../../harness/own-stack";
import { openProgram, pack, preview, reported, settingsFile } from "../../policy/run";

describe("the pack's folder", () => {
  it("says nothing while everything is unknown, whatever the preset", async () => {
    const stack = await openProgram("unknown.js", "prod");
    const strict = JSON.parse(readFileSync(join(pack, "strict.json"), "utf8")) as Record<string, object>;
    const settings = settingsFile(stack, {
      ...strict,
      // What is known of these resources breaks these.
      "protect-production-tunnels": "disabled",
      "require-locations": "mandatory",
      "use-public-peers": "mandatory",
    });
    const run = await preview(stack, "--policy-pack", pack, "--policy-pack-config", settings);
    expect([run.code, reported(run), run.errors]).toEqual([0, [], []]);
    expect(run.text).not.toContain("can't run policy");
  });

  it.each([
    ["the engine", { "limit-peer-networks": { widestPrefix: 99 } }, "limit-peer-networks: widestPrefix: "],
    [
      "the policy",
      { "separate-peer-networks": { enforcementLevel: "mandatory", reservedNetworks: ["10.0.0.1/8"] } },
      'the settings of policy "separate-peer-networks" are wrong: reservedNetworks.0: must be a CIDR block',
    ],
    [
      "the pack",
      { "limit-peer-network": "disabled", all: "mandatory" },
      "the configuration names unknown policies: limit-peer-network",
    ],
    ["the engine, of a level in other letters,", { "limit-peer-networks": "Disabled" }, '"Disabled"'],
  ])("does not start with wrong settings, as %s says", async (_who, settings, says) => {
    const stack = await openProgram("leak.js");
    const run = await preview(stack, "--policy-pack", pack, "--policy-pack-config", settingsFile(stack, settings));
    expect(run.code).not.toBe(0);
    expect(run.text).toContain(says);
    expect(run.text).not.toMatch(/^\s+at .*\.js:/m);
  });
});

describe.each([ownImports])("remediations, with classes of %s,", (imports) => {
  const resources = {
    tunnels: { hq: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } },
    shares: { web: { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 } },
  };

  it("change nothing once they are made, and without the pack only what they had changed", async () => {
    const stack = await ownStack({}, { imports });
    const settings = settingsFile(stack, { "avoid-stored-keys": "remediate", "encrypt-pre-shared-keys": "remediate" });
    const flags = ["--policy-pack", pack, "--policy-pack-config", settings];
    expect(await stack.up(resources, ...flags)).toMatchObject({ code: 0, steps: ["create hq", "create web"] });
    for (const again of [[], ["--refresh"]])
      expect(await stack.up(resources, ...flags, ...again)).toMatchObject({ code: 0, steps: [] });
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    expect((await stack.preview(resources)).steps).toEqual(["update hq"]);
    // What docs/policies/secrets.md says to do beside.
    const said = { ...resources, tunnels: { hq: { ...resources.tunnels.hq, storeSampleConfig: false } } };
    for (const run of [await stack.up(said), await stack.up(said, ...flags)])
      expect(run).toMatchObject({ code: 0, steps: [] });
  });
});
