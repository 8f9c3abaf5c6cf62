import { ownImports, pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

describe("secrets", () => {
  const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const web = {
    name: "web",
    ipsecTunnelId: { tunnel: "hq" },
    envZId: "env-1",
    target: "web.internal:443",
    ingressPort: 443,
  };

  let stack: Stack;
  let psk: string;
  let said: string;

  beforeAll(async () => {
    stack = await Stack.open();
    // Once from the stack's configuration, where it is encrypted, and not from the environment.
    await stack.run("config", "set", "--stack", "test", "--secret", "frontdoor:token", stack.emulator.token);
    stack.env["FRONTDOOR_TOKEN"] = undefined;
    const run = await stack.up({ tunnels: { hq }, shares: { web } });
    expect(run.code).toBe(0);
    said = run.text;
    psk = stack.emulator.samplePsk(stack.id("hq"));
  });
  afterAll(() => stack.close());

  it("are neither printed by up nor exported in the clear", async () => {
    const exported = await stack.run("stack", "export", "--stack", "test");
    expect(exported.code).toBe(0);
    for (const text of [said, exported.text]) {
      expect(text).not.toContain(psk);
      expect(text).not.toContain(stack.emulator.token);
    }
  });

  it("show the sample configuration only when asked for", async () => {
    const masked = await stack.run("stack", "output", "--stack", "test");
    expect(masked.text).toMatch(/hqSampleConfig +\[secret\]/);
    expect(masked.text).not.toContain(psk);
    const shown = await stack.run("stack", "output", "--stack", "test", "--show-secrets");
    expect(shown.text).toContain(psk);
    const exported = await stack.run("stack", "export", "--stack", "test", "--show-secrets");
    expect(exported.text).toContain(psk);
  });

  it("come with at most 400 bytes of provider text for a resource, with the plugin with none", () => {
    const kept = Object.values(stack.kept());
    expect(kept).toHaveLength(2);
    for (const { inputs, outputs } of kept) {
      const texts = [inputs, outputs].flatMap((each) =>
        "__provider" in each ? [JSON.stringify(each["__provider"])] : [],
      );
      expect(texts).toHaveLength(ownImports === pluginClasses ? 0 : 2);
      const bytes = [0, ...texts.map((text) => Buffer.byteLength(text))];
      expect(bytes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(400);
    }
  });
});
