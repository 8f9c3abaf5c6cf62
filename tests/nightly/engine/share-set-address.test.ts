import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { pluginClasses } from "../../harness/plugin";
import { Stack } from "../../harness/stack";
import { both, livePorts } from "../../engine/sets";

it("a share is deleted in the edit that gives its set a provider of another address", async () => {
  const stack = await Stack.open({}, { imports: pluginClasses });
  const { baseUrl, token, frontdoorId } = stack.emulator;
  const forward = createServer((from) => {
    const to = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    from.pipe(to).pipe(from);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one.on("error", () => other.destroy());
  }).listen(0, "127.0.0.1");
  await once(forward, "listening");
  const other = baseUrl.replace(/:\d+/, `:${(forward.address() as AddressInfo).port}`);
  const program = (address: string, shares: object) => `
    const provider = new frontdoor.Provider(${JSON.stringify(address)}, ${JSON.stringify({ baseUrl: address, token, frontdoorId })});
    const hq = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
    new frontdoor.IpsecShareSet("services", { ipsecTunnelId: hq.id, envZId: "env-1", shares: ${JSON.stringify(shares)} }, { provider });`;
  try {
    expect(await stack.up(program(baseUrl, both))).toMatchObject({ code: 0 });
    stack.writes();
    expect(await stack.steadyUp(program(other, { db: both.db }))).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([expect.stringMatching(/^DELETE/)]);
    expect(Object.keys(livePorts(stack))).toHaveLength(1);
  } finally {
    await stack.close();
    forward.close();
  }
});
