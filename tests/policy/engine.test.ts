import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pack, Project, reported, root } from "./project";

let project: Project;
const open = async (program: string, stack?: string) => (project = await Project.open(program, stack));
afterEach(() => project.close());

const preset = (name: string) => ["--policy-pack", pack, "--policy-pack-config", join(pack, `${name}.json`)];
const expected = JSON.parse(
  readFileSync(join(root, "examples", "policy-violations", "expected.json"), "utf8"),
) as Record<string, string>;
const violations = (policies: string[]) => policies.map((name) => `mandatory ${name} ${expected[name] ?? ""}`).sort();

/** SSH and PostgreSQL: the baseline only advises. */
const advice = ["advisory guard-dangerous-ports database", "advisory guard-dangerous-ports ssh"];

describe("the pack's folder", () => {
  it("lets the quickstart pass the baseline, before it is up and after", async () => {
    await open("quickstart");
    for (const flags of [["--policy-pack", pack], preset("baseline")]) {
      const run = await project.preview(...flags);
      expect([run.code, reported(run)]).toEqual([0, advice]);
    }
    expect((await project.up("--policy-pack", pack)).code).toBe(0);
    const after = await project.preview("--policy-pack", pack);
    expect([after.code, reported(after)]).toEqual([0, advice]);
  });

  it("finds in examples/policy-violations exactly what is expected, all of it once the tunnels exist", async () => {
    await open("policy-violations");
    const flags = ["--policy-pack", pack, "--policy-pack-config", join(project.folder, "policies.json")];
    const all = Object.keys(expected);
    const deployed = ["keep-sample-config-secret", "refuse-weak-crypto"];

    const before = await project.preview(...flags);
    expect(before.code).not.toBe(0);
    expect(reported(before)).toEqual(violations(all.filter((name) => !deployed.includes(name))));

    // The service itself refuses whichever share on port 443 comes second, nothing else.
    expect((await project.up()).errors.filter((error) => !error.endsWith("update failed"))).toEqual([
      expect.stringMatching(/^(intranet|mail): .*409 conflict/),
    ]);
    const after = await project.preview(...flags);
    expect(reported(after)).toEqual(violations(all));
    expect(after.text).not.toMatch(/Example7only|emulator-token/);
  });

  it("says nothing while everything is unknown, whatever the preset", async () => {
    await open("unknown.js", "prod");
    const strict = JSON.parse(readFileSync(join(pack, "strict.json"), "utf8")) as Record<string, object>;
    const settings = project.settings({
      ...strict,
      // What is known of these resources breaks these.
      "protect-production-tunnels": "disabled",
      "time-tunnel-deletes": "disabled",
      "use-public-peers": "mandatory",
    });
    const run = await project.preview("--policy-pack", pack, "--policy-pack-config", settings);
    expect([run.code, reported(run), run.errors]).toEqual([0, [], []]);
    expect(run.text).not.toContain("can't run policy");
  });

  it("stops an up that lets a sample configuration out, and every preview after it", async () => {
    await open("leak.js");
    const leak = ["mandatory keep-sample-config-secret policies-demo"];
    expect(reported(await project.preview("--policy-pack", pack))).toEqual([]);
    for (const run of [await project.up("--policy-pack", pack), await project.preview("--policy-pack", pack)]) {
      expect(run.code).not.toBe(0);
      expect(reported(run)).toEqual(leak);
      expect(run.text).toContain(
        'Stack output leaked.0 holds the pre-shared key of the sample configuration of tunnel "hq"',
      );
    }
  });

  it("remedies what it says it does", async () => {
    await open("policy-violations");
    const settings = project.settings({
      all: "disabled",
      "avoid-stored-keys": "remediate",
      "encrypt-pre-shared-keys": "remediate",
    });
    const run = await project.up("--policy-pack", pack, "--policy-pack-config", settings);
    expect(reported(run)).toEqual(["remediate avoid-stored-keys", "remediate encrypt-pre-shared-keys"]);
    const state = await project.state();
    const of = (name: string) => state.find(({ urn }) => urn.endsWith(`::${name}`));
    expect(of("lisbon")?.inputs).toMatchObject({ storeSampleConfig: false });
    expect(of("lisbon")?.outputs).toMatchObject({ status: "DEPLOYED" });
    expect(of("lisbon")?.outputs).not.toHaveProperty("sampleConfig");
    expect(of("router")?.inputs?.["settings"]).toHaveProperty("ciphertext");
    expect(JSON.stringify(state)).not.toMatch(/pre-shared-key|Example7only/);
  });

  it.each([
    ["the engine", { "limit-peer-networks": { widestPrefix: 99 } }, "limit-peer-networks: widestPrefix: "],
    [
      "the policy",
      { "separate-peer-networks": { enforcementLevel: "mandatory", reservedNetworks: ["10.0.0.1/8"] } },
      'the settings of policy "separate-peer-networks" are wrong: reservedNetworks.0: must be a CIDR block',
    ],
    [
      "the policy by name",
      { "limit-peer-networks": { enforcementLevel: "mandatory", widest: 3 } },
      'the settings of policy "limit-peer-networks" are wrong: settings: Unrecognized key: "widest"',
    ],
  ])("does not start with wrong settings, as %s says", async (_who, settings, says) => {
    await open("leak.js");
    const run = await project.preview("--policy-pack", pack, "--policy-pack-config", project.settings(settings));
    expect(run.code).not.toBe(0);
    expect(run.text).toContain(says);
    expect(run.text).not.toMatch(/^\s+at .*\.js:/m);
  });
});
