import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";
import { pack, reported } from "./run";

const args = `{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" }`;
const byDefault = `new frontdoor.IpsecTunnel("hq", ${args});`;
const explicit = `
  const provider = new frontdoor.Provider("north", { token: new pulumi.Config().require("northToken") });
  new frontdoor.IpsecTunnel("hq", ${args}, { provider });`;
const token = "very-secret-token";

describe.each(["pulumi-frontdoor", pluginClasses])("keep-credentials-secret, with classes of %s,", (imports) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ token }, { imports });
  });
  beforeEach(() => {
    stack.env["FRONTDOOR_TOKEN"] = undefined;
  });
  afterAll(() => stack.close());

  const set = async (how: string, key: string) => {
    expect(await stack.run("config", "set", how, key, token)).toMatchObject({ code: 0 });
  };
  const judged = async (program: string) => {
    const run = await stack.preview(program, "--policy-pack", pack);
    const [, keys] = /Plain configuration: (.*)\.\n/.exec(run.text) ?? [];
    return { isRefused: run.code !== 0, names: reported(run).map((line) => line.split(" ")[1]), keys };
  };
  const passed = { isRefused: false, names: [], keys: undefined };
  const refused = (keys: string) => ({ isRefused: true, names: ["keep-credentials-secret"], keys });

  it("lets a token of the environment pass", async () => {
    stack.env["FRONTDOOR_TOKEN"] = token;
    expect(await judged(byDefault)).toEqual(passed);
  });

  it("lets a token pass that pulumi config set --secret has set", async () => {
    await set("--secret", "frontdoor:token");
    expect(await judged(byDefault)).toEqual(passed);
  });

  it("refuses a token that was set in the clear", async () => {
    await set("--plaintext", "frontdoor:token");
    expect(await judged(byDefault)).toEqual(refused("frontdoor:token"));
    await stack.run("config", "rm", "frontdoor:token");
  });

  // Only the plugin has explicit providers.
  if (imports !== pluginClasses) return;
  it("lets an explicit provider pass whose token is secret configuration", async () => {
    await set("--secret", "northToken");
    expect(await judged(explicit)).toEqual(passed);
  });

  it("refuses an explicit provider whose token was set in the clear", async () => {
    await set("--plaintext", "northToken");
    expect(await judged(explicit)).toEqual(refused("engine:northToken"));
  });
});
