import type { Resources, Stack } from "../harness/stack";
import { branch, hq, inGroup, mail, names, on, onTunnel, openUp, urn, web } from "./program";

// All names are derived: what moves keeps the one it was given.
describe("aliases", () => {
  const start: Resources = {
    tunnels: { hq },
    shares: { web: on("hq") },
    sites: { branch: { ...branch, shares: { mail } } },
  };
  const renamed = (isAliased: boolean): Resources => {
    const was = (name: string) => ({ opts: isAliased ? { aliases: [{ name }] } : {} });
    return {
      tunnels: { office: { ...hq, ...was("hq") } },
      shares: { www: { ...on("office"), ...was("web") } },
      // The children's names begin with the site's: Pulumi derives their aliases.
      sites: { depot: { ...branch, shares: { mail }, ...was("branch") } },
    };
  };
  const grouped = (isAliased: boolean): Resources => {
    const was = (...[type, name]: Parameters<typeof urn>) => (isAliased ? { aliases: [urn(type, name)] } : {});
    return {
      groups: { north: {} },
      tunnels: { office: { ...hq, opts: { parent: "north", ...was("IpsecTunnel", "office") } } },
      shares: {
        www: { ...on("office"), opts: { parent: "office", ...was("IpsecShare", "www") } },
      },
      sites: {
        depot: {
          ...branch,
          shares: { mail },
          opts: {
            parent: "north",
            ...(isAliased && { aliases: ["urn:pulumi:test::engine::frontdoor:index:IpsecSite::depot"] }),
          },
        },
      },
    };
  };
  const intoSite = (isAliased: boolean): Resources => {
    const was = (...before: Parameters<typeof urn>) => (isAliased ? { aliases: [urn(...before)] } : {});
    return {
      groups: { north: {} },
      sites: {
        office: {
          ...hq,
          shares: { web: { ...web } },
          opts: {
            transforms: {
              IpsecTunnel: was("IpsecTunnel", "office", inGroup),
              IpsecShare: was("IpsecShare", "www", `${inGroup}${onTunnel}`),
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
    stack = await openUp(start);
    alive = stack.published();
    ids = names.map((name) => stack.id(name));
  });
  afterAll(() => stack.close());

  it.each<[string, (isAliased: boolean) => Resources, string[]]>([
    ["rename", renamed, ["office", "www", "depot", "depot-mail"]],
    ["move under a component, and a share under its tunnel", grouped, ["office", "www", "depot", "depot-mail"]],
    ["move into a site", intoSite, ["office", "office-web", "depot", "depot-mail"]],
  ])("%s tunnels, shares and a site without a write, and can be taken out afterwards", async (_, program, after) => {
    for (const isAliased of [true, false]) {
      expect(await stack.steadyUp(program(isAliased))).toMatchObject({ code: 0, errors: [] });
      expect(stack.writes()).toEqual([]);
      expect(stack.published()).toEqual(alive);
      expect(after.map((name) => stack.id(name))).toEqual(ids);
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
    shares: { [share]: { ...on(tunnel), name: "web", opts: { parent } } },
    sites: { [site]: { ...branch, name: "branch", shares: { mail: { ...mail, name: "mail" } }, opts: { parent } } },
  });

  let stack: Stack;
  beforeAll(async () => {
    stack = await openUp(program("hq", "web", "branch"));
  });
  afterAll(() => stack.close());

  it.each<[string, Resources]>([
    ["rename", program("office", "www", "depot")],
    ["move", program("hq", "web", "branch", "north")],
  ])("stops a %s with what to do, and deletes nothing", async (_, edited) => {
    const [alive, before] = [stack.published(), Object.keys(stack.kept()).sort()];
    const run = await stack.steadyUp(edited);
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain("is exactly like it");
    expect(stack.writes()).toEqual([]);
    expect(stack.published()).toEqual(alive);
    expect(Object.keys(stack.kept()).sort()).toEqual(before);
    expect(await stack.steadyUp(program("hq", "web", "branch"))).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
  });
});
