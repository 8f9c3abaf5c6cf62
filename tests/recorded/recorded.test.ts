import { onImported, records } from "./records";

it.each(records)("a state that was recorded by %s needs no change and no write, also after a refresh", (record) =>
  onImported(record, async (stack) => {
    const before = Object.keys(stack.kept()).sort();
    expect(before.length).toBeGreaterThan(5);
    const previewed = await stack.preview({});
    expect([previewed.code, previewed.errors, previewed.steps]).toEqual([0, [], []]);
    const run = await stack.up({}, "--refresh");
    expect([run.code, run.errors, run.steps]).toEqual([0, [], []]);
    expect(stack.writes()).toEqual([]);
    expect(Object.keys(stack.kept()).sort()).toEqual(before);
  }),
);
