import { setTimeout as sleep } from "node:timers/promises";
import { type Emulator, startEmulator } from "../../emulator";
import { removeTemplate, Stack } from "./stack";

const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const program = { tunnels: {}, shares: { web } };
const up = ["up", "--yes", "--skip-preview", "--stack", "test"];
/** Shorter than a minute, so that nobody waits for it; what counts is which ends first. */
const provisionMs = 8_000;

describe("Ctrl-C during a create", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    emulator = await startEmulator({ provisionMs, teardownMs: 100, duplicateIngressPort: "allowed" });
    emulator.seedTunnel({ id: "tnl-1" });
    stack = await Stack.open({
      FRONTDOOR_BASE_URL: emulator.baseUrl,
      FRONTDOOR_ID: emulator.frontdoorId,
      FRONTDOOR_TOKEN: emulator.token,
    });
    stack.program(program);
  });
  afterEach(async () => {
    await emulator.close();
    stack.close();
  });
  afterAll(removeTemplate);

  const posts = () => emulator.requests.filter(({ method }) => method === "POST").length;

  /** A run that is interrupted so many times once its POST is answered; how long after that it ended. */
  async function interrupted(times: number) {
    const running = stack.start(up);
    const deadlineMs = performance.now() + 60_000;
    while (posts() === 0 && performance.now() < deadlineMs) await sleep(50);
    const postedMs = performance.now();
    for (let n = 0; n < times; n++) {
      running.interrupt();
      // The engine takes two that come together for one.
      await sleep(1_000);
    }
    const { code } = await running.end;
    return { code, tookMs: performance.now() - postedMs };
  }

  it("once: the run ends with the create, the id is in the state, and the next up has nothing to make", async () => {
    const { tookMs } = await interrupted(1);
    expect(tookMs).toBeLessThan(provisionMs + 10_000);
    expect(stack.state().kept).toMatchObject([{ id: emulator.shares()[0]?.id }]);
    expect(await stack.start(up).end).toMatchObject({ code: 0 });
    expect(posts()).toBe(1);
    expect(stack.state().kept).toMatchObject([{ outputs: { status: "DEPLOYED" } }]);
  });

  it("twice: the next up finds what was left and takes it over, no duplicate", async () => {
    const { tookMs } = await interrupted(2);
    expect(tookMs).toBeLessThan(provisionMs);
    const next = await stack.start(up).end;
    expect(next).toMatchObject({ code: 0 });
    expect(posts()).toBe(1);
    expect(emulator.shares()).toHaveLength(1);
    expect(stack.state().kept).toMatchObject([{ id: emulator.shares()[0]?.id, outputs: { status: "DEPLOYED" } }]);
  });
});
