import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const web = { ipsecTunnelId: "tnl-x", envZId: "env-1", target: "web.internal:443", ingressPort: 443, name: "web" };
const whole = { tunnels: { hq }, shares: { web } };

describe("a delete that was cut off, and is taken back", () => {
  let stack: Stack;
  const records = () => {
    const folder = join(stack.folder, "records", "creates");
    const places = existsSync(folder) ? readdirSync(folder) : [];
    return places.flatMap((place) => readdirSync(join(folder, place)));
  };
  /** Runs this, and cuts it off as soon as the service has answered all deletes that were sent together. */
  const cutOff = async (work: () => Promise<{ code: number }>, deletes: number, cut: () => void) => {
    const sent = new Promise<void>((resolve) => {
      let left = deletes;
      stack.emulator.settings.onAnswer = ({ method }) => {
        if (method === "DELETE" && (left -= 1) === 0) resolve();
      };
    });
    const running = work();
    await sent;
    cut();
    expect((await running).code).not.toBe(0);
    stack.writes();
  };
  const expectAnew = async (program: typeof whole) => {
    const before = [stack.id("hq"), stack.id("web")];
    const run = await stack.up(program);
    expect(run).toMatchObject({ code: 0, errors: [] });
    const after = [stack.id("hq"), stack.id("web")];
    expect(after.filter((id) => before.includes(id))).toEqual([]);
    expect(stack.alive()).toEqual([...after, "tnl-x"].sort());
    expect(records()).toEqual([]);
    stack.writes();
    expect(await stack.up(program)).toMatchObject({ code: 0, steps: [] });
    expect(stack.writes()).toEqual([]);
  };
  const open = async (imports: string) => {
    stack = await Stack.open({ teardownMs: 4_000 }, { imports });
    stack.emulator.seedTunnel({ id: "tnl-x", status: "DEPLOYED", locationId: "loc-x" });
    expect(await stack.up(whole)).toMatchObject({ code: 0 });
  };
  afterEach(() => stack.close());

  it("by Ctrl-C on the plugin: the next up makes both anew, one after the other of one port and place", async () => {
    await open(pluginClasses);
    await cutOff(
      () => stack.up({}),
      2,
      () => {
        stack.interrupt();
      },
    );
    await expectAnew(whole);
  });

  it("by a kill of the dynamic host in a destroy: the next up makes both anew", async () => {
    await open("pulumi-frontdoor");
    await cutOff(
      () => stack.destroy(),
      2,
      () => {
        stack.killProvider();
      },
    );
    await expectAnew(whole);
  });
});
