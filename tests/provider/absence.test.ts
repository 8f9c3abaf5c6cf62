import { showAll, showNothing } from "../lifecycle/row";
import { showEach } from "../harness/shown";
import {
  openShareWorld,
  type ShareWorld,
  chosen,
  openWorld,
  shareInputs,
  tunnelInputs,
  type World,
} from "../harness/world";
import { FrontdoorError } from "../../provider/errors";

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

  it("is read until then, also under a shorter deadline", async () => {
    const { id, outputs } = await deployed();
    staleFor(15_000);
    expect(await world.shares.read(id, outputs, world.within(1))).toEqual(outputs);
  });

  it("is not made anew by an update that a stale replica meets", async () => {
    const { id, outputs, inputs } = await deployed();
    staleFor(5_000);
    const made = await world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(900));
    expect(made).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
  });

  it("is deleted also under a deadline that is shorter than that: else it would stay in the state for good", async () => {
    const { id, outputs } = await deployed();
    world.emulator.removeShare(id);
    await world.shares.delete(id, outputs, world.within(5));
    expect(world.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);
  });
});

describe("a refresh right after an update", () => {
  it("keeps what was written if only the list still shows the old values", async () => {
    const { world, tunnelId } = await openShareWorld();
    const createOn = (ingressPort: number) =>
      world.shares.create(
        { ...shareInputs(tunnelId), name: `s-${ingressPort}`, ingressPort },
        chosen,
        world.within(900),
      );
    const made = await Promise.all([443, 444, 445].map(createOn));
    await world.clock.sleep(120_000);
    const updated = await Promise.all(
      made.map(({ id, outputs }) =>
        world.shares.update(id, outputs, { ...outputs, target: "b.internal:1" }, world.within(900)),
      ),
    );
    world.emulator.settings.listLagMs = 30_000;
    world.nextRun();
    world.calls();
    const read = await Promise.all(updated.map(({ id, outputs }) => world.shares.read(id, outputs, world.within(60))));
    expect(read).toEqual(updated.map(({ outputs }) => outputs));
    expect(world.calls()[0]).toMatch(/^GET \/ipsec-shares\?/);
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

describe("a share that shows no more than that it is DELETING", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
    world.emulator.settings.teardownMs = 600_000;
  });

  it("keeps in the state what it was, and is not written to", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, "DELETING");
    const bare = { id, name: null, ipsecTunnelId: null, status: "DELETING" };
    showEach(world.emulator, "share", () => bare);
    world.writes();
    expect(await world.shares.read(id, outputs, world.within(60))).toEqual({ ...outputs, status: "DELETING" });
    const made = await world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(60));
    expect(made.outputs).toMatchObject({ target: inputs.target, status: "DELETING" });
    expect(world.writes()).toEqual([]);
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

  it("in the same way each time ends a refresh after a few answers", async () => {
    let isWrong = false;
    await start((share) => (isWrong ? { ...share, target: 7 } : share));
    const { id, outputs } = await create();
    isWrong = true;
    world.nextRun();
    const begunMs = world.clock.now();
    await expect(world.shares.read(id, outputs, world.within(900))).rejects.toThrow(
      /wrong or missing fields: target\. .*\[unusable-answer\]$/,
    );
    expect(world.clock.now() - begunMs).toBeLessThan(15_000);
  });

  it("for a while, or each time in another way, ends no wait", async () => {
    let answers = 0;
    await start((share) => (++answers < 13 ? { ...share, [(answers >> 1) % 2 ? "target" : "envZId"]: 7 } : share));
    expect((await create()).outputs.status).toBe("DEPLOYED");
  });
});

it("a 403 with not_found ends a delete, and a delete of a resource that is gone", async () => {
  const world = await openWorld({ deletedShownAs: "404", notFoundStatus: 403 });
  const tunnel = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
  const share = await world.shares.create(shareInputs(tunnel.id), chosen, world.within(900));
  world.emulator.clock.advance(60_000);
  world.nextRun();
  for (let times = 0; times < 2; times++) await world.shares.delete(share.id, share.outputs, world.within(900));
  world.emulator.removeTunnel(tunnel.id);
  await world.tunnels.delete(tunnel.id, tunnel.outputs, world.within(900));
  expect(world.emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
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

  it("a tunnel is read by its id: a list need not honor a repeated filter of tunnels", async () => {
    const world = await openWorld({ ...unlisted, teardownMs: 0, oneTunnelPerLocation: false });
    const states = [1, 2, 3].map((n) => {
      const inputs = { ...tunnelInputs, name: `t-${n}` };
      const { id } = world.emulator.seedTunnel(inputs);
      return { id, outputs: { ...inputs, status: "DEPLOYED" } as const };
    });
    await Promise.all(states.map(({ id, outputs }) => world.tunnels.delete(id, outputs, world.within(900))));
    const read = world.calls().filter((line) => line.startsWith("GET /ipsec-tunnels/"));
    expect(read.sort()).toEqual(states.map(({ id }) => `GET /ipsec-tunnels/${id}`));
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

  it("proves nothing at another address, also after a lost answer", async () => {
    const { world, deployed } = await openShareWorld();
    const { id, outputs } = await deployed();
    answerOnce(world, 502);
    showNothing(world.emulator);
    const elsewhere = { ...world.within(900), seenElsewhere: "https://old.example" };
    expect(await failureOf(world.shares.delete(id, outputs, elsewhere))).toContain("[seen-elsewhere]");
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
