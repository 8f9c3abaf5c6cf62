import { dynamicClasses, pluginClasses } from "../harness/environment";
import { ownStack } from "../harness/own-stack";
import type { Stack } from "../harness/stack";
import { hq as things } from "../harness/things";

const hq = { ...things, locationId: "loc-1" };

const port = (ingressPort: number, more: object = {}) => ({ target: `h${ingressPort}:443`, ingressPort, ...more });

const [web, db] = [port(443), port(5432)];

/** A tunnel and a set of it, and what else the program says of the two. */
const program = (shares: object, more = "") => `
  const hq = new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)});
  const place = { ipsecTunnelId: hq.id, envZId: "env-1" };
  const set = new frontdoor.IpsecShareSet("services", { ...place, shares: ${JSON.stringify(shares)} });
  ${more}`;

it("a key that is removed from a set leaves its share to a resource that adopts it, and is deleted if nothing does", async () => {
  const stack = await ownStack({}, { imports: pluginClasses });
  const idsNow = () => stack.kept()["services"]?.outputs["ids"] as Record<string, string>;
  const shares = { db, web: { ...web, retain: true }, api: port(8443) };
  expect(await stack.steadyUp(program(shares))).toMatchObject({ code: 0 });
  const ids = idsNow();
  stack.writes();

  // A preview shows an update, with the ids that stay. Pulumi's dynamic host makes every output of an update unknown.
  const print = `set.ids.apply((ids) => console.log("known ids: " + JSON.stringify(ids)));`;
  const planned = await stack.preview(program({ db, api: port(8443) }, print));
  expect(planned).toMatchObject({ code: 0, steps: ["update services"] });
  expect(planned.text).toContain(`known ids: ${JSON.stringify({ api: ids["api"], db: ids["db"] })}`);
  expect(stack.writes()).toEqual([]);

  // The resource that adopts is declared long after the set.
  const single = `new frontdoor.IpsecShare("single", { ...place, ...${JSON.stringify({ ...web, adopt: ids["web"] })} })`;
  const run = await stack.steadyUp(program({ db, api: port(8443) }, `setTimeout(() => ${single}, 1_500);`));
  expect(run).toMatchObject({ code: 0 });
  expect(run.notes.filter((note) => note.includes("stays in Frontdoor"))).toEqual([
    expect.stringContaining(`shares["web"] (${ids["web"] ?? ""}) stays in Frontdoor`),
  ]);
  expect(stack.writes()).toEqual([]);
  expect([stack.id("single"), idsNow()]).toEqual([ids["web"], { api: ids["api"], db: ids["db"] }]);

  // With --refresh the engine asks for a diff of all that the state holds before the program runs.
  expect(await stack.up(program({ db }), "--refresh")).toMatchObject({ code: 0 });
  expect(stack.calls().sort()).toEqual([ids["api"], ids["web"]].map((id) => `DELETE /ipsec-shares/${id ?? ""}`).sort());
  const { code } = await stack.run("destroy", "--yes", "--skip-preview", "--refresh", "--stack", "test");
  expect([code, stack.alive(), stack.entries()]).toEqual([0, [], []]);
});

it.each([dynamicClasses, pluginClasses])(
  "a protected site of %s lets an application leave by its line, keeps one with retain, and stays in a destroy",
  async (imports) => {
    const stack = await ownStack({}, { imports });
    const api = port(8443, { protect: true });
    const site = (shares: object, options: object = { protect: true }, more: object = {}) =>
      `const site = new frontdoor.IpsecSite("branch", ${JSON.stringify({ ...hq, ...more, envZId: "env-1", shares })}, ${JSON.stringify(options)});
       exports.ids = site.shareIds;`;
    const shares = { web, db: { ...db, retain: true }, api };
    expect(await stack.up(site(shares))).toMatchObject({ code: 0 });
    const idOf = (key: string) => stack.id(`branch-${key}`);
    const [webId, dbId, apiId] = [idOf("web"), idOf("db"), idOf("api")];
    stack.writes();

    const run = await stack.steadyUp(site({ api }));
    expect(run.text).toContain(`(${dbId}) stays in Frontdoor, because it had \`retain: true\``);
    expect([run.code, [...run.steps].sort()]).toEqual([0, ["delete branch-db", "delete branch-web"]]);
    expect([stack.calls(), idOf("api")]).toEqual([[`DELETE /ipsec-shares/${webId}`], apiId]);
    const { text } = await stack.run("stack", "output", "ids", "--json", "--stack", "test");
    expect(JSON.parse(text)).toEqual({ api: apiId });

    for (const edited of [site({}), site({ api }, { protect: true }, { peerCidr: "10.21.0.0/16" })]) {
      const refused = await stack.preview(edited);
      expect([refused.code === 0, refused.text]).toEqual([
        false,
        expect.stringMatching(/marked for protection|is protected/),
      ]);
    }
    expect(await stack.run("destroy", "--yes", "--stack", "test")).not.toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);

    // The share that has left is Frontdoor's now, and it keeps the tunnel in use.
    stack.emulator.removeShare(dbId);
    expect(await stack.up(site({ api: { ...api, protect: false, retain: true } }, {}))).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([`DELETE /ipsec-shares/${apiId}`, "DELETE /ipsec-tunnels/tnl-1"]);
  },
);

describe("one port at preview", () => {
  const tunnel = `const hq = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" });`;

  const share = (name: string, more = "ipsecTunnelId: hq.id", opts = "") =>
    `new frontdoor.IpsecShare("${name}", { envZId: "env-1", target: "${name}.internal:443", ingressPort: 443, ${more} }, { ${opts} });`;

  const set = `new frontdoor.IpsecShareSet("rest", { ipsecTunnelId: pulumi.output(hq).id, envZId: "env-1", shares: { db: { target: "db.internal:1", ingressPort: 443 } } });`;

  it("an update plan of a new tunnel and its shares fits", async () => {
    const stack = await ownStack();
    const program = tunnel + share("web") + set.replace("ingressPort: 443", "ingressPort: 444");
    expect(await stack.preview(program, "--save-plan", "plan.json")).toMatchObject({ code: 0, errors: [] });
    expect(await stack.up(program, "--plan", "plan.json")).toMatchObject({ code: 0, errors: [] });
    expect(await stack.up(program, "--expect-no-changes")).toMatchObject({ code: 0 });
    expect(stack.stateText()).not.toContain("__tunnel");
  });
});

describe("retained", () => {
  const retained = "{ retainOnDelete: true }";

  const tunnel = (more = "", name = "hq") =>
    `const ${name} = new frontdoor.IpsecTunnel("${name}", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1", ${more} }, ${retained});`;

  const share = `new frontdoor.IpsecShare("web", { ipsecTunnelId: hq.id, envZId: "env-1", target: "web.internal:443", ingressPort: 443 }, ${retained});`;

  const edit = 'peerPublicIp: "203.0.113.9",';

  describe("retainOnDelete", () => {
    let stack: Stack;
    beforeEach(async () => {
      stack = await ownStack();
      expect(await stack.up(tunnel() + share)).toMatchObject({ code: 0 });
      stack.writes();
    });

    it("is refused at preview and in up if the tunnel would be replaced at its location", async () => {
      for (const run of [await stack.preview(tunnel(edit) + share), await stack.up(tunnel(edit) + share)]) {
        expect(run.code).not.toBe(0);
        expect(run.errors.join("\n")).toMatch(/"engine-test-hq".*\[retained-tunnel\]/);
      }
      expect([stack.writes(), stack.entered()]).toEqual([[], ["hq tnl-1", "web shr-1"]]);
    });

    it("after a replacement that failed, a revert names the tunnel and the share, and adopts them", async () => {
      // A component gives the option to its children, and the engine tells neither class nor provider.
      const inComponent = (source: string) =>
        source
          .replaceAll(retained, "{ parent: site }")
          .replace(/^/, `const site = new pulumi.ComponentResource("my:site:Site", "site", {}, ${retained});`);
      const other = await ownStack();
      expect(await other.up(inComponent(tunnel() + share))).toMatchObject({ code: 0 });
      const failed = await other.up(inComponent(tunnel(edit) + share));
      expect(failed.code).not.toBe(0);
      expect(failed.errors.join("\n")).toMatch(/"engine-test-hq-\w+".*\(tnl-1\).*\[place-taken\]/);
      other.writes();
      const reverted = await other.up(inComponent(tunnel() + share));
      expect(reverted.errors.join("\n")).toMatch(/tnl-1.*\[identical-exists\]/);
      const adopting = tunnel('adopt: "tnl-1"') + share.replace("{", '{ adopt: "shr-1",');
      expect(await other.up(inComponent(adopting))).toMatchObject({ code: 0, errors: [] });
      expect([other.writes(), other.entered()]).toEqual([[], ["hq tnl-1", "web shr-1"]]);
      expect(await other.up(inComponent(tunnel() + share), "--refresh", "--expect-no-changes")).toMatchObject({
        code: 0,
      });
    });

    it("lets the tunnel move to another location, and keeps the old one", async () => {
      expect(await stack.up(tunnel(`${edit} locationId: "loc-2",`) + share)).toMatchObject({ code: 0, errors: [] });
      expect(stack.alive()).toEqual(["shr-1", "tnl-1", "tnl-2"]);
    });
  });
});
