import {
  deploy,
  chosen,
  openShareWorld,
  type ShareWorld,
  openWorld,
  shareInputs,
  tunnelInputs,
  type World,
} from "../harness/world";
import { FrontdoorError } from "../../provider/errors";

/** Sees that no PUT or PATCH of a share follows another one without a read between them. Returns the writes. */
function readBetween(calls: string[]): string[] {
  const isWrite = (line: string) => /^(PUT|PATCH) /.test(line);
  const unread = calls.filter((line, index) => {
    const before = calls.slice(0, index);
    const last = before.findLastIndex((other) => isWrite(other) && other.split(" ")[1] === line.split(" ")[1]);
    return isWrite(line) && last >= 0 && !before.slice(last).some((other) => other.startsWith("GET "));
  });
  expect(unread).toEqual([]);
  return calls.filter(isWrite);
}

describe("a PUT or PATCH is not sent again without a read", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
  });

  const edited = { target: "b.internal:1" };
  /** An edit, whose writes meet what is `met`. */
  const update = async (met: () => void) => {
    const { id, outputs, inputs } = await deployed();
    met();
    const made = await world.shares.update(id, outputs, { ...inputs, ...edited }, world.within(900));
    return { made, writes: readBetween(world.calls()) };
  };
  const patched = expect.stringMatching(/^PATCH /) as string;
  const answers = (answer: object) => world.emulator.faults.answerNext({ method: "PATCH", status: 503, ...answer });
  const pauses: [name: string, retryAfter: () => string][] = [
    ["seconds", () => "20"],
    ["a date", () => new Date(world.clock.wall() + 20_000).toUTCString()],
    ["seconds beyond 30", () => "45"],
  ];

  it.each<[when: string, met: () => void, patches: number]>([
    ...pauses.flatMap(([name, retryAfter]): [string, () => void, number][] => [
      [
        `if its lost answer asks for a pause of more than 12 s (${name})`,
        () => answers({ headers: { "retry-after": retryAfter() }, when: "after" }),
        1,
      ],
      [
        `but after a read, if it had no effect (${name})`,
        () => answers({ headers: { "retry-after": retryAfter() } }),
        2,
      ],
    ]),
    [
      "if a poll gets a 403 before it takes effect",
      () => {
        world.emulator.faults.add({ fault: "late", method: "PATCH", delayMs: 35_000 });
        answers({ method: "GET", path: /ipsec-shares$/, status: 403, body: { error: "no" } });
      },
      1,
    ],
    [
      "if another call is asked for a pause meanwhile",
      () => {
        answers({ when: "after" });
        answers({ method: "GET", status: 429, headers: { "retry-after": "30" }, skip: 1 });
      },
      1,
    ],
    ...[429, 503].map((status): [string, () => void, number] => [
      `if the ${status} of its first answer came after the work`,
      () => answers({ status, headers: { "retry-after": "3" }, when: "after" }),
      1,
    ]),
    [
      "but after a read, if a 429 refuses it again and again",
      () => answers({ status: 429, headers: { "retry-after": "1" }, times: 6 }),
      7,
    ],
  ])("%s", async (_when, met, patches) => {
    const { made, writes } = await update(met);
    expect(made.unfinished).toBeUndefined();
    expect(made.outputs).toMatchObject({ ...edited, status: "DEPLOYED" });
    expect(writes).toEqual(Array(patches).fill(patched));
  });

  it("but soon after a long pause that its lost answer asks for", async () => {
    const startedMs = world.clock.now();
    const { writes } = await update(() => {
      answers({ headers: { "retry-after": "300" } });
    });
    expect(writes).toEqual([patched, patched]);
    expect(world.clock.now() - startedMs).toBeLessThan(330_000);
  });

  it.each([429, 503])(
    "and if a %d answers the revert of an edit, a list of before the edit proves nothing",
    async (status) => {
      const { id, outputs, inputs } = await deployed();
      const made = await world.shares.update(id, outputs, { ...inputs, ...edited }, world.within(900));
      world.emulator.settings.listLagMs = 20_000;
      answers({ status });
      const reverted = await world.shares.update(id, made.outputs, inputs, world.within(900));
      expect(reverted).toMatchObject({ outputs: { target: inputs.target, status: "DEPLOYED" } });
      expect(world.emulator.shares()).toMatchObject([{ target: inputs.target }]);
    },
  );

  it.each([0, 40_000])(
    "if the first reading that shows it is the truth, %i ms after the write before",
    async (sinceMs) => {
      const { id, outputs, inputs } = await deployed();
      await world.clock.sleep(sinceMs);
      world.emulator.settings.listLagMs = 28_000;
      world.emulator.faults.add({ fault: "late", method: "PATCH", delayMs: 50_000, times: 1 });
      const made = await world.shares.update(id, outputs, { ...inputs, ...edited }, world.within(900));
      expect(made).toMatchObject({ outputs: { ...edited, status: "DEPLOYED" } });
      expect(world.writes()).toEqual([patched]);
    },
  );

  it("and one that was limited and is then refused for good leaves the state as it was", async () => {
    const { id, outputs, inputs } = await deployed();
    for (const status of [429, 422])
      world.emulator.faults.answerNext({ method: "PATCH", status, body: { error: "no" } });
    const updated = world.shares.update(id, outputs, { ...inputs, ...edited }, world.within(900));
    await expect(updated).rejects.toThrow(/ 422 .*\[refused\]$/);
  });

  it.each([429, 503])("if the pause of a %d outlasts the deadline: the next up continues", async (status) => {
    const { id, outputs, inputs } = await deployed();
    const headers = { "retry-after": "600" };
    world.emulator.faults.answerNext({ method: "PATCH", status, headers, when: "after" });
    const startedMs = world.clock.now();
    const news = { ...inputs, ...edited };
    const made = await world.shares.update(id, outputs, news, world.within(100));
    expect(made).toMatchObject({ outputs: { ...inputs, status: "NEW" }, unfinished: expect.anything() as Error });
    expect(world.clock.now() - startedMs).toBeLessThanOrEqual(160_000);
    world.emulator.clock.advance(600_000);
    world.nextRun();
    const next = await world.shares.update(id, made.outputs, news, world.within(900));
    expect(next).toMatchObject({ outputs: { ...edited, status: "DEPLOYED" } });
    expect(readBetween(world.calls())).toEqual([patched]);
  });

  it("while every read fails", async () => {
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, when: "after" });
    const { id, outputs, inputs } = await deployed();
    await world.shareDiff(outputs, { ...inputs, ...edited }, id);
    world.emulator.faults.answerNext({ method: "GET", status: 500, skip: 1, times: Infinity });
    const made = await world.shares.update(id, outputs, { ...inputs, ...edited }, world.within(900));
    expect(made).toMatchObject({ outputs: { ...inputs, status: "NEW" }, unfinished: { message: /503|500/ } });
    expect(world.writes()).toEqual([patched]);
  });

  it("and the refusal of the second one ends it: by then, the first one has had no effect", async () => {
    const body = { error: "invalid_request", message: "Value for target must be of another form" };
    const refused = update(() => {
      answers({});
      answers({ status: 400, body, times: Infinity });
    });
    await expect(refused).rejects.toThrow("must be of another form");
  });
});

describe("an edit right after another one", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
  });
  const edit = async (change: object, lagMs: number) => {
    const { id, outputs, inputs } = await deployed();
    const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    world.nextRun();
    world.calls();
    Object.assign(world.emulator.settings, { readLagMs: lagMs, listLagMs: lagMs });
    const lines: string[] = [];
    const context = { ...world.within(900), report: (line: string) => lines.push(line) };
    const startedMs = world.clock.now();
    const again = await world.shares.update(id, made.outputs, { ...inputs, ...change }, context);
    return { again, lines, writes: world.writes(), tookMs: world.clock.now() - startedMs };
  };

  it("goes on at once if Frontdoor shows the last one", async () => {
    const { again, lines, writes, tookMs } = await edit({ target: "c.internal:1" }, 0);
    expect(again).toMatchObject({ outputs: { target: "c.internal:1", status: "DEPLOYED" } });
    expect(writes).toEqual(['PATCH /ipsec-shares/shr-1 {"target":"c.internal:1"}']);
    expect(lines.join("\n")).not.toContain("does not show yet");
    expect(tookMs).toBeLessThan(15_000);
  });

  it("is not taken for done if it reverts that one and a replica lags, and the line says what it waits for", async () => {
    const { again, lines, writes } = await edit({}, 20_000);
    expect(again).toMatchObject({ outputs: { status: "DEPLOYED" } });
    expect(writes).toEqual([expect.stringMatching(/^PATCH /)]);
    expect(world.emulator.shares()).toMatchObject([{ target: again.outputs.target }]);
    expect(lines).toContainEqual(expect.stringMatching(/^the last write does not show yet, waits at most \d+ s$/));
  });
});

it("an edit sends only what a colleague has not done yet", async () => {
  const { world, deployed } = await openShareWorld();
  const { id, outputs, inputs } = await deployed();
  await world.clock.sleep(40_000);
  world.emulator.patchShare(id, { target: "b.internal:1" });
  world.emulator.setStatus(id, "DEPLOYED");
  const news = { ...inputs, target: "b.internal:1", ingressPort: 8443 };
  const made = await world.shares.update(id, outputs, news, world.within(900));
  expect(made).toMatchObject({ outputs: { ...news, status: "DEPLOYED" } });
  expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"ingressPort":8443}`]);
});

describe("a list that takes 20 s and lags by 28 s", () => {
  it.each([
    ["an accepted PATCH", () => undefined],
    [
      "one whose answer was lost",
      (w: ShareWorld["world"]) => w.emulator.faults.add({ fault: "late", method: "PATCH", delayMs: 50_000, times: 1 }),
    ],
  ])("is judged by the time at which it was asked for: %s", async (_what, fail) => {
    let slowMs = 0;
    const { world, deployed } = await openShareWorld({}, (send) => async (request) => {
      const answer = await send(request);
      if (request.method === "GET" && request.url.includes("ipsec-shares?")) await world.clock.sleep(slowMs);
      return answer;
    });
    const { id, outputs, inputs } = await deployed();
    await world.clock.sleep(40_000);
    world.nextRun();
    Object.assign(world.emulator.settings, { listLagMs: 28_000, readLagMs: 28_000 });
    fail(world);
    slowMs = 20_000;
    const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    expect(made).not.toHaveProperty("unfinished");
    expect(made.outputs).toMatchObject({ target: "b.internal:1", status: "DEPLOYED" });
  });
});

describe("odd answers to writes", () => {
  let world: World;
  const inputs = { ...shareInputs("tnl-1"), locationId: "loc-2" };
  const deployed = () => deploy(world, world.shares, inputs);
  const ofShares = /^\/ipsec-shares$/;
  const ofOne = /^\/ipsec-shares\/./;

  beforeEach(async () => {
    world = await openWorld({ duplicateIngressPort: "allowed" });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  });

  it.each([
    ["is accepted without its id, however late lists show its work", 202, 20_000, {}],
    ["is accepted with the Location of an operation", 202, 0, { location: "/v2/fd-1/operations/op-77" }],
    ["is accepted with a Location that has no id", 202, 0, { location: "/v2/fd-1/ipsec-shares/" }],
    ["ended in 499", 499, 0, {}],
  ])("a POST that %s is looked for, and never sent again", async (_how, status, listLagMs, headers) => {
    Object.assign(world.emulator.settings, { listLagMs });
    world.emulator.faults.answerNext({ method: "POST", path: ofShares, status, headers, when: "after" });
    const made = await world.shares.create(inputs, chosen, world.within(900));
    expect(world.emulator.shares()).toMatchObject([{ id: made.id }]);
    expect(made.outputs.status).toBe("DEPLOYED");
    expect(world.writes()).toHaveLength(1);
  });

  it("a POST is not sent while a list shows its name with an id that no path can have", async () => {
    const body = { content: [{ ...inputs, id: "a/b", status: "DEPLOYED" }], totalElements: 1 };
    world.emulator.faults.answerNext({ method: "GET", path: ofShares, status: 200, body, times: Infinity });
    await expect(world.shares.create(inputs, chosen, world.within(900))).rejects.toThrow(
      /"a\/b".*\[unusable-answer\]$/,
    );
    expect(world.writes()).toEqual([]);
  });

  it.each([0, 1])("a POST that is accepted after %d times 429, and never shows, ends with not-shown", async (times) => {
    world.emulator.faults.answerNext({ method: "POST", path: ofShares, status: 429, times });
    world.emulator.faults.answerNext({ method: "POST", path: ofShares, status: 202 });
    await expect(world.shares.create(inputs, chosen, world.within(60))).rejects.toThrow(/\[not-shown\]$/);
    expect(world.writes()).toHaveLength(1 + times);
  });

  it("a DELETE that is not found while the share is there is sent again", async () => {
    const { id, outputs } = await deployed();
    const notFound = { error: "not_found", message: "No such share" };
    world.emulator.faults.answerNext({ method: "DELETE", path: ofOne, status: 404, body: notFound });
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.emulator.shares()).toMatchObject([{ status: "DELETED" }]);
    expect(world.writes()).toHaveLength(2);
  });

  it("a delete that an error hook repeats is not held up by other shares of the tunnel", async () => {
    const { id, outputs } = await deployed();
    await world.shares.create({ ...inputs, name: "other", ingressPort: 9443 }, chosen, world.within(900));
    world.emulator.faults.answerNext({ method: "DELETE", path: ofOne, status: 403 });
    await expect(world.shares.delete(id, outputs, world.within(900))).rejects.toThrow(/403/);
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.emulator.shares().map(({ status }) => status)).toEqual(["DELETED", "DEPLOYED"]);
    const made = await world.shares.create(inputs, chosen, world.within(900));
    expect(made.unfinished).toBeUndefined();
  });

  it("a DELETE that is not found ten times while the share is there fails, and waits for nothing", async () => {
    const { id, outputs } = await deployed();
    const notFound = { error: "not_found", message: "No such share" };
    world.emulator.faults.answerNext({ method: "DELETE", path: ofOne, status: 404, body: notFound, times: Infinity });
    await expect(world.shares.delete(id, outputs, world.within(900))).rejects.toThrow(
      /still shows it.*\[not-deleted\]$/,
    );
    expect(world.writes()).toHaveLength(10);
    expect(world.clock.now()).toBeLessThan(60_000);
  });

  it("a PATCH of a share that is gone keeps it as gone, so that the next run creates it again", async () => {
    const { id, outputs } = await deployed();
    world.emulator.removeShare(id);
    const news = { ...inputs, target: "web2.internal:443" };
    const made = await world.shares.update(id, outputs, news, world.within(900));
    expect(made.unfinished?.message).toMatch(/Run `pulumi up --refresh` .*\[share-gone\]$/);
    expect((await world.shareDiff(made.outputs, news)).replaces).toEqual(["status"]);
  });

  it("a web page is no sample configuration", async () => {
    const path = /sample-config$/;
    world.emulator.faults.answerNext({ method: "GET", path, status: 200, body: "<!doctype html><p>Sign in" });
    const made = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-9" }, chosen, world.within(900));
    expect(made.unfinished).toBeUndefined();
    expect(made.outputs.sampleConfig).not.toContain("Sign in");
  });
});

it("a POST for which nothing is reached is sent again after a list", async () => {
  const asked: string[] = [];
  const isRefused = () => asked.filter((method) => method === "POST").length <= 2;
  const world: World = await openWorld({ provisionMs: 3000 }, (send) => async (request) => {
    asked.push(request.method);
    if (request.method !== "POST" || !isRefused()) return send(request);
    const message = "POST /x: nothing was reached at example.com (ECONNREFUSED). [unreachable]";
    await world.clock.sleep(10);
    throw new FrontdoorError(message, { kind: "unreachable", mayHaveRun: false });
  });
  const made = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
  expect(made).toMatchObject({ outputs: { status: "DEPLOYED" } });
  expect(world.emulator.tunnels()).toHaveLength(1);
  const posts = asked.flatMap((method, index) => (method === "POST" ? [index] : []));
  expect(posts).toHaveLength(3);
  for (const index of posts) expect(asked[index - 1]).toBe("GET");
});

describe("lists that leave out the location of a share", () => {
  const open = async () => {
    const { world, tunnelId } = await openShareWorld();
    const inputsOf = (n: number) => ({ ...shareInputs(tunnelId), name: `s-${n}`, ingressPort: 440 + n });
    const numbers = [1, 2, 3];
    const made = await Promise.all(
      numbers.map((n) => world.shares.create({ ...inputsOf(n), locationId: "loc-9" }, chosen, world.within(900))),
    );
    await world.clock.sleep(60_000);
    world.nextRun();
    world.emulator.faults.onRequest({
      match: ({ method, path }) => method === "GET" && path.endsWith("/ipsec-shares"),
      times: Infinity,
      async action(work) {
        const page = (await (await work()).json()) as { content: object[] };
        return Response.json({ ...page, content: page.content.map((share) => ({ ...share, locationId: undefined })) });
      },
    });
    return { world, made, inputsOf };
  };

  it("do not make a refresh lose it", async () => {
    const { world, made } = await open();
    const seen = await Promise.all(made.map(({ id, outputs }) => world.resources.shares.read({ id, state: outputs })));
    expect(seen.map((each) => each?.outputs.locationId)).toEqual(["loc-9", "loc-9", "loc-9"]);
  });

  it("do not make an edit that removes it look done", async () => {
    const { world, made, inputsOf } = await open();
    await Promise.all(
      made.map(({ id, outputs }, at) => world.shares.update(id, outputs, inputsOf(at + 1), world.within(900))),
    );
    expect(world.emulator.shares().map(({ locationId }) => locationId)).not.toContain("loc-9");
  });
});

it("a PUT that clears an argument, and that the queue keeps from being sent, is an error", async () => {
  const { world, tunnelId } = await openShareWorld({}, undefined, () => ({ "frontdoor:requestsPerSecond": "2" }));
  const inputs = shareInputs(tunnelId);
  const { id, outputs } = await deploy(world, world.shares, { ...inputs, locationId: "loc-9" });
  const { calls } = world.service.frontDoor("fd-1").shares;
  let reads = 0;
  world.emulator.settings.onAnswer = ({ method, path }) => {
    if (method === "GET" && path.endsWith(id)) reads += 1;
    if (reads !== 2) return;
    reads += 1;
    for (let n = 0; n < 60; n += 1) void calls.get(id, world.within(900)).catch(() => undefined);
  };
  const update = world.shares.update(id, outputs, inputs, world.within(10)).then(
    (made) => made.unfinished?.message,
    (error: unknown) => (error as Error).message,
  );
  expect(await update).toContain("[not-sent]");
});
