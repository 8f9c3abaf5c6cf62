import { ownImports, pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const port = (ingressPort: number, more: object = {}) => ({ target: `h${ingressPort}:443`, ingressPort, ...more });
const [web, db] = [port(443), port(5432)];

/** A tunnel and a set of it, and what else the program says of the two. */
const program = (shares: object, more = "") => `
  const hq = new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)});
  const place = { ipsecTunnelId: hq.id, envZId: "env-1" };
  const set = new frontdoor.IpsecShareSet("services", { ...place, shares: ${JSON.stringify(shares)} });
  ${more}`;

// Each test begins with what the one before it left.
describe("a key that is removed from a set", () => {
  let stack: Stack;
  let ids: Record<string, string>;
  const idsNow = () => stack.kept()["services"]?.outputs["ids"] as Record<string, string>;
  beforeAll(async () => {
    stack = await Stack.open();
    const shares = { db, web: { ...web, retain: true }, api: port(8443) };
    expect(await stack.steadyUp(program(shares))).toMatchObject({ code: 0 });
    ids = idsNow();
    stack.writes();
  });
  afterAll(() => stack.close());

  it("is shown by a preview as an update, with the ids that stay", async () => {
    const print = `set.ids.apply((ids) => console.log("known ids: " + JSON.stringify(ids)));`;
    const planned = await stack.preview(program({ db, api: port(8443) }, print));
    expect(planned).toMatchObject({ code: 0, steps: ["update services"] });
    // Pulumi's dynamic host makes every output of an update unknown.
    if (ownImports === pluginClasses)
      expect(planned.text).toContain(`known ids: ${JSON.stringify({ api: ids["api"], db: ids["db"] })}`);
    expect(stack.writes()).toEqual([]);
  });

  it("leaves its share to a resource that adopts it, although that is declared long after the set", async () => {
    const single = `new frontdoor.IpsecShare("single", { ...place, ...${JSON.stringify({ ...web, adopt: ids["web"] })} })`;
    const run = await stack.steadyUp(program({ db, api: port(8443) }, `setTimeout(() => ${single}, 1_500);`));
    expect(run).toMatchObject({ code: 0 });
    expect(run.notes.filter((note) => note.includes("stays at the service"))).toEqual([
      expect.stringContaining(`shares["web"] (${ids["web"] ?? ""}) stays at the service`),
    ]);
    expect(stack.writes()).toEqual([]);
    expect([stack.id("single"), idsNow()]).toEqual([ids["web"], { api: ids["api"], db: ids["db"] }]);
  });

  // With --refresh the engine asks for a diff of all that the state holds before the program runs.
  it("is deleted by up --refresh, and so is a share that leaves the program", async () => {
    expect(await stack.up(program({ db }), "--refresh")).toMatchObject({ code: 0 });
    expect(stack.calls().sort()).toEqual(
      [ids["api"], ids["web"]].map((id) => `DELETE /ipsec-shares/${id ?? ""}`).sort(),
    );
    const { code } = await stack.run("destroy", "--yes", "--skip-preview", "--refresh", "--stack", "test");
    expect([code, stack.alive(), stack.entries()]).toEqual([0, [], []]);
  });
});
