import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { pluginClasses } from "../../harness/plugin";
import { ownStack } from "../../harness/own-stack";
import type { Stack } from "../../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const port = (ingressPort: number, target = `h${ingressPort}.internal:443`) => ({ target, ingressPort });
const both = { web: port(443), db: port(5432) };
const ports = ({ emulator }: Stack) =>
  emulator.shares().flatMap(({ status, ingressPort }) => (status === "DELETED" ? [] : [ingressPort]));

it.each(["pulumi-frontdoor", pluginClasses])(
  "a set of %s that replaceOnChanges replaces is deleted and created whole",
  async (imports) => {
    const stack = await ownStack({}, { imports });
    const opts = { replaceOnChanges: [`shares["web"].target`] };
    const program = (shares: object) => ({
      tunnels: { hq },
      sets: { services: { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", shares, opts } },
    });
    await stack.up(program(both));
    stack.writes();
    expect(await stack.steadyUp(program({ ...both, web: port(443, "other:1") }))).toMatchObject({
      code: 0,
      errors: [],
    });
    expect(stack.writes().map((write) => write.split(" ")[0])).toEqual(["DELETE", "DELETE", "POST", "POST"]);

    stack.emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-shares$/, status: 403 });
    expect((await stack.up(program(both))).code).not.toBe(0);
    expect(ports(stack)).toHaveLength(1);
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0 });
    expect(ports(stack).sort()).toEqual([443, 5432]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  },
);

/** Another address of a service. */
async function forwarded(baseUrl: string) {
  const server = createServer((from) => {
    const to = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    from.pipe(to).pipe(from);
    from.on("error", () => to.destroy());
    to.on("error", () => from.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, address: baseUrl.replace(/:\d+/, `:${(server.address() as AddressInfo).port}`) };
}

it("a key is removed in the edit that gives its set a provider of another address", async () => {
  const stack = await ownStack({}, { imports: pluginClasses });
  const { baseUrl, token, frontdoorId } = stack.emulator;
  const { server, address } = await forwarded(baseUrl);
  const program = (baseUrl: string, shares: object) => `
    const provider = new frontdoor.Provider(${JSON.stringify(baseUrl)}, ${JSON.stringify({ baseUrl, token, frontdoorId })});
    const hq = new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)});
    new frontdoor.IpsecShareSet("services", { ipsecTunnelId: hq.id, envZId: "env-1", shares: ${JSON.stringify(shares)} }, { provider });`;
  try {
    expect(await stack.up(program(baseUrl, both))).toMatchObject({ code: 0 });
    stack.writes();
    expect(await stack.steadyUp(program(address, { db: both.db }))).toMatchObject({ code: 0 });
    expect([stack.calls(), ports(stack)]).toEqual([[expect.stringMatching(/^DELETE/)], [5432]]);
  } finally {
    server.close();
  }
});
