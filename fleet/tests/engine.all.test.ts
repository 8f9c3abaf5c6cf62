import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Lab, until } from "../lab/lab";
import { troubleRound } from "../lab/run";
import type { Report } from "../src/operation";
import { describeOnTemporal, texts } from "./stage";

describeOnTemporal("a fleet on the engine", () => {
  it("a worker is killed, a front door refuses: the rest comes up once, a rerun does what is left", () =>
    troubleRound({ frontDoors: 3, stacksEach: 2, killAfterPosts: 3 }));

  const note = `note-${crypto.randomUUID()}`;
  let lab: Lab;
  const stacks = (names: string[]) =>
    Object.fromEntries(names.map((name, at) => [name, { frontDoor: "fd-1", config: { number: String(at + 1) } }]));
  const common = () => ({
    defaults: {
      program: "programs/site",
      config: { "frontdoor:baseUrl": lab.baseUrl, "frontdoor:requestTimeout": "2" },
      secrets: { "frontdoor:token": "env:SITE_TOKEN", note: "env:NOTE" },
    },
  });
  const otherBackend = () => `file://${join(lab.folder, "other-state")}`;
  const writes = async () =>
    (await lab.sent())
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => `${method} ${path} ${body?.name ?? ""}`);

  beforeAll(async () => {
    lab = await Lab.open(["fd-1"], { provisionMs: 2000, teardownMs: 200 });
    await lab.startWorker({ more: { NOTE: note }, options: ["--allow-backend", otherBackend()] });
  });
  afterAll(() => lab.close());

  it("goes on where Temporal was killed and started again", async () => {
    lab.fleet({ ...common(), stacks: stacks(["r1", "r2", "r3"]) });
    const running = lab.run("up");
    await until("the first write", async () => ((await writes()).length > 0 ? true : undefined));
    await lab.temporal.kill();
    await lab.temporal.start(lab.env);
    const { code, report, said } = await running;
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(report.stacks.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    const made = await writes();
    expect(new Set(made).size).toBe(6);
    expect(made.length).toBe(6);
  });

  it("takes nothing over that another back end's stack of the same name has", async () => {
    const shop = { shop: { frontDoor: "fd-1", config: { number: "7" } } };
    lab.fleet({ ...common(), stacks: shop });
    const made = await lab.run("up");
    expect(made).toMatchObject({ code: 0 });
    mkdirSync(join(lab.folder, "other-state"));
    lab.fleet({ ...common(), backend: otherBackend(), stacks: shop });
    const other = await lab.run("up");
    expect(texts(other.report)["shop"] ?? "").toMatch(/^failed: .*adopt/);
    await lab.run("destroy", "--yes");
    expect((await lab.alive()).filter(({ name }) => name.includes("-shop-")).length).toBe(2);
    lab.fleet({ ...common(), stacks: shop });
    const down = await lab.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
  });

  it("finds drift, takes it over, and takes everything down", async () => {
    lab.fleet({ ...common(), stacks: stacks(["r1", "r2", "r3"]) });
    const [share] = (await lab.alive()).filter(({ id }) => id.startsWith("shr"));
    await fetch(`${lab.baseUrl}/v2/fd-1/ipsec-shares/${share?.id ?? ""}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${lab.token}` },
    });
    await until("the share to be gone", async () =>
      (await lab.alive()).some(({ id }) => id === share?.id) ? undefined : true,
    );
    const drift = await lab.run("drift");
    expect(drift).toMatchObject({ code: 1 });
    expect(Object.values(texts(drift.report)).filter((text) => text !== "unchanged")).toEqual(["1 delete"]);
    const down = await lab.run("destroy", "--yes");
    expect(down).toMatchObject({ code: 0 });
    expect(await lab.alive()).toEqual([]);
  });

  it("is cancelled by Ctrl-C in order: nothing is lost, nothing made twice afterwards", async () => {
    await lab.emulate({ provisionMs: 5000 });
    lab.fleet({ ...common(), stacks: stacks(["c1"]) });
    const before = (await writes()).length;
    const running = lab.start("--json", "up");
    await until("the tunnel", async () => ((await writes()).length > before ? true : undefined));
    running.interrupt();
    const { code, out, said } = await running.ended;
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(texts(JSON.parse(out) as Report)).toEqual({ c1: "cancelled: cancelled" });
    await lab.emulate({ provisionMs: 200 });
    const again = await lab.run("up");
    expect(again).toMatchObject({ code: 0 });
    expect((await writes()).length - before).toBe(2);
  });

  it("keeps secrets out of Temporal's database, logs, reports and the checkout", async () => {
    const mixed = {
      ok: { frontDoor: "fd-1", config: { number: "7" } },
      f1: { frontDoor: "fd-1", config: { number: "9", fails: "yes" } },
      f2: { frontDoor: "fd-closed", config: { number: "8" } },
    };
    lab.fleet({
      waves: [{ name: "all", stopAfter: 3 }],
      ...common(),
      stacks: mixed,
    });
    const { report, said } = await lab.run("up");
    const status = await lab.start("status").ended;
    const { ok = "", f1 = "", f2 = "" } = texts(report);
    expect(ok).toMatch(/create/);
    expect(f1).toMatch(/^failed: .*the note is \[secret\]/);
    expect(f2).toMatch(/^failed: .*403 not_found/);

    const sample = await fetch(
      `${lab.baseUrl}/v2/fd-1/ipsec-tunnels/${(await lab.alive())[0]?.id ?? ""}/sample-config`,
      {
        headers: { authorization: `Bearer ${lab.token}`, accept: "text/plain" },
      },
    );
    const [, key = ""] = /pre-shared-key (\S{16,})/.exec(await sample.text()) ?? [];
    expect(key.length).toBeGreaterThanOrEqual(16);
    // So that there is something to be found where it is looked for: the stacks' names are there.
    const files = [
      ...filesIn(lab.folder, /^temporal\.db|\.log$/),
      ...filesIn(join(lab.folder, "programs", "site"), /./),
    ];
    const text = [
      ...files.map((file) => readFileSync(file).toString("latin1")),
      said,
      status.out,
      status.said,
      JSON.stringify(report),
    ].join("\n");
    expect(text).toContain("fd-closed");
    expect(files.length).toBeGreaterThan(4);
    const secrets = { token: lab.token, passphrase: lab.passphrase, note, key };
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
