import { onImported, records } from "./records";

it.each(records)("a state that was recorded by %s is previewed without a change and without a write", (record) =>
  onImported(record, async (stack) => {
    expect(Object.keys(stack.kept()).length).toBeGreaterThan(5);
    const run = await stack.preview({});
    expect([run.code, run.errors, run.steps]).toEqual([0, [], []]);
    expect(stack.writes()).toEqual([]);
  }),
);
