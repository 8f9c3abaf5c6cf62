import { deployedShare, deployedTunnel, mustBeOf, statusOf, tunnel } from "./fixtures";
import { call, failNext, ownServerOnly, settle, useTarget } from "./target";

useTarget();

describe("GET /ipsec-tunnels/{id}", () => {
  it("answers an error body for an id nobody has", async () => {
    const { status, json } = await call("GET", "/ipsec-tunnels/no-such-tunnel-a0b1c2");
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json).toEqual({ error: expect.any(String) as unknown, message: expect.any(String) as unknown });
  });
});

ownServerOnly(() => {
  describe("GET /ipsec-tunnels/{id} on a server of our own", () => {
    it("keeps nlbDnsName and vpnConnectionId empty until DEPLOYED", async () => {
      await call("POST", "/ipsec-tunnels", tunnel);
      const early = await call("GET", "/ipsec-tunnels/tnl-1");
      settle();
      const late = await call("GET", "/ipsec-tunnels/tnl-1");
      const full = { ...tunnel, id: "tnl-1", frontdoorId: "fd-1", locationId: "loc-1", nlbPrivateIp: "10.90.0.10" };
      expect(early.json).toEqual({ ...full, status: "NEW", nlbDnsName: "", vpnConnectionId: "" });
      expect(late.json).toEqual({
        ...full,
        status: "DEPLOYED",
        nlbDnsName: expect.stringMatching(/^nlb-.+/) as unknown,
        vpnConnectionId: expect.stringMatching(/^vpn-.+/) as unknown,
      });
    });
  });

  describe("POST /ipsec-tunnels", () => {
    it("answers 202 with the entry at NEW", async () => {
      const { status, json } = await call("POST", "/ipsec-tunnels", tunnel);
      expect({ status, json }).toEqual({
        status: 202,
        json: { ...tunnel, id: "tnl-1", frontdoorId: "fd-1", locationId: "loc-1", status: "NEW" },
      });
    });

    it("keeps the location and address that the client chose", async () => {
      const id = await deployedTunnel({ locationId: "lab", nlbPrivateIp: "10.9.9.9" });
      const { json } = await call("GET", `/ipsec-tunnels/${id}`);
      expect(json).toMatchObject({ locationId: "lab", nlbPrivateIp: "10.9.9.9" });
    });

    it("goes to ERROR when provisioning fails", async () => {
      failNext("tunnel", "create");
      expect(await statusOf(`/ipsec-tunnels/${await deployedTunnel()}`)).toBe("ERROR");
    });

    it("refuses a second tunnel at the same location, and takes one elsewhere", async () => {
      await deployedTunnel({ locationId: "lab" });
      const same = await call("POST", "/ipsec-tunnels", { ...tunnel, name: "other", locationId: "lab" });
      const elsewhere = await call("POST", "/ipsec-tunnels", { ...tunnel, name: "other", locationId: "lab-2" });
      expect([same.status, elsewhere.status]).toEqual([409, 202]);
      expect(same.json).toEqual({ error: "conflict", message: expect.stringContaining("lab") as unknown });
    });

    it("frees the location once the tunnel is DELETED, not before", async () => {
      const id = await deployedTunnel();
      await call("DELETE", `/ipsec-tunnels/${id}`);
      const early = await call("POST", "/ipsec-tunnels", tunnel);
      settle();
      const late = await call("POST", "/ipsec-tunnels", tunnel);
      expect([early.status, late.status]).toEqual([409, 202]);
    });

    it.each([
      ["name", undefined, "string"],
      ["name", 7, "string"],
      ["name", "", "string"],
      ["peerPublicIp", undefined, "string"],
      ["peerPublicIp", "203.0.113", "IPv4 address"],
      ["peerPublicIp", "2001:db8::1", "IPv4 address"],
      ["peerCidr", undefined, "string"],
      ["peerCidr", "192.168.10.0", "IPv4 CIDR block"],
      ["peerCidr", "192.168.10.0/33", "IPv4 CIDR block"],
      ["locationId", 7, "string"],
      ["nlbPrivateIp", "ten", "IPv4 address"],
    ])("answers 400 to the %s %j", async (property, value, type) => {
      const { status, json } = await call("POST", "/ipsec-tunnels", { ...tunnel, [property]: value });
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf(property, type) });
    });

    it.each([
      "0.0.0.0",
      "10.0.0.1",
      "100.64.0.1",
      "127.0.0.1",
      "169.254.1.1",
      "172.31.0.1",
      "192.168.1.1",
      "224.0.0.1",
      "255.255.255.255",
    ])("answers 400 to a peer at %s, which is not public", async (peerPublicIp) => {
      const { status, json } = await call("POST", "/ipsec-tunnels", { ...tunnel, peerPublicIp });
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf("peerPublicIp", "public IPv4 address") });
    });

    it.each(["", "{", "[]", "null", '"text"'])("answers 400 to the body %j", async (body) => {
      const { status, json } = await call("POST", "/ipsec-tunnels", body);
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf("body", "JSON object") });
    });

    it("answers 400 to a body that is not sent as JSON", async () => {
      const { status, json } = await call("POST", "/ipsec-tunnels", tunnel, { "content-type": "text/plain" });
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf("Content-Type", "application/json") });
    });
  });

  describe("DELETE /ipsec-tunnels/{id}", () => {
    it("answers 202 with the entry at DELETING, then shows DELETED", async () => {
      const id = await deployedTunnel();
      const { status, json } = await call("DELETE", `/ipsec-tunnels/${id}`);
      expect({ status, json }).toEqual({
        status: 202,
        json: { ...tunnel, id, frontdoorId: "fd-1", locationId: "loc-1", status: "DELETING" },
      });
      expect(await statusOf(`/ipsec-tunnels/${id}`)).toBe("DELETING");
      settle();
      expect(await statusOf(`/ipsec-tunnels/${id}`)).toBe("DELETED");
    });

    it("leaves nlbDnsName and vpnConnectionId as they were while DELETING", async () => {
      const id = await deployedTunnel();
      const before = await call("GET", `/ipsec-tunnels/${id}`);
      await call("DELETE", `/ipsec-tunnels/${id}`);
      const { json } = await call("GET", `/ipsec-tunnels/${id}`);
      expect(json).toEqual({ ...(before.json as object), status: "DELETING" });
    });

    it("answers 400 while a share targets it, also one in DELETING", async () => {
      const id = await deployedTunnel();
      const shareId = await deployedShare(id);
      const live = await call("DELETE", `/ipsec-tunnels/${id}`);
      await call("DELETE", `/ipsec-shares/${shareId}`);
      const leaving = await call("DELETE", `/ipsec-tunnels/${id}`);
      settle();
      const free = await call("DELETE", `/ipsec-tunnels/${id}`);
      expect([live.status, leaving.status, free.status]).toEqual([400, 400, 202]);
      expect(live.json).toEqual(mustBeOf("id"));
    });

    it("answers not found for an id nobody has", async () => {
      const { status, json } = await call("DELETE", "/ipsec-tunnels/tnl-9");
      expect({ status, json }).toMatchObject({ status: 404, json: { error: "not_found" } });
    });
  });
});
