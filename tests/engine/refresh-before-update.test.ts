import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const program = (opts: object) => `new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)}, ${JSON.stringify(opts)});`;
const isAlwaysSlow = { provisionMs: 600_000 };

describe("a create of the plugin's that ended at its deadline is read before the next up compares", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open(isAlwaysSlow, { imports: pluginClasses });
    const run = await stack.up(program({ customTimeouts: { create: "1s" } }));
    expect(run.errors.join("\n")).toContain("[deadline]");
    stack.emulator.settings.provisionMs = 300;
  });
  afterEach(() => stack.close());

  it("so that one run replaces a tunnel that has ended in ERROR since", async () => {
    const id = stack.id("hq");
    stack.emulator.setStatus(id, "ERROR");
    expect(await stack.steadyUp(program({}))).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual(["POST /ipsec-tunnels", `DELETE /ipsec-tunnels/${id}`, "POST /ipsec-tunnels"]);
  });

  it("so that one run creates a tunnel again that somebody has deleted since", async () => {
    stack.emulator.removeTunnel(stack.id("hq"));
    expect(await stack.steadyUp(program({}))).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-tunnels"]);
  });
});
