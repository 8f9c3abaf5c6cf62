import * as pulumi from "@pulumi/pulumi";
import { functionTable } from "../../provider/functions/table";
import * as dynamic from "../../sdk";
import * as plugin from "../../sdk/plugin";
import { answers, called, mockEngine, resolved } from "./registered";

beforeAll(mockEngine);
beforeEach(() => {
  called.length = 0;
  answers.clear();
});

describe("the plugin's functions", () => {
  it("are those of the dynamic classes", () => {
    const functions = (of: object) => Object.keys(of).filter((name) => name.startsWith("get"));
    expect(functions(plugin)).toEqual(functions(dynamic));
    expect(
      functions(plugin)
        .filter((name) => !name.endsWith("Output"))
        .sort(),
    ).toEqual(Object.keys(functionTable).sort());
  });

  it("ask the provider of their options, else the stack's own", async () => {
    const provider = new plugin.Provider("north");
    answers.set("name", "hq");
    expect(await plugin.getTunnel({ id: "tnl-1" }, { provider })).toEqual({ name: "hq" });
    const { name } = await resolved(plugin.getTunnelOutput({ id: pulumi.output("tnl-1") }, { provider }));
    expect(name).toBe("hq");
    await plugin.getTunnels();
    const north = expect.stringMatching(/frontdoor::north::/) as string;
    expect(called).toEqual([
      { token: "frontdoor:index:getTunnel", inputs: { id: "tnl-1" }, provider: north },
      { token: "frontdoor:index:getTunnel", inputs: { id: "tnl-1" }, provider: north },
      { token: "frontdoor:index:getTunnels", inputs: {}, provider: "" },
    ]);
  });

  it("give metrics as the service shows them", async () => {
    answers.set("metrics", { series: [] });
    expect(await plugin.getTunnelMetrics({ id: "tnl-1" })).toEqual({ series: [] });
    expect(await resolved(plugin.getShareMetricsOutput({ id: "shr-1" }))).toEqual({ series: [] });
  });

  it("give the sample configuration as a secret output and nothing else", async () => {
    answers.set("sampleConfig", "psk");
    const sample = plugin.getSampleConfig({ id: "tnl-1" });
    expect([await pulumi.isSecret(sample), await resolved(sample)]).toEqual([true, "psk"]);
  });

  it("keep what is secret secret", async () => {
    answers.set("name", "hq");
    expect(await pulumi.isSecret(plugin.getTunnelOutput({ id: pulumi.secret("tnl-1") }))).toBe(true);
    expect(await pulumi.isSecret(plugin.getTunnelOutput({ id: "tnl-1" }))).toBe(false);
  });

  it("are unknown where the provider is not configured yet", async () => {
    const tunnel = plugin.getTunnelOutput({ id: "tnl-1" });
    expect(pulumi.containsUnknowns(await resolvedOrUnknown(tunnel))).toBe(true);
  });
});

/** `apply` passes over what is unknown. */
const resolvedOrUnknown = (output: object & { promise?: (withUnknowns: boolean) => Promise<unknown> }) =>
  output.promise?.(true);
