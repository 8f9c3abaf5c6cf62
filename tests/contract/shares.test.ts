import { deployedShare, deployedTunnel, mustBeOf, share, statusOf } from "./fixtures";
import { call, failNext, ownServerOnly, settle, useTarget } from "./target";

useTarget();

describe("GET /ipsec-shares/{id}", () => {
  it("answers an error body for an id nobody has", async () => {
    const { status, json } = await call("GET", "/ipsec-shares/no-such-share-a0b1c2");
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json).toEqual({ error: expect.any(String) as unknown, message: expect.any(String) as unknown });
  });
});

ownServerOnly(() => {
  let tunnelId = "";
  beforeEach(async () => {
    tunnelId = await deployedTunnel();
  });
  const whole = (status: string) => ({
    ...share("tnl-1"),
    id: "shr-1",
    frontdoorId: "fd-1",
    locationId: "loc-1",
    status,
  });

  describe("POST /ipsec-shares", () => {
    it("answers 202 at NEW, then GET shows DEPLOYED", async () => {
      const { status, json } = await call("POST", "/ipsec-shares", share(tunnelId));
      expect({ status, json }).toEqual({ status: 202, json: whole("NEW") });
      settle();
      expect((await call("GET", "/ipsec-shares/shr-1")).json).toEqual(whole("DEPLOYED"));
    });

    it("takes envId for envZId, and answers envZId", async () => {
      const { envZId: envId, ...rest } = share(tunnelId);
      const { status, json } = await call("POST", "/ipsec-shares", { ...rest, envId });
      expect({ status, json }).toEqual({ status: 202, json: whole("NEW") });
    });

    it("goes to ERROR when provisioning fails", async () => {
      failNext("share", "create");
      expect(await statusOf(`/ipsec-shares/${await deployedShare(tunnelId)}`)).toBe("ERROR");
    });

    it.each([
      ["name", undefined, "string"],
      ["name", "", "string"],
      ["name", "a".repeat(64), "string of 1 to 63 characters"],
      ["name", "under_score", "string of letters, digits and hyphens"],
      ["name", "-leading", "string that does not start with a hyphen"],
      ["name", "trailing-", "string that does not end with a hyphen"],
      ["name", "line\n", "string of letters, digits and hyphens"],
      ["ipsecTunnelId", undefined, "string"],
      ["ipsecTunnelId", "tnl-9", "IPsec tunnel identifier"],
      ["envZId", undefined, "string"],
      ["target", undefined, "string"],
      ["target", "10.1.2.3", "host:port"],
      ["target", "10.1.2.3:0", "host:port"],
      ["target", "10.1.2.3:65536", "host:port"],
      ["target", "http://10.1.2.3:80", "host:port"],
      ["ingressPort", undefined, "integer"],
      ["ingressPort", "443", "integer"],
      ["ingressPort", 44.3, "integer"],
      ["ingressPort", 0, "integer from 1 to 65535"],
      ["ingressPort", 65536, "integer from 1 to 65535"],
    ])("answers 400 to the %s %j", async (property, value, type) => {
      const { status, json } = await call("POST", "/ipsec-shares", { ...share(tunnelId), [property]: value });
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf(property, type) });
    });

    it.each([
      ["name", "a"],
      ["name", "0-9"],
      ["name", "a".repeat(63)],
      ["target", "db.internal.example:5432"],
      ["target", "[fd00::1]:5432"],
      ["ingressPort", 1],
      ["ingressPort", 65535],
    ])("takes the %s %j", async (property, value) => {
      expect((await call("POST", "/ipsec-shares", { ...share(tunnelId), [property]: value })).status).toBe(202);
    });
  });

  describe("PUT /ipsec-shares/{id}", () => {
    it("replaces all fields and goes through NEW to DEPLOYED", async () => {
      const id = await deployedShare(tunnelId, { locationId: "lab" });
      const answer = await call("PUT", `/ipsec-shares/${id}`, { ...share(tunnelId), target: "10.1.2.4:80" });
      expect(answer.status).toBe(202);
      expect((await call("GET", `/ipsec-shares/${id}`)).json).toEqual({ ...whole("NEW"), target: "10.1.2.4:80" });
      settle();
      expect(await statusOf(`/ipsec-shares/${id}`)).toBe("DEPLOYED");
    });

    it("goes through NEW to ERROR when the recreate fails", async () => {
      const id = await deployedShare(tunnelId);
      failNext("share", "update");
      await call("PUT", `/ipsec-shares/${id}`, share(tunnelId));
      expect(await statusOf(`/ipsec-shares/${id}`)).toBe("NEW");
      settle();
      expect(await statusOf(`/ipsec-shares/${id}`)).toBe("ERROR");
    });

    it.each(["name", "ipsecTunnelId", "envZId", "target", "ingressPort"])(
      "answers 400 without %s",
      async (property) => {
        const id = await deployedShare(tunnelId);
        const { status, json } = await call("PUT", `/ipsec-shares/${id}`, {
          ...share(tunnelId),
          [property]: undefined,
        });
        expect({ status, json }).toEqual({ status: 400, json: mustBeOf(property) });
      },
    );
  });

  describe("PATCH /ipsec-shares/{id}", () => {
    it.each([
      [{ name: "renamed" }, { name: "renamed" }],
      [{ target: "10.1.2.4:80" }, { target: "10.1.2.4:80" }],
      [{ ingressPort: 8443 }, { ingressPort: 8443 }],
      [{ envId: "other" }, { envZId: "other" }],
      [{ locationId: "lab" }, { locationId: "lab" }],
    ])("changes %j alone and recreates", async (patch, changed) => {
      const id = await deployedShare(tunnelId);
      expect((await call("PATCH", `/ipsec-shares/${id}`, patch)).status).toBe(202);
      expect((await call("GET", `/ipsec-shares/${id}`)).json).toEqual({ ...whole("NEW"), ...changed });
      settle();
      expect(await statusOf(`/ipsec-shares/${id}`)).toBe("DEPLOYED");
    });

    it("moves the share to another tunnel, which frees the first", async () => {
      const id = await deployedShare(tunnelId);
      const other = await deployedTunnel({ locationId: "lab" });
      await call("PATCH", `/ipsec-shares/${id}`, { ipsecTunnelId: other });
      expect((await call("DELETE", `/ipsec-tunnels/${tunnelId}`)).status).toBe(202);
      expect((await call("DELETE", `/ipsec-tunnels/${other}`)).status).toBe(400);
    });

    it.each([
      ["ingressPort", "80"],
      ["name", "-x"],
      ["target", "nowhere"],
      ["ipsecTunnelId", "tnl-9"],
    ])("answers 400 to the %s %j and leaves the share alone", async (property, value) => {
      const id = await deployedShare(tunnelId);
      const { status, json } = await call("PATCH", `/ipsec-shares/${id}`, { [property]: value });
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf(property) });
      expect((await call("GET", `/ipsec-shares/${id}`)).json).toEqual(whole("DEPLOYED"));
    });
  });

  describe("DELETE /ipsec-shares/{id}", () => {
    it("goes through DELETING to DELETED", async () => {
      const id = await deployedShare(tunnelId);
      expect((await call("DELETE", `/ipsec-shares/${id}`)).json).toEqual(whole("DELETING"));
      expect(await statusOf(`/ipsec-shares/${id}`)).toBe("DELETING");
      settle();
      expect(await statusOf(`/ipsec-shares/${id}`)).toBe("DELETED");
    });
  });

  describe.each(["PUT", "PATCH", "DELETE"])("%s /ipsec-shares/{id} of nobody", (method) => {
    it("answers not found", async () => {
      const body = method === "DELETE" ? undefined : share(tunnelId);
      const { status, json } = await call(method, "/ipsec-shares/shr-9", body);
      expect({ status, json }).toMatchObject({ status: 404, json: { error: "not_found" } });
    });
  });

  describe("GET /ipsec-shares/{id}/metrics", () => {
    it.each(["", "?duration=15m", "?duration=1h"])("answers metrics to %j", async (query) => {
      const id = await deployedShare(tunnelId);
      const { status, json } = await call("GET", `/ipsec-shares/${id}/metrics${query}`);
      expect({ status, json }).toMatchObject({ status: 200, json: { id } });
    });

    it("answers 400 to a duration that is none", async () => {
      const id = await deployedShare(tunnelId);
      const { status, json } = await call("GET", `/ipsec-shares/${id}/metrics?duration=long`);
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf("duration") });
    });
  });
});
