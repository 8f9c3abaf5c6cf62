import { Stack } from "../harness/stack";

const settings = { provisionMs: 100, tokens: { "very-secret-token": ["*"] }, duplicateIngressPort: "allowed" as const };
// Of those that come as secrets, each is told from all else by its first word.
const hidden = {
  envId: "hush-env",
  envZId: "hush-envz",
  target: "hush-target.internal:443",
  name: "hush-name",
  frontdoorId: "hush-door",
  locationId: "hush-location",
};
const secret = (keys: (keyof typeof hidden)[]) =>
  keys.map((key) => `${key}: pulumi.secret(${JSON.stringify(hidden[key])}),`).join(" ");

describe("secret inputs", () => {
  let stack: Stack;
  const program = (port: number) => `
    const share = { ipsecTunnelId: "tnl-1", target: "web.internal:443", ingressPort: ${port} };
    exports.short = new frontdoor.IpsecShare("short", { ...share, ${secret(["envId", "target"])} }).envZId;
    new frontdoor.IpsecShare("long", { ...share, ${secret(["envZId", "name", "locationId"])} });
    exports.away = new frontdoor.IpsecShare("away", { ...share, ipsecTunnelId: "tnl-2", envZId: "env-1", ${secret(["frontdoorId"])} }).frontdoorId;
    new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-9",
      ${secret(["frontdoorId", "name"])} });`;

  beforeAll(async () => {
    stack = await Stack.open(settings);
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1" });
    stack.emulator.seedTunnel({ id: "tnl-2", locationId: "loc-1", frontdoorId: hidden.frontdoorId });
  });
  afterAll(() => stack.close());

  it("are nowhere in the clear in the state or the output, whatever key they end under, after create, refresh and update", async () => {
    for (const port of [443, 444]) {
      const run = await stack.steadyUp(program(port));
      expect(run.text).not.toContain("error:");
      expect(run.text).not.toContain("hush");
      expect(clear(stack.stateText())).toEqual([]);
    }
    expect(new Set(stack.emulator.shares().map(({ envZId }) => envZId))).toEqual(
      new Set(["hush-env", "hush-envz", "env-1"]),
    );
  });

  const expectHidden = async (failing: string, name: string) => {
    const run = await stack.up(failing);
    expect(run.code).not.toBe(0);
    expect(run.errors.filter((error) => error.startsWith(`${name}: `))).not.toEqual([]);
    expect(run.text).not.toContain("hush");
    expect(clear(stack.stateText())).toEqual([]);
  };

  it("are nowhere in the clear where a run fails, though the service speaks of them", async () => {
    const body = { error: "invalid_request", message: `Value for \`target\` must be of \`host\`: ${hidden.target}` };
    const path = `/ipsec-shares/${stack.id("short")}`;
    // Refused while other shares of its tunnel are under way, it is sent again after those.
    stack.emulator.faults.answerNext({ method: "PATCH", path, status: 400, body, times: 9 });
    await expectHidden(program(445), "short");
    stack.emulator.faults.failNext({ kind: "share", op: "create" });
    const late = `{ ipsecTunnelId: "tnl-1", envZId: "env-1", target: "late:443", ingressPort: 1, name: pulumi.secret("hush-late") }`;
    await expectHidden(`new frontdoor.IpsecShare("late", ${late});`, "late");
    const gone = `{ ipsecTunnelId: "tnl-1", envZId: "env-1", target: "gone:443", ingressPort: 2, ${secret(["frontdoorId"])} }`;
    const door = { error: "not_found", message: `The front door ${hidden.frontdoorId} was not found` };
    stack.emulator.faults.answerNext({ method: "POST", path: "/ipsec-shares", status: 403, body: door });
    await expectHidden(`new frontdoor.IpsecShare("gone", ${gone});`, "gone");
    const share = `{ ipsecTunnelId: "tnl-1", envZId: "env-1", target: pulumi.secret("hush target"), ingressPort: 446 }`;
    await expectHidden(`new frontdoor.IpsecShare("bad", ${share});`, "bad");
    const named = `{ ...${share}, target: "web.internal:443", name: pulumi.secret("-hush-") }`;
    await expectHidden(`new frontdoor.IpsecShare("worse", ${named});`, "worse");
  });
});

describe("a secret frontdoor:frontdoorId of the stack's configuration", () => {
  it("is nowhere in the clear in the state or in the output", async () => {
    const stack = await Stack.open(settings);
    try {
      const frontdoorId = hidden.frontdoorId;
      stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1", frontdoorId });
      stack.env["FRONTDOOR_ID"] = undefined;
      await stack.run("config", "set", "--secret", "frontdoor:frontdoorId", frontdoorId);
      const resources = {
        tunnels: { hq: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-9" } },
        shares: { web: { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 } },
      };
      const run = await stack.up(resources);
      expect(run.text).not.toContain("error:");
      expect(run.text).not.toContain("hush");
      expect(clear(stack.stateText())).toEqual([]);
      expect(stack.emulator.tunnels().map((tunnel) => tunnel.frontdoorId)).toEqual([frontdoorId, frontdoorId]);
    } finally {
      await stack.close();
    }
  });
});

/** The lines that hold one of the secrets. */
const clear = (text: string) => text.split("\n").flatMap((line) => (line.includes("hush") ? [line.trim()] : []));
