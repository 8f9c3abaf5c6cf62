import type { TunnelOutputs, TunnelInputs } from "../../provider/fields/tunnel";
import { FrontdoorError } from "../../provider/errors";
import { chosen, derived, openShareWorld, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";
import type { Send } from "../../provider/http/send";
import type { ShareInputs } from "../../provider/fields/share";

const web = shareInputs("tnl-1");

describe("a POST still on its way when its run dies", () => {
  let world: World;
  let arrive = (): Promise<unknown> => Promise.resolve();
  const create = () => world.shares.create(web, derived, world.within(900));
  const posts = () => world.writes().filter((line) => line.startsWith("POST "));
  beforeEach(async () => {
    let isFirst = true;
    world = await openWorld({ provisionMs: 0, duplicateIngressPort: "allowed" }, (send) => (request) => {
      if (request.method !== "POST" || !isFirst) return send(request);
      isFirst = false;
      arrive = () => send(request);
      return new Promise<never>(() => undefined);
    });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    void create();
    await world.clock.sleep(1_000);
    world.nextRun("killed");
  });

  it.each([0, 29_000])("is waited for, and the share it creates is resumed (after %i ms)", async (lateMs) => {
    const created = create();
    await world.clock.sleep(lateMs);
    await arrive();
    const { id } = await created;
    expect(world.emulator.shares().map((share) => share.id)).toEqual([id]);
    expect(posts()).toHaveLength(1);
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

it("a share that another resource of the program has under the same name is not taken for the one that was cut off", async () => {
  const world = await openWorld({ provisionMs: 0, duplicateIngressPort: "allowed" });
  world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  const { id: other } = world.emulator.seedShare(web);
  await world.shares.create({ ...web, name: "other", adopt: other }, derived, world.within(900));
  world.calls();
  await world.interrupted(() => world.shares.create({ ...web, ingressPort: 8443 }, derived, world.within(900)));
  const { id } = await world.shares.create({ ...web, ingressPort: 8443 }, derived, world.within(900));
  expect(world.emulator.shares().map((share) => share.id)).toEqual([other, id]);
  expect(world.writes()).toEqual([]);
});

describe("a POST whose share lists show late, with a short requestTimeout", () => {
  it("is not sent again after a lost answer", async () => {
    const world = await openWorld({ duplicateIngressPort: "allowed", listLagMs: 29_000 }, (send) => async (request) => {
      if (request.method === "POST") await world.clock.sleep(4_000);
      return send(request);
    });
    world.config.requestTimeoutMs = 5_000;
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    world.emulator.faults.answerNext({ method: "POST", status: 503, when: "after" });
    const { id } = await world.shares.create(web, chosen, world.within(900));
    expect(world.emulator.shares().map((share) => share.id)).toEqual([id]);
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

  it("after the work is not sent again: a list shows the share", async () => {
    answer("after", 1);
    const { id, unfinished } = await create();
    expect(unfinished).toBeUndefined();
    expect(world.emulator.shares().map((share) => share.id)).toEqual([id]);
    expect(posts()).toHaveLength(1);
  });

  it("after the work, and one that is refused, leave the record: the next run resumes the share", async () => {
    answer("after", 1);
    world.emulator.faults.answerNext({ method: "POST", status: 422 });
    world.emulator.settings.listLagMs = 20_000;
    await expect(create()).rejects.toThrow("422");
    world.nextRun();
    await world.clock.sleep(60_000);
    const { id } = await create();
    expect(world.emulator.shares().map((share) => share.id)).toEqual([id]);
  });

  it("is sent again after a list, nine times at most", async () => {
    answer("before", 4);
    expect((await create()).unfinished).toBeUndefined();
    expect(posts()).toHaveLength(5);
    answer("before", 30);
    const other = { ...shareInputs("tnl-x"), name: "other", ingressPort: 444 };
    await expect(world.shares.create(other, chosen, world.within(900))).rejects.toThrow("429");
    expect(posts()).toHaveLength(10);
  });

  it("hides no cause of a later refusal", async () => {
    world.emulator.settings.duplicateIngressPort = "refused";
    world.emulator.seedShare({ ...shareInputs("tnl-x"), id: "shr-x", name: "x" });
    answer("before", 2);
    await expect(create()).rejects.toThrow(/shr-x.*\[port-in-use\]$/);
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

  it("after the work is not taken for refused later, however late lists show its work", async () => {
    Object.assign(world.emulator.settings, { duplicateIngressPort: "refused", listLagMs: 28_000 });
    answer("after", 1);
    const { id, unfinished } = await create();
    expect(unfinished).toBeUndefined();
    expect(world.emulator.shares().map((share) => share.id)).toEqual([id]);
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

  it("is resumed if the share replaced an adopted one, although the program still says adopt", async () => {
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
    const declared = { ...web, name: undefined, adopt: "shr-gone" };
    const create = (olds: object) => {
      const { inputs } = world.shares.check({ news: declared, olds: { ...olds }, origin });
      return world.shares.create(inputs as typeof web, derived, world.within(900));
    };
    // Pulumi shows the old inputs only in the run that replaces the share.
    await world.interrupted(() => create(declared));
    const { id } = await create({});
    expect(world.emulator.shares()).toMatchObject([{ id }]);
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

it("a record stays until its run has ended in order, also if the share failed and its answer told no id", async () => {
  const world = await openWorld({ createBody: false, provisionMs: 0 });
  world.emulator.seedTunnel({ id: "tnl-1" });
  const create = () => world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
  world.emulator.faults.failNext({ kind: "share", op: "create" });
  await create();
  world.nextRun("killed");
  world.writes();
  expect(await create()).toMatchObject({ id: "shr-1" });
  world.nextRun("killed");
  expect(await create()).toMatchObject({ id: "shr-1" });
  expect(world.writes().filter((line) => line.startsWith("POST"))).toEqual([]);
});

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
  const onlyShare = () => world.emulator.shares().map(({ id }) => id)[0] ?? "";

  it("unset: a create that was interrupted is resumed, and one line says so", async () => {
    await start();
    await world.interrupted(() => create({}, chosen));
    const made = await create({}, chosen);
    expect(made).toMatchObject({ id: onlyShare(), outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
    expect(world.said).toEqual([expect.stringMatching(`"web": .*${made.id}.*\\[resumed\\]$`)]);
  });

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

  it("a create that another organization's stack left unfinished is not resumed", async () => {
    await start();
    const createIn = (organization: string) => {
      const origin = `${organization}::urn:pulumi:dev::acme::frontdoor:index:IpsecShare::web`;
      const { inputs } = world.shares.check({ news: { ...web }, olds: {}, origin });
      return world.shares.create(inputs as ShareInputs, derived, world.within(900));
    };
    await world.interrupted(() => createIn("organization"));
    await expect(createIn("umbrella")).rejects.toThrow("[identical-exists]");
    expect(world.writes()).toEqual([]);
  });

  it("a resumed share is brought to the program of now", async () => {
    await start();
    await world.interrupted(create);
    world.emulator.clock.advance(60_000);
    const made = await create({ target: "b.internal:1", locationId: "loc-9" });
    expect(made).toMatchObject({ id: onlyShare(), outputs: { status: "DEPLOYED", target: "b.internal:1" } });
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${made.id} {"target":"b.internal:1","locationId":"loc-9"}`]);
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

    it("is replaced in the same run if its record has the id", async () => {
      const id = await interrupted("answer");
      expect((await createTunnel(change)).outputs).toMatchObject({ status: "DEPLOYED", ...change });
      expect(world.writes()).toEqual([`DELETE /ipsec-tunnels/${id}`, expect.stringMatching("^POST /ipsec-tunnels ")]);
    });

    it("keeps its id if its record has the id, and Frontdoor refuses the DELETE", async () => {
      const id = await interrupted("answer");
      const refusal = { status: 403, body: { error: "forbidden", message: "read only" } };
      world.emulator.faults.answerNext({ method: "DELETE", times: Infinity, ...refusal });
      const { unfinished, ...made } = await createTunnel(change);
      expect([made.id, unfinished?.message]).toEqual([id, expect.stringContaining("403 forbidden: read only")]);
      world.nextRun();
      expect(world.writes()).toEqual([`DELETE /ipsec-tunnels/${id}`]);
    });

    it("is left to the next run if its record has no id: only Pulumi may delete it", async () => {
      const id = await interrupted("POST");
      const { outputs, unfinished, ...made } = await createTunnel(change);
      expect([made.id, unfinished?.message]).toEqual([id, expect.stringMatching(/\[tunnel-(differs|error)\]$/)]);
      expect(await world.tunnelDiff(outputs, { ...branch, ...change }, id)).toMatchObject({
        replaces: [expect.any(String)],
        deleteBeforeReplace: true,
      });
      expect(world.writes()).toEqual([]);
    });
  });
});

const hq = { ...tunnelInputs, locationId: "loc-1" };

const moved = { ...hq, locationId: "loc-2" };

const origin = (name: string) => `organization::urn:pulumi:dev::net::frontdoor:index:Any::${name}`;

describe("a creation record", () => {
  let world: World;
  const check = (news: object, olds: object = {}) =>
    world.tunnels.check({ news: { ...news }, olds: { ...olds }, origin: origin("hq") });
  const create = (inputs: TunnelInputs) => world.tunnels.create(inputs, chosen, world.within(1800));
  const day = 24 * 3_600_000;

  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0 });
  });

  // The class of no language tells a diff or a read if its run is a preview.
  it.each<[string, (id: string, outputs: TunnelOutputs) => Promise<unknown>]>([
    ["a diff", (id, outputs) => world.tunnelDiff(outputs, hq, id)],
    ["a refresh", (id, state) => world.resources.tunnels.read({ id, state })],
  ])("ends as soon as %s sees its id in the state, without an update", async (_what, look) => {
    check(hq);
    const { id, outputs } = await create(hq);
    world.nextRun("killed");
    expect(world.records.read()).toHaveLength(1);
    check(hq, hq);
    await look(id, outputs);
    expect(world.records.read()).toEqual([]);
    expect(world.writes().slice(1)).toEqual([]);
  });

  it("of an edit that was reverted is kept for the day on which the edit returns", async () => {
    check(hq);
    const { id, outputs } = await create(hq);
    world.nextRun();
    check(moved, hq);
    await world.interrupted(() => create(moved));
    check(hq, hq);
    expect(await world.tunnelDiff(outputs, hq, id)).toMatchObject({ changes: false });
    world.nextRun();
    check(moved, hq);
    expect(await world.tunnelDiff(outputs, moved, id)).toMatchObject({ replaces: ["locationId"] });
    expect((await create(moved)).outputs).toMatchObject({ status: "DEPLOYED", locationId: "loc-2" });
    expect(world.writes()).toEqual([]);
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
