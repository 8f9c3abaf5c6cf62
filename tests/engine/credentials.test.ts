import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const web = {
  name: "web",
  ipsecTunnelId: { tunnel: "hq" },
  envZId: "env-1",
  target: "web.internal:443",
  ingressPort: 443,
};
const resources = { tunnels: { hq }, shares: { web } };

describe("credentials", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open();
  });
  afterEach(() => stack.close());

  const clientCredentials = () => ({
    tokenUrl: new URL("/oauth/token", stack.emulator.baseUrl).href,
    clientId: stack.emulator.settings.oauthClientId,
    clientSecret: stack.emulator.settings.oauthClientSecret,
  });
  const inEnvironment = () => {
    const { tokenUrl, clientId, clientSecret } = clientCredentials();
    Object.assign(stack.env, {
      FRONTDOOR_TOKEN: undefined,
      FRONTDOOR_TOKEN_URL: tokenUrl,
      FRONTDOOR_CLIENT_ID: clientId,
      FRONTDOOR_CLIENT_SECRET: clientSecret,
    });
  };
  const inStack = async (settings: Record<string, string>) => {
    for (const [key, value] of Object.entries(settings)) {
      const { code } = await stack.run("config", "set", "--stack", "test", "--secret", `frontdoor:${key}`, value);
      expect(code).toBe(0);
    }
  };
  const accepted = () =>
    stack.emulator.requests
      .filter(({ method, path, status }) => method !== "GET" && path !== "/oauth/token" && status < 300)
      .map(({ method, path }) => `${method} ${path}`);
  const made = ["POST /ipsec-tunnels", "POST /ipsec-shares"];
  const tokens = () => stack.emulator.requests.filter(({ path }) => path === "/oauth/token").length;

  it("of a client in the stack are used whatever token the environment holds", async () => {
    await inStack(clientCredentials());
    Object.assign(stack.env, { FRONTDOOR_TOKEN: "of-another-service", FRONTDOOR_USERNAME: "ann" });
    expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
    expect(accepted()).toEqual(made);
    expect(tokens()).toBe(1);
  });

  it("of a token in the stack are used whatever client or user the environment holds", async () => {
    await inStack({ token: stack.emulator.token });
    inEnvironment();
    Object.assign(stack.env, { FRONTDOOR_CLIENT_SECRET: "wrong", FRONTDOOR_USERNAME: "ann" });
    expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
    expect(accepted()).toEqual(made);
    expect(tokens()).toBe(0);
  });

  it.each([401, 403] as const)(
    "that end early, answered with %i, are renewed and nothing is made twice",
    async (status) => {
      inEnvironment();
      Object.assign(stack.emulator.settings, { tokenRejectedStatus: status, oauthTokenCalls: 3 });
      expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
      expect(stack.emulator.requests.filter((request) => request.status === status).length).toBeGreaterThan(1);
      expect(accepted()).toEqual(made);
      expect([stack.emulator.tunnels().length, stack.emulator.shares().length]).toEqual([1, 1]);
    },
  );

  it("that do not reach a front door: the error names both, on one line", async () => {
    inEnvironment();
    stack.env["FRONTDOOR_ID"] = "fd-other";
    const run = await stack.up(resources);
    expect(run.code).not.toBe(0);
    const about = run.errors.filter((error) => error.startsWith("hq: "));
    expect(about).toEqual([
      expect.stringMatching(
        /403 not_found: .*: check frontdoor:frontdoorId, and what frontdoor:clientId has access to/,
      ),
    ]);
    expect(about[0]).not.toContain("\n");
    expect(accepted()).toEqual([]);
    expect(tokens()).toBe(1);
  });

  it("are fetched once for all, however short the deadline of the first that needs them", async () => {
    inEnvironment();
    stack.emulator.seedTunnel({ id: "tnl-1" });
    const share = (name: string, ingressPort: number, create: string) => {
      const args = { ...web, name, ipsecTunnelId: "tnl-1", ingressPort };
      return { ...args, adopt: stack.emulator.seedShare(args).id, opts: { customTimeouts: { create } } };
    };
    stack.emulator.faults.onRequest({
      match: ({ path }) => path === "/oauth/token",
      times: Infinity,
      action: async (work) => {
        // Longer than the first share may take.
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        return work();
      },
    });
    const shares = { hasty: share("hasty", 1001, "1s"), patient: share("patient", 1002, "2m") };
    const run = await stack.up({ shares });
    expect(run.errors.filter((error) => error.startsWith("patient: "))).toEqual([]);
    expect(stack.kept()).toMatchObject({ patient: { outputs: { status: "DEPLOYED" } } });
    expect(run.errors.filter((error) => error.startsWith("hasty: "))).toEqual([
      expect.stringContaining("no token within the time that this operation had"),
    ]);
    expect(tokens()).toBe(1);
  });
});
