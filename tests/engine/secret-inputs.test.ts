import { Stack } from "../harness/stack";

// Each secret is told from everything else by its first word.
const doors = { ofInput: "hush-door", ofStack: "hush-own-door" };
const secret = (value: string) => `pulumi.secret(${JSON.stringify(value)})`;

/** The lines that hold one of the secrets. */
const clear = (text: string) => text.split("\n").flatMap((line) => (line.includes("hush") ? [line.trim()] : []));

describe("secret inputs, and a secret front door of the stack's configuration", () => {
  let stack: Stack;
  const program = (port: number, more = "") => `
    const share = { ipsecTunnelId: "tnl-1", target: "web.internal:443", ingressPort: ${port} };
    const other = { ...share, ipsecTunnelId: "tnl-2", frontdoorId: ${secret(doors.ofInput)}, envZId: "env-1" };
    exports.short = new frontdoor.IpsecShare("short", { ...share, envId: ${secret("hush-env")}, target: ${secret("hush-target.internal:443")} }).envZId;
    new frontdoor.IpsecShare("long", { ...share, ingressPort: 8443, envZId: ${secret("hush-envz")}, name: ${secret("hush-name")}, locationId: ${secret("hush-location")} });
    exports.away = new frontdoor.IpsecShare("away", other).frontdoorId;
    new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-9",
      frontdoorId: ${secret(doors.ofInput)}, name: ${secret("hush-hq")} });
    exports.set = new frontdoor.IpsecShareSet("set", { ipsecTunnelId: "tnl-1", envZId: "env-1",
      shares: { db: { target: ${secret("hush-db.internal:1")}, ingressPort: 1 } } }).shares;
    exports.other = new frontdoor.IpsecShareSet("other", { ipsecTunnelId: "tnl-1", envZId: ${secret("hush-envz")},
      shares: { db: { target: "db.internal:1", ingressPort: 2 } } }).ids;
    ${more}`;

  beforeAll(async () => {
    const tokens = { "very-secret-token": ["*"] };
    stack = await Stack.open({ provisionMs: 100, tokens });
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1", frontdoorId: doors.ofStack });
    stack.emulator.seedTunnel({ id: "tnl-2", locationId: "loc-1", frontdoorId: doors.ofInput });
    stack.env["FRONTDOOR_ID"] = undefined;
    await stack.run("config", "set", "--secret", "frontdoor:frontdoorId", doors.ofStack);
  });
  afterAll(() => stack.close());

  it("are in the clear in neither the state nor the output, after create, refresh and update", async () => {
    for (const port of [443, 444]) {
      const run = await stack.steadyUp(program(port));
      expect(run).toMatchObject({ code: 0, errors: [] });
      expect([...clear(run.text), ...clear(stack.stateText())]).toEqual([]);
    }
    expect(new Set(stack.emulator.shares().map(({ envZId }) => envZId))).toEqual(
      new Set(["hush-env", "hush-envz", "env-1"]),
    );
    expect(new Set(stack.emulator.shares().map(({ frontdoorId }) => frontdoorId))).toEqual(
      new Set(Object.values(doors)),
    );
  });

  it("are so when a run fails and the service's error quotes them", async () => {
    const body = {
      error: "invalid_request",
      message: `Value for \`target\` must be of \`host\`: hush-target.internal`,
    };
    const path = `/ipsec-shares/${stack.id("short")}`;
    // The provider sends the PATCH again after other work on the tunnel.
    stack.emulator.faults.answerNext({ method: "PATCH", path, status: 400, body, times: 9 });
    stack.emulator.faults.failNext({ kind: "share", op: "create" });
    const late = `new frontdoor.IpsecShare("late", { ...share, envZId: "env-1", name: ${secret("hush-late")}, ingressPort: 3 });`;
    const run = await stack.up(program(445, late), "--continue-on-error");
    for (const name of ["short", "late"])
      expect(run.errors.filter((error) => error.startsWith(`${name}: `))).toHaveLength(1);
    expect([...clear(run.text), ...clear(stack.stateText())]).toEqual([]);
  });

  it.each([
    [
      "a target",
      `{ ...share, ingressPort: 9, envZId: "env-1", target: ${secret("hush target")} }`,
      /must be host:port/,
    ],
    ["a name", `{ ...share, ingressPort: 9, envZId: "env-1", name: ${secret("-hush-")} }`, /must be 1 to 63 letters/],
  ])("are so when %s is refused", async (_what, args, says) => {
    const run = await stack.preview(program(444, `new frontdoor.IpsecShare("bad", ${args});`));
    expect(run.code).not.toBe(0);
    expect(run.text).toMatch(says);
    expect(clear(run.text)).toEqual([]);
  });
});
