import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";
import { both, livePorts, outputsOfSet, port, program, singleOn, tunnelSource } from "./sets";

const { db, web } = both;

/** A program that prints the ids of its set if they are known. */
const printing = (shares: object) => `${tunnelSource}
const services = new frontdoor.IpsecShareSet("services", { ...place, shares: ${JSON.stringify(shares)} });
services.ids.apply((ids) => console.log("known ids: " + JSON.stringify(ids)));`;

/** A program that declares the adopting share when the set has long been updated. */
const adoptingLate = (shares: object, id: string) => `${tunnelSource}
new frontdoor.IpsecShareSet("services", { ...place, shares: ${JSON.stringify(shares)} });
setTimeout(() => new frontdoor.IpsecShare("single", { ...place, ...${JSON.stringify(web)}, adopt: "${id}" }), 1_500);`;

describe.each(["pulumi-frontdoor", pluginClasses])("a key that is removed from a set of %s", (imports) => {
  let stack: Stack;
  let ids: Record<string, string>;
  beforeEach(async () => {
    stack = await Stack.open({ duplicateIngressPort: "refused" }, { imports });
    expect(await stack.up(program(both))).toMatchObject({ code: 0 });
    ({ ids } = outputsOfSet(stack));
    stack.writes();
  });
  afterEach(() => stack.close());

  it("is an update in place that deletes its share only", async () => {
    const planned = await stack.preview(printing({ db }));
    expect(planned).toMatchObject({ code: 0, steps: ["update services"] });
    // Pulumi's dynamic host makes every output of an update unknown.
    if (imports === pluginClasses) expect(planned.text).toContain(`known ids: {"db":"${ids["db"] ?? ""}"}`);
    expect(stack.writes()).toEqual([]);
    expect(await stack.steadyUp(program({ db }))).toMatchObject({ code: 0, steps: ["update services"] });
    expect(stack.writes()).toEqual([`DELETE /ipsec-shares/${ids["web"] ?? ""}`]);
    expect(outputsOfSet(stack).ids).toEqual({ db: ids["db"] });
  });

  it("is deleted after the other writes, also from a protected set and with deleteBeforeReplace", async () => {
    const opts = { protect: true, deleteBeforeReplace: true };
    expect(await stack.up(program(both, { opts }))).toMatchObject({ code: 0 });
    const edit = program({ db: { ...db, target: "db2:1" }, api: port(8443) }, { opts });
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0, steps: ["update services"] });
    const calls = stack.calls();
    expect(calls.at(-1)).toBe(`DELETE /ipsec-shares/${ids["web"] ?? ""}`);
    expect(calls.slice(0, -1).sort()).toEqual([`PATCH /ipsec-shares/${ids["db"] ?? ""}`, "POST /ipsec-shares"]);
  });

  it("leaves its share at the service with retain, also if another resource adopts it in the same edit and is declared last", async () => {
    const retained = { db, web: { ...web, retain: true } };
    expect(await stack.steadyUp(program(retained))).toMatchObject({ code: 0 });
    const run = await stack.steadyUp(adoptingLate({ db }, ids["web"] ?? ""));
    expect(run).toMatchObject({ code: 0 });
    expect(run.notes.filter((note) => note.includes("stays at the service"))).toEqual([
      expect.stringContaining(`shares["web"] (${ids["web"] ?? ""}) stays at the service: its key was set to retain it`),
    ]);
    expect(stack.writes()).toEqual([]);
    expect([stack.id("single"), outputsOfSet(stack).ids]).toEqual([ids["web"], { db: ids["db"] }]);
  });

  it("gives its port to a new key: its share is deleted first", async () => {
    expect(await stack.steadyUp(program({ db, api: { ...web, target: "api:1" } }))).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([`DELETE /ipsec-shares/${ids["web"] ?? ""}`, "POST /ipsec-shares"]);
    expect(Object.values(livePorts(stack)).sort()).toEqual([443, 5432]);
  });

  it("is not deleted if a resource of the same run has adopted its share", async () => {
    const edit = {
      ...program({ db }, { opts: { dependsOn: ["single"] } }),
      shares: { single: singleOn(web, ids["web"]) },
    };
    const run = await stack.steadyUp(edit);
    expect(run).toMatchObject({ code: 0 });
    expect(run.text).toContain("not deleted: it belongs to another resource of the program now");
    expect(stack.writes()).toEqual([]);
    expect(stack.id("single")).toBe(ids["web"]);
  });

  it("does not help two other keys to exchange their ports: the preview refuses that", async () => {
    const cycle = program({
      web: { ...web, ingressPort: db.ingressPort },
      db: { ...db, ingressPort: web.ingressPort },
    });
    for (const run of [await stack.preview(cycle), await stack.up(cycle)]) {
      expect(run.code).not.toBe(0);
      const [error = ""] = run.errors;
      expect(error).toContain("[port-cycle]");
      for (const key of ["web", "db"]) expect(error).toContain(`"${key}"`);
    }
    expect(stack.writes()).toEqual([]);
  });
});
