import { Lab, until } from "../lab/lab";
import { describeOnTemporal, texts } from "./stage";

// A real silence, of the 14 s that a request timeout of 2 s allows. The times alone are in lease.test.ts.
describeOnTemporal("a fleet on the engine", () => {
  let lab: Lab;
  const common = () => ({
    defaults: {
      program: "programs/site",
      config: { "frontdoor:baseUrl": lab.baseUrl, "frontdoor:requestTimeout": "2" },
      secrets: { "frontdoor:token": "env:SITE_TOKEN" },
    },
  });
  const writes = async () =>
    (await lab.sent())
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => `${method} ${path} ${body?.name ?? ""}`);

  beforeAll(async () => {
    lab = await Lab.open(["fd-1"], { provisionMs: 2000, teardownMs: 200 });
    await lab.startWorker();
  });
  afterAll(() => lab.close());

  it("ends its engines where the worker does not reach Temporal, before another one may take over", async () => {
    await lab.emulate({ provisionMs: 12_000 });
    const more = { "late-1": { frontDoor: "fd-1", config: { number: "5" } } };
    lab.fleet({ ...common(), limits: { lostAfterSeconds: 14, attempts: 20 }, stacks: more });
    const before = (await writes()).length;
    const running = lab.run("up");
    await until("the tunnel", async () => ((await writes()).length > before ? true : undefined));
    expect(lab.engines().length).toBe(1);
    await lab.temporal.kill();
    // Nobody is there to tell the worker: it does so by itself.
    await until("the engine to end", () => (lab.engines().length === 0 ? true : undefined));
    await lab.temporal.start(lab.env);
    const { code, report, said } = await running;
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(texts(report)["late-1"] ?? "").toMatch(/, attempt \d+$/);
    const made = (await writes()).slice(before);
    expect(made.length).toBe(2);
    await lab.emulate({ provisionMs: 300 });
    const down = await lab.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
  });

  it("goes on elsewhere where its worker is frozen, whose engine has ended by then", async () => {
    await lab.emulate({ provisionMs: 12_000 });
    const other = await lab.startWorker();
    const more = { "frozen-1": { frontDoor: "fd-1", config: { number: "6" } } };
    lab.fleet({ ...common(), limits: { lostAfterSeconds: 14, attempts: 20 }, stacks: more });
    const before = (await writes()).length;
    const running = lab.run("up");
    await until("the tunnel", async () => ((await writes()).length > before ? true : undefined));
    const [busy] = lab.workers.filter((worker) => lab.engines([worker]).length > 0);
    busy?.child.kill("SIGSTOP");
    try {
      await until("the engine to end", () => (busy && lab.engines([busy]).length > 0 ? undefined : true));
      const { code, report, said } = await running;
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(texts(report)["frozen-1"] ?? "").toMatch(/, attempt \d+$/);
      const made = (await writes()).slice(before);
      expect(made.length).toBe(2);
    } finally {
      busy?.child.kill("SIGCONT");
    }
    await lab.emulate({ provisionMs: 300 });
    const down = await lab.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
    await other.stop();
  });
});
