import { chosen, openShareWorld, type ShareWorld } from "../world";
import { checkedIn, declaredOn, port } from "../resources/set-program";

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
  let { world, tunnelId, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, tunnelId, deployed } = await openShareWorld());
  });
  afterEach(() => world.close());

  const edited = { target: "b.internal:1" };
  const update = async (seconds = 900) => {
    const { id, outputs, inputs } = await deployed();
    const startedMs = world.clock.now();
    const made = await world.shares.update(id, outputs, { ...inputs, ...edited }, world.within(seconds));
    return { made, tookMs: world.clock.now() - startedMs, writes: readBetween(world.calls()) };
  };
  const patched = expect.stringMatching(/^PATCH /) as string;
  const pauses: [name: string, retryAfter: () => string][] = [
    ["seconds", () => "20"],
    ["a date", () => new Date(world.clock.wall() + 20_000).toUTCString()],
    ["seconds beyond 30", () => "45"],
  ];

  it.each(pauses)("if its lost answer asks for a pause of more than 12 s (%s)", async (_name, retryAfter) => {
    const headers = { "retry-after": retryAfter() };
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, headers, when: "after" });
    const { made, writes } = await update();
    expect(made).toMatchObject({ outputs: { ...edited, status: "DEPLOYED" } });
    expect(writes).toEqual([patched]);
  });

  it.each(pauses)("but after a read, if it had no effect (%s)", async (_name, retryAfter) => {
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, headers: { "retry-after": retryAfter() } });
    const { made, writes } = await update();
    expect(made.unfinished).toBeUndefined();
    expect(writes).toEqual([patched, patched]);
  });

  it("if reads lag behind by 28 s", async () => {
    const { id, outputs, inputs } = await deployed();
    Object.assign(world.emulator.settings, { readLagMs: 28_000, listLagMs: 28_000 });
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, when: "after" });
    const made = await world.shares.update(id, outputs, { ...inputs, ...edited }, world.within(900));
    expect(made).toMatchObject({ outputs: { ...edited, status: "DEPLOYED" } });
    expect(readBetween(world.calls())).toEqual([patched]);
  });

  it("if another call is asked for a pause meanwhile", async () => {
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, when: "after" });
    const headers = { "retry-after": "30" };
    world.emulator.faults.answerNext({ method: "GET", status: 429, headers, skip: 1 });
    const { made, writes } = await update();
    expect(made.unfinished).toBeUndefined();
    expect(writes).toEqual([patched]);
  });

  it.each([429, 503])("if the %d of its first answer came after the work", async (status) => {
    world.emulator.faults.answerNext({ method: "PATCH", status, headers: { "retry-after": "3" }, when: "after" });
    const { made, writes } = await update();
    expect(made.unfinished).toBeUndefined();
    expect(writes).toEqual([patched]);
  });

  it("but after a read, if a 429 refuses it again and again", async () => {
    world.emulator.faults.answerNext({ method: "PATCH", status: 429, headers: { "retry-after": "1" }, times: 6 });
    const { made, writes } = await update();
    expect(made.unfinished).toBeUndefined();
    expect(writes).toHaveLength(7);
  });

  it.each([429, 503])("if the pause of a %d outlasts the deadline: the next up continues", async (status) => {
    const { id, outputs, inputs } = await deployed();
    const headers = { "retry-after": "600" };
    world.emulator.faults.answerNext({ method: "PATCH", status, headers, when: "after" });
    const startedMs = world.clock.now();
    const news = { ...inputs, ...edited };
    const made = await world.shares.update(id, outputs, news, world.within(100));
    expect(made).toMatchObject({ outputs: { ...edited, status: "NEW" }, unfinished: expect.anything() as Error });
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
    expect(made).toMatchObject({ outputs: { ...edited, status: "NEW" }, unfinished: { message: /503|500/ } });
    expect(world.writes()).toEqual([patched]);
  });

  it("and its state is unfinished if the second one is refused", async () => {
    world.emulator.faults.answerNext({ method: "PATCH", status: 503 });
    const body = { error: "invalid_request", message: "Value for target must be of another form" };
    world.emulator.faults.answerNext({ method: "PATCH", status: 400, body, times: Infinity });
    const { made, writes } = await update();
    expect(made.outputs.status).toBe("NEW");
    expect(made.unfinished?.message).toContain("must be of another form");
    expect(writes).toHaveLength(2);
  });

  it("in a set", async () => {
    const program = (target: string) =>
      checkedIn(world, declaredOn(tunnelId, { a: port(1, { target }), b: port(2, { target }) })).inputs;
    const made = await world.sets.create(program("a.internal:1"), chosen, world.within(900));
    world.nextRun();
    world.calls();
    const headers = { "retry-after": "20" };
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, headers, when: "after", times: 2 });
    const next = await world.sets.update(made.id, made.outputs, program("b.internal:1"), world.within(900));
    expect(next.unfinished).toBeUndefined();
    expect(readBetween(world.calls())).toHaveLength(2);
  });
});
