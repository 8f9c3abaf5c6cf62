import { deployedShare, deployedTunnel, mustBeOf, namesOf, tunnel } from "./fixtures";
import { call, ownServerOnly, useTarget } from "./target";

useTarget();

const envelope = {
  content: expect.any(Array) as unknown,
  pageable: { pageNumber: 0, pageSize: 20 },
  totalElements: expect.any(Number) as unknown,
  totalPages: expect.any(Number) as unknown,
};

describe.each(["/ipsec-tunnels", "/ipsec-shares"])("GET %s", (path) => {
  it("answers the paged envelope", async () => {
    const { status, json } = await call("GET", `${path}?page=0&size=20`);
    expect({ status, json }).toMatchObject({ status: 200, json: envelope });
  });

  it("answers an empty page beyond the last", async () => {
    const { status, json } = await call("GET", `${path}?page=100000&size=20`);
    expect({ status, json }).toMatchObject({ status: 200, json: { content: [], pageable: { pageNumber: 100000 } } });
  });

  it("finds nothing under a name nobody has", async () => {
    const { json } = await call("GET", `${path}?name=no-such-name-a0b1c2`);
    expect(json).toMatchObject({ content: [], totalElements: 0, totalPages: 0 });
  });

  it.each(["page=x", "size=x"])("answers 400 to %s", async (query) => {
    const { status, json } = await call("GET", `${path}?${query}`);
    expect({ status, json }).toMatchObject({ status: 400, json: { error: "invalid_request" } });
  });
});

ownServerOnly(() => {
  describe("GET /ipsec-tunnels on a server of our own", () => {
    beforeEach(async () => {
      await deployedTunnel({ name: "bravo", locationId: "b" });
      await deployedTunnel({ name: "alpha", locationId: "a", peerPublicIp: "198.51.100.9" });
      await deployedTunnel({ name: "charlie", locationId: "c" });
    });

    it("carries the entry's fields and no others", async () => {
      const { json } = await call("GET", "/ipsec-tunnels?name=bravo");
      expect((json as { content: unknown[] }).content).toEqual([
        { ...tunnel, id: "tnl-1", name: "bravo", frontdoorId: "fd-1", locationId: "b", status: "DEPLOYED" },
      ]);
    });

    it("cuts the list into pages", async () => {
      const first = await call("GET", "/ipsec-tunnels?page=0&size=2&sort=name,asc");
      const second = await call("GET", "/ipsec-tunnels?page=1&size=2&sort=name,asc");
      expect([namesOf(first), namesOf(second)]).toEqual([["alpha", "bravo"], ["charlie"]]);
      expect(second.json).toMatchObject({
        pageable: { pageNumber: 1, pageSize: 2 },
        totalElements: 3,
        totalPages: 2,
      });
    });

    it("sorts downwards", async () => {
      expect(namesOf(await call("GET", "/ipsec-tunnels?sort=name,desc"))).toEqual(["charlie", "bravo", "alpha"]);
    });

    it.each([
      ["status=DEPLOYED", 3],
      ["status=NEW", 0],
      ["peerPublicIp=198.51.100.9", 1],
      ["peerCidr=192.168.10.0%2F24", 3],
      ["locationId=c&name=charlie", 1],
      ["locationId=c&name=alpha", 0],
      ["id=tnl-2", 1],
      ["nlbPrivateIp=10.90.0.11", 1],
    ])("filters by %s", async (query, count) => {
      const { json } = await call("GET", `/ipsec-tunnels?${query}`);
      expect(json).toMatchObject({ totalElements: count });
    });

    it.each(["name", "name,up", "colour,asc", "name,asc,x"])("answers 400 to the sort %j", async (sort) => {
      const { status, json } = await call("GET", `/ipsec-tunnels?sort=${sort}`);
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf("sort") });
    });
  });

  describe("GET /ipsec-shares on a server of our own", () => {
    beforeEach(async () => {
      const id = await deployedTunnel();
      await deployedShare(id, { name: "web", ingressPort: 443 });
      await deployedShare(id, { name: "ssh", ingressPort: 22, target: "bastion.example:22" });
      await deployedShare(id, { name: "dns", ingressPort: 5353, envZId: "other" });
      await call("DELETE", "/ipsec-shares/shr-3");
    });

    it.each([
      ["status=DEPLOYED", ["web", "ssh"]],
      ["status=DEPLOYED&status=DELETING", ["web", "ssh", "dns"]],
      ["id=shr-1&id=shr-3", ["web", "dns"]],
      ["target=bastion.example%3A22", ["ssh"]],
      ["envZId=other", ["dns"]],
      ["ingressPort=22&ingressPort=443", ["web", "ssh"]],
      ["ipsecTunnelId=tnl-1&name=web", ["web"]],
      ["ipsecTunnelId=tnl-9", []],
    ])("filters by %s", async (query, names) => {
      expect(namesOf(await call("GET", `/ipsec-shares?${query}`))).toEqual(names);
    });

    it("sorts ports as numbers", async () => {
      expect(namesOf(await call("GET", "/ipsec-shares?sort=ingressPort,asc"))).toEqual(["ssh", "web", "dns"]);
    });

    it("answers 400 to a port that is no number", async () => {
      const { status, json } = await call("GET", "/ipsec-shares?ingressPort=https");
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf("ingressPort", "integer") });
    });
  });
});
