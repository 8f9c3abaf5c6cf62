import { setTimeout as sleep } from "node:timers/promises";
import { startEmulator } from "../../emulator";
import { removeTemplate, Stack } from "./stack";

const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const program = { tunnels: {}, shares: { web } };
const up = ["up", "--yes", "--skip-preview", "--stack", "test"];
const provisionMs = 60_000;

/** A share whose create takes a minute, in a stack of its own. */
async function open() {
  const emulator = await startEmulator({ provisionMs, teardownMs: 100, duplicateIngressPort: "allowed" });
  emulator.seedTunnel({ id: "tnl-1" });
  const stack = await Stack.open({
    FRONTDOOR_BASE_URL: emulator.baseUrl,
    FRONTDOOR_ID: emulator.frontdoorId,
    FRONTDOOR_TOKEN: emulator.token,
  });
  stack.program(program);
  const close = async () => {
    await emulator.close();
    stack.close();
  };
  const posts = () => emulator.requests.filter(({ method }) => method === "POST").length;
  return { emulator, stack, posts, close };
}

/** A run that is interrupted so many times once its POST is answered, and how long after that it ended. */
async function interrupted({ stack, posts }: Awaited<ReturnType<typeof open>>, times: number) {
  const running = stack.start(up);
  const deadlineMs = performance.now() + 60_000;
  while (posts() === 0 && performance.now() < deadlineMs) await sleep(50);
  const postedMs = performance.now();
  for (let n = 0; n < times; n++) {
    running.interrupt();
    // The engine takes two that come together for one.
    await sleep(1_000);
  }
  await running.end;
  return { tookMs: performance.now() - postedMs };
}

describe("Ctrl-C during a create", () => {
  afterAll(removeTemplate);

  it.concurrent(
    "once: the run ends with the create, the id is in the state, and the next up has nothing to make",
    async () => {
      const world = await open();
      const { emulator, stack, posts } = world;
      try {
        const { tookMs } = await interrupted(world, 1);
        expect(tookMs).toBeLessThan(provisionMs + 10_000);
        expect(stack.state().kept).toMatchObject([{ id: emulator.shares()[0]?.id }]);
        expect(await stack.start(up).end).toMatchObject({
          code: 0,
          text: expect.not.stringContaining("error:") as string,
        });
        expect(posts()).toBe(1);
        expect(stack.state().kept).toMatchObject([{ outputs: { status: "DEPLOYED" } }]);
      } finally {
        await world.close();
      }
    },
  );

  it.concurrent("twice: the next up finds what was left and takes it over, no duplicate", async () => {
    const world = await open();
    const { emulator, stack, posts } = world;
    try {
      const { tookMs } = await interrupted(world, 2);
      expect(tookMs).toBeLessThan(provisionMs);
      expect(await stack.start(up).end).toMatchObject({
        code: 0,
        text: expect.not.stringContaining("error:") as string,
      });
      expect(posts()).toBe(1);
      expect(emulator.shares()).toHaveLength(1);
      expect(stack.state().kept).toMatchObject([{ id: emulator.shares()[0]?.id, outputs: { status: "DEPLOYED" } }]);
    } finally {
      await world.close();
    }
  });
});
