import { type Emulator, startEmulator } from "../../emulator";
import { readConfig } from "../../provider/config";
import { openPool } from "../../provider/http/send";
import { tunnelLifecycle } from "../../provider/resources/tunnel";
import { Resource } from "../../provider/lifecycle/lifecycle";
import { openService } from "../../provider/operations/service";
import { systemClock } from "../../provider/time";
import { memoryRecords, tunnelInputs } from "./world";

/** A service of its own, and whether its connections are closed. */
function opened(emulator: Emulator, frontdoorId: string) {
  const environment = { FRONTDOOR_BASE_URL: emulator.baseUrl, FRONTDOOR_TOKEN: emulator.token };
  const config = readConfig(() => undefined, { ...environment, FRONTDOOR_ID: frontdoorId });
  const pool = openPool();
  const close = jest.fn(pool.close);
  const transport = { send: pool.send, close };
  const service = openService({
    config,
    clock: systemClock,
    transport,
    say: () => undefined,
    records: memoryRecords(),
  });
  return { service, close, tunnels: new Resource(tunnelLifecycle(service), service) };
}

/** What keeps this process alive: timers, and connections (those that the servers here have accepted included). */
const timers = () => process.getActiveResourcesInfo().filter((what) => what === "Timeout").length;
const connections = () => process.getActiveResourcesInfo().filter((what) => /^(TCPSocket|TLS)/.test(what)).length;

/** Waits for it, for five seconds at most. */
async function eventually(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await systemClock.sleep(10);
}

describe("two services in one process", () => {
  const emulators: Emulator[] = [];
  afterAll(() => Promise.all(emulators.map((emulator) => emulator.close())));

  it("work side by side, each by its own configuration, and hold nothing once they are closed", async () => {
    for (const settings of [{}, { token: "another-token", frontdoorId: "fd-2" }])
      emulators.push(await startEmulator({ provisionMs: 0, ...settings }));
    const before = timers();
    const [one, other] = emulators.map((emulator) => opened(emulator, emulator.frontdoorId));
    if (!one || !other) throw new Error("two are opened");
    const made = await Promise.all([
      one.tunnels.create(tunnelInputs),
      other.tunnels.create({ ...tunnelInputs, frontdoorId: "fd-2" }),
    ]);
    expect(made.map(({ outputs }) => [outputs.frontdoorId, outputs.status])).toEqual([
      ["fd-1", "DEPLOYED"],
      ["fd-2", "DEPLOYED"],
    ]);
    for (const { requests } of emulators) expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);

    await one.service.close();
    expect(connections()).toBeGreaterThan(0);
    expect([one.close, other.close].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    await expect(one.tunnels.read("tnl-1", made[0].outputs)).rejects.toMatchObject({
      message: expect.stringContaining("[closed]") as string,
      trouble: { kind: "failed" },
    });
    expect(await other.tunnels.read(made[1].id, made[1].outputs)).toMatchObject({ outputs: { status: "DEPLOYED" } });

    await other.service.close();
    await eventually(() => connections() === 0);
    expect(connections()).toBe(0);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("end what waits: it is told with its id, and no timer is left", async () => {
    const emulator = await startEmulator({ provisionMs: 600_000 });
    emulators.push(emulator);
    const before = timers();
    const { service, tunnels } = opened(emulator, "fd-1");
    const making = tunnels.create(tunnelInputs);
    const isWaiting = () => emulator.requests.findLast(({ method }) => method === "POST") !== emulator.requests.at(-1);
    await eventually(() => emulator.tunnels().length > 0 && isWaiting());
    await service.close();
    const { id, unfinished } = await making;
    expect(id).toMatch(/^tnl-/);
    expect(unfinished?.trouble.kind).toBe("timed-out");
    await eventually(() => connections() === 0);
    expect(connections()).toBe(0);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
