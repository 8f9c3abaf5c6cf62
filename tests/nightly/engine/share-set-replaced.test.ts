import { pluginClasses } from "../../harness/plugin";
import { Stack } from "../../harness/stack";
import { both, livePorts, outputsOfSet, port, program } from "../../engine/sets";

describe.each(["pulumi-frontdoor", pluginClasses])("a set of %s that replaceOnChanges replaces", (imports) => {
  let stack: Stack;
  const opts = { replaceOnChanges: [`shares["web"].target`] };
  const wholeSet = () => Object.values(livePorts(stack)).sort();
  beforeAll(async () => {
    stack = await Stack.open({}, { imports });
    await stack.up(program(both, { opts }));
    stack.writes();
  });
  afterAll(() => stack.close());

  it("is deleted with the shares that have not changed, and made anew", async () => {
    const changed = { ...both, web: port(443, { target: "other.internal:443" }) };
    const before = Object.values(outputsOfSet(stack).ids);
    expect(await stack.steadyUp(program(changed, { opts }))).toMatchObject({ code: 0, errors: [] });
    const methods = stack.writes().map((write) => write.split(" ")[0]);
    expect(methods).toEqual(["DELETE", "DELETE", "POST", "POST"]);
    const after = Object.values(outputsOfSet(stack).ids);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
    expect(Object.keys(livePorts(stack)).sort()).toEqual(after.sort());
  });

  it("is whole again by the next up where one could not be made", async () => {
    const { emulator } = stack;
    emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-shares$/, status: 403 });
    expect(await stack.up(program(both, { opts }))).toMatchObject({ code: 255 });
    expect(wholeSet()).toHaveLength(1);
    expect(await stack.steadyUp(program({ db: both.db }, { opts }))).toMatchObject({ code: 0 });
    expect(await stack.steadyUp(program(both, { opts }))).toMatchObject({ code: 0 });
    expect(wholeSet()).toEqual([443, 5432]);
    expect((await stack.destroy()).code).toBe(0);
    expect(wholeSet()).toEqual([]);
  });
});
