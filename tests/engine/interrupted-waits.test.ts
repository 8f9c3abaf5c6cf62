import { setTimeout as sleep } from "node:timers/promises";
import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";
import { manyShares } from "./many";

const shares = manyShares(50);
const names = Object.keys(shares).sort();
const parallel = ["--parallel", "64"];

// Without Ctrl-C an up waits for longer than this.
jest.setTimeout(300_000);

/** An up of 50 shares that are never ready, cancelled by Ctrl-C once this many are posted. */
async function cancelled(stack: Stack, { posts, times }: { posts: number; times: 1 | 2 }) {
  const { emulator } = stack;
  let isCancelled = false;
  let second = Promise.resolve();
  emulator.settings.onAnswer = ({ method }) => {
    // With all of them made the next look is one that waits.
    if (isCancelled || emulator.shares().length < posts || (posts === names.length && method !== "GET")) return;
    isCancelled = true;
    stack.interrupt();
    if (times === 2)
      second = sleep(300).then(() => {
        stack.interrupt();
      });
  };
  const run = await stack.up({ shares }, ...parallel);
  await second;
  emulator.settings.onAnswer = null;
  return run;
}

/** The up after it, in which the shares are ready only once it has looked a few times. */
async function upAgain(stack: Stack) {
  const { emulator } = stack;
  let looks = 0;
  emulator.settings.onAnswer = ({ method }) => {
    if (method === "GET" && emulator.shares().length === names.length) looks += 1;
    if (looks === 3) for (const { id } of emulator.shares()) emulator.setStatus(id, "DEPLOYED");
  };
  return stack.up({ shares }, ...parallel);
}

/** Each share there once, under the id that the state has, and posted once. */
function expectWhole(stack: Stack): void {
  const { emulator } = stack;
  expect(stack.entered()).toEqual(
    emulator
      .shares()
      .map(({ id, name }) => `${name} ${id}`)
      .sort(),
  );
  expect(Object.keys(stack.kept()).sort()).toEqual(names);
  expect(Object.values(stack.kept()).map(({ outputs }) => outputs["status"])).toEqual(names.map(() => "DEPLOYED"));
  const posted = emulator.requests
    .filter(({ method }) => method === "POST")
    .map(({ body }) => (body as { name: string }).name);
  expect(posted.sort()).toEqual(names);
}

describe("Ctrl-C while the plugin waits for 50 creates", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open({ provisionMs: 600_000 }, { imports: pluginClasses });
    stack.emulator.seedTunnel({ id: "tnl-1" });
  });
  afterEach(() => stack.close());

  it("ends the up, every id is in the state, and the next up waits on", async () => {
    const run = await cancelled(stack, { posts: 50, times: 1 });
    expect(run.code).not.toBe(0);
    const made = stack.emulator.shares().map(({ id, name }) => `${name} ${id}`);
    expect(made).toHaveLength(50);
    expect(stack.entered()).toEqual(made.sort());
    expect(Object.values(stack.kept()).map(({ outputs }) => outputs["status"])).toEqual(names.map(() => "NEW"));

    const again = await upAgain(stack);
    expect([again.code, again.errors]).toEqual([0, []]);
    expect(again.steps.sort()).toEqual(names.map((name) => `update ${name}`).sort());
    expectWhole(stack);
  });

  it("twice within a second in the midst of the creates: the next up ends right, with nothing lost or made twice", async () => {
    const run = await cancelled(stack, { posts: 25, times: 2 });
    expect(run.code).not.toBe(0);

    const again = await upAgain(stack);
    expect([again.code, again.errors]).toEqual([0, []]);
    expectWhole(stack);
  });
});
