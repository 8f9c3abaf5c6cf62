import { branch, hq, mail, names, on, openUp, urn } from "./edited-program";
import type { Resources, Stack } from "../harness/stack";

// One edit of each kind, each beginning with what the one before it left; tests/lifecycle/rows/options.ts has more of them (`npm run test:long`).
describe("edits of a program", () => {
  const site = { ...branch, shares: { mail }, opts: { retainOnDelete: true } };
  const was = (name: string) => ({ aliases: [{ name }] });
  const renamed = (share: object = {}, protect = true): Resources => ({
    tunnels: { office: { ...hq, opts: { ...was("hq"), protect } } },
    shares: { www: { ...on("office"), ...share, opts: { ...was("web"), protect, ignoreChanges: ["target"] } } },
    sites: { branch: site },
  });

  let stack: Stack;
  let ids: string[];
  beforeAll(async () => {
    stack = await openUp({ tunnels: { hq }, shares: { web: on("hq") }, sites: { branch: site } });
    ids = names.map((name) => stack.id(name));
  });
  afterAll(() => stack.close());

  it("that rename with an alias, or change what is ignored, write nothing", async () => {
    expect(await stack.up(renamed({ target: "elsewhere.internal:443" }))).toMatchObject({ code: 0, steps: [] });
    expect(stack.writes()).toEqual([]);
    expect(["office", "www", "branch", "branch-mail"].map((name) => stack.id(name))).toEqual(ids);
  });

  it("are made of what is chosen with --target alone", async () => {
    const moved = { ...renamed({ ingressPort: 8443 }), sites: { branch: { ...site, locationId: "loc-9" } } };
    expect(await stack.up(moved, "--target", urn("IpsecShare", "www"))).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual([`PATCH /ipsec-shares/${ids[1] ?? ""}`]);
  });

  it("can't take away what is protected", async () => {
    const run = await stack.up({ sites: { branch: site } });
    expect(run.code).not.toBe(0);
    expect(run.text).toMatch(/protect/);
    expect(stack.writes()).toEqual([]);
  });

  it("by which two tunnels would change places are refused at preview", async () => {
    const [first, second] = [{ locationId: branch.locationId }, { locationId: hq.locationId }];
    const run = await stack.preview({
      ...renamed({ ingressPort: 8443 }, false),
      tunnels: { office: { ...hq, ...first, opts: was("hq") } },
      sites: { branch: { ...site, ...second } },
    });
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(new RegExp(`${ids[0] ?? ""}|${ids[2] ?? ""}`));
    expect(stack.writes()).toEqual([]);
  });

  it("leave at the service what is retained", async () => {
    const before = stack.published();
    const { tunnels, shares } = renamed({ ingressPort: 8443 });
    expect(await stack.steadyUp({ tunnels, shares })).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
    expect(stack.published()).toEqual(before);
    expect(Object.keys(stack.kept()).sort()).toEqual(["office", "www"]);
  });
});
