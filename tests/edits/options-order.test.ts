import type { Resources, Stack } from "../harness/stack";
import { branch, hq, mail, names, on, openUp } from "./program";

describe("deleteBeforeReplace", () => {
  const program = (tunnel: object, site: object, deleteBeforeReplace?: boolean): Resources => ({
    tunnels: { hq: { ...hq, ...tunnel, opts: { deleteBeforeReplace } } },
    shares: { web: { ...on("hq"), opts: { deleteBeforeReplace } } },
    sites: {
      branch: {
        ...branch,
        ...site,
        shares: { mail },
        opts: {
          transforms:
            deleteBeforeReplace === undefined
              ? {}
              : { IpsecTunnel: { deleteBeforeReplace }, IpsecShare: { deleteBeforeReplace } },
        },
      },
    },
  });
  const ids = () => names.map((name) => stack.id(name));
  const methods = () => stack.calls();

  let stack: Stack;
  beforeAll(async () => {
    stack = await openUp(program({}, {}));
  });
  beforeEach(() => void stack.writes());
  afterAll(() => stack.close());

  it("false: a tunnel in the same place is refused with what to do, and everything stays as it was", async () => {
    const [before, alive] = [ids(), stack.published()];
    const edit = [{ peerCidr: "10.21.0.0/16" }, { peerCidr: "10.31.0.0/16" }] as const;
    const run = await stack.steadyUp(program(...edit, false));
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain("deleteBeforeReplace");
    expect(run.errors.join("\n")).not.toContain("adopt");
    expect(stack.writes().filter((write) => !write.startsWith("POST /ipsec-tunnels"))).toEqual([]);
    expect(stack.published()).toEqual(alive);
    expect(ids()).toEqual(before);

    // What to do was: leave it out.
    expect(await stack.steadyUp(program(...edit))).toMatchObject({ code: 0, errors: [] });
    expect(methods().sort()).toEqual(
      [
        ...[`DELETE /ipsec-tunnels/${before[0]}`, `DELETE /ipsec-shares/${before[1]}`],
        ...[`DELETE /ipsec-tunnels/${before[2]}`, `DELETE /ipsec-shares/${before[3]}`],
        ...["POST /ipsec-tunnels", "POST /ipsec-tunnels", "POST /ipsec-shares", "POST /ipsec-shares"],
      ].sort(),
    );
    expect(stack.published()).toHaveLength(4);
  });

  it("false: a tunnel that moves to another place is made first, and its shares move over by PATCH", async () => {
    const [tunnel, share, siteTunnel, siteShare] = ids();
    const edit = [
      { peerCidr: "10.21.0.0/16", locationId: "loc-3" },
      { peerCidr: "10.31.0.0/16", locationId: "loc-4" },
    ] as const;
    expect(await stack.steadyUp(program(...edit, false))).toMatchObject({ code: 0, errors: [] });
    expect(methods().sort()).toEqual(
      [
        ...["POST /ipsec-tunnels", "POST /ipsec-tunnels"],
        ...[`PATCH /ipsec-shares/${share}`, `PATCH /ipsec-shares/${siteShare}`],
        ...[`DELETE /ipsec-tunnels/${tunnel}`, `DELETE /ipsec-tunnels/${siteTunnel}`],
      ].sort(),
    );
    expect([stack.id("web"), stack.id("branch-mail")]).toEqual([share, siteShare]);
  });

  it("true: it is deleted first, shares before it, also where it moves to another place", async () => {
    const [tunnel, share, siteTunnel, siteShare] = ids();
    const edit = [
      { peerCidr: "10.21.0.0/16", locationId: "loc-5" },
      { peerCidr: "10.31.0.0/16", locationId: "loc-6" },
    ] as const;
    expect(await stack.steadyUp(program(...edit, true))).toMatchObject({ code: 0, errors: [] });
    const writes = methods();
    for (const [first, second] of [
      [share, tunnel],
      [siteShare, siteTunnel],
    ]) {
      const deletion = writes.indexOf(`DELETE /ipsec-shares/${first}`);
      expect(deletion).toBeGreaterThanOrEqual(0);
      expect(deletion).toBeLessThan(writes.indexOf(`DELETE /ipsec-tunnels/${second}`));
    }
    expect(writes.filter((write) => write.startsWith("PATCH"))).toEqual([]);
    expect(stack.published()).toHaveLength(4);
  });
});
