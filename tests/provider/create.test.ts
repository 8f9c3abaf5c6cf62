import type { Send } from "../../provider/http/send";
import { derived, openWorld, shareInputs, type World, chosen, tunnelInputs, openShareWorld } from "../harness/world";
import type { TunnelInputs } from "../../provider/fields/tunnel";
import { FrontdoorError } from "../../provider/errors";
import type { ShareInputs } from "../../provider/fields/share";

describe("create", () => {
  let world: World;
  const start = async (wrap?: (send: Send) => Send, takeOver = "") => {
    world = await openWorld({ provisionMs: 0 }, wrap, () => ({ FRONTDOOR_TAKE_OVER: takeOver }));
    world.emulator.seedTunnel(tunnelInputs);
  };
  const left = (change = {}) => world.emulator.seedShare({ ...shareInputs("tnl-1"), ...change });

  it.each([
    ["target", { target: "other.internal:443" }],
    ["environment", { envZId: "env-2" }],
    ["port", { ingressPort: 444 }],
    ["status", { status: "DELETING" as const }],
  ])("does not adopt a share that differs in its %s", async (_what, change) => {
    await start(undefined, "alike");
    const { id } = left(change);
    const inputs = { ...shareInputs("tnl-1"), ingressPort: 8443 };
    const made = await world.shares.create(inputs, derived, world.within(900));
    expect(made.id).not.toBe(id);
    expect(made.outputs.status).toBe("DEPLOYED");
  });
});

describe("answered id", () => {
  const web = shareInputs("tnl-1");

  const elsewhere = {
    tunnel: { id: "tnl-9", name: "lab", peerPublicIp: "198.51.100.9", peerCidr: "10.99.0.0/16", locationId: "loc-9" },
    share: {
      ...web,
      id: "shr-9",
      name: "other",
      target: "other.internal:1",
      ingressPort: 9,
      status: "DEPLOYED" as const,
    },
  };

  /** The body that the first answer to a write gets instead of its own, in a world that has somebody's tunnel and share. */
  let answer: ((body: Record<string, unknown>) => object | undefined) | undefined;

  /** Answers to reads of one id, which a test can replace. */
  let misread: ((path: string) => object | undefined) | undefined;

  afterEach(() => {
    answer = misread = undefined;
  });

  const mixing =
    (method: string) =>
    (send: Send): Send =>
    async (request) => {
      const shown = request.method === "GET" ? misread?.(new URL(request.url).pathname) : undefined;
      if (shown) return { status: 200, headers: { "content-type": "application/json" }, text: JSON.stringify(shown) };
      const received = await send(request);
      if (request.method !== method || !answer) return received;
      const body = answer(JSON.parse(received.text || "{}") as Record<string, unknown>);
      answer = undefined;
      return { ...received, text: body === undefined ? "" : JSON.stringify(body) };
    };

  const openMixedWorld = async (method = "POST", settings = {}): Promise<World> => {
    const world = await openWorld({ provisionMs: 0, ...settings }, mixing(method));
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1", name: "base" });
    world.emulator.seedTunnel(elsewhere.tunnel);
    world.emulator.seedShare(elsewhere.share);
    return world;
  };

  const posts = (world: World) => world.writes().filter((line) => line.startsWith("POST"));

  /** The body of a POST's answer, with other values. */
  describe("an answer to a POST", () => {
    let world: World;
    beforeEach(async () => {
      world = await openMixedWorld();
    });

    it("with the id of another resource of the program counts as lost", async () => {
      world.shares.check({ news: { ...web }, olds: { ...web }, origin: "organization::urn:pulumi:a::b::c::other" });
      await world.shares.update(
        "shr-9",
        { ...elsewhere.share, frontdoorId: "fd-1" },
        { ...elsewhere.share, frontdoorId: "fd-1" },
        world.within(60),
      );
      world.calls();
      answer = () => ({ id: "shr-9" });
      const { id, unfinished } = await world.shares.create(web, chosen, world.within(900));
      expect(unfinished).toBeUndefined();
      expect(world.emulator.shares().find((share) => share.id === id)).toMatchObject({ name: "web" });
      expect(posts(world)).toHaveLength(1);
    });

    it("with an id that cannot be used is refused at once, with what it says", async () => {
      answer = (own) => ({ ...own, id: "shares/shr 1" });
      await expect(world.shares.create(web, chosen, world.within(900))).rejects.toThrow(
        /^POST .*ipsec-shares: .*accepted the create.*"shares\/shr 1".*by its name\. \[unusable-answer\]$/,
      );
      expect(world.clock.now()).toBeLessThan(5_000);
      expect(posts(world)).toHaveLength(1);
    });
  });

  describe("an id that no read has shown", () => {
    let world: World;
    beforeEach(async () => {
      world = await openMixedWorld();
    });

    it("is in the state after 30 s, and nothing is searched by its name", async () => {
      answer = () => ({ id: "op-77", status: "ACCEPTED" });
      const made = await world.shares.create(web, chosen, world.within(900));
      expect(made).toMatchObject({ id: "op-77", outputs: { status: "NEW" } });
      expect(made.unfinished?.message).toMatch(
        /\(op-77\): not shown by Frontdoor.*in the state.*\[share-incomplete\]$/,
      );
      expect(world.clock.now()).toBeLessThan(60_000);
      expect(posts(world)).toHaveLength(1);
    });

    it("is in the creation record at once: a run that is killed before any reading is resumed by it", async () => {
      Object.assign(world.emulator.settings, { readLagMs: 20_000, listLagMs: 20_000 });
      world.shares.check({ news: { ...web }, olds: {}, origin: "organization::urn:pulumi:a::b::c::web" });
      void world.shares.create(web, chosen, world.within(900));
      await world.clock.sleep(5_000);
      world.nextRun("killed");
      const [record = {}] = world.records.read().map(([, text]) => JSON.parse(text) as { id?: string });
      world.shares.check({ news: { ...web }, olds: {}, origin: "organization::urn:pulumi:a::b::c::web" });
      const { id, unfinished } = await world.shares.create(web, chosen, world.within(900));
      expect([id, unfinished]).toEqual([record.id, undefined]);
      expect(posts(world)).toHaveLength(1);
    });

    it("is kept by a create that an error hook repeats, which says the same", async () => {
      Object.assign(world.emulator.settings, { readLagMs: 600_000, listLagMs: 600_000 });
      world.shares.check({ news: { ...web }, olds: {}, origin: "organization::urn:pulumi:a::b::c::web" });
      const made = await world.shares.create(web, chosen, world.within(60));
      const again = await world.shares.create(web, chosen, world.within(60));
      expect([again.id, again.unfinished?.message]).toEqual([made.id, made.unfinished?.message]);
      expect(posts(world)).toHaveLength(1);
    });
  });

  describe("adopt of an id that shows a resource of another kind", () => {
    it.each([
      ["a tunnel's fields", { ...elsewhere.tunnel, status: "DEPLOYED" }],
      ["no fields", { id: "tnl-9" }],
    ])("says so, and changes nothing: %s", async (_what, shown) => {
      const world = await openMixedWorld();
      misread = (path) => (path.endsWith("/ipsec-shares/tnl-9") ? shown : undefined);
      const adopting = world.shares.create({ ...web, adopt: "tnl-9" }, chosen, world.within(900));
      await expect(adopting).rejects.toThrow(
        /tnl-9 is not a resource of this kind.*That resource was not changed\..*\[adopt-missing\]$/,
      );
      expect(world.writes()).toEqual([]);
    });
  });
});

const web = shareInputs("tnl-1");

describe("a POST still on its way when its run dies", () => {
  let world: World;
  const create = () => world.shares.create(web, derived, world.within(900));
  const posts = () => world.writes().filter((line) => line.startsWith("POST "));
  beforeEach(async () => {
    let isFirst = true;
    world = await openWorld({ provisionMs: 0, duplicateIngressPort: "allowed" }, (send) => (request) => {
      if (request.method !== "POST" || !isFirst) return send(request);
      isFirst = false;
      return new Promise<never>(() => undefined);
    });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    void create();
    await world.clock.sleep(1_000);
    world.nextRun("killed");
  });

  const nextRun = (change: () => void) => () => {
    change();
    world.nextRun("killed");
  };
  const setBack = nextRun(() => {
    world.clock.setBack(3_600_000);
  });
  it.each<[when: string, before: () => unknown, leastMs: number, mostMs: number]>([
    ["after its timeout, 12 s and a lag", () => undefined, 82_000, 90_000],
    [
      "after the timeout of its own run, if the next run has a shorter one",
      nextRun(() => (world.config.requestTimeoutMs = 1_000)),
      ...([82_000, 90_000] as const),
    ],
    ["no later than that if the wall clock was set back meanwhile", setBack, 82_000, 90_000],
    ["at once if that time has passed", () => world.clock.sleep(90_000), 91_000, 94_000],
    [
      "at once late in a run, whatever the wall clock says",
      () => (setBack(), world.clock.sleep(120_000)),
      ...([121_000, 124_000] as const),
    ],
  ])("is sent again when it can no longer take effect: %s", async (_when, before, leastMs, mostMs) => {
    await before();
    expect((await create()).outputs.status).toBe("DEPLOYED");
    expect(posts()).toHaveLength(1);
    expect(world.clock.now()).toBeGreaterThanOrEqual(leastMs);
    expect(world.clock.now()).toBeLessThan(mostMs);
  });

  it("is not said to be accepted if the deadline comes first", async () => {
    const created = world.shares.create(web, derived, world.within(20));
    await expect(created).rejects.toThrow(
      /an earlier create or delete may still go through.*Nothing was sent\..*\[create-pending\]$/,
    );
    expect(posts()).toEqual([]);
  });
});

describe("a POST that is answered with 429", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ duplicateShareName: "allowed", duplicateIngressPort: "allowed" });
    world.emulator.seedTunnel({ id: "tnl-x" });
  });

  const create = () => world.shares.create(shareInputs("tnl-x"), chosen, world.within(900));
  const answer = (when: "before" | "after", times: number) =>
    world.emulator.faults.answerNext({ method: "POST", status: 429, headers: { "retry-after": "1" }, when, times });
  const posts = () => world.writes().filter((line) => line.startsWith("POST "));

  it("is sent again after a list, nine times at most", async () => {
    answer("before", 4);
    expect((await create()).unfinished).toBeUndefined();
    expect(posts()).toHaveLength(5);
    answer("before", 30);
    const other = { ...shareInputs("tnl-x"), name: "other", ingressPort: 444 };
    await expect(world.shares.create(other, chosen, world.within(900))).rejects.toThrow("429");
    expect(posts()).toHaveLength(10);
  });

  it("does not end the tries while the tunnel is busy", async () => {
    world.emulator.setStatus("tnl-x", "UPDATING" as never);
    answer("before", 1);
    world.emulator.faults.answerNext({ method: "POST", status: 409, times: 1_000 });
    void world.clock.sleep(400_000).then(() => {
      world.emulator.setStatus("tnl-x", "DEPLOYED");
      world.emulator.faults.clear();
    });
    expect((await create()).unfinished).toBeUndefined();
  });
});

describe("a create that a kill interrupted", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ createBody: false, provisionMs: 0 });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  });

  it("is resumed until a state, perhaps of another stack, holds what it created", async () => {
    const old = { ...web, target: "old.internal:1", ingressPort: 1 };
    world.emulator.seedShare({ ...old, id: "shr-old" });
    const create = () => world.shares.create(web, chosen, world.within(900));
    const showInState = (id: string, inputs: typeof web) =>
      world.shareDiff({ ...inputs, status: "DEPLOYED" }, inputs, id);
    await world.interrupted(create);
    await showInState("shr-old", old);
    world.nextRun();
    const { id } = await create();
    expect(world.writes()).toEqual([]);

    world.emulator.removeShare(id);
    await world.interrupted(create);
    const added = world.emulator.shares().at(-1)?.id ?? "none";
    await showInState(added, web);
    world.nextRun();
    await expect(create()).rejects.toThrow(new RegExp(`\\(${added}\\) .*\\[identical-exists\\]$`));
  });
});

it.each(["before the answer", "after the answer"])(
  "a share that an interrupted run left on a tunnel that is replaced stays, and so does the tunnel: killed %s",
  async (when) => {
    const urn = (type: string) => `organization::urn:pulumi:test::office::frontdoor:index:${type}::web`;
    const world = await openWorld({ provisionMs: 0 });
    const { id, outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    world.nextRun();
    const { inputs } = world.shares.check({ news: { ...shareInputs(id) }, olds: {}, origin: urn("IpsecShare") });
    const begin = () => world.shares.create(inputs as typeof web, derived, world.within(900));
    if (when === "before the answer") await world.interrupted(begin);
    else await begin();
    world.nextRun("killed");
    const news = { ...tunnelInputs, peerCidr: "10.99.0.0/16" };
    world.tunnels.check({ news, olds: { ...outputs }, origin: urn("IpsecTunnel") });
    expect(await world.tunnelDiff(outputs, news, id)).toMatchObject({
      replaces: ["peerCidr"],
      deleteBeforeReplace: true,
    });
    await expect(world.tunnels.delete(id, outputs, world.within(900))).rejects.toThrow(/shr-1.*\[tunnel-in-use\]$/);
    expect(world.emulator.shares()).toMatchObject([{ status: "DEPLOYED" }]);
  },
);

const branch = { ...tunnelInputs, name: "branch", locationId: "loc-2" };

describe("FRONTDOOR_TAKE_OVER", () => {
  let world: World;
  const start = async (takeOver = "", wrap?: (send: Send) => Send) => {
    world = await openWorld({ provisionMs: 0 }, wrap, () => ({ FRONTDOOR_TAKE_OVER: takeOver }));
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  };
  const create = (change: Partial<ShareInputs> = {}, isNameDerived = derived) =>
    world.shares.create({ ...web, ...change }, isNameDerived, world.within(900));
  const createTunnel = (change: Partial<TunnelInputs> = {}) =>
    world.tunnels.create({ ...branch, ...change }, derived, world.within(1800));

  it.each([
    ["", derived],
    ["alike", chosen],
  ])("%s: an identical share is not touched (derived name: %j)", async (takeOver, isNameDerived) => {
    await start(takeOver);
    const { id } = world.emulator.seedShare(web);
    await expect(create({}, isNameDerived)).rejects.toThrow(new RegExp(`adopt: "${id}".*\\[identical-exists\\]$`));
    expect(world.writes()).toEqual([]);
  });

  it("alike: an identical share is adopted under a derived name, and one line says so", async () => {
    await start("alike");
    const { id } = world.emulator.seedShare(web);
    expect(await create()).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
    expect(world.said).toEqual([expect.stringMatching(`"web": .*${id}.*\\[adopted\\]$`)]);
  });

  it("alike: a share that was renamed without an alias stays, and the next run lets go of its old name", async () => {
    await start("alike");
    const { id } = world.emulator.seedShare(web);
    const origin = "organization::urn:pulumi:dev::acme::frontdoor:index:IpsecShare::web";
    const inputs = (olds: object = {}) =>
      world.shares.check({ news: { ...web }, olds: { ...olds }, origin }).inputs as ShareInputs;
    const { outputs } = await world.shares.create(inputs(), derived, world.within(900));
    const deleteOld = () => world.shares.delete(id, outputs, world.within(900));
    await expect(deleteOld()).rejects.toThrow(/again without the variable: after a rename, .*\[replace-order\]$/);
    world.nextRun();
    expect(await world.shareDiff(outputs, inputs(web), id)).toMatchObject({ changes: false });
    await deleteOld();
    expect(world.writes()).toEqual([]);
  });

  describe.each<[string, Partial<TunnelInputs>, "DEPLOYED" | "ERROR"]>([
    ["that the program has changed", { peerCidr: "10.99.0.0/16" }, "DEPLOYED"],
    ["that the program has changed in what lists leave out", { nlbPrivateIp: "10.0.0.99" }, "DEPLOYED"],
    ["that is in ERROR", {}, "ERROR"],
  ])("an interrupted create of a tunnel %s", (_why, change, status) => {
    const interrupted = async (after: "POST" | "answer") => {
      await start();
      if (after === "POST") await world.interrupted(createTunnel);
      else await createTunnel();
      world.nextRun("killed");
      world.calls();
      const id = world.emulator.tunnels()[1]?.id ?? "";
      world.emulator.setStatus(id, status);
      return id;
    };

    it("keeps its id if its record has the id, and Frontdoor refuses the DELETE", async () => {
      const id = await interrupted("answer");
      const refusal = { status: 403, body: { error: "forbidden", message: "read only" } };
      world.emulator.faults.answerNext({ method: "DELETE", times: Infinity, ...refusal });
      const { unfinished, ...made } = await createTunnel(change);
      expect([made.id, unfinished?.message]).toEqual([id, expect.stringContaining("403 forbidden: read only")]);
      world.nextRun();
      expect(world.writes()).toEqual([`DELETE /ipsec-tunnels/${id}`]);
    });
  });
});

describe("a creation record", () => {
  let world: World;
  const day = 24 * 3_600_000;

  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0 });
  });

  it.each(["with", "without"] as const)(
    "that is older than a day, %s an id, only names the resource, which another stack can have adopted",
    async (hasId) => {
      world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
      const createShare = (inputs: ShareInputs) => world.shares.create(inputs, derived, world.within(900));
      if (hasId === "with") await createShare(web);
      else await world.interrupted(() => createShare(web));
      world.nextRun("killed");
      world.calls();
      await world.clock.sleep(day);
      await expect(createShare({ ...web, target: "b.internal:1" })).rejects.toThrow(
        /shr-1.* more than a day old.*adopt: "shr-1".*\[resume-refused\]$/,
      );
      expect(world.writes()).toEqual([]);
      world.emulator.removeShare("shr-1");
      world.nextRun("killed");
      expect((await createShare(web)).outputs).toMatchObject({ status: "DEPLOYED" });
    },
  );

  it("that is older than a day does not take from takeOver: alike what it allows without a record", async () => {
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    const createShare = () => world.shares.create(web, derived, world.within(900));
    await createShare();
    world.nextRun("killed");
    await world.clock.sleep(day);
    world.calls();
    await expect(createShare()).rejects.toThrow("[resume-refused]");
    world.service.config.takeOver = "alike";
    expect(await createShare()).toMatchObject({ id: "shr-1" });
    expect(world.writes()).toEqual([]);
  });
});

it("a POST that is lost at the deadline, after one that was refused, keeps its record", async () => {
  let posts = 0;
  const { world, tunnelId } = await openShareWorld({}, (send) => async (request) => {
    if (request.method !== "POST" || !request.url.includes("shares")) return send(request);
    posts += 1;
    if (posts === 1) return { status: 409, headers: {}, text: JSON.stringify({ error: "conflict", message: "busy" }) };
    await send(request);
    await world.clock.sleep(70_000);
    const message = `${request.label}: no response. [no-answer]`;
    throw new FrontdoorError(message, { kind: "unreachable", mayHaveRun: true });
  });
  world.emulator.setStatus(tunnelId, "NEW");
  const origin = "organization::urn:pulumi:a::b::c::web";
  const inputs = shareInputs(tunnelId);
  world.shares.check({ news: { ...inputs }, olds: {}, origin });
  const records = world.records.read().length;
  await expect(world.shares.create(inputs, chosen, world.within(60))).rejects.toThrow("no-answer");
  expect(posts).toBe(2);
  expect(world.records.read()).toHaveLength(records + 1);
});
