import { join } from "node:path";
import { Stack } from "../harness/stack";

const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const web = { shares: { web: share } };
const db = { ...web, shares: { ...web.shares, db: { ...share, target: "db.internal:5432", ingressPort: 5432 } } };

/** Runs `up` and ends its provider, or what else is named, as soon as the service has got, or with `isAnswered` has answered, a POST. */
async function upKilled(
  stack: Stack,
  resources: typeof web,
  isAnswered: boolean,
  end = () => {
    stack.killProvider();
  },
) {
  stack.emulator.requests.length = 0;
  const run = stack.up(resources);
  const isSent = () =>
    stack.emulator.requests.some(({ method, status }) => method === "POST" && (status > 0 || !isAnswered));
  while (!isSent()) await new Promise((resolve) => setTimeout(resolve, 10));
  end();
  expect((await run).code).not.toBe(0);
}

describe("a create whose provider was killed", () => {
  let stack: Stack;
  let emptyMachines = 0;
  const live = () => stack.emulator.shares().filter(({ status }) => status !== "DELETED");
  const anotherMachine = () => join(stack.folder, `machine-${(emptyMachines += 1)}`);

  beforeAll(async () => {
    stack = await Stack.open({ provisionMs: 1500, duplicateIngressPort: "allowed" });
    stack.emulator.seedTunnel({ id: "tnl-1" });
  });
  beforeEach(() => {
    Object.assign(stack.env, { FRONTDOOR_TAKE_OVER: undefined, FRONTDOOR_STATE_DIR: join(stack.folder, "records") });
  });
  afterAll(() => stack.close());

  const expectRefused = async (resources: typeof web, id: string) => {
    const run = await stack.up(resources);
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(new RegExp(`${id}.*adopt|adopt.*${id}`));
    expect(stack.writes()).toEqual([]);
  };

  it("is not taken over on another machine unless takeOver says alike, nor anywhere with never", async () => {
    await upKilled(stack, web, true);
    const [{ id } = { id: "(lost)" }] = live();
    stack.writes();
    stack.env["FRONTDOOR_STATE_DIR"] = anotherMachine();
    await expectRefused(web, id);

    stack.env["FRONTDOOR_STATE_DIR"] = join(stack.folder, "records");
    await stack.run("config", "set", "frontdoor:takeOver", "never");
    // Stack configuration comes first.
    stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
    await expectRefused(web, id);
    await stack.run("config", "rm", "frontdoor:takeOver");

    stack.env["FRONTDOOR_STATE_DIR"] = anotherMachine();
    expect(await stack.up(web)).toMatchObject({ code: 0, steps: ["create web"] });
    expect(stack.id("web")).toBe(id);
    expect(stack.writes()).toEqual([]);
  });

  it("is taken over by the next up on the same machine", async () => {
    await upKilled(stack, db, true);
    const made = live().at(-1)?.id;
    stack.writes();
    expect(await stack.steadyUp(db)).toMatchObject({ code: 0, steps: ["create db"] });
    expect(stack.id("db")).toBe(made);
    expect(stack.writes()).toEqual([]);
    expect(live()).toHaveLength(2);
  });

  it("is found though its POST arrives only after the next up has looked", async () => {
    Object.assign(stack.emulator.settings, { listLagMs: 700, readLagMs: 700 });
    stack.env["FRONTDOOR_REQUEST_TIMEOUT"] = "8";
    const late = { shares: { ...db.shares, late: { ...share, target: "late.internal:22", ingressPort: 22 } } };
    stack.emulator.faults.delayNext({ method: "POST", path: /^\/ipsec-shares$/, delayMs: 6000 });
    await upKilled(stack, late, false);
    const run = await stack.up(late);
    expect(run.text).not.toContain("error:");
    expect(run).toMatchObject({ code: 0, steps: ["create late"] });
    // Whatever was still on its way has arrived.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const ofTarget = live().filter(({ target }) => target === "late.internal:22");
    expect(ofTarget.map(({ id }) => id)).toEqual([stack.id("late")]);
  });
});

describe("a create whose engine was killed", () => {
  it("is resumed by pulumi cancel and pulumi up --refresh, as docs/reliability.md says", async () => {
    const stack = await Stack.open({ provisionMs: 1500 });
    try {
      stack.emulator.seedTunnel({ id: "tnl-1" });
      await upKilled(stack, db, true, () => {
        stack.killEngine();
      });
      expect((await stack.up(db, "--refresh")).text).toContain("pulumi cancel");
      await stack.run("cancel", "--yes");
      expect(await stack.up(db, "--refresh")).toMatchObject({ code: 0, errors: [] });
      expect(stack.published()).toEqual(["tnl-1", "shr-1 on tnl-1", "shr-2 on tnl-1"]);
      expect([stack.id("web"), stack.id("db")].sort()).toEqual(["shr-1", "shr-2"]);
      expect((await stack.up(db, "--refresh", "--expect-no-changes")).code).toBe(0);
    } finally {
      await stack.close();
    }
  });
});

describe("a record that can't be written", () => {
  it("is said once and is no error", async () => {
    const stack = await Stack.open();
    try {
      stack.emulator.seedTunnel({ id: "tnl-1" });
      // Below a file: there can be no such folder, for no user.
      const folder = join(stack.folder, "Pulumi.yaml", "records");
      stack.env["FRONTDOOR_STATE_DIR"] = folder;
      const run = await stack.up(db);
      expect(run.code).toBe(0);
      expect(stack.emulator.shares()).toHaveLength(2);
      const told = run.notes.filter((note) => note.includes(folder) || note.includes("FRONTDOOR_STATE_DIR"));
      expect(told).toHaveLength(1);
    } finally {
      await stack.close();
    }
  });
});
