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
  it.each(["ipsec-tunnels", "ipsec-shares"])("lists only %s of its own", async (path) => {
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

  it("numbers its resources for itself with idsPerFrontdoor, and knows them apart", async () => {
    const first = await own({ idsPerFrontdoor: true, tokens: { "emulator-token": ["fd-1", "fd-2"] } });
    const second = { ...first, frontdoorId: "fd-2" };
    for (const emulator of [first, second]) {
      expect((await ask(emulator, "POST /ipsec-tunnels", tunnel)).body).toMatchObject({ id: "tnl-1" });
      expect((await ask(emulator, "POST /ipsec-shares", share("tnl-1"))).body).toMatchObject({ id: "shr-1" });
    }
    await ask(first, "PATCH /ipsec-shares/shr-1", { target: "10.9.9.9:443" });
    await ask(second, "DELETE /ipsec-shares/shr-1");
    first.clock.advance(1000);
    expect((await ask(second, "DELETE /ipsec-tunnels/tnl-1")).status).toBe(202);
    expect((await ask(first, "DELETE /ipsec-tunnels/tnl-1")).status).toBe(400);
    expect((await ask(first, "GET /ipsec-shares/shr-1")).body).toMatchObject({ target: "10.9.9.9:443" });
    expect((await ask(second, "GET /ipsec-shares/shr-1")).body).toMatchObject({ status: "DELETED" });
  });

  it("puts no share on another's tunnel", async () => {
    const { first } = await two();
    expect((await ask(first, "POST /ipsec-shares", share("tnl-1"))).status).toBe(400);
  });
});
