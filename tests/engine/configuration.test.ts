import { Stack } from "../harness/stack";

describe("wrong configuration", () => {
  const resources = {
    tunnels: { hq: { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } },
  };

  let stack: Stack;
  let env: Record<string, string | undefined>;
  beforeAll(async () => {
    stack = await Stack.open();
    env = { ...stack.env, FRONTDOOR_TAKE_OVER: undefined };
  });
  beforeEach(() => {
    Object.assign(stack.env, env);
    stack.emulator.settings.serviceClockSkewMs = 0;
    stack.emulator.requests.length = 0;
  });
  afterAll(() => stack.close());

  it.each([
    [
      "no token",
      { FRONTDOOR_TOKEN: undefined },
      'frontdoor:token is missing: run "pulumi config set --secret frontdoor:token", which asks for it, or set FRONTDOOR_TOKEN',
    ],
    [
      "a plain http address",
      // A name is no loopback address, even where it leads to one.
      { FRONTDOOR_BASE_URL: "http://localhost:1/frontdoor" },
      "frontdoor:baseUrl (FRONTDOOR_BASE_URL) must begin with https:// (plain http only to a loopback address such as http://127.0.0.1:8080); for localhost write 127.0.0.1",
    ],
    ["a takeOver that there is not", { FRONTDOOR_TAKE_OVER: "sometimes" }, "frontdoor:takeOver (FRONTDOOR_TAKE_OVER)"],
    ["no front door", { FRONTDOOR_ID: undefined }, "frontdoorId"],
  ])("with %s, preview says so and sends nothing", async (_, wrong, message) => {
    Object.assign(stack.env, wrong);
    const run = await stack.preview(resources);
    expect(run.code).not.toBe(0);
    expect(run.errors).toEqual([expect.stringContaining(message)]);
    expect(run.errors[0]).not.toContain("\n");
    expect(stack.emulator.requests).toEqual([]);
  });

  it.each([
    [
      "a wrong token",
      { FRONTDOOR_TOKEN: "wrong-token" },
      0,
      /401 unauthorized: .*; the token is invalid or expired: set frontdoor:token/,
    ],
    [
      "a clock 10 minutes behind",
      { FRONTDOOR_TOKEN: "wrong-token" },
      600_000,
      /401 unauthorized: .*; this machine's clock is (59|60)\d s behind: set it right/,
    ],
    [
      "a front door that is not ours",
      { FRONTDOOR_ID: "fd-other" },
      0,
      /403 not_found: .*; this front door was not found for this token: check frontdoor:frontdoorId/,
    ],
  ])("with %s, up says so on one line and makes nothing", async (_, wrong, skewMs, message) => {
    Object.assign(stack.env, wrong);
    stack.emulator.settings.serviceClockSkewMs = skewMs;
    const run = await stack.up(resources);
    expect(run.code).not.toBe(0);
    const about = run.errors.filter((error) => error.startsWith("hq: "));
    expect(about).toEqual([expect.stringMatching(message)]);
    expect(about[0]).not.toContain("\n");
    expect(stack.kept()).toEqual({});
    expect(stack.emulator.tunnels()).toEqual([]);
  });

  it("with a wrong token, refresh and destroy say so once for each resource", async () => {
    expect((await stack.up(resources)).errors).toEqual([]);
    Object.assign(stack.env, { FRONTDOOR_TOKEN: "wrong-token" });
    for (const run of [await stack.refresh(), await stack.destroy()]) {
      const said = [...run.errors, ...run.notes].filter((text) => text.includes("401 unauthorized"));
      expect(said).toEqual([expect.stringMatching(/^hq: /)]);
    }
  });
});
