import { type Resources, Stack } from "./engine";

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
  const methods = () => stack.writes().map((write) => write.split(" {")[0]);
  /** The engine's own run: `up` of the stack looks for quiet afterwards, which the rest of the program has not got. */
  const part = (resources: Resources, ...more: string[]) => {
    stack.program(resources);
    return stack.run("up", "--yes", "--skip-preview", "--stack", "test", ...more);
  };
  const allKept = () => {
    const kept = stack.kept();
    const held = names.map((name) => kept[name]?.id);
    expect(stack.alive().map((each) => each.split(" ")[0])).toEqual(expect.arrayContaining(held));
  };

  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open({}, "options-program");
    expect(await stack.up(program({}, 443))).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterEach(() => stack.close());

  const replaced = { peerCidr: "10.40.0.0/16" };

  it.each([
    ["--target shares", flags("--target", shares)],
    ["--exclude tunnels", flags("--exclude", tunnels)],
  ])("%s: updates the shares alone; the tunnels follow with the next up", async (_, only) => {
    const [tunnel, share, siteTunnel, mail] = ids();
    expect(await part(program(replaced, 8443), ...only)).toMatchObject({ code: 0, errors: [] });
    expect(methods().sort()).toEqual([`PATCH /ipsec-shares/${share}`, `PATCH /ipsec-shares/${mail}`].sort());
    expect(ids()).toEqual([tunnel, share, siteTunnel, mail]);

    expect(await stack.up(program(replaced, 8443))).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toHaveLength(4);
    allKept();
  });

  it.each([
    ["--target tunnels", flags("--target", tunnels)],
    ["--exclude shares", flags("--exclude", shares)],
  ])("%s: a replacement with the old one deleted first loses no share", async (_, only) => {
    await part(program(replaced, 443), ...only);
    expect(await stack.up(program(replaced, 443))).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toHaveLength(4);
    allKept();
    expect(
      stack.emulator
        .tunnels()
        .filter(({ status }) => status === "DEPLOYED")
        .map(({ peerCidr }) => peerCidr),
    ).toEqual(["10.40.0.0/16", "10.40.0.0/16"]);
  });

  it.each([
    ["--target tunnels", flags("--target", tunnels)],
    ["--exclude shares", flags("--exclude", shares)],
  ])("%s: a move to another place keeps the old ones while shares are on them, and names these", async (_, only) => {
    const [tunnel, share, siteTunnel, mail] = ids();
    const moved = program({ locationId: "loc-3" }, 443, { locationId: "loc-4" });
    const run = await part(moved, ...only);
    expect(stack.emulator.shares().map(({ status }) => status)).toEqual(["DEPLOYED", "DEPLOYED"]);
    expect(methods()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-tunnels"]);
    if (run.code !== 0) expect(run.errors.join("\n")).toContain(share);

    expect(await stack.up(moved)).toMatchObject({ code: 0, errors: [] });
    expect(methods().sort()).toEqual(
      [
        ...[`PATCH /ipsec-shares/${share}`, `PATCH /ipsec-shares/${mail}`],
        ...[`DELETE /ipsec-tunnels/${tunnel}`, `DELETE /ipsec-tunnels/${siteTunnel}`],
      ].sort(),
    );
    expect([stack.id("web"), stack.id("branch-mail")]).toEqual([share, mail]);
    allKept();
  });
});
