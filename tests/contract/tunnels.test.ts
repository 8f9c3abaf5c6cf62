import { anyError, deployedShare, deployedTunnel, mustBeOf, statusOf, tunnel } from "./fixtures";
import { answers, call, failNext, ownServerOnly, settle, useTarget } from "./target";

useTarget();

it.each(["", "/tunnel-config", "/sample-config", "/metrics"])(
  "GET /ipsec-tunnels/{id}%s of nobody is an error",
  async (path) => {
    const { status, json } = await call(`GET /ipsec-tunnels/no-such-tunnel-a0b1c2${path}`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json).toEqual(anyError);
  },
);

ownServerOnly(() => {
  const listed = { ...tunnel, id: "tnl-1", frontdoorId: "fd-1", locationId: "loc-1" };
  const full = { ...listed, nlbPrivateIp: "10.90.0.10" };

  describe("POST /ipsec-tunnels", () => {
    it("answers 202 with the entry at NEW, then GET shows DEPLOYED with the load balancer", async () => {
      expect((await answers(["POST /ipsec-tunnels", tunnel], 202)).json).toEqual({ ...listed, status: "NEW" });
      const early = await call("GET /ipsec-tunnels/tnl-1");
      expect(early.json).toEqual({ ...full, status: "NEW", nlbDnsName: "", vpnConnectionId: "" });
      settle();
      const balancer = expect.stringMatching(/^nlb-.+/) as unknown;
      const connection = expect.stringMatching(/^vpn-.+/) as unknown;
      const late = await call("GET /ipsec-tunnels/tnl-1");
      expect(late.json).toEqual({ ...full, status: "DEPLOYED", nlbDnsName: balancer, vpnConnectionId: connection });
    });

    it("keeps the location and address that the client chose", async () => {
      const chosen = { locationId: "lab", nlbPrivateIp: "10.9.9.9" };
      await answers([`GET /ipsec-tunnels/${await deployedTunnel(chosen)}`], 200, chosen);
    });

    it("goes to ERROR when provisioning fails", async () => {
      failNext("tunnel");
      expect(await statusOf(`/ipsec-tunnels/${await deployedTunnel()}`)).toBe("ERROR");
    });

    it("refuses a second tunnel at the same location until the first is DELETED, and takes one elsewhere", async () => {
      const id = await deployedTunnel({ locationId: "lab" });
      const same = { ...tunnel, name: "other", locationId: "lab" };
      const conflict = { error: "conflict", message: expect.stringContaining("lab") as unknown };
      expect((await answers(["POST /ipsec-tunnels", same], 409)).json).toEqual(conflict);
      await answers(["POST /ipsec-tunnels", { ...same, locationId: "lab-2" }], 202);
      await call(`DELETE /ipsec-tunnels/${id}`);
      await answers(["POST /ipsec-tunnels", same], 409);
      settle();
      await answers(["POST /ipsec-tunnels", same], 202);
    });

    const notPublic = ["0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.31.0.1", "192.168.1.1"];
    it.each<[property: string, value: unknown, type: string]>([
      ["name", undefined, "string"],
      ["name", 7, "string"],
      ["name", "", "string"],
      ["peerPublicIp", undefined, "string"],
      ["peerPublicIp", "203.0.113", "IPv4 address"],
      ["peerPublicIp", "2001:db8::1", "IPv4 address"],
      ...[...notPublic, "224.0.0.1", "255.255.255.255"].map((ip): [string, string, string] => [
        "peerPublicIp",
        ip,
        "public IPv4 address",
      ]),
      ["peerCidr", undefined, "string"],
      ["peerCidr", "192.168.10.0", "IPv4 CIDR block"],
      ["peerCidr", "192.168.10.0/33", "IPv4 CIDR block"],
      ["locationId", 7, "string"],
      ["nlbPrivateIp", "ten", "IPv4 address"],
    ])("answers 400 to the %s %j", (property, value, type) =>
      answers(["POST /ipsec-tunnels", { ...tunnel, [property]: value }], 400, mustBeOf(property, type)),
    );

    it.each(["", "{", "[]", "null", '"text"'])("answers 400 to the body %j", (body) =>
      answers(["POST /ipsec-tunnels", body], 400, mustBeOf("body", "JSON object")),
    );

    it("answers 400 to a body that is not sent as JSON", () =>
      answers(
        ["POST /ipsec-tunnels", tunnel, { "content-type": "text/plain" }],
        ...([400, mustBeOf("Content-Type", "application/json")] as const),
      ));
  });

  describe("DELETE /ipsec-tunnels/{id}", () => {
    it("answers 202 with the entry at DELETING, then shows DELETED, and leaves the rest as it was", async () => {
      const id = await deployedTunnel();
      const before = (await call(`GET /ipsec-tunnels/${id}`)).json as object;
      expect((await answers([`DELETE /ipsec-tunnels/${id}`], 202)).json).toEqual({ ...listed, id, status: "DELETING" });
      expect((await call(`GET /ipsec-tunnels/${id}`)).json).toEqual({ ...before, status: "DELETING" });
      settle();
      expect(await statusOf(`/ipsec-tunnels/${id}`)).toBe("DELETED");
    });

    it("answers 400 while a share targets it, also one in DELETING", async () => {
      const id = await deployedTunnel();
      const shareId = await deployedShare(id);
      await answers([`DELETE /ipsec-tunnels/${id}`], 400, mustBeOf("id"));
      await call(`DELETE /ipsec-shares/${shareId}`);
      await answers([`DELETE /ipsec-tunnels/${id}`], 400);
      settle();
      await answers([`DELETE /ipsec-tunnels/${id}`], 202);
    });

    it("answers not found for an id nobody has", () =>
      answers(["DELETE /ipsec-tunnels/tnl-9"], 404, { error: "not_found" }));
  });

  it.each(["tunnel-config", "sample-config"])(
    "GET /ipsec-tunnels/{id}/%s is an error before DEPLOYED",
    async (path) => {
      await call("POST /ipsec-tunnels", tunnel);
      await answers([`GET /ipsec-tunnels/tnl-1/${path}`], 409);
      settle();
      expect((await call(`GET /ipsec-tunnels/tnl-1/${path}`)).status).toBe(200);
    },
  );

  it("GET /ipsec-tunnels/{id}/tunnel-config answers the connection with its single entry, the same each time", async () => {
    const request = `GET /ipsec-tunnels/${await deployedTunnel()}/tunnel-config`;
    const text = expect.any(String) as unknown;
    const texts = expect.arrayContaining([expect.any(String)]) as unknown;
    const number = expect.any(Number) as unknown;
    const numbers = expect.arrayContaining([expect.any(Number)]) as unknown;
    const phase = (n: 1 | 2) => ({
      ...{ [`phase${n}EncryptionAlgorithms`]: texts, [`phase${n}IntegrityAlgorithms`]: texts },
      ...{ [`phase${n}DHGroupNumbers`]: numbers, [`phase${n}LifetimeSeconds`]: number },
    });
    const entry = {
      ...{ outsideIpAddress: text, status: "UP", statusMessage: text, ikeVersions: texts, ...phase(1), ...phase(2) },
      insideCidr: expect.stringMatching(/^169\.254\.\d+\.\d+\/30$/) as unknown,
      ...{ rekeyMarginTimeSeconds: number, rekeyFuzzPercentage: number },
      ...{ dpdTimeoutSeconds: number, dpdTimeoutAction: "clear" },
    };
    const { json } = await call(request);
    expect(json).toEqual({ state: "available", tunnels: [entry] });
    expect((await call(request)).json).toEqual(json);
  });

  it("GET /ipsec-tunnels/{id}/sample-config answers plain text with a key of the tunnel's own, shown nowhere else", async () => {
    const keys: string[] = [];
    for (const locationId of ["a", "b"]) {
      const id = await deployedTunnel({ locationId });
      const request = `GET /ipsec-tunnels/${id}/sample-config`;
      const { headers, text } = await call(request, undefined, { accept: "text/plain" });
      expect(headers.get("content-type")).toMatch(/^text\/plain/);
      for (const part of [tunnel.peerPublicIp, "10.90.0.1"]) expect(text).toContain(part);
      keys.push(/pre-shared-key (\S{32})\n/.exec(text)?.[1] ?? "no key");
      for (const path of ["", `/${id}`, `/${id}/tunnel-config`, `/${id}/metrics`])
        expect((await call(`GET /ipsec-tunnels${path}`)).text).not.toContain(keys.at(-1));
    }
    expect(new Set(keys).size).toBe(2);
  });

  it("GET /ipsec-tunnels/{id}/metrics answers a time series for a window, an hour by default", async () => {
    const request = `GET /ipsec-tunnels/${await deployedTunnel()}/metrics`;
    for (const window of ["30m", "1h", "1d", "7d"]) {
      const { json } = await answers([`${request}?window=${window}`], 200);
      expect((json as { series: { points: unknown[] }[] }).series[0]?.points).toHaveLength(30);
    }
    expect((await call(request)).json).toEqual((await call(`${request}?window=1h`)).json);
    for (const window of ["15m", "2h", "", "1H"])
      await answers([`${request}?window=${window}`], 400, mustBeOf("window"));
  });
});
