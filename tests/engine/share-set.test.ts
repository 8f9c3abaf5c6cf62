import { Stack } from "../harness/stack";
import { both, outputsOfSet, port, program } from "./sets";

describe("a set", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open();
  });
  afterEach(() => stack.close());

  it("is made, edited by key and destroyed, and quiet in between", async () => {
    expect(await stack.preview(program(both))).toMatchObject({ code: 0, steps: ["create hq", "create services"] });
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: ["create hq", "create services"] });
    const { shares, ids } = outputsOfSet(stack);
    expect(outputsOfSet(stack).status).toBe("DEPLOYED");
    expect(shares["web"]).toMatchObject({
      name: "engine-test-services-web",
      target: "h443.internal:443",
      id: ids["web"],
    });
    stack.writes();

    const edit = program({ db: port(5432, { target: "db2:1" }), api: port(8443), web: both.web });
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0, steps: ["update services"] });
    const writes = stack.writes().map((line) => line.replace(/ \{"name".*/, ""));
    expect(writes.sort()).toEqual([`PATCH /ipsec-shares/${ids["db"] ?? ""} {"target":"db2:1"}`, "POST /ipsec-shares"]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.alive()).toEqual([]);
  });

  it("goes on after Ctrl-C: no id is lost and nothing is made twice", async () => {
    Object.assign(stack.emulator.settings, { provisionMs: 3_000 });
    const shares = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`s${at}`, port(at + 1)]));
    const running = stack.up(program(shares));
    while (stack.emulator.shares().length < 20) await new Promise((resolve) => setTimeout(resolve, 50));
    stack.interrupt();
    await running;
    expect(await stack.up(program(shares))).toMatchObject({ code: 0 });
    expect(stack.emulator.shares()).toHaveLength(20);
    expect(Object.keys(outputsOfSet(stack).ids)).toHaveLength(20);
  });
});
