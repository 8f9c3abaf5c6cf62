// #region test
import { startEmulator } from "../../emulator";

it("deploys a tunnel once its time has passed, and fails a share when told to", async () => {
  const emulator = await startEmulator({ frozenAtMs: 0, provisionMs: 1000 });
  const create = (what: string, body: object) =>
    fetch(`${emulator.baseUrl}/v2/${emulator.frontdoorId}/${what}`, {
      method: "POST",
      headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  await create("ipsec-tunnels", { name: "branch", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
  emulator.clock.advance(1000); // whatever was at NEW is DEPLOYED
  const [tunnel] = emulator.tunnels();
  expect(tunnel?.status).toBe("DEPLOYED");

  emulator.faults.failNext({ kind: "share", op: "create" });
  const share = { name: "web", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  await create("ipsec-shares", { ...share, ipsecTunnelId: tunnel?.id });
  emulator.clock.advance(1000);
  expect(emulator.shares().map(({ status }) => status)).toEqual(["ERROR"]);
  expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toHaveLength(2);
  await emulator.close();
});
// #endregion test
