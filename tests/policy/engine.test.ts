import { readFileSync } from "node:fs";
import { join } from "node:path";
import { policies } from "../../policy/index";
import { root } from "../harness/folder";
import { ownImports, pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";
import type { Entry } from "../harness/state";
import { sarifOf } from "../../policy/sarif";
import { tellConfiguration, verdicts } from "./checking";
import { recordedResources } from "./recorded";
import { changeImports, openProgram, pack, preview, reported, settingsFile, up } from "./run";

let stack: Stack;
const open = async (program: string, name?: string) => (stack = await openProgram(program, name));
afterEach(() => stack.close());

const preset = (name: string) => ["--policy-pack", pack, "--policy-pack-config", join(pack, `${name}.json`)];
const expected = JSON.parse(
  readFileSync(join(root, "examples", "policy-violations", "expected.json"), "utf8"),
) as Record<string, string[]>;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

/** What is expected; the stack configuration's own provider has another name on each host. */
const expectedOf = (names: string[], provider: string) =>
  names
    .flatMap((name) =>
      (expected[name] ?? []).map((resource) => `mandatory ${name} ${resource.replace("default", provider)}`),
    )
    .sort();

describe("the pack's folder", () => {
  it("lets the quickstart pass the baseline, before it is up and after", async () => {
    await open("quickstart");
    const before = await preview(stack, ...preset("baseline"));
    expect([before.code, reported(before)]).toEqual([0, []]);
    expect((await up(stack, "--policy-pack", pack)).code).toBe(0);
    const after = await preview(stack, "--policy-pack", pack);
    expect([after.code, reported(after)]).toEqual([0, []]);
  });

  it.each([ownImports])(
    "finds in examples/policy-violations what is expected, all of it once the tunnels exist: %s",
    async (imports) => {
      const provider = imports === pluginClasses ? `default_${version.replaceAll(".", "_")}` : "default";
      await open("policy-violations");
      changeImports(stack, imports);
      const flags = ["--policy-pack", pack, "--policy-pack-config", join(stack.folder, "policies.json")];
      const all = Object.keys(expected);
      expect(all).toEqual(policies.map(({ name }) => name));
      const deployed = ["keep-sample-config-secret", "refuse-weak-crypto", "limit-key-lifetimes"];

      const before = await preview(stack, ...flags);
      expect(before.code).not.toBe(0);
      expect(reported(before)).toEqual(
        expectedOf(
          all.filter((name) => !deployed.includes(name)),
          provider,
        ),
      );

      // The service itself refuses whichever share on port 443 comes second, nothing else.
      expect((await up(stack)).errors.filter((error) => !error.endsWith("update failed"))).toEqual([
        expect.stringMatching(/^(intranet|mail): .*\[port-in-use\]/),
      ]);
      const after = await preview(stack, ...flags);
      expect(reported(after)).toEqual(expectedOf(all, provider));
      expect(after.text).not.toMatch(/Example7only|emulator-token/);

      // The same events as a report for CI: one result for each violation.
      stack.env["PULUMI_ENABLE_STREAMING_JSON_PREVIEW"] = "true";
      const json = await stack.run("--cwd", stack.folder, "preview", "--json", ...flags);
      const { runs } = sarifOf(json.text) as { runs: { results: { ruleId: string }[] }[] };
      const reportedRules = runs.flatMap(({ results }) => results.map(({ ruleId }) => ruleId));
      expect(reportedRules.sort()).toEqual(all.flatMap((name) => (expected[name] ?? []).map(() => name)).sort());

      // And the same verdicts of the state file alone, as `pulumi policy analyze` has it, but for what needs the share that the
      // service has refused, which is not there.
      const { text: file } = await stack.run("stack", "export", "--show-secrets");
      const config = JSON.parse(readFileSync(join(stack.folder, "policies.json"), "utf8")) as Record<string, unknown>;
      // The engine tells the configuration apart from the resources.
      tellConfiguration({ "frontdoor:token": "emulator-token" }, []);
      const said = await verdicts(recordedResources(file), config);
      const ofState = said.map((text) => `mandatory ${text.split(": ")[0] ?? ""}`);
      const ofRefused = /keep-ingress-ports-unique|limit-shares-per-tunnel|avoid-duplicate-targets/;
      expect(ofState.filter((each) => !ofRefused.test(each)).sort()).toEqual(
        expectedOf(
          all.filter((name) => !ofRefused.test(name)),
          provider,
        ),
      );
    },
  );

  it("stops an up that lets a sample configuration out, and every preview after it", async () => {
    await open("leak.js");
    const leak = ["mandatory keep-sample-config-secret policies-demo"];
    expect(reported(await preview(stack, "--policy-pack", pack))).toEqual([]);
    for (const run of [await up(stack, "--policy-pack", pack), await preview(stack, "--policy-pack", pack)]) {
      expect(run.code).not.toBe(0);
      expect(reported(run)).toEqual(leak);
      expect(run.text).toContain(
        'Stack output leaked.0 holds the pre-shared key of the sample configuration of tunnel "hq"',
      );
    }
  });

  it("sees a sample configuration that is not stored: in outputs, in inputs of what has no outputs, in base64", async () => {
    await open("leak-unstored.js");
    const settings = settingsFile(stack, {
      "avoid-stored-keys": "remediate",
      "keep-sample-config-secret": "mandatory",
      "encrypt-pre-shared-keys": "mandatory",
    });
    const flags = ["--policy-pack", pack, "--policy-pack-config", settings];
    expect((await up(stack)).code).toBe(0);
    const run = await preview(stack, ...flags);
    expect(run.code).not.toBe(0);
    expect(reported(run)).toEqual([
      "mandatory encrypt-pre-shared-keys note",
      "mandatory encrypt-pre-shared-keys router",
      "mandatory keep-sample-config-secret note",
      "mandatory keep-sample-config-secret policies-demo",
      "mandatory keep-sample-config-secret router",
      "mandatory keep-sample-config-secret switch",
    ]);
    for (const name of ["leaked", "bytes", "buffer"])
      expect(run.text).toContain(`Stack output ${name} holds the pre-shared key of a secret of this stack`);
    expect(run.text).toContain("Property word holds the pre-shared key of a secret of this stack, and is plain.");
    expect(run.text).not.toContain(stack.emulator.samplePsk(stack.emulator.tunnels()[0]?.id ?? ""));
  });

  it("remedies what it says it does", async () => {
    await open("policy-violations");
    const settings = settingsFile(stack, {
      all: "disabled",
      "avoid-stored-keys": "remediate",
      "encrypt-pre-shared-keys": "remediate",
    });
    const run = await up(stack, "--policy-pack", pack, "--policy-pack-config", settings);
    expect(reported(run)).toEqual(["remediate avoid-stored-keys", "remediate encrypt-pre-shared-keys"]);
    const { text } = await stack.run("stack", "export");
    const { deployment } = JSON.parse(text) as { deployment: { resources: Entry[] } };
    const of = (name: string) => deployment.resources.find(({ urn }) => urn.endsWith(`::${name}`));
    expect(of("lisbon")?.inputs).toMatchObject({ storeSampleConfig: false });
    expect(of("lisbon")?.outputs).toMatchObject({ status: "DEPLOYED" });
    expect(of("lisbon")?.outputs).not.toHaveProperty("sampleConfig");
    expect(of("router")?.inputs["settings"]).toHaveProperty("ciphertext");
    expect(text).not.toMatch(/pre-shared-key|Example7only/);
  });
});
