import { onImported, records } from "../recorded/records";

it.each(records)("a state that was recorded by %s is as the service shows it, and nothing is written", (record) =>
  onImported(record, async (stack) => {
    const before = stack.kept();
    const run = await stack.up({}, "--refresh");
    expect([run.code, run.errors, run.steps]).toEqual([0, [], []]);
    expect(stack.writes()).toEqual([]);
    expect(Object.keys(stack.kept()).sort()).toEqual(Object.keys(before).sort());
  }),
);
