import { Stack } from "../harness/stack";
import { both, on, outputsOfSet, port, program } from "./sets";

/** Before the program runs, a refresh asks for a diff of all that the state holds. */
describe("what a run refreshes first", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    expect(await stack.up({ ...program(both), shares: { single: { ...on, ...port(8443) } } })).toMatchObject({
      code: 0,
    });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("is adopted under another name as ever", async () => {
    const id = stack.id("single");
    const renamed = { ...on, ...port(8443), adopt: id };
    expect(await stack.up({ ...program(both), shares: { renamed } }, "--refresh")).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(stack.id("renamed")).toBe(id);
  });

  it("is deleted where the program has it no longer: a share, and a key of a set", async () => {
    const gone = [outputsOfSet(stack).ids["web"] ?? "", stack.id("renamed")];
    expect(await stack.up(program({ db: both.db }), "--refresh")).toMatchObject({ code: 0 });
    expect(stack.calls().sort()).toEqual(gone.map((id) => `DELETE /ipsec-shares/${id}`).sort());
  });

  it("is deleted by destroy --refresh", async () => {
    const { code } = await stack.run("destroy", "--yes", "--skip-preview", "--refresh", "--stack", "test");
    expect(code).toBe(0);
    expect(stack.alive()).toEqual([]);
    expect(stack.entries()).toEqual([]);
  });
});
