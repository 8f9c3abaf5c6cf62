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

    const edit = program({ db: port(5432, { target: "db2:1" }), api: port(443) });
    const replaced = ["create-replacement services", "replace services", "delete-replaced services"];
    expect(await stack.preview(edit)).toMatchObject({ code: 0, steps: replaced });
    const { code, steps, text } = await stack.steadyUp(edit);
    expect({ code, steps }).toEqual({ code: 0, steps: replaced });
    const web = ids["web"] ?? "";
    expect(text).toContain(`no longer in it: shares["web"] (${web}): deleted at the end of the run`);
    const writes = stack.writes();
    // Its port is api's as soon as web has left it; the engine deletes last.
    expect(writes.map((line) => line.replace(/ \{"name".*/, "").replace(/:[456]\d{4}\}/, ":<free>}")).sort()).toEqual([
      `DELETE /ipsec-shares/${web}`,
      `PATCH /ipsec-shares/${ids["db"] ?? ""} {"target":"db2:1"}`,
      `PATCH /ipsec-shares/${web} {"ingressPort":<free>}`,
      "POST /ipsec-shares",
    ]);
    expect(writes.at(-1)).toBe(`DELETE /ipsec-shares/${web}`);
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
