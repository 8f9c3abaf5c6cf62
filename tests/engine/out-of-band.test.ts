import { Stack } from "../harness/stack";

describe("a change made elsewhere", () => {
  const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const web = {
    name: "web",
    ipsecTunnelId: { tunnel: "hq" },
    envZId: "env-1",
    target: "web.internal:443",
    ingressPort: 443,
  };
  const resources = { tunnels: { hq }, shares: { web } };

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    expect(await stack.up(resources)).toMatchObject({ code: 0, steps: ["create hq", "create web"] });
    stack.writes();
  });
  afterAll(() => stack.close());

  const html = { status: 404, headers: { "content-type": "text/html" }, body: "<html>Not here</html>" };
  const forbidden = {
    status: 403,
    body: { error: "not_found", message: "Front door with identifier x was not found" },
  };
  const answerAll = (answer: typeof html | typeof forbidden) => () => {
    stack.emulator.faults.answerNext({ ...answer, times: 1000 });
  };
  const lay = (name: string, value: (baseUrl: string) => string | undefined) => () => {
    stack.env[name] = value(stack.emulator.baseUrl);
  };
  const otherPath = (baseUrl: string) => baseUrl.replace("/frontdoor", "/elsewhere/frontdoor");
  const otherPort = () => "http://127.0.0.1:1/frontdoor";

  it.each<[string, () => void, RegExp]>([
    ["an HTML page with 404", answerAll(html), /404 with a page that is not this service's/],
    ["a 403", answerAll(forbidden), /403 not_found: .*; this front door was not found for this token/],
    ["another path of the server", lay("FRONTDOOR_BASE_URL", otherPath), /404 not_found/],
    [
      "a port on which no one listens",
      lay("FRONTDOOR_BASE_URL", otherPort),
      /no usable answer from 127\.0\.0\.1:1 \(ECONNREFUSED\); nothing was reached there: check frontdoor:baseUrl .*--run-program/,
    ],
    ["a missing token", lay("FRONTDOOR_TOKEN", () => undefined), /frontdoor:token is missing/],
  ])("is not made up from %s: refresh fails and drops nothing", async (_, spoil, message) => {
    const before = stack.kept();
    const right = { ...stack.env };
    spoil();

    const run = await stack.refresh();
    stack.emulator.faults.clear();
    Object.assign(stack.env, right);

    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(message);
    expect(stack.kept()).toEqual(before);
    expect(stack.writes()).toEqual([]);
  });
});
