import { ask, own, share, tunnel } from "./own";

const tokens = { "emulator-token": ["fd-1", "fd-2"] };
const status = (value: number) => ({ status: value });
const total = (totalElements: number) => ({ body: { totalElements } });

it.each<[request: string, first: object, second: object, body?: object]>([
  ["GET /ipsec-tunnels", total(0), total(1)],
  ["GET /ipsec-shares", total(0), total(1)],
  ["GET /ipsec-tunnels/tnl-1", status(404), status(200)],
  ["GET /ipsec-tunnels/tnl-1/sample-config", status(404), status(200)],
  ["DELETE /ipsec-tunnels/tnl-1", status(404), status(400)],
  ["GET /ipsec-shares/shr-1", status(404), status(200)],
  ["DELETE /ipsec-shares/shr-1", status(404), status(202)],
  ["POST /ipsec-tunnels", status(202), status(409), tunnel],
  ["POST /ipsec-shares", status(400), status(202), { ...share("tnl-1"), ingressPort: 80 }],
])("%s of a front door knows nothing of another's tunnel and share", async (...[request, first, second, body]) => {
  const emulator = await own({ tokens });
  emulator.seedTunnel({ frontdoorId: "fd-2", locationId: "loc-1" });
  emulator.seedShare({ frontdoorId: "fd-2", ingressPort: 443 });
  expect(await ask(emulator, request, body)).toMatchObject(first);
  expect(await ask({ ...emulator, frontdoorId: "fd-2" }, request, body)).toMatchObject(second);
});

it("idsPerFrontdoor numbers the resources of each front door, and knows them apart", async () => {
  const first = await own({ idsPerFrontdoor: true, tokens });
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
