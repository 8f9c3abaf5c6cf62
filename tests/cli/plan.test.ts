import { planOf } from "../../cli/import/plan";

const place = { frontdoorId: "fd-1", status: "DEPLOYED" };
const tunnel = (id: string, given: object = {}) => ({
  ...{ ...place, id, name: id, peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" },
  ...{ locationId: "loc-1", nlbPrivateIp: "10.90.0.10", nlbDnsName: "nlb.example", ...given },
});
const share = (id: string, given: object = {}) => ({
  ...{ ...place, id, name: id, ipsecTunnelId: "tnl-1", envZId: "env-1", target: "db.internal:5432", ingressPort: 5432 },
  ...given,
});

describe("what is declared", () => {
  it("has every argument that a read by the id counts as set, and refers to the tunnel", () => {
    const { declared } = planOf([tunnel("tnl-1", { name: "HQ" })], [share("shr-1", { locationId: "loc-2" })]);
    const args = (given: object) => Object.entries(given);
    const place = { name: "HQ", locationId: "loc-1", nlbPrivateIp: "10.90.0.10" };
    const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", ...place };
    const onHq = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "db.internal:5432", ingressPort: 5432 };
    expect(declared).toEqual([
      { kind: "tunnel", importId: "tnl-1", name: "hq", args: args(hq) },
      { kind: "share", importId: "shr-1", name: "shr-1", args: args({ ...onHq, name: "shr-1", locationId: "loc-2" }) },
    ]);
  });

  it("is without what is going or gone", () => {
    const going = [share("shr-1", { status: "DELETING" }), share("shr-2", { status: "DELETED" })];
    const nothing = { declared: [], leftOut: [], notReady: [] };
    expect(planOf([tunnel("tnl-1", { status: "DELETED" })], going)).toEqual(nothing);
  });
});

describe("a value that the provider's check refuses", () => {
  const argsOf = (given: object) => Object.fromEntries(planOf([tunnel("tnl-1", given)], []).declared[0]?.args ?? []);

  it("is spelled as it allows it, or not given if the tunnel keeps it all the same", () => {
    expect(argsOf({ peerCidr: "10.20.3.4/16" })["peerCidr"]).toBe("10.20.0.0/16");
    expect(argsOf({ nlbPrivateIp: "198.51.100.1" })).not.toHaveProperty("nlbPrivateIp");
  });

  it("leaves the resource out, with the check's own words", () => {
    const { declared, leftOut } = planOf([tunnel("tnl-1", { peerPublicIp: "10.0.0.1" })], [share("shr-1")]);
    expect(leftOut).toMatchObject([{ kind: "tunnel", id: "tnl-1" }]);
    expect(leftOut[0]?.reason).toMatch(/peerPublicIp must be a public IPv4 address/);
    // Its shares are declared still.
    expect(declared.map(({ importId, args }) => [importId, args[0]])).toEqual([["shr-1", ["ipsecTunnelId", "tnl-1"]]]);
  });
});

it("of two with one name only the one with the lower id is declared, unless they are a tunnel and a share", () => {
  const shares = [share("shr-2", { name: "web" }), share("shr-1", { name: "web" })];
  for (const given of [shares, [...shares].reverse()]) {
    const { declared, leftOut } = planOf([], given);
    expect(declared.map(({ importId, name }) => [importId, name])).toEqual([["shr-1", "web"]]);
    expect(leftOut).toMatchObject([{ kind: "share", id: "shr-2", name: "web" }]);
    expect(leftOut[0]?.reason).toContain("shr-1 has the same name");
  }
  expect(planOf([tunnel("tnl-1", { name: "a" })], [share("shr-1", { name: "a" })]).leftOut).toEqual([]);
});
