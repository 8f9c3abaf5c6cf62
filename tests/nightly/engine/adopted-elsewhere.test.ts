import { ownToken } from "../../harness/plugin";
import { type Resources, Stack } from "../../harness/stack";

// Each test begins with whatever the one before it left in the state: the same tunnel and share, wherever they are declared.
describe("an adopted tunnel and its share, still with adopt in the program", () => {
  const tunnel = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
  const share = { envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  const hq = { adopt: "tnl-x", ...tunnel };
  const web = { adopt: "shr-x", ...share };
  const on = (name: string) => ({ ...web, ipsecTunnelId: { tunnel: name } });
  const urn = (type: string, name: string) => `urn:pulumi:test::engine::${ownToken(type)}::${name}`;

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-x", name: "by-hand", ...tunnel });
    stack.emulator.seedShare({ id: "shr-x", name: "by-hand", ipsecTunnelId: "tnl-x", locationId: "loc-1", ...share });
    await isKept({ tunnels: { hq }, shares: { web: on("hq") } }, "hq", "web");
  });
  afterAll(() => stack.close());

  /** Nothing is written, and the state holds both once. */
  async function isKept(
    resources: Resources,
    tunnelName: string,
    shareName: string,
    ...flags: string[]
  ): Promise<void> {
    const run = await stack.up(resources, ...flags);
    expect(stack.writes()).toEqual([]);
    expect(stack.alive()).toEqual(["shr-x", "tnl-x"]);
    expect(run.errors).toEqual([]);
    expect(run.code).toBe(0);
    expect(stack.entered()).toEqual([`${tunnelName} tnl-x`, `${shareName} shr-x`].sort());
  }

  it("are kept when the share alone is renamed", () =>
    isKept({ tunnels: { hq }, shares: { intranet: on("hq") } }, "hq", "intranet"));

  it("are kept when both are renamed", () =>
    isKept({ tunnels: { office: hq }, shares: { portal: on("office") } }, "office", "portal"));

  it("are kept when both move into a component, under the names they have", () => {
    const opts = { parent: "group" };
    const tunnels = { office: { ...hq, opts } };
    return isKept(
      { groups: { group: {} }, tunnels, shares: { portal: { ...on("office"), opts } } },
      "office",
      "portal",
    );
  });

  it("are kept when they move into a site", () =>
    isKept({ sites: { branch: { ...hq, shares: { web } } } }, "branch", "branch-web"));

  it("are kept when they move out of it", () => isKept({ tunnels: { hq }, shares: { web: on("hq") } }, "hq", "web"));

  it("are kept when the share is to be replaced", () =>
    isKept({ tunnels: { hq }, shares: { web: on("hq") } }, "hq", "web", "--replace", urn("IpsecShare", "web")));

  it("are kept when the tunnel is to be replaced", () =>
    isKept({ tunnels: { hq }, shares: { web: on("hq") } }, "hq", "web", "--replace", urn("IpsecTunnel", "hq")));

  it("need nothing after a refresh, and go with destroy, share first", async () => {
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual(["DELETE /ipsec-shares/shr-x", "DELETE /ipsec-tunnels/tnl-x"]);
    expect(stack.alive()).toEqual([]);
  });
});

describe("a tunnel and a share renamed without an alias, under names of their own", () => {
  const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
  const web = { name: "web", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  const program = (tunnel: string, share: string, tunnelArgs: object, shareArgs: object) => ({
    tunnels: { [tunnel]: { ...hq, ...tunnelArgs } },
    shares: { [share]: { ...web, ipsecTunnelId: { tunnel }, ...shareArgs } },
  });

  let stack: Stack;
  let tunnelId: string;
  let shareId: string;
  beforeAll(async () => {
    stack = await Stack.open();
    expect(await stack.up(program("hq", "web", {}, {}))).toMatchObject({ code: 0 });
    [tunnelId, shareId] = [stack.id("hq"), stack.id("web")];
    stack.writes();
  });
  afterAll(() => stack.close());

  /** The run as the user first edits it is refused, with the id; followed, the advice changes nothing at the service. */
  async function advised(tunnel: string, share: string, tunnelArgs: object, id: string, also: object): Promise<void> {
    const refused = await stack.up(program(tunnel, share, tunnelArgs, {}));
    expect(refused.code).not.toBe(0);
    expect(refused.errors.join("\n")).toMatch(new RegExp(`adopt.*${id}`));
    const run = await stack.steadyUp(program(tunnel, share, also, share === "web" ? {} : { adopt: shareId }));
    expect(stack.writes()).toEqual([]);
    expect(stack.alive()).toEqual([shareId, tunnelId]);
    expect(run.code).toBe(0);
    expect(stack.entered()).toEqual([`${tunnel} ${tunnelId}`, `${share} ${shareId}`].sort());
  }

  it("keep the share when the advice to adopt it is followed", () => advised("hq", "intranet", {}, shareId, {}));

  it("keep both when the advice to adopt them is followed", () =>
    advised("office", "portal", {}, tunnelId, { adopt: tunnelId }));
});
