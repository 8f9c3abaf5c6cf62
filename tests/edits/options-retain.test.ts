import type { Resources, Stack } from "../harness/stack";
import { branch, hq, mail, on, openUp } from "./program";

describe("retainOnDelete", () => {
  const opts = { retainOnDelete: true };
  const sites = { branch: { ...branch, shares: { mail }, opts } };
  const program = (tunnel: object = {}, name = "web", adopt?: string): Resources => ({
    tunnels: { hq: { ...hq, name: "hq", ...tunnel, opts } },
    shares: { [name]: { ...on("hq"), name: "web", adopt, opts } },
    sites,
  });

  let stack: Stack;
  let [tunnel, share]: string[] = [];
  beforeAll(async () => {
    stack = await openUp(program());
    [tunnel, share] = [stack.id("hq"), stack.id("web")];
  });
  afterAll(() => stack.close());

  it("stops a rename without an alias, naming what is there; with adopt the new name holds it", async () => {
    const run = await stack.steadyUp(program({}, "www"));
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain(`adopt: "${share}"`);
    expect(stack.id("web")).toBe(share);

    expect(await stack.steadyUp(program({}, "www", share))).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
    expect(stack.id("www")).toBe(share);
    expect(stack.kept()).not.toHaveProperty("web");
  });

  it("stops a tunnel's replacement, as the old one keeps its place; adopt with the old values leads back", async () => {
    const run = await stack.steadyUp(program({ peerCidr: "10.21.0.0/16" }, "www"));
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain(tunnel);
    expect(stack.published()).toEqual(expect.arrayContaining([tunnel, `${share} on ${tunnel}`]));
    expect(stack.writes().filter((write) => !write.startsWith("POST /ipsec-tunnels"))).toEqual([]);

    const back = program({ adopt: tunnel }, "www", share);
    expect(await stack.steadyUp(back)).toMatchObject({ code: 0, errors: [] });
    expect([stack.id("hq"), stack.id("www")]).toEqual([tunnel, share]);
    expect(stack.writes()).toEqual([]);
  });

  it("leaves at the service what leaves the program, a site's too, and keeps nothing of it in the state", async () => {
    const before = stack.published();
    expect(await stack.steadyUp({ sites })).toMatchObject({ code: 0 });
    expect(Object.keys(stack.kept()).sort()).toEqual(["branch", "branch-mail"]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.kept()).toEqual({});
    expect(stack.writes()).toEqual([]);
    expect(stack.published()).toEqual(before);
  });
});

describe("deletedWith", () => {
  const program = (): Resources => ({
    tunnels: { hq },
    shares: { web: { ...on("hq"), opts: { deletedWith: "hq" } } },
  });

  let stack: Stack;
  beforeAll(async () => {
    stack = await openUp(program());
  });
  afterAll(() => stack.close());

  it("deletes a share that goes alone", async () => {
    const share = stack.id("web");
    expect(await stack.steadyUp({ tunnels: { hq } })).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([`DELETE /ipsec-shares/${share}`]);
    expect(await stack.steadyUp(program())).toMatchObject({ code: 0 });
    stack.writes();
  });

  // The service deletes no share with its tunnel, and no tunnel that has shares.
  it("of a share and its tunnel replaces both, each deleted at the service", async () => {
    const edited = { ...program(), tunnels: { hq: { ...hq, peerCidr: "10.21.0.0/16" } } };
    const [tunnel, share] = [stack.id("hq"), stack.id("web")];
    expect(await stack.steadyUp(edited)).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual([
      `DELETE /ipsec-shares/${share}`,
      `DELETE /ipsec-tunnels/${tunnel}`,
      "POST /ipsec-tunnels",
      "POST /ipsec-shares",
    ]);
  });

  it("leaves nothing at the service after destroy", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
    expect(stack.published()).toEqual([]);
    expect(stack.kept()).toEqual({});
  });
});
