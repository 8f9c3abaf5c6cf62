import { deployedTunnel, mustBeOf, tunnel } from "./fixtures";
import { call, ownServerOnly, settle, useTarget } from "./target";

useTarget();

describe.each(["tunnel-config", "sample-config", "metrics"])("GET /ipsec-tunnels/{id}/%s", (path) => {
  it("answers an error body for an id nobody has", async () => {
    const { status, json } = await call("GET", `/ipsec-tunnels/no-such-tunnel-a0b1c2/${path}`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json).toEqual({ error: expect.any(String) as unknown, message: expect.any(String) as unknown });
  });
});

ownServerOnly(() => {
  describe("GET /ipsec-tunnels/{id}/tunnel-config", () => {
    it("answers the connection with its single tunnel entry", async () => {
      const id = await deployedTunnel();
      const { status, json } = await call("GET", `/ipsec-tunnels/${id}/tunnel-config`);
      expect(status).toBe(200);
      const text = expect.any(String) as unknown;
      const texts = expect.arrayContaining([expect.any(String)]) as unknown;
      const number = expect.any(Number) as unknown;
      const numbers = expect.arrayContaining([expect.any(Number)]) as unknown;
      expect(json).toEqual({
        state: "available",
        tunnels: [
          {
            outsideIpAddress: text,
            status: "UP",
            statusMessage: text,
            insideCidr: expect.stringMatching(/^169\.254\.\d+\.\d+\/30$/) as unknown,
            ikeVersions: texts,
            phase1EncryptionAlgorithms: texts,
            phase1IntegrityAlgorithms: texts,
            phase1DHGroupNumbers: numbers,
            phase1LifetimeSeconds: number,
            phase2EncryptionAlgorithms: texts,
            phase2IntegrityAlgorithms: texts,
            phase2DHGroupNumbers: numbers,
            phase2LifetimeSeconds: number,
            rekeyMarginTimeSeconds: number,
            rekeyFuzzPercentage: number,
            dpdTimeoutSeconds: number,
            dpdTimeoutAction: "clear",
          },
        ],
      });
    });

    it("answers the same each time", async () => {
      const id = await deployedTunnel();
      const first = await call("GET", `/ipsec-tunnels/${id}/tunnel-config`);
      expect((await call("GET", `/ipsec-tunnels/${id}/tunnel-config`)).json).toEqual(first.json);
    });
  });

  describe.each(["tunnel-config", "sample-config"])("GET /ipsec-tunnels/{id}/%s before DEPLOYED", (path) => {
    it("answers an error", async () => {
      await call("POST", "/ipsec-tunnels", tunnel);
      const early = await call("GET", `/ipsec-tunnels/tnl-1/${path}`);
      settle();
      const late = await call("GET", `/ipsec-tunnels/tnl-1/${path}`);
      expect([early.status, late.status]).toEqual([409, 200]);
    });
  });

  describe("GET /ipsec-tunnels/{id}/sample-config", () => {
    it("answers plain text with a key, the peer's address and the load balancer's", async () => {
      const id = await deployedTunnel();
      const { headers, text } = await call("GET", `/ipsec-tunnels/${id}/sample-config`, undefined, {
        accept: "text/plain",
      });
      expect(headers.get("content-type")).toMatch(/^text\/plain/);
      expect(text).toMatch(/pre-shared-key \S{32}\n/);
      expect(text).toContain(tunnel.peerPublicIp);
      expect(text).toContain("10.90.0.10");
    });

    it("gives each tunnel its own key", async () => {
      const keys = await Promise.all(
        [await deployedTunnel({ locationId: "a" }), await deployedTunnel({ locationId: "b" })].map(async (id) => {
          const { text } = await call("GET", `/ipsec-tunnels/${id}/sample-config`);
          return /pre-shared-key (\S+)/.exec(text)?.[1];
        }),
      );
      expect(new Set(keys).size).toBe(2);
    });

    it("shows the key nowhere else", async () => {
      const id = await deployedTunnel();
      const { text } = await call("GET", `/ipsec-tunnels/${id}/sample-config`);
      const key = /pre-shared-key (\S+)/.exec(text)?.[1] ?? "no key";
      for (const path of ["", `/${id}`, `/${id}/tunnel-config`, `/${id}/metrics`]) {
        expect((await call("GET", `/ipsec-tunnels${path}`)).text).not.toContain(key);
      }
    });
  });

  describe("GET /ipsec-tunnels/{id}/metrics", () => {
    it.each(["", "?window=30m", "?window=1h", "?window=1d", "?window=7d"])(
      "answers a time series to %j",
      async (query) => {
        const id = await deployedTunnel();
        const { status, json } = await call("GET", `/ipsec-tunnels/${id}/metrics${query}`);
        expect(status).toBe(200);
        expect((json as { series: { points: unknown[] }[] }).series[0]?.points).toHaveLength(30);
      },
    );

    it("takes an hour when no window is given", async () => {
      const id = await deployedTunnel();
      const [without, hour] = await Promise.all([
        call("GET", `/ipsec-tunnels/${id}/metrics`),
        call("GET", `/ipsec-tunnels/${id}/metrics?window=1h`),
      ]);
      expect(without.json).toEqual(hour.json);
    });

    it.each(["15m", "2h", "", "1H"])("answers 400 to the window %j", async (window) => {
      const id = await deployedTunnel();
      const { status, json } = await call("GET", `/ipsec-tunnels/${id}/metrics?window=${window}`);
      expect({ status, json }).toEqual({ status: 400, json: mustBeOf("window") });
    });
  });
});
