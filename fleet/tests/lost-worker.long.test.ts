import { kill } from "../../tests/harness/command";
import { Installation } from "./installation";
import { describeOnTemporal, texts, until } from "./stage";

// A real silence, of the 14 s that a request timeout of 2 s allows. The times alone are in lease.test.ts.
describeOnTemporal("a fleet on the engine", () => {
  let installation: Installation;
  const common = () => ({ defaults: installation.defaults() });
  const writes = () => installation.writes();

  beforeAll(async () => {
    installation = await Installation.open(["fd-1"], { provisionMs: 2000, teardownMs: 200 });
    await installation.startWorker();
  });
  afterAll(() => installation.close());

  it("ends its engines where the worker does not reach Temporal, before another one may take over", async () => {
    installation.emulator.settings.provisionMs = 12_000;
    const more = { "late-1": { frontDoor: "fd-1", config: { number: "5" } } };
    installation.fleet({ ...common(), limits: { lostAfterSeconds: 14, attempts: 20 }, stacks: more });
    const before = writes().length;
    const running = installation.run("up");
    await until("the tunnel", () => (writes().length > before ? true : undefined));
    expect(installation.engines().length).toBe(1);
    await installation.temporal.kill();
    // Nobody is there to tell the worker: it does so by itself.
    await until("the engine to end", () => (installation.engines().length === 0 ? true : undefined));
    await installation.temporal.start();
    const { code, report, said } = await running;
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(texts(report)["late-1"] ?? "").toMatch(/, attempt \d+$/);
    const made = writes().slice(before);
    expect(made.length).toBe(2);
    installation.emulator.settings.provisionMs = 300;
    const down = await installation.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
  });

  it("goes on elsewhere where its worker is frozen, whose engine has ended by then", async () => {
    installation.emulator.settings.provisionMs = 12_000;
    const other = await installation.startWorker();
    const more = { "frozen-1": { frontDoor: "fd-1", config: { number: "6" } } };
    installation.fleet({ ...common(), limits: { lostAfterSeconds: 14, attempts: 20 }, stacks: more });
    const before = writes().length;
    const running = installation.run("up");
    await until("the tunnel", () => (writes().length > before ? true : undefined));
    const [busy] = installation.workers.filter((worker) => installation.engines([worker]).length > 0);
    if (busy) kill(busy.pid, "SIGSTOP");
    try {
      await until("the engine to end", () => (busy && installation.engines([busy]).length > 0 ? undefined : true));
      const { code, report, said } = await running;
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(texts(report)["frozen-1"] ?? "").toMatch(/, attempt \d+$/);
      const made = writes().slice(before);
      expect(made.length).toBe(2);
    } finally {
      if (busy) kill(busy.pid, "SIGCONT");
    }
    installation.emulator.settings.provisionMs = 300;
    const down = await installation.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
    kill(other.pid, "SIGTERM");
    await other.end;
  });
});
