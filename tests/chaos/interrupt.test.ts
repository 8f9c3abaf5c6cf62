import { setTimeout as sleep } from "node:timers/promises";
import { startEmulator } from "../../emulator";
import { Stack } from "./stack";

const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const program = { tunnels: {}, shares: { web } };
const up = ["up", "--yes", "--skip-preview", "--stack", "test"];

/** A stack of one share, whose create is under way and ends when the test says so. */
async function open() {
  const emulator = await startEmulator({ provisionMs: 600_000, teardownMs: 100 });
  emulator.seedTunnel({ id: "tnl-1" });
  const stack = await Stack.open({
    FRONTDOOR_BASE_URL: emulator.baseUrl,
    FRONTDOOR_ID: emulator.frontdoorId,
    FRONTDOOR_TOKEN: emulator.token,
  });
  stack.program(program);
  const running = stack.start(up);
  while (emulator.shares().length === 0) await sleep(50);
  const [{ id } = { id: "(none)" }] = emulator.shares();
  const close = async () => {
    await emulator.close();
    stack.close();
  };
  return { emulator, stack, running, id, close };
}

/** Ctrl-C; the engine takes two that come together for one. */
async function interrupt({ running }: Awaited<ReturnType<typeof open>>): Promise<void> {
  running.interrupt();
  await sleep(1_000);
}

/** The share is ready, and the next up has nothing to make. */
async function expectWhole({ emulator, stack, id }: Awaited<ReturnType<typeof open>>): Promise<void> {
  expect(await stack.start(up).end).toMatchObject({ code: 0, text: expect.not.stringContaining("error:") as string });
  expect(emulator.shares()).toMatchObject([{ id, status: "DEPLOYED" }]);
  expect(stack.state().kept).toMatchObject([{ id, outputs: { status: "DEPLOYED" } }]);
}

describe("Ctrl-C during a create", () => {
  it.concurrent("once: the run ends with the create, and the id is in the state", async () => {
    const world = await open();
    const { emulator, stack, running, id } = world;
    try {
      let hasEnded = false;
      void running.end.then(() => (hasEnded = true));
      await interrupt(world);
      expect(hasEnded).toBe(false);
      emulator.setStatus(id, "DEPLOYED");
      await running.end;
      expect(stack.state().kept).toMatchObject([{ id }]);
      await expectWhole(world);
    } finally {
      await world.close();
    }
  });

  it.concurrent("twice: the run ends at once, and the next up takes over what was left", async () => {
    const world = await open();
    const { emulator, running, id } = world;
    try {
      await interrupt(world);
      await interrupt(world);
      await running.end;
      expect(emulator.shares()).toMatchObject([{ id, status: "NEW" }]);
      emulator.setStatus(id, "DEPLOYED");
      await expectWhole(world);
    } finally {
      await world.close();
    }
  });
});
