import { setTimeout as sleep } from "node:timers/promises";
import { kill } from "../harness/command";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { ownStack } from "../harness/own-stack";
import type { Resources, Stack } from "../harness/stack";
import { peer } from "../harness/things";
import { onAnswer } from "../lifecycle/row";

/** A tenth of the pauses after which GitHub sends the next signal to a job that is canceled (docs/how-to/ci.md). */
const untilTermMs = 750;
const untilKillMs = 250;

/** The emulator works for so long on what a canceled job has begun: longer than the job lives. */
const slowMs = 3_000;

const web = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const both: Resources = { tunnels: { hq: peer }, shares: { web } };
const edited: Resources = { ...both, shares: { web: { ...web, target: "new.internal:443" } } };

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
