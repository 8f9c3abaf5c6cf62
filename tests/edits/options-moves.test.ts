import { type Resources, Stack } from "../engine/engine";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const web = { envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const branch = { peerPublicIp: "203.0.113.9", peerCidr: "10.30.0.0/16", locationId: "loc-2", envZId: "env-1" };
const mail = { target: "mail.internal:25", ingressPort: 25 };

const dynamic = "pulumi-nodejs:dynamic/frontdoor";
const urn = (path: string, name: string) => `urn:pulumi:test::engine::${path}::${name}`;

// All names are derived: what moves keeps the one it was given.
describe("aliases", () => {
  const start: Resources = {
    tunnels: { hq },
    shares: { web: { ...web, ipsecTunnelId: { tunnel: "hq" } } },
    sites: { branch: { ...branch, shares: { mail } } },
  };
  const renamed = (isAliased: boolean): Resources => {
    const was = (name: string) => ({ opts: isAliased ? { aliases: [{ name }] } : {} });
    return {
      tunnels: { office: { ...hq, ...was("hq") } },
      shares: { www: { ...web, ipsecTunnelId: { tunnel: "office" }, ...was("web") } },
      // The children's names begin with the site's: Pulumi derives their aliases.
      sites: { depot: { ...branch, shares: { mail }, ...was("branch") } },
    };
  };
  const grouped = (isAliased: boolean): Resources => {
    const was = (type: string, name: string) => (isAliased ? { aliases: [urn(`${dynamic}:${type}`, name)] } : {});
    return {
      groups: { north: {} },
      tunnels: { office: { ...hq, opts: { parent: "north", ...was("IpsecTunnel", "office") } } },
      shares: {
        www: { ...web, ipsecTunnelId: { tunnel: "office" }, opts: { parent: "office", ...was("IpsecShare", "www") } },
      },
      sites: {
        depot: {
          ...branch,
          shares: { mail },
          opts: { parent: "north", ...(isAliased && { aliases: [urn("frontdoor:index:IpsecSite", "depot")] }) },
        },
      },
    };
  };
  const intoSite = (isAliased: boolean): Resources => {
    const group = "test:index:Group";
    const was = (path: string, name: string) => (isAliased ? { aliases: [urn(path, name)] } : {});
    return {
      groups: { north: {} },
      sites: {
        office: {
          ...hq,
          shares: { web: { ...web } },
          opts: {
            transforms: {
              IpsecTunnel: was(`${group}$${dynamic}:IpsecTunnel`, "office"),
              IpsecShare: was(`${group}$${dynamic}:IpsecTunnel$${dynamic}:IpsecShare`, "www"),
            },
          },
        },
        depot: { ...branch, shares: { mail }, opts: { parent: "north" } },
      },
    };
  };

  let stack: Stack;
  let alive: string[];
  let ids: string[];
  beforeAll(async () => {
    stack = await Stack.open({}, "options-program");
    expect(await stack.up(start)).toMatchObject({ code: 0 });
    alive = stack.published();
    ids = ["hq", "web", "branch", "branch-mail"].map((name) => stack.id(name));
    stack.writes();
  });
  afterAll(() => stack.close());

  it.each<[string, (isAliased: boolean) => Resources, string[]]>([
    ["rename", renamed, ["office", "www", "depot", "depot-mail"]],
    ["move under a component, and a share under its tunnel", grouped, ["office", "www", "depot", "depot-mail"]],
    ["move into a site", intoSite, ["office", "office-web", "depot", "depot-mail"]],
  ])("%s tunnels, shares and a site without a write, and can be taken out afterwards", async (_, program, names) => {
    for (const isAliased of [true, false]) {
      expect(await stack.up(program(isAliased))).toMatchObject({ code: 0, errors: [] });
      expect(stack.writes()).toEqual([]);
      expect(stack.published()).toEqual(alive);
      expect(names.map((name) => stack.id(name))).toEqual(ids);
    }
    expect((await stack.refresh("--expect-no-changes")).code).toBe(0);
    expect((await stack.preview(program(false), "--expect-no-changes")).code).toBe(0);
  });

  it("leaves nothing behind after destroy", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.published()).toEqual([]);
  });
});

describe("a rename or a move without an alias, of what has a given name", () => {
  const program = (tunnel: string, share: string, site: string, parent?: string): Resources => ({
    groups: { north: {} },
    tunnels: { [tunnel]: { ...hq, name: "hq", opts: { parent } } },
    shares: { [share]: { ...web, name: "web", ipsecTunnelId: { tunnel }, opts: { parent } } },
    sites: { [site]: { ...branch, name: "branch", shares: { mail: { ...mail, name: "mail" } }, opts: { parent } } },
  });

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({}, "options-program");
    expect(await stack.up(program("hq", "web", "branch"))).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterAll(() => stack.close());

  it.each<[string, Resources]>([
    ["rename", program("office", "www", "depot")],
    ["move", program("hq", "web", "branch", "north")],
  ])("stops a %s with what to do, and deletes nothing", async (_, edited) => {
    const [alive, names] = [stack.published(), Object.keys(stack.kept()).sort()];
    const run = await stack.up(edited);
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain("is exactly like it");
    expect(stack.writes()).toEqual([]);
    expect(stack.published()).toEqual(alive);
    expect(Object.keys(stack.kept()).sort()).toEqual(names);
    expect(await stack.up(program("hq", "web", "branch"))).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
  });
});
