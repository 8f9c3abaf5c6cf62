import type { Emulator } from "../../emulator";
import { ask, own, share, tunnel } from "./own";

/** Two front doors under one token, a tunnel and a share on the second. */
async function two(): Promise<{ first: Emulator; second: Emulator }> {
  const first = await own({ tokens: { "emulator-token": ["fd-1", "fd-2"] } });
  first.seedTunnel({ frontdoorId: "fd-2", locationId: "loc-1" });
  first.seedShare({ frontdoorId: "fd-2", ingressPort: 443 });
  return { first, second: { ...first, frontdoorId: "fd-2" } };
}

describe("a front door", () => {
  it.each(["ipsec-tunnels", "ipsec-shares"])("lists %s of its own alone", async (path) => {
    const { first, second } = await two();
    expect((await ask(first, `GET /${path}`)).body).toMatchObject({ totalElements: 0 });
    expect((await ask(second, `GET /${path}`)).body).toMatchObject({ totalElements: 1 });
  });

  it.each([
    "GET /ipsec-tunnels/tnl-1",
    "GET /ipsec-tunnels/tnl-1/sample-config",
    "DELETE /ipsec-tunnels/tnl-1",
    "GET /ipsec-shares/shr-1",
    "DELETE /ipsec-shares/shr-1",
  ])("does not know another's: %s", async (request) => {
    const { first } = await two();
    expect((await ask(first, request)).status).toBe(404);
  });

  it("has locations of its own", async () => {
    const { first, second } = await two();
    expect((await ask(first, "POST /ipsec-tunnels", tunnel)).status).toBe(202);
    expect((await ask(second, "POST /ipsec-tunnels", tunnel)).status).toBe(409);
  });

  it("puts no share on another's tunnel", async () => {
    const { first } = await two();
    expect((await ask(first, "POST /ipsec-shares", share("tnl-1"))).status).toBe(400);
  });
});
