import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeEdits } from "./impact-edits";
import { ownStack } from "../harness/own-stack";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import type { Stack } from "../harness/stack";
import { openProgram, pack, preview, reported, settingsFile } from "../policy/checking";

const token = "canary-token-0123456789";

/** Where a credential comes from, which code of the engine shows it in a -v=9 log, and what the state holds: docs/security.md says both. */
interface Source {
  from: string;
  /** Flag of `pulumi config set`. */
  flag?: "--secret" | "--plaintext";
  /** The token of an explicit provider. */
  explicit?: string;
  log: string[];
  /** The same for -v=3, -v=5 and -v=7. */
  low: [string[], string[], string[]];
  state: "nothing" | "encrypted" | "in the clear";
}

const ofBoth = (plain: Source["state"]): Source[] => [
  { from: "the environment", log: [], low: [[], [], []], state: "nothing" },
  { from: "secret stack configuration", flag: "--secret", log: [], low: [[], [], []], state: "encrypted" },
  {
    from: "plain stack configuration",
    flag: "--plaintext",
    log: ["rpc.go", "step_generator.go"],
    low: [[], [], ["step_generator.go"]],
    state: plain,
  },
];

const explicit: Source[] = [
  {
    from: "the program, for an explicit provider",
    explicit: "process.env.FRONTDOOR_TOKEN",
    log: ["eventsink.go", "rpc.go", "step_generator.go"],
    low: [["eventsink.go"], ["eventsink.go"], ["eventsink.go", "step_generator.go"]],
    state: "encrypted",
  },
  // The engine masks the values of secret stack configuration in its own log.
  {
    from: "secret stack configuration, for an explicit provider",
    flag: "--secret",
    explicit: 'new pulumi.Config("frontdoor").requireSecret("token")',
    log: [],
    low: [[], [], []],
    state: "encrypted",
  },
];

describe.each([
  ["pulumi-frontdoor", ofBoth("in the clear")],
  [pluginClasses, [...ofBoth("encrypted"), ...explicit]],
])("a credential, with classes of %s,", (imports, sources) => {
  const hq = '"hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" }';
  let stack: Stack;
  beforeEach(async () => {
    stack = await ownStack({ token }, { imports });
  });

  const programOf = ({ explicit }: Source) =>
    explicit === undefined
      ? `new frontdoor.IpsecTunnel(${hq});`
      : `const provider = new frontdoor.Provider("own", { token: ${explicit} });
         new frontdoor.IpsecTunnel(${hq}, { provider });`;

  it.each(sources)("from $from: in a log by $log, in the state $state", async (source) => {
    if (source.flag) {
      stack.env["FRONTDOOR_TOKEN"] = undefined;
      expect(await stack.run("config", "set", source.flag, "frontdoor:token", token)).toMatchObject({ code: 0 });
    }
    const files = { trace: join(stack.folder, "trace"), calls: join(stack.folder, "calls.json") };
    stack.env["PULUMI_DEBUG_GRPC"] = files.calls;
    const flags = ["-v=9", "--logtostderr", `--tracing=file:${files.trace}`];
    const { code, text } = await stack.up(programOf(source), ...flags);
    stack.env["PULUMI_DEBUG_GRPC"] = undefined;
    expect(code).toBe(0);
    const originsIn = (log: string) => {
      const entries = log.split(/^(?=[IWE]\d{4} )/m);
      expect(entries.length).toBeGreaterThan(3);
      const leaking = entries.filter((entry) => entry.includes(token));
      return [...new Set(leaking.map((entry) => /(\w+\.go):\d+\]/.exec(entry)?.[1] ?? entry))].sort();
    };
    expect(originsIn(text)).toEqual(source.log);
    const events = readFileSync(join(stack.folder, "events.json"), "utf8");
    expect(events.includes(token)).toBe(source.log.length > 0);

    for (const file of Object.values(files)) {
      const bytes = readFileSync(file);
      expect(bytes.length).toBeGreaterThan(1000);
      // The engine masks nothing in these files, not even the pre-shared key.
      const shown = [token, stack.emulator.samplePsk("tnl-1")].map((secret) => bytes.includes(secret));
      expect([file, ...shown]).toEqual([file, source.state !== "nothing", true]);
    }

    const low: string[][] = [];
    for (const level of [3, 5, 7])
      low.push(originsIn((await stack.up(programOf(source), `-v=${level}`, "--logtostderr")).text));
    expect(low).toEqual(source.low);

    const revealed = (await stack.run("stack", "export", "--show-secrets")).text;
    const isEncrypted = revealed.includes(token) && !stack.stateText().includes(token);
    expect(isEncrypted ? "encrypted" : revealed.includes(token) ? "in the clear" : "nothing").toBe(source.state);
  });
});

describeEdits("pulumi-frontdoor");

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

describe("remediations", () => {
  it.each([dynamicClasses, pluginClasses])("of a user's pack with wrong values are refused by %s", async (imports) => {
    const stack = await ownStack({}, { imports });
    stack.emulator.seedTunnel({ id: "tnl-1" });
    const folder = join(stack.folder, "own-pack");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "1.0.0" }));
    writeFileSync(join(folder, "PulumiPolicy.yaml"), "runtime: nodejs\nmain: index.js\n");
    writeFileSync(
      join(folder, "index.js"),
      `const { PolicyPack } = require("@pulumi/policy");
      const remediateResource = ({ type, props }) =>
        type.endsWith(":IpsecShare") ? { ...props, ingressPort: 70000, name: "-bad-" } : undefined;
      new PolicyPack("own", { policies: [{ name: "wrong", description: "wrong", enforcementLevel: "remediate", remediateResource }] });`,
    );
    const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
    const run = await stack.up({ shares: { web: share } }, "--policy-pack", folder);
    expect(run.errors.join("\n")).toMatch(
      /ingressPort must be .* from 1 to 65535\. Nothing was sent .*\[invalid-input\]/,
    );
    expect(stack.calls()).toEqual([]);
    expect(await stack.up({ shares: { web: share } })).toMatchObject({ code: 0, steps: ["create web"] });
  });
});
