import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kill } from "../../tests/harness/command";
import type { Report } from "../src/operation";
import { Installation } from "./installation";
import { describeOnTemporal, texts, until } from "./stage";

describeOnTemporal("a fleet on the engine", () => {
  it("a worker is killed, a front door refuses: the rest comes up once, a rerun does what is left", async () => {
    const sites = ["fd-1", "fd-2", "fd-closed"].flatMap((frontDoor) => [{ frontDoor }, { frontDoor }]);
    // Slow enough that the worker is killed while something comes up.
    const own = await Installation.open(["fd-1", "fd-2"], { provisionMs: 1500, teardownMs: 300 });
    try {
      own.fleet({
        waves: [{ name: "all", stopAfter: sites.length }],
        limits: { perFrontDoor: 2, lostAfterSeconds: 15, attempts: 20 },
        defaults: own.defaults(),
        stacks: Object.fromEntries(sites.map((site, at) => [`s${at}`, { ...site, config: { number: String(at) } }])),
      });
      const [doomed] = [await own.startWorker(), await own.startWorker()];
      const first = own.run("up");
      await until("three POSTs", () => (own.writes().length >= 3 ? true : undefined), 600_000);
      kill(doomed.pid);
      const { code, report, said } = await first;
      const show = { said, stacks: report.stacks };
      const failed = report.stacks.filter(({ state }) => state === "failed");
      expect({ ...show, code, done: report.stacks.filter(({ state }) => state === "done").length }).toEqual({
        ...{ ...show, code: 1, done: 4 },
      });
      expect(failed.map(({ frontDoor }) => frontDoor)).toEqual(["fd-closed", "fd-closed"]);
      for (const { reason } of failed) expect(reason).toMatch(/403 not_found/);
      // What the killed worker was at.
      expect(report.stacks.some(({ attempts }) => attempts > 1)).toBe(true);
      const made = own.writes();
      expect([made.filter((each) => !each.startsWith("POST")), new Set(made).size]).toEqual([[], made.length]);

      own.opens(["fd-1", "fd-2", "fd-closed"]);
      const second = await own.run("up");
      expect(second).toMatchObject({ code: 0 });
      const rest = own.writes().slice(made.length);
      expect([...new Set(rest.map((each) => each.split(" ")[1]))]).toEqual(["fd-closed"]);
      expect(new Set(own.writes()).size).toBe(own.writes().length);
      expect(own.alive().length).toBe(sites.length * 2);
    } finally {
      await own.close();
    }
  });

  const note = `note-${crypto.randomUUID()}`;
  let installation: Installation;
  const stacks = (names: string[]) =>
    Object.fromEntries(names.map((name, at) => [name, { frontDoor: "fd-1", config: { number: String(at + 1) } }]));
  const common = () => ({ defaults: installation.defaults({ note: "env:NOTE" }) });
  const otherBackend = () => `file://${join(installation.folder, "other-state")}`;
  const writes = () => installation.writes();

  beforeAll(async () => {
    installation = await Installation.open(["fd-1"], { provisionMs: 2000, teardownMs: 200 });
    await installation.startWorker({ NOTE: note }, "--allow-backend", otherBackend());
  });
  afterAll(() => installation.close());

  it("goes on where Temporal was killed and started again", async () => {
    installation.fleet({ ...common(), stacks: stacks(["r1", "r2", "r3"]) });
    const running = installation.run("up");
    await until("the first write", () => (writes().length > 0 ? true : undefined));
    await installation.temporal.kill();
    await installation.temporal.start();
    const { code, report, said } = await running;
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(report.stacks.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    const made = writes();
    expect(new Set(made).size).toBe(6);
    expect(made.length).toBe(6);
  });

  it("takes nothing over that another back end's stack of the same name has", async () => {
    const shop = { shop: { frontDoor: "fd-1", config: { number: "7" } } };
    installation.fleet({ ...common(), stacks: shop });
    const made = await installation.run("up");
    expect(made).toMatchObject({ code: 0 });
    mkdirSync(join(installation.folder, "other-state"));
    installation.fleet({ ...common(), backend: otherBackend(), stacks: shop });
    const other = await installation.run("up");
    expect(texts(other.report)["shop"] ?? "").toMatch(/^failed: .*adopt/);
    await installation.run("destroy", "--yes");
    expect(installation.alive().filter(({ name }) => name.includes("-shop-")).length).toBe(2);
    installation.fleet({ ...common(), stacks: shop });
    const down = await installation.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
  });

  it("finds drift, takes it over, and takes everything down", async () => {
    installation.fleet({ ...common(), stacks: stacks(["r1", "r2", "r3"]) });
    const [share] = installation.alive().filter(({ id }) => id.startsWith("shr"));
    await fetch(`${installation.emulator.baseUrl}/v2/fd-1/ipsec-shares/${share?.id ?? ""}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${installation.token}` },
    });
    await until("the share to be gone", () =>
      installation.alive().some(({ id }) => id === share?.id) ? undefined : true,
    );
    const drift = await installation.run("drift");
    expect(drift).toMatchObject({ code: 1 });
    expect(Object.values(texts(drift.report)).filter((text) => text !== "unchanged")).toEqual(["1 delete"]);
    const down = await installation.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
    expect(installation.alive()).toEqual([]);
  });

  it("is cancelled by Ctrl-C in order: nothing is lost, nothing made twice afterwards", async () => {
    installation.emulator.settings.provisionMs = 5000;
    installation.fleet({ ...common(), stacks: stacks(["c1"]) });
    const before = writes().length;
    const running = installation.start("--json", "up");
    await until("the tunnel", () => (writes().length > before ? true : undefined));
    kill(running.pid, "SIGINT");
    const { code, stdout, stderr } = await running.end;
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(texts(JSON.parse(stdout) as Report)).toEqual({ c1: "cancelled: cancelled" });
    installation.emulator.settings.provisionMs = 200;
    const again = await installation.run("up");
    expect(again).toMatchObject({ code: 0 });
    expect(writes().length - before).toBe(2);
  });

  it("keeps secrets out of Temporal's database, logs, reports and the checkout", async () => {
    const mixed = {
      ok: { frontDoor: "fd-1", config: { number: "7" } },
      f1: { frontDoor: "fd-1", config: { number: "9", fails: "yes" } },
      f2: { frontDoor: "fd-closed", config: { number: "8" } },
    };
    installation.fleet({
      waves: [{ name: "all", stopAfter: 3 }],
      ...common(),
      stacks: mixed,
    });
    const { report, said } = await installation.run("up");
    const status = await installation.start("status").end;
    const { ok = "", f1 = "", f2 = "" } = texts(report);
    expect(ok).toMatch(/create/);
    expect(f1).toMatch(/^failed: .*the note is \[secret\]/);
    expect(f2).toMatch(/^failed: .*403 not_found/);

    const sample = await fetch(
      `${installation.emulator.baseUrl}/v2/fd-1/ipsec-tunnels/${installation.alive()[0]?.id ?? ""}/sample-config`,
      {
        headers: { authorization: `Bearer ${installation.token}`, accept: "text/plain" },
      },
    );
    const [, key = ""] = /pre-shared-key (\S{16,})/.exec(await sample.text()) ?? [];
    expect(key.length).toBeGreaterThanOrEqual(16);
    // So that there is something to be found where it is looked for: the stacks' names are there.
    const files = [
      ...filesIn(installation.folder, /^temporal\.db/),
      ...filesIn(join(installation.folder, "programs", "site"), /./),
    ];
    const text = [
      ...files.map((file) => readFileSync(file).toString("latin1")),
      said,
      status.text,
      ...installation.workers.map(({ said: { text } }) => text),
      JSON.stringify(report),
    ].join("\n");
    expect(text).toContain("fd-closed");
    expect(files.length).toBeGreaterThan(3);
    const secrets = { token: installation.token, passphrase: installation.passphrase, note, key };
    const formsOf = (secret: string) => [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)];
    const shown = Object.entries(secrets).filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)));
    expect(shown.map(([name]) => name)).toEqual([]);
  });
});

/** The files right in a folder whose names are like this. */
const filesIn = (folder: string, name: RegExp) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile() && name.test(each.name))
    .map((each) => join(folder, each.name));
