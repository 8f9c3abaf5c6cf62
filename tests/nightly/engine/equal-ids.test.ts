import { Stack } from "../../harness/stack";

// The specification scopes everything by front door: an id says nothing without it.
describe("equal ids on several front doors", () => {
  const frontdoorIds = ["fd-1", "fd-2", "fd-3", "fd-4"];

  /** A tunnel and its share for each name. */
  const program = (declared: Record<string, { frontdoorId: string; peerCidr?: string }>) => ({
    tunnels: Object.fromEntries(
      Object.entries(declared).map(([name, { frontdoorId, peerCidr = "10.20.0.0/16" }]) => [
        name,
        { name, peerPublicIp: "203.0.113.7", peerCidr, frontdoorId },
      ]),
    ),
    shares: Object.fromEntries(
      Object.entries(declared).map(([tunnel, { frontdoorId }]) => [
        `${tunnel}-web`,
        {
          name: tunnel,
          ipsecTunnelId: { tunnel },
          envZId: "env-1",
          target: "web.internal:443",
          ingressPort: 443,
          frontdoorId,
        },
      ]),
    ),
  });
  const [east, west, south] = [{ frontdoorId: "fd-1" }, { frontdoorId: "fd-2" }, { frontdoorId: "fd-3" }];
  const replaced = { ...south, peerCidr: "10.21.0.0/16" };
  const moved = { frontdoorId: "fd-4" };

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ idsPerFrontdoor: true, tokens: { "very-secret-token": frontdoorIds } });
    expect(await stack.up(program({ east, west, south }))).toMatchObject({ code: 0 });
    const all = ["east", "south", "west"].flatMap((name) => [`${name} tnl-1`, `${name}-web shr-1`]);
    expect(stack.entered()).toEqual(all.sort());
    stack.writes();
  });
  afterAll(() => stack.close());

  /** The writes of one up, such as `POST fd-1/ipsec-shares`. */
  const written = async (declared: Parameters<typeof program>[0]) => {
    const run = await stack.up(program(declared));
    expect(run).toMatchObject({ code: 0, errors: [] });
    const requests = stack.emulator.requests.splice(0).filter(({ method }) => method !== "GET");
    return requests.map(({ method, frontdoorId, path }) => `${method} ${frontdoorId}${path}`);
  };
  const there = () =>
    [...stack.emulator.tunnels(), ...stack.emulator.shares()]
      .flatMap(({ id, frontdoorId, status }) => (status === "DELETED" ? [] : `${frontdoorId} ${id}`))
      .sort();

  it("a tunnel and its share are replaced on their own front door alone", async () => {
    expect(await written({ east, west, south: replaced })).toEqual([
      "DELETE fd-3/ipsec-shares/shr-1",
      "DELETE fd-3/ipsec-tunnels/tnl-1",
      "POST fd-3/ipsec-tunnels",
      "POST fd-3/ipsec-shares",
    ]);
    expect(there()).toEqual(["fd-1 shr-1", "fd-1 tnl-1", "fd-2 shr-1", "fd-2 tnl-1", "fd-3 shr-2", "fd-3 tnl-2"]);
  });

  it("those that move to another front door, where they get the ids they had, are deleted on the old one", async () => {
    expect(await written({ east: moved, west, south: replaced })).toEqual([
      "POST fd-4/ipsec-tunnels",
      "POST fd-4/ipsec-shares",
      "DELETE fd-1/ipsec-shares/shr-1",
      "DELETE fd-1/ipsec-tunnels/tnl-1",
    ]);
    expect(there()).toEqual(["fd-2 shr-1", "fd-2 tnl-1", "fd-3 shr-2", "fd-3 tnl-2", "fd-4 shr-1", "fd-4 tnl-1"]);
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    stack.writes();
  });

  it("those that are taken out of the program are deleted, though another front door's of these ids stay", async () => {
    expect(await written({ west, south: replaced })).toEqual([
      "DELETE fd-4/ipsec-shares/shr-1",
      "DELETE fd-4/ipsec-tunnels/tnl-1",
    ]);
    expect(there()).toEqual(["fd-2 shr-1", "fd-2 tnl-1", "fd-3 shr-2", "fd-3 tnl-2"]);
  });
});
