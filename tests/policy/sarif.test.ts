import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { sarifOf } from "../../policy/sarif";
import { root } from "../harness/folder";

const urn = "urn:pulumi:prod::shop::frontdoor:index:IpsecShare::ssh";
const event = (bend: object = {}) =>
  JSON.stringify({
    sequence: 7,
    timestamp: 1,
    policyEvent: {
      resourceUrn: urn,
      message: "<{%reset%}>Administration ports\nNeeds an exception.<{%reset%}>\n",
      color: "raw",
      policyName: "guard-dangerous-ports",
      policyPackName: "frontdoor",
      policyPackVersion: "0.1.0",
      policyPackVersionTag: "0.1.0",
      enforcementLevel: "mandatory",
      ...bend,
    },
  });
interface Report {
  version: string;
  runs: { tool: { driver: { name: string; rules: object[] } }; results: Record<string, unknown>[] }[];
}
const report = (...lines: string[]) => sarifOf(lines.join("\n")) as Report;

describe("the SARIF report of an engine's events", () => {
  it("has each violation once, with its rule, level and resource", () => {
    const { version, runs } = report(event(), '{"sequence":8,"cancelEvent":{}}', event());
    expect(version).toBe("2.1.0");
    expect(runs).toHaveLength(1);
    expect(runs[0]?.tool.driver).toMatchObject({
      name: "frontdoor",
      rules: [{ id: "guard-dangerous-ports", help: { text: expect.stringContaining("bastion") as string } }],
    });
    expect(runs[0]?.results).toEqual([
      expect.objectContaining({
        ruleId: "guard-dangerous-ports",
        level: "error",
        message: { text: "Administration ports\nNeeds an exception." },
        locations: [expect.objectContaining({ logicalLocations: [{ fullyQualifiedName: urn, kind: "resource" }] })],
      }),
    ]);
  });
  it.each([
    ["mandatory", "error"],
    ["advisory", "warning"],
    ["remediate", "note"],
  ])("says of %s that it is %s", (enforcementLevel, level) => {
    expect(report(event({ enforcementLevel })).runs[0]?.results[0]?.["level"]).toBe(level);
  });
  it("keeps packs apart", () => {
    const names = report(event(), event({ policyPackName: "acme", policyName: "no-loose-tunnels" })).runs.map(
      ({ tool }) => tool.driver.name,
    );
    expect(names).toEqual(["frontdoor", "acme"]);
  });
  it("is a report without results where there is no violation, and passes over what is no event", () => {
    expect(report("Previewing update (dev):", '{"policyEvent": broken').runs).toEqual([
      { tool: { driver: { name: "frontdoor", rules: [] } }, results: [] },
    ]);
  });
  it("is printed by the command, from its standard input", () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, "dist", "policy", "sarif.js")], {
      input: event(),
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(report(event()));
  });
});
