import { type Resources, Stack } from "../engine/engine";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const web = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const branch = { peerPublicIp: "203.0.113.9", peerCidr: "10.30.0.0/16", locationId: "loc-2", envZId: "env-1" };

const dynamic = "pulumi-nodejs:dynamic/frontdoor";
const inSite = "frontdoor:index:IpsecSite$";
const urn = (type: string, name: string, path = "") => `urn:pulumi:test::engine::${path}${dynamic}:${type}::${name}`;
const tunnels = [urn("IpsecTunnel", "hq"), urn("IpsecTunnel", "branch", inSite)];
const shares = [urn("IpsecShare", "web"), urn("IpsecShare", "branch-mail", inSite)];
const flags = (flag: string, urns: string[]) => urns.flatMap((each) => [flag, each]);

describe("a part of the program", () => {
  const program = (tunnel: object, port: number, site: object = tunnel): Resources => ({
    tunnels: { hq: { ...hq, ...tunnel } },
    shares: { web: { ...web, ingressPort: port } },
    sites: { branch: { ...branch, ...site, shares: { mail: { target: "mail.internal:25", ingressPort: port + 1 } } } },
  });
  const names = ["hq", "web", "branch", "branch-mail"];
  const ids = () => names.map((name) => stack.id(name));
  /** The engine's own run: `up` of the stack looks for quiet afterwards, which the rest of the program has not got. */
  const part = (resources: Resources, ...more: string[]) => {
    stack.program(resources);
    return stack.run("up", "--yes", "--skip-preview", "--stack", "test", ...more);
  };
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
    stack = await Stack.open({}, "options-program");
    expect(await stack.up(program({}, 443))).toMatchObject({ code: 0 });
  });
  beforeEach(() => void stack.writes());
  afterAll(() => stack.close());

  it.each([
    ["--target", 8443, "10.40.0.0/16", flags("--target", shares), flags("--target", tunnels)],
    ["--exclude", 9443, "10.50.0.0/16", flags("--exclude", tunnels), flags("--exclude", shares)],
  ])("%s: shares are updated alone, and tunnels then replaced without the loss of a share", async (...row) => {
    const [, port, peerCidr, onlyShares, onlyTunnels] = row;
    const [before, edited] = [ids(), program({ peerCidr }, port)];
    expect(await part(edited, ...onlyShares)).toMatchObject({ code: 0, errors: [] });
    expect(accepted().sort()).toEqual([`PATCH /ipsec-shares/${before[1]}`, `PATCH /ipsec-shares/${before[3]}`].sort());
    expect(ids()).toEqual(before);

    // Deleted before their tunnels, shares that are not chosen can be left to the next run; the state knows it.
    await part(edited, ...onlyTunnels);
    expect(await stack.up(edited)).toMatchObject({ code: 0, errors: [] });
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
    const [tunnel, share, siteTunnel, mail] = ids();
    const moved = program({ locationId: `loc-${place}` }, 443, { locationId: `loc-${place}b` });
    const run = await part(moved, ...only);
    expect(accepted()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-tunnels"]);
    expect(stack.published()).toEqual(expect.arrayContaining([`${share} on ${tunnel}`, `${mail} on ${siteTunnel}`]));
    if (run.code !== 0) expect(run.errors.join("\n")).toContain(share);

    expect(await stack.up(moved)).toMatchObject({ code: 0, errors: [] });
    expect(accepted().sort()).toEqual(
      [
        ...[`PATCH /ipsec-shares/${share}`, `PATCH /ipsec-shares/${mail}`],
        ...[`DELETE /ipsec-tunnels/${tunnel}`, `DELETE /ipsec-tunnels/${siteTunnel}`],
      ].sort(),
    );
    expect([stack.id("web"), stack.id("branch-mail")]).toEqual([share, mail]);
    allKept();
  });
});
