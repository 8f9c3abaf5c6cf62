import { pluginClasses } from "../../harness/plugin";
import { ownStack } from "../../harness/own-stack";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const web = { ipsecTunnelId: "tnl-x", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const program = { tunnels: { hq }, shares: { web } };

it("a create that was killed under a random name of pulumi:autonaming goes on under it", async () => {
  // Nothing of the service's refuses a second share.
  const stack = await ownStack({ provisionMs: 1_500, duplicateIngressPort: "allowed" }, { imports: pluginClasses });
  stack.emulator.seedTunnel({ id: "tnl-x", status: "DEPLOYED", locationId: "loc-x" });
  await stack.run("config", "set", "--path", "pulumi:autonaming.pattern", "${name}-${hex(6)}");
  const posted = new Promise<void>((resolve) => {
    let left = 2;
    stack.emulator.settings.onAnswer = ({ method }) => {
      if (method === "POST" && (left -= 1) === 0) resolve();
    };
  });
  const running = stack.up(program);
  await posted;
  stack.killProvider();
  expect((await running).code).not.toBe(0);
  const begun = [stack.emulator.tunnels().at(-1)?.name, stack.emulator.shares()[0]?.name];
  expect(begun).toEqual([expect.stringMatching(/^hq-[0-9a-f]{6}$/), expect.stringMatching(/^web-[0-9a-f]{6}$/)]);
  stack.writes();

  expect(await stack.up(program)).toMatchObject({ code: 0, errors: [] });
  expect(stack.writes()).toEqual([]);
  expect([stack.kept()["hq"]?.outputs["name"], stack.kept()["web"]?.outputs["name"]]).toEqual(begun);
  expect(stack.alive()).toEqual([stack.id("hq"), stack.id("web"), "tnl-x"].sort());
});
