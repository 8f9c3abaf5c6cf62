import { Stack } from "../harness/stack";
import { both, on, outputsOfSet, port, program } from "./sets";

/** Before the program runs, a refresh asks for a diff of all that the state holds. */
describe("what a run refreshes first", () => {
  let stack: Stack;
  const single = { ...on, ...port(8443) };
  const whole = { ...program(both), shares: { single } };
  beforeEach(async () => {
    stack = await Stack.open();
    expect(await stack.up(whole)).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterEach(() => stack.close());

  it("is deleted where the program has it no longer: a share, a key of a set, a set", async () => {
    const [web, own] = [outputsOfSet(stack).ids["web"] ?? "", stack.id("single")];
    expect(await stack.up(program({ db: both.db }), "--refresh")).toMatchObject({ code: 0 });
    expect(stack.calls().sort()).toEqual([`DELETE /ipsec-shares/${web}`, `DELETE /ipsec-shares/${own}`].sort());
    expect(await stack.up({ tunnels: whole.tunnels }, "--refresh")).toMatchObject({ code: 0 });
    expect(stack.alive()).toEqual([stack.id("hq")]);
  });

  it("is deleted by destroy --refresh", async () => {
    const { code } = await stack.run("destroy", "--yes", "--skip-preview", "--refresh", "--stack", "test");
    expect(code).toBe(0);
    expect(stack.alive()).toEqual([]);
    expect(stack.entries()).toEqual([]);
  });
});
