import { setTimeout as sleep } from "node:timers/promises";
import { kill } from "../harness/command";
import { ownStack } from "../harness/own-stack";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { type Resources, Stack } from "../harness/stack";
import { peer } from "../harness/things";
import { onAnswer } from "../lifecycle/row";

describe("several processes", () => {
  const web = { ipsecTunnelId: "tnl-x", envZId: "env-1", target: "web.internal:443", ingressPort: 443, name: "web" };

  describe("what another provider process of the run holds", () => {
    let stack: Stack;
    let id: string;
    beforeEach(async () => {
      stack = await ownStack({ provisionMs: 1_500 }, { imports: dynamicClasses });
      stack.emulator.seedTunnel({ id: "tnl-x", status: "DEPLOYED" });
      expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0 });
      id = stack.id("web");
      stack.writes();
      stack.imports = pluginClasses;
    });

    it("stays as it is if it is renamed by an alias that names no type", async () => {
      const www = { ...web, opts: { aliases: [{ name: "web" }] } };
      expect(await stack.up({ shares: { www } })).toMatchObject({ code: 0, errors: [] });
      expect([stack.id("www"), stack.writes()]).toEqual([id, []]);
    });

    it("is resumed by the plugin if the dynamic provider was killed during its create", async () => {
      stack.imports = dynamicClasses;
      stack.emulator.settings.onAnswer = ({ method }) => {
        if (method === "POST") stack.killProvider();
      };
      const shares = { web, db: { ...web, name: "db", ingressPort: 5432 } };
      expect((await stack.up({ shares })).code).not.toBe(0);
      stack.emulator.settings.onAnswer = null;
      stack.imports = pluginClasses;
      expect(await stack.up({ shares })).toMatchObject({ code: 0, errors: [] });
      expect(stack.calls()).toEqual(["POST /ipsec-shares"]);
      expect(stack.alive()).toEqual([stack.id("web"), stack.id("db"), "tnl-x"].sort());
    });
  });
});

describe("proposed names", () => {
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
});

describe("a wait of more than a minute", () => {
  it.each([dynamicClasses, pluginClasses])("shows its progress beside the resource: %s", async (imports) => {
    const stack = await ownStack({ provisionMs: 70_000 });
    stack.imports = imports;
    const tunnel = `new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });`;
    const { code, text } = await stack.up(tunnel);
    expect(code).toBe(0);
    expect(text).toMatch(/IpsecTunnel hq creating .*NEW for [6-9]\d s, limit 60 min/);
  });
});

/** A tenth of the pauses after which GitHub sends the next signal to a job that is canceled (docs/how-to/ci.md). */
const untilTermMs = 750;
const untilKillMs = 250;

/** The emulator works for so long on what a canceled job has begun: longer than the job lives. */
const slowMs = 3_000;

const onHq = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const both: Resources = { tunnels: { hq: peer }, shares: { web: onHq } };
const edited: Resources = { ...both, shares: { web: { ...onHq, target: "new.internal:443" } } };

/** Cancels the job of this program as soon as Frontdoor has answered a request, and moves to a fresh runner: the state, and no records. */
async function cancel(stack: Stack, program: Resources, request: string): Promise<void> {
  const { settings } = stack.emulator;
  Object.assign(settings, { provisionMs: slowMs, teardownMs: slowMs });
  let ended: Promise<void> | undefined;
  onAnswer(stack.emulator, request, () => {
    ended = (async () => {
      stack.interrupt("SIGINT");
      await sleep(untilTermMs);
      stack.interrupt("SIGTERM");
      await sleep(untilKillMs);
      // GitHub kills the whole tree.
      const left = stack.processes();
      stack.killEngine();
      for (const { pid } of left) kill(pid);
    })();
  });
  expect((await stack.up(program)).code).not.toBe(0);
  await ended;
  Object.assign(settings, { provisionMs: 300, teardownMs: 100 });
  await sleep(slowMs);
  stack.restore(stack.stateText());
  await stack.run("cancel", "--yes");
  stack.writes();
}

/** The ids at the service, and each is in the state. */
const expectOne = (stack: Stack, ...names: string[]) => {
  expect(stack.alive()).toEqual(names.map((name) => stack.id(name)).sort());
};

describe.each([
  ["dynamic provider", dynamicClasses],
  ["plugin", pluginClasses],
])("a job with the %s that GitHub cancels", (adapter, imports) => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await ownStack({}, { imports });
  });

  it.each(["/ipsec-tunnels", "/ipsec-shares"])(
    "in the create of %s leaves no duplicate to a fresh runner with `alike`",
    async (path) => {
      await cancel(stack, both, `POST ${path}`);
      const isInState = stack.entries().length === (path === "/ipsec-tunnels" ? 1 : 2);
      // The plugin ends its wait at SIGINT, so the state has the id.
      expect(isInState).toBe(adapter === "plugin");
      if (!isInState) {
        const run = await stack.up(both, "--refresh");
        expect(run.code).not.toBe(0);
        const [made] = path === "/ipsec-tunnels" ? stack.emulator.tunnels() : stack.emulator.shares();
        for (const words of [made?.id ?? "", "adopt", "FRONTDOOR_TAKE_OVER=alike", "[identical-exists]"])
          expect(run.errors.join("\n")).toContain(words);
        expect(stack.writes()).toEqual([]);
      }
      stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
      expect(await stack.up(both, "--refresh")).toMatchObject({ code: 0, errors: [] });
      expectOne(stack, "hq", "web");
      expect(stack.calls()).toEqual(path === "/ipsec-tunnels" ? ["POST /ipsec-shares"] : []);
    },
  );

  it("in an update is continued by a fresh runner, without another write", async () => {
    expect(await stack.up(both)).toMatchObject({ code: 0 });
    await cancel(stack, edited, `PATCH /ipsec-shares/${stack.id("web")}`);
    expect(await stack.up(edited, "--refresh")).toMatchObject({ code: 0, errors: [] });
    expectOne(stack, "hq", "web");
    expect(stack.writes()).toEqual([]);
    expect(stack.emulator.shares()).toMatchObject([{ target: "new.internal:443" }]);
  });

  it("in a delete is continued by a fresh runner", async () => {
    expect(await stack.up(both)).toMatchObject({ code: 0 });
    const tunnel: Resources = { tunnels: { hq: peer } };
    await cancel(stack, tunnel, `DELETE /ipsec-shares/${stack.id("web")}`);
    expect(await stack.up(tunnel, "--refresh")).toMatchObject({ code: 0, errors: [] });
    expectOne(stack, "hq");
    expect(stack.writes()).toEqual([]);
  });
});
