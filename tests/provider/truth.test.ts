import { type Goal, lastWriteIn, type Past, progressOf, settlesAtOf } from "../../provider/converge/progress";
import { VirtualClock } from "../harness/virtual-clock";
import {
  shareInputs,
  openShareWorld,
  type ShareWorld,
  chosen,
  openWorld,
  tunnelInputs,
  type World,
} from "../harness/world";
import { showAll, showNothing } from "../lifecycle/row";
import { showEach } from "../harness/shown";
import { FrontdoorError } from "../../provider/errors";

const goal: Goal = { want: { target: "new.internal:1" } };
const clearing: Goal = { want: { target: "new.internal:1" }, before: { locationId: "loc-2" } };
const gone: Goal = { want: "gone" };
const shown = (status: string, fields: object = { target: "new.internal:1" }) => ({ status, ...fields });
const old = { target: "old.internal:1" };

/** What a reading means `sinceWriteMs` after a write over DEPLOYED, if nothing else has shown since. */
const now = (of: Goal, seen: ReturnType<typeof shown> | undefined, past: Partial<Past> = {}) =>
  progressOf(of, seen, {
    isSettled: false,
    sinceWriteMs: 1_000,
    statusBefore: "DEPLOYED",
    statuses: new Set(seen && [seen.status]),
    ...past,
  }).now;

describe("the truth: a reading", () => {
  const since = new Set(["UPDATING", "DEPLOYED"]);
  it.each<[string, Goal, ReturnType<typeof shown> | undefined, Partial<Past>, before: string, after: string]>([
    ["of what was sent, at once and with the old status", goal, shown("DEPLOYED"), {}, "wait", "done"],
    ["of what was sent, after 3 s", goal, shown("DEPLOYED"), { sinceWriteMs: 3_000 }, "done", "done"],
    ["of what was sent, after another status", goal, shown("DEPLOYED"), { statuses: since }, "done", "done"],
    ["of what a create has sent", goal, shown("DEPLOYED"), { statusBefore: undefined }, "done", "done"],
    ["that lacks what was sent", goal, shown("DEPLOYED", {}), { sinceWriteMs: 3_000 }, "wait", "done"],
    [
      "that shows what was cleared",
      clearing,
      shown("DEPLOYED", { target: "new.internal:1", locationId: "loc-2" }),
      { sinceWriteMs: 3_000 },
      "wait",
      "done",
    ],
    [
      "that shows what was cleared, after work that was under way before the write",
      clearing,
      shown("DEPLOYED", { target: "new.internal:1", locationId: "loc-2" }),
      { statusBefore: "NEW", statuses: new Set(["NEW", "DEPLOYED"]), sinceWriteMs: 3_000 },
      "wait",
      "done",
    ],
    ["at work", goal, shown("UPDATING"), {}, "wait", "wait"],
    ["at a status that nobody knows", goal, shown("PAUSED"), {}, "wait", "wait"],
    [
      "of ERROR after another status",
      goal,
      shown("ERROR"),
      { statuses: new Set(["UPDATING", "ERROR"]) },
      "failed",
      "failed",
    ],
    ["of ERROR alone", goal, shown("ERROR"), {}, "wait", "failed"],
    ["of ERROR, of a create", goal, shown("ERROR"), { statusBefore: undefined }, "failed", "failed"],
    ["of other values", goal, shown("DEPLOYED", old), { sinceWriteMs: 3_000 }, "wait", "differs"],
    ["that somebody deletes it", goal, shown("DELETING"), {}, "failed", "failed"],
    ["of nothing", goal, undefined, {}, "wait", "gone"],
    ["of nothing, where it has to be gone", gone, undefined, {}, "done", "done"],
    ["of DELETED, where it has to be gone", gone, shown("DELETED"), {}, "done", "done"],
    ["of DELETING, where it has to be gone", gone, shown("DELETING"), {}, "wait", "wait"],
    ["of ERROR alone, after a DELETE", gone, shown("ERROR"), {}, "wait", "failed"],
  ])("%s", (_what, of, seen, past, before, after) => {
    expect([now(of, seen, past), now(of, seen, { ...past, isSettled: true })]).toEqual([before, after]);
  });
});

describe("the time from which a reading is the truth", () => {
  const clock = new VirtualClock(() => undefined);
  const after = (ms: number) =>
    lastWriteIn(clock, { __settlesAt: clock.wall() + ms }, 40_000).settlesAtMs - clock.now();

  it("is kept in wall-clock time, as long as it is to come", () => {
    const inMs = (ms: number) => settlesAtOf(clock, { atMs: 0, settlesAtMs: clock.now() + ms });
    expect([inMs(20_000), inMs(0), inMs(-1)]).toEqual([clock.wall() + 20_000, undefined, undefined]);
  });

  it.each([
    ["a state of before", -1, -Infinity],
    ["a state of now", 20_000, 20_000],
    ["a clock that was set back by a day", 86_400_000, 82_000],
  ])("is taken from %s", (_what, ms, expected) => {
    expect(after(ms)).toBe(expected);
  });

  it("has passed for a state without the note", () => {
    expect(lastWriteIn(clock, {}, 40_000).settlesAtMs).toBe(-Infinity);
  });
});

describe("a share that is not shown", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
  });

  /** For so long, reads answer as a replica that has never heard of any share. */
  const staleFor = (ms: number) => {
    showNothing(world.emulator);
    void world.clock.sleep(ms).then(() => {
      showAll(world.emulator);
    });
  };

  it("is gone where a read and a list say so once no reading can lag behind the last write", async () => {
    const { id, outputs } = await deployed();
    await world.clock.sleep(60_000);
    world.emulator.removeShare(id);
    const startedMs = world.clock.now();
    expect(await world.shares.read(id, outputs, world.within(900))).toBeUndefined();
    const list = `GET /ipsec-shares?id=${id}&page=0&size=100&sort=id%2Casc`;
    expect(world.calls()).toEqual([`GET /ipsec-shares/${id}`, list]);
    expect(world.clock.now() - startedMs).toBeLessThan(1_000);
  });

  it("is not made anew by an update that a stale replica meets", async () => {
    const { id, outputs, inputs } = await deployed();
    staleFor(5_000);
    const made = await world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(900));
    expect(made).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
  });
});

describe("a refresh while a lost write can still take effect", () => {
  it.each([4, 6, 8, 10])("reads once more when it no longer can, with reads of %i s", async (seconds) => {
    const { world, deployed } = await openShareWorld();
    const { id, outputs } = await deployed();
    let reads = 0;
    const isEveryOther = ({ method, path }: { method: string; path: string }) =>
      method === "GET" && path.endsWith(id) && ++reads % 2 === 1;
    const limited = () => new Response(null, { status: 429, headers: { "retry-after": `${seconds}` } });
    world.emulator.faults.onRequest({ match: isEveryOther, times: Infinity, action: () => Promise.resolve(limited()) });
    const unfinished = { ...outputs, status: "NEW", __settlesAt: world.clock.wall() + 78_000 };
    expect(await world.shares.read(id, unfinished, world.within(900))).toMatchObject({ status: "DEPLOYED" });
  });
});

type Fields = Record<string, unknown>;

describe("an answer that misfits", () => {
  let world: World;
  const start = async (change: (share: Fields) => Fields) => {
    world = await openWorld({ provisionMs: 3_000 });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    showEach(world.emulator, "share", change);
  };
  const create = () => world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));

  it("in the same way each time ends a create after a few answers, and the state has the id", async () => {
    await start((share) => ({ ...share, ingressPort: "https" }));
    const { id, unfinished } = await create();
    expect(id).toBe("shr-1");
    expect(unfinished?.message).toMatch(/wrong or missing fields: ingressPort/);
    expect(world.clock.now()).toBeLessThan(30_000);
    expect(world.writes()).toHaveLength(1);
  });
});

describe("gone after a DELETE", () => {
  type Listed = { id: string; status: string }[];
  const path = /^\/ipsec-shares$/;

  /** From now on, lists of shares show what `change` leaves of each page. */
  const changeLists = ({ emulator }: World, change: (content: Listed) => Listed, more = 0) => {
    emulator.faults.onRequest({
      match: (asked) => asked.method === "GET" && path.test(asked.path),
      times: Infinity,
      async action(work) {
        const page = (await (await work()).json()) as { content: Listed };
        const content = change(page.content);
        return Response.json({ ...page, content, totalElements: content.length + more, totalPages: 1 });
      },
    });
  };

  const count = 12;

  /** Deletes so many shares at the default rate, so that the last one is known. Returns the ids that were read, and the error of each delete. */
  const deleteAll = async (settings: { teardownMs: number }, arrange: (world: World) => void, isNew = false) => {
    const world = await openWorld(settings, undefined, () => ({ "frontdoor:requestsPerSecond": "20" }));
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    const states = await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const inputs = { ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: n + 1 };
        if (isNew) return world.shares.create(inputs, chosen, world.within(900));
        return { id: world.emulator.seedShare(inputs).id, outputs: { ...inputs, status: "DEPLOYED" } as const };
      }),
    );
    world.nextRun();
    world.calls();
    arrange(world);
    const { emulator } = world;
    // The one deleted last is gone first.
    emulator.settings.onAnswer = ({ method, path: asked }) => {
      if (method === "DELETE" && asked.endsWith(`shr-${count - 1}`))
        emulator.settings.teardownMs = settings.teardownMs / 3;
    };
    const statusOf = (id: string) => world.emulator.shares().find((share) => share.id === id)?.status;
    const errors = await Promise.all(
      states.map(async ({ id, outputs }) => {
        const error = await world.shares
          .delete(id, outputs, world.within(900))
          .catch((thrown: unknown) => (thrown as Error).message);
        if (error === undefined) expect([undefined, "DELETED"]).toContain(statusOf(id));
        return error;
      }),
    );
    const reads = world.calls().filter((line) => line.startsWith("GET /ipsec-shares/"));
    const ids = reads.map((line) => line.slice("GET /ipsec-shares/".length));
    return { read: [...new Set(ids)].sort(), errors: errors.filter((error) => error !== undefined) };
  };
  const all = Array.from({ length: count }, (_, n) => `shr-${n + 1}`).sort();
  const last = `shr-${count}`;
  const unlisted = { deletedListed: false };

  const noChange = () => undefined;

  it.each<[what: string, read: string[], settings: { teardownMs: number }, arrange: (world: World) => void]>([
    ["a list shows it as DELETED", [], { teardownMs: 0 }, noChange],
    ["a list lacks it, and an earlier one has shown it as DELETING", [], { ...unlisted, teardownMs: 3_000 }, noChange],
    [
      "a list lacks it, and a read finds nothing of the one deleted last",
      [last],
      { ...unlisted, teardownMs: 0 },
      noChange,
    ],
    [
      "lists hide what is being deleted, so each is read",
      all,
      { teardownMs: 3_000 },
      (world) => {
        changeLists(world, (content) => content.filter(({ status }) => status === "DEPLOYED"));
      },
    ],
    [
      "lists honor only the first of the ids, so each of the others is read",
      all.filter((id) => id !== "shr-1"),
      { ...unlisted, teardownMs: 3_000 },
      (world) => {
        changeLists(world, (content) => content.slice(0, 1));
      },
    ],
    [
      "lists may lack entries, so each is read",
      all,
      { ...unlisted, teardownMs: 0 },
      (world) => {
        changeLists(world, (content) => content, 1);
      },
    ],
    [
      "lists fail, so each is read",
      all,
      { ...unlisted, teardownMs: 0 },
      ({ emulator }) => {
        emulator.faults.answerNext({ method: "GET", path, status: 500, times: Infinity });
      },
    ],
  ])("%s", async (_what, read, settings, arrange) => {
    expect(await deleteAll(settings, arrange)).toEqual({ read, errors: [] });
  });

  it("lists lag behind the create of it, so each is read", async () => {
    const lagging = { provisionMs: 0, listLagMs: 25_000, ...unlisted, teardownMs: 5_000 };
    expect(await deleteAll(lagging, noChange, true)).toEqual({ read: all, errors: [] });
  });

  it("a read of the one deleted last fails: each is read, and only that one is not done", async () => {
    const { read, errors } = await deleteAll({ ...unlisted, teardownMs: 0 }, ({ emulator }) => {
      const body = { id: last, status: "DELETED", ingressPort: {} };
      emulator.faults.answerNext({ method: "GET", path: `/ipsec-shares/${last}`, status: 403, body, times: Infinity });
    });
    expect(read).toEqual(all);
    expect(errors).toEqual([expect.stringContaining(last)]);
  });
});

describe("a DELETE of a share that Frontdoor has not accepted", () => {
  const isDelete = ({ method }: { method: string }) => method === "DELETE";
  const answerOnce = ({ emulator }: World, status: number) => {
    const action = () => Promise.resolve(Response.json({ error: "not_found", message: "no such share" }, { status }));
    emulator.faults.onRequest({ match: isDelete, times: 1, action });
  };
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => "it succeeded",
      (error: unknown) => (error as Error).message,
    );

  it("is sent again if a replica that lags shows nothing after a lost answer", async () => {
    const world = await openWorld({ provisionMs: 3_000 });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    const { id, outputs } = await world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
    world.nextRun();
    answerOnce(world, 502);
    showNothing(world.emulator);
    void world.clock.sleep(10_000).then(() => {
      showAll(world.emulator);
    });
    expect(await failureOf(world.shares.delete(id, outputs, world.within(900)))).toBe("it succeeded");
    expect(world.emulator.shares().filter(({ status }) => status === "DEPLOYED")).toEqual([]);
  });

  it("fails if the share was DELETING, and ends as ERROR", async () => {
    const { world, deployed } = await openShareWorld();
    world.emulator.settings.teardownMs = 6_000_000;
    const { id, outputs } = await deployed();
    world.emulator.setStatus(id, "DELETING");
    answerOnce(world, 404);
    void world.clock.sleep(60_000).then(() => {
      world.emulator.setStatus(id, "ERROR");
    });
    expect(await failureOf(world.shares.delete(id, outputs, world.within(900)))).toMatch(/ERROR.*\[not-deleted\]$/);
  });

  it("ends within a minute if Frontdoor cannot be reached", async () => {
    let isOff = false;
    const { world, deployed } = await openShareWorld({}, (send) => async (request) => {
      const error = new FrontdoorError(`${request.label}: nothing was reached. [unreachable]`, {
        kind: "unreachable",
        mayHaveRun: false,
      });
      if (isOff) throw error;
      return send(request);
    });
    const { id, outputs } = await deployed();
    isOff = true;
    const fromMs = world.clock.now();
    expect(await failureOf(world.shares.delete(id, outputs, world.within(900)))).toContain("[unreachable]");
    expect(world.clock.now() - fromMs).toBeLessThan(60_000);
  });
});
