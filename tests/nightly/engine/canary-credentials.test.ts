import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pluginClasses } from "../../harness/environment";
import { ownStack } from "../../harness/own-stack";
import type { Stack } from "../../harness/stack";

const token = "canary-token-0123456789";

/** Where a credential comes from, which code of the engine shows it in a -v=9 log, and what the state holds: docs/secrets.md says both. */
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
