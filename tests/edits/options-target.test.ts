import type { Resources, Stack } from "../harness/stack";
import { branch, hq, inSite, mail, names, on, openUp, urn } from "./program";

const tunnels = [urn("IpsecTunnel", "hq"), urn("IpsecTunnel", "branch", inSite)];
const shares = [urn("IpsecShare", "web"), urn("IpsecShare", "branch-mail", inSite)];
const flags = (flag: string, urns: string[]) => urns.flatMap((each) => [flag, each]);

describe("a part of the program", () => {
  const program = (tunnel: object, port: number, site: object = tunnel): Resources => ({
    tunnels: { hq: { ...hq, ...tunnel } },
    shares: { web: { ...on("hq"), ingressPort: port } },
    sites: { branch: { ...branch, ...site, shares: { mail: { ...mail, ingressPort: port + 1 } } } },
  });
  const ids = () => names.map((name) => stack.id(name));
  const allKept = () => {
    const kept = stack.kept();
    const held = names.map((name) => kept[name]?.id);
    expect(stack.published().map((each) => each.split(" ")[0])).toEqual(expect.arrayContaining(held));
  };

  /** What the service has taken: it refuses to delete a tunnel that has shares. */
  const accepted = () => {
    const writes = stack.emulator.requests.splice(0).filter(({ method, status }) => method !== "GET" && status < 300);
    return writes.map(({ method, path }) => `${method} ${path}`);
  };

  let stack: Stack;
  beforeAll(async () => {
    stack = await openUp(program({}, 443));
  });
  beforeEach(() => void stack.writes());
  afterAll(() => stack.close());

  it.each([
    ["--target", 8443, "10.40.0.0/16", flags("--target", shares), flags("--target", tunnels)],
    ["--exclude", 9443, "10.50.0.0/16", flags("--exclude", tunnels), flags("--exclude", shares)],
  ])("%s: shares are updated alone, and tunnels then replaced without the loss of a share", async (...row) => {
    const [, port, peerCidr, onlyShares, onlyTunnels] = row;
    const [before, edited] = [ids(), program({ peerCidr }, port)];
    expect(await stack.up(edited, ...onlyShares)).toMatchObject({ code: 0, errors: [] });
    expect(accepted().sort()).toEqual([`PATCH /ipsec-shares/${before[1]}`, `PATCH /ipsec-shares/${before[3]}`].sort());
    expect(ids()).toEqual(before);

    // Deleted before their tunnels, shares that are not chosen can be left to the next run; the state knows it.
    await stack.up(edited, ...onlyTunnels);
    expect(await stack.steadyUp(edited)).toMatchObject({ code: 0, errors: [] });
    expect(stack.published()).toHaveLength(4);
    allKept();
    const live = stack.emulator.tunnels().filter(({ status }) => status === "DEPLOYED");
    expect(live.map((tunnel) => tunnel.peerCidr)).toEqual([peerCidr, peerCidr]);
  });

  it.each([
    ["--target tunnels", "3", flags("--target", tunnels)],
    ["--exclude shares", "5", flags("--exclude", shares)],
  ])("%s: tunnels that move to another place stay while shares are on them; the next up ends it", async (...row) => {
    const [, place, only] = row;
    const [tunnel, share, siteTunnel, siteShare] = ids();
    const moved = program({ locationId: `loc-${place}` }, 443, { locationId: `loc-${place}b` });
    const run = await stack.up(moved, ...only);
    expect(accepted()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-tunnels"]);
    expect(stack.published()).toEqual(
      expect.arrayContaining([`${share} on ${tunnel}`, `${siteShare} on ${siteTunnel}`]),
    );
    if (run.code !== 0) expect(run.errors.join("\n")).toContain(share);

    expect(await stack.steadyUp(moved)).toMatchObject({ code: 0, errors: [] });
    expect(accepted().sort()).toEqual(
      [
        ...[`PATCH /ipsec-shares/${share}`, `PATCH /ipsec-shares/${siteShare}`],
        ...[`DELETE /ipsec-tunnels/${tunnel}`, `DELETE /ipsec-tunnels/${siteTunnel}`],
      ].sort(),
    );
    expect([stack.id("web"), stack.id("branch-mail")]).toEqual([share, siteShare]);
    allKept();
  });
});
