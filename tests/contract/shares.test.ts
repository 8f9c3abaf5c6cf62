import { anyError, deployedShare, deployedTunnel, mustBeOf, share, statusOf } from "./fixtures";
import { answers, call, ownServerOnly, settle, useTarget } from "./target";

useTarget();

it("GET /ipsec-shares/{id} of nobody is an error", async () => {
  const { status, json } = await call("GET /ipsec-shares/no-such-share-a0b1c2");
  expect(status).toBeGreaterThanOrEqual(400);
  expect(json).toEqual(anyError);
});

ownServerOnly(() => {
  let tunnelId = "";
  let body: ReturnType<typeof share>;
  beforeEach(async () => {
    tunnelId = await deployedTunnel();
    body = share(tunnelId);
  });
  const whole = (status: string) => ({
    ...{ ...share("tnl-1"), id: "shr-1", frontdoorId: "fd-1", locationId: "loc-1", status },
  });
  const shown = async (id = "shr-1") => (await call(`GET /ipsec-shares/${id}`)).json;
  const settled = (id: string) => {
    settle();
    return statusOf(`/ipsec-shares/${id}`);
  };

  describe("POST /ipsec-shares", () => {
    it("answers 202 at NEW, then GET shows DEPLOYED", async () => {
      expect((await answers(["POST /ipsec-shares", body], 202)).json).toEqual(whole("NEW"));
      settle();
      expect(await shown()).toEqual(whole("DEPLOYED"));
    });

    it("takes envId for envZId, and answers envZId", async () => {
      const { envZId: envId, ...rest } = body;
      expect((await answers(["POST /ipsec-shares", { ...rest, envId }], 202)).json).toEqual(whole("NEW"));
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
    ])("answers 400 to the %s %j", (property, value, type) =>
      answers(["POST /ipsec-shares", { ...body, [property]: value }], 400, mustBeOf(property, type)),
    );

    it.each([
      ["name", ["a", "0-9", "a".repeat(63)]],
      ["target", ["db.internal.example:5432", "[fd00::1]:5432"]],
      ["ingressPort", [1, 65535]],
    ])("takes the %s %j", async (property, values) => {
      for (const [index, value] of values.entries())
        await answers(["POST /ipsec-shares", { ...body, ingressPort: 90 + index, [property]: value }], 202);
    });
  });

  describe("PUT /ipsec-shares/{id}", () => {
    it("replaces all fields and goes through NEW to DEPLOYED", async () => {
      const id = await deployedShare(tunnelId, { locationId: "lab" });
      await answers([`PUT /ipsec-shares/${id}`, { ...body, target: "10.1.2.4:80" }], 202);
      expect(await shown()).toEqual({ ...whole("NEW"), target: "10.1.2.4:80" });
      expect(await settled(id)).toBe("DEPLOYED");
    });

    it.each(["name", "ipsecTunnelId", "envZId", "target", "ingressPort"])(
      "answers 400 without %s",
      async (property) => {
        const id = await deployedShare(tunnelId);
        await answers([`PUT /ipsec-shares/${id}`, { ...body, [property]: undefined }], 400, mustBeOf(property));
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
    ])("changes %j only and recreates", async (patch, changed) => {
      const id = await deployedShare(tunnelId);
      await answers([`PATCH /ipsec-shares/${id}`, patch], 202);
      expect(await shown()).toEqual({ ...whole("NEW"), ...changed });
      expect(await settled(id)).toBe("DEPLOYED");
    });

    it("moves the share to another tunnel, which frees the first", async () => {
      const id = await deployedShare(tunnelId);
      const other = await deployedTunnel({ locationId: "lab" });
      await call(`PATCH /ipsec-shares/${id}`, { ipsecTunnelId: other });
      await answers([`DELETE /ipsec-tunnels/${tunnelId}`], 202);
      await answers([`DELETE /ipsec-tunnels/${other}`], 400);
    });

    it.each([
      ["ingressPort", "80"],
      ["name", "-x"],
      ["target", "nowhere"],
      ["ipsecTunnelId", "tnl-9"],
    ])("answers 400 to the %s %j and leaves the share as it is", async (property, value) => {
      const id = await deployedShare(tunnelId);
      await answers([`PATCH /ipsec-shares/${id}`, { [property]: value }], 400, mustBeOf(property));
      expect(await shown()).toEqual(whole("DEPLOYED"));
    });
  });

  it("DELETE /ipsec-shares/{id} goes through DELETING to DELETED", async () => {
    const id = await deployedShare(tunnelId);
    expect((await answers([`DELETE /ipsec-shares/${id}`], 202)).json).toEqual(whole("DELETING"));
    expect([await statusOf(`/ipsec-shares/${id}`), await settled(id)]).toEqual(["DELETING", "DELETED"]);
  });

  it.each(["PUT", "PATCH", "DELETE"])("%s /ipsec-shares/{id} of nobody answers not found", (method) =>
    answers([`${method} /ipsec-shares/shr-9`, method === "DELETE" ? undefined : body], 404, { error: "not_found" }),
  );

  it("GET /ipsec-shares/{id}/metrics answers metrics for a duration", async () => {
    const id = await deployedShare(tunnelId);
    for (const query of ["", "?duration=15m", "?duration=1h"])
      await answers([`GET /ipsec-shares/${id}/metrics${query}`], 200, { id });
    await answers([`GET /ipsec-shares/${id}/metrics?duration=long`], 400, mustBeOf("duration"));
  });
});
