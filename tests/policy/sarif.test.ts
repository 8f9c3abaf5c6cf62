import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { sarifOf } from "../../policy/sarif";
import { root } from "../harness/folder";

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

  it("has a level of its own for each one of the engine", () => {
    const levels = ["mandatory", "advisory", "remediate"].map((level) => report(event({ enforcementLevel: level })));
    expect(levels.map(({ runs }) => runs[0]?.results[0]?.["level"])).toEqual(["error", "warning", "note"]);
  });

  it("keeps packs apart", () => {
    const { runs } = report(event(), event({ policyPackName: "acme", policyName: "no-loose-tunnels" }));
    expect(runs.map(({ tool }) => tool.driver.name)).toEqual(["frontdoor", "acme"]);
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
