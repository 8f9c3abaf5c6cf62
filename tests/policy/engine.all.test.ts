import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { policies } from "../../policy/index";
import { sarifOf } from "../../policy/sarif";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import { installPacked } from "../harness/folder";
import type { Stack } from "../harness/stack";
import { type Entry, nameOf } from "../harness/state";
import { openProgram, pack, preview, reported, settingsFile, up } from "./checking";

const expected = JSON.parse(
  readFileSync(join(root, "examples", "policy-violations", "expected.json"), "utf8"),
) as Record<string, string[]>;

const expectedOf = (names: string[]) =>
  names.flatMap((name) => (expected[name] ?? []).map((one) => `mandatory ${name} ${one}`)).sort();

const exported = async (stack: Stack) => (await stack.run("stack", "export", "--show-secrets")).text;

interface Result {
  ruleId: string;
  level: string;
  locations: { logicalLocations: { fullyQualifiedName: string }[] }[];
}

/** The violations in a SARIF report, as the engine prints them. */
const reportedIn = ({ runs }: { runs: { results: Result[] }[] }) => {
  const print = ({ ruleId, level, locations: [at] }: Result) =>
    `${level === "error" ? "mandatory" : level} ${ruleId} ${nameOf(at?.logicalLocations[0]?.fullyQualifiedName ?? "")}`;
  return runs.flatMap(({ results }) => results.map(print)).sort();
};

/** Ends the program's one refusal by the provider, after which the engine asks no policy about the rest. Returns the program. */
function setPortsApart({ folder }: Stack): string {
  const program = join(folder, "index.ts");
  const apart = readFileSync(program, "utf8").replace(/(mail\.corp\.example:443", ingressPort: )443/, "$18499");
  writeFileSync(program, apart);
  return apart;
}

describe("the pack's folder", () => {
  it("finds in examples/policy-violations what is expected, all of it once the tunnels exist", async () => {
    const stack = await openProgram("policy-violations");
    const settings = join(stack.folder, "policies.json");
    const flags = ["--policy-pack", pack, "--policy-pack-config", settings];
    const all = Object.keys(expected);
    expect(all).toEqual(policies.map(({ name }) => name));
    const ofDeployed = ["keep-sample-config-secret", "refuse-weak-crypto", "limit-key-lifetimes"];
    // The provider itself refuses two shares on one port, and the engine then asks no policy about the whole stack.
    const refused = /(intranet|mail): .*\[port-twice\]/;
    expect((await preview(stack, ...flags)).errors.join()).toMatch(refused);
    const program = join(stack.folder, "index.ts");
    const text = readFileSync(program, "utf8");
    const apart = setPortsApart(stack);
    const before = await preview(stack, ...flags);
    expect(before.code).not.toBe(0);
    const late = [...ofDeployed, "keep-ingress-ports-unique"];
    expect(reported(before)).toEqual(expectedOf(all.filter((name) => !late.includes(name))));

    expect((await up(stack)).errors).toEqual([]);
    writeFileSync(program, text);
    expect((await preview(stack)).errors.join()).toMatch(refused);
    writeFileSync(program, apart);
    stack.env["PULUMI_ENABLE_STREAMING_JSON_PREVIEW"] = "true";
    const after = await stack.run("--cwd", stack.folder, "preview", "--json", ...flags);
    const report = sarifOf(after.text) as Parameters<typeof reportedIn>[0];
    expect(reportedIn(report)).toEqual(expectedOf(all.filter((name) => name !== "keep-ingress-ports-unique")));
    expect(JSON.stringify(report)).not.toMatch(/Example7only|emulator-token/);
  });

  it("stops what lets a sample configuration out, stored or not, in any form, and remedies what it can", async () => {
    const stack = await openProgram("leak.js");
    const until = new Date().toISOString().slice(0, 10);
    const exceptions = [{ resource: "IpsecTunnel::hq", until, reason: "its sample is to leak" }];
    const settings = {
      "avoid-stored-keys": { enforcementLevel: "mandatory", exceptions },
      "keep-sample-config-secret": "mandatory",
      "encrypt-pre-shared-keys": "remediate",
    };
    const flags = (given: object) => ["--policy-pack", pack, "--policy-pack-config", settingsFile(stack, given)];
    const leaks = ["policies-demo", "switch"].map((name) => `mandatory keep-sample-config-secret ${name}`);
    const remedied = ["remediate encrypt-pre-shared-keys"];
    expect(reported(await preview(stack, ...flags(settings)))).toEqual([]);

    const made = await up(stack, ...flags(settings));
    expect([made.code === 0, reported(made)]).toEqual([false, [...leaks, ...remedied]]);
    const { resources } = (JSON.parse(await exported(stack)) as { deployment: { resources: Entry[] } }).deployment;
    const inState = (name: string) => resources.find((each) => nameOf(each.urn) === name);
    for (const [name, key] of Object.entries({ router: "settings", note: "plain" }))
      expect(inState(name)?.inputs[key]).toHaveProperty("plaintext");

    const again = await preview(stack, ...flags({ ...settings, "encrypt-pre-shared-keys": "mandatory" }));
    const plain = ["note", "router"];
    expect([again.code === 0, reported(again)]).toEqual([
      false,
      [
        ...plain.map((name) => `mandatory encrypt-pre-shared-keys ${name}`),
        ...["note", "policies-demo", "router", "switch"].map((name) => `mandatory keep-sample-config-secret ${name}`),
      ],
    ]);
    expect(again.text).toContain('output stored.0 holds the pre-shared key of the sample configuration of tunnel "hq"');
    for (const name of ["Stack output leaked", "Stack output bytes", "Stack output buffer", "Property word"])
      expect(again.text).toContain(`${name} holds the pre-shared key of a secret of this stack`);
    for (const { id } of stack.emulator.tunnels()) expect(again.text).not.toContain(stack.emulator.samplePsk(id));
  });

  it("refuses a token that was set in the clear, of any provider, and lets secret ones pass", async () => {
    const token = "very-secret-token";
    const stack = await ownStack({ token });
    stack.env["FRONTDOOR_TOKEN"] = undefined;
    const program = `
      const args = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
      new frontdoor.IpsecTunnel("hq", args);
      const plugin = require("pulumi-frontdoor/plugin");
      const provider = new plugin.Provider("north", { token: new pulumi.Config().require("northToken") });
      new plugin.IpsecTunnel("branch", { ...args, peerCidr: "10.21.0.0/16" }, { provider });`;
    const judged = async (how: string) => {
      for (const key of ["frontdoor:token", "northToken"])
        expect(await stack.run("config", "set", how, key, token)).toMatchObject({ code: 0 });
      return stack.preview(program, "--policy-pack", pack);
    };
    const refused = await judged("--plaintext");
    expect(refused.code).not.toBe(0);
    expect(reported(refused)).toEqual([
      expect.stringMatching(/^mandatory keep-credentials-secret default/),
      "mandatory keep-credentials-secret north",
    ]);
    expect(refused.text).toContain("Plain configuration: engine:northToken, frontdoor:token.");
    const passed = await judged("--secret");
    expect([passed.code, reported(passed)]).toEqual([0, []]);
  });
});

it("the pack does not start with settings of a policy that it does not have", async () => {
  const stack = await openProgram("leak.js");
  const settings = settingsFile(stack, { "limit-peer-network": "disabled", all: "mandatory" });
  const run = await preview(stack, "--policy-pack", pack, "--policy-pack-config", settings);
  expect([run.code === 0, run.text]).toEqual([
    false,
    expect.stringContaining("the configuration names unknown policies: limit-peer-network"),
  ]);
});

/** A policy pack of a platform team, which sets these arguments of every tunnel. */
function remediatingPack({ folder }: Stack, given: object): string {
  const own = join(folder, "own-pack");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify({ version: "1.0.0" }));
  writeFileSync(join(own, "PulumiPolicy.yaml"), "runtime: nodejs\nmain: index.js\n");
  writeFileSync(
    join(own, "index.js"),
    `const { PolicyPack } = require("@pulumi/policy");
    const remediateResource = ({ type, props }) =>
      type.endsWith(":IpsecTunnel") ? { ...props, ...${JSON.stringify(given)} } : undefined;
    new PolicyPack("own", { policies: [{ name: "given", description: "given", enforcementLevel: "remediate", remediateResource }] });`,
  );
  return own;
}

describe("a pack that remediates a tunnel", () => {
  const program = (args: object = {}) => ({
    tunnels: { hq: { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", ...args } },
  });
  const edit = { peerCidr: "10.21.0.0/16" };

  it.each([
    [pluginClasses, "name", { name: "acme-hq" }],
    [dynamicClasses, "storeSampleConfig", { storeSampleConfig: false }],
  ])("changes nothing once it is made, and is lost in no replacement: %s, %s", async (imports, argument, given) => {
    const stack = await ownStack({}, { imports });
    const flags = ["--policy-pack", remediatingPack(stack, given)];
    expect(await stack.up(program(), ...flags)).toMatchObject({ code: 0, steps: ["create hq"] });
    expect(await stack.up(program(), ...flags)).toMatchObject({ code: 0, steps: [] });
    stack.calls();
    for (const run of [await stack.preview(program(edit), ...flags), await stack.up(program(edit), ...flags)]) {
      expect(run.code).not.toBe(0);
      expect(run.errors.join()).toContain(
        `a policy changes ${argument}, and Pulumi loses that in a replacement. This resource was not changed. ` +
          "Write the value into the program. [changed-by-policy]",
      );
    }
    expect(stack.calls().filter((call) => !call.startsWith("GET"))).toEqual([]);
    const written = program({ ...edit, ...given });
    expect(await stack.up(written, ...flags)).toMatchObject({ code: 0 });
    expect(await stack.up(written, ...flags)).toMatchObject({ code: 0, steps: [] });
    expect(stack.emulator.tunnels().at(-1)).toMatchObject({ ...edit, ...(argument === "name" && given) });
  });

  it.each([pluginClasses, dynamicClasses])(
    "with a wrong value is refused, and nothing is sent: %s",
    async (imports) => {
      const stack = await ownStack({}, { imports });
      const { errors } = await stack.up(
        program(),
        "--policy-pack",
        remediatingPack(stack, { peerCidr: "10.20.0.1/16" }),
      );
      expect(errors.join()).toMatch(/peerCidr must be .*Nothing was sent .*\[invalid-input\]/);
      expect(stack.calls()).toEqual([]);
    },
  );

  it.each([pluginClasses, dynamicClasses])(
    "keeps its name in a replacement if the program gives none: %s",
    async (imports) => {
      const stack = await ownStack({}, { imports });
      const flags = ["--policy-pack", remediatingPack(stack, { name: "acme-hq" })];
      const nameless = (args: object = {}) => ({ tunnels: { hq: { ...program(args).tunnels.hq, name: undefined } } });
      expect(await stack.up(nameless(), ...flags)).toMatchObject({ code: 0, steps: ["create hq"] });
      expect(await stack.up(nameless(edit), ...flags)).toMatchObject({ code: 0 });
      expect(await stack.up(nameless(edit), ...flags)).toMatchObject({ code: 0, steps: [] });
      expect(stack.emulator.tunnels().at(-1)).toMatchObject({ ...edit, name: "acme-hq" });
    },
  );
});

const open = async (program: string) => {
  const stack = await openProgram(program);
  installPacked(stack.folder);
  return stack;
};

describe("the installed package", () => {
  it("lends its policies to a pack of one's own, with an exception", async () => {
    const stack = await open("policy-violations");
    setPortsApart(stack);
    const run = await preview(stack, "--policy-pack", "own-pack");
    expect(run.code).not.toBe(0);
    const found = reported(run);
    expect(found).toContain("mandatory limit-ingress-ports wiki");
    expect(found).toContain("advisory avoid-stored-keys lisbon");
    expect(found.join("\n")).not.toContain("guard-dangerous-ports");
    expect(run.text).toContain("our-company@v1.0.0");
  });
});

const urn = "urn:pulumi:prod::shop::frontdoor:index:IpsecShare::ssh";
const policyEvent = {
  ...{ resourceUrn: urn, color: "raw", policyName: "guard-dangerous-ports", policyPackName: "frontdoor" },
  message: "<{%reset%}>Administration ports\nNeeds an exception.<{%reset%}>\n",
  ...{ policyPackVersion: "0.1.0", policyPackVersionTag: "0.1.0", enforcementLevel: "mandatory" },
};
const event = (bend: object = {}) =>
  JSON.stringify({ sequence: 7, timestamp: 1, policyEvent: { ...policyEvent, ...bend } });
const summary = '{"sequence":9,"summaryEvent":{"resourceChanges":{"same":1}}}';
interface Report {
  version: string;
  runs: { tool: { driver: { name: string; rules: object[] } }; results: Record<string, unknown>[] }[];
}
const report = (...lines: string[]) => sarifOf(lines.join("\n")) as Report;

describe("the SARIF report of an engine's events", () => {
  it("has each violation once, with its rule, level and resource, and is printed by the command", () => {
    const printed = report(event(), '{"sequence":8,"cancelEvent":{}}', event());
    expect([printed.version, printed.runs.length]).toEqual(["2.1.0", 1]);
    expect(printed.runs[0]?.tool.driver).toMatchObject({
      name: "frontdoor",
      rules: [{ id: "guard-dangerous-ports", help: { text: expect.stringContaining("bastion") as string } }],
    });
    const place = { logicalLocations: [{ fullyQualifiedName: urn, kind: "resource" }] };
    const message = { text: "Administration ports\nNeeds an exception." };
    expect(printed.runs[0]?.results).toMatchObject([
      { ruleId: "guard-dangerous-ports", level: "error", message, locations: [place] },
    ]);
    const command = [join(root, "dist", "policy", "sarif.js")];
    const { status, stdout } = spawnSync(process.execPath, command, { input: event(), encoding: "utf8" });
    expect([status, JSON.parse(stdout)]).toEqual([0, printed]);
  });

  it("tells the violations of one policy apart by resource, and keeps their fingerprints from run to run", () => {
    const events = [event(), event({ message: "another port" }), event({ resourceUrn: `${urn}-2` })];
    const printsIn = (...lines: string[]) =>
      report(...lines).runs.flatMap(({ results }) =>
        results.map(
          ({ partialFingerprints }) => (partialFingerprints as Record<string, string>)["primaryLocationLineHash"],
        ),
      );
    const prints = printsIn(...events);
    expect(new Set(prints).size).toBe(3);
    for (const print of prints) expect(print).toMatch(/^[0-9a-f]{16}:[12]$/);
    // Other words, and a violation that is gone, leave the others as they are.
    expect(printsIn(event({ message: "in other words" }), event({ resourceUrn: `${urn}-2` }))).toEqual([
      prints[0],
      prints[2],
    ]);
  });

  it("has no results if there is no violation, and passes over what is no event", () => {
    expect(report("Previewing update (dev):", '{"policyEvent": broken', summary).runs).toEqual([
      { tool: { driver: { name: "frontdoor", rules: [] } }, results: [] },
    ]);
  });

  const failure = { diagnosticEvent: { severity: "error", message: "<{%reset%}>no stack named dev<{%reset%}>\n" } };
  it.each([
    ["there is nothing", "", "there are no events"],
    ["there are no events", "error: no stack named 'dev' found\n", "there are no events"],
    ["the run ended early", '{"sequence":0,"preludeEvent":{}}', "the run did not end"],
    ["the run failed", [JSON.stringify(failure), '{"cancelEvent":{}}'].join("\n"), "no stack named dev"],
    ["the run failed after its summary", [summary, JSON.stringify(failure)].join("\n"), "no stack named dev"],
  ])("is not made if %s: the command then ends with 2", (_what, input, says) => {
    const command = [join(root, "dist", "policy", "sarif.js")];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { input, encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining(says)]);
    expect(stderr).toMatch(/\[no-report\]\n$/);
  });

  it("is made of a run that only its mandatory policies stopped", () => {
    const stopped = { diagnosticEvent: { severity: "error", message: "preview failed" } };
    expect(report(event(), JSON.stringify(stopped)).runs[0]?.results).toHaveLength(1);
  });
});
