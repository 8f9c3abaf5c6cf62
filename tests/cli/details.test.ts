import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "./command";

let emulator: Emulator;
let place: Place;

beforeEach(async () => {
  emulator = await startEmulator();
  place = new Place(emulator);
  emulator.seedTunnel({ id: "tnl-1", name: "hq", locationId: "loc-1" });
  emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2", status: "NEW" });
  emulator.seedShare({
    id: "shr-1",
    name: "web",
    ipsecTunnelId: "tnl-1",
    target: "web.internal:443",
    ingressPort: 8443,
  });
  emulator.seedShare({ id: "shr-2", name: "db", ipsecTunnelId: "tnl-2", target: "db.internal:1", ingressPort: 1 });
});
afterEach(async () => {
  await emulator.close();
  place.remove();
});

describe("frontdoor tunnel", () => {
  it.each(["tnl-1", "hq"])("shows one by %s: details, connection with its age, and its shares", async (text) => {
    const { code, stdout, stderr } = await place.run(["tunnel", text]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^id +tnl-1$/m);
    expect(stdout).toMatch(/^status +DEPLOYED$/m);
    expect(stdout).toMatch(
      /^connection +UP \(asked 0 s ago\): IPsec security associations are established; available$/m,
    );
    expect(stdout).toMatch(/^shr-1 +web +DEPLOYED/m);
    expect(stdout).not.toContain(emulator.samplePsk("tnl-1"));
  });

  it("says that a connection is DOWN", async () => {
    Object.assign(emulator.settings, { connectionStatus: "DOWN", connectionStatusMessage: "IPSEC IS DOWN" });
    expect((await place.run(["tunnel", "hq"])).stdout).toMatch(/^connection +DOWN \(asked 0 s ago\): IPSEC IS DOWN/m);
  });

  it("has no connection before it is DEPLOYED", async () => {
    const { code, stdout } = await place.run(["tunnel", "plant", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      tunnel: { id: "tnl-2", status: "NEW" },
      connection: null,
      shares: [{ id: "shr-2" }],
    });
  });

  it("a name of two, and one of none, end with 1", async () => {
    emulator.seedTunnel({ id: "tnl-3", name: "hq", locationId: "loc-3" });
    const two = await place.run(["tunnel", "hq"]);
    expect(two.code).toBe(1);
    expect(two.stderr).toMatch(
      /front door fd-1 has 2 of this name \(tnl-1, tnl-3\), not exactly one; and none has this id\n$/,
    );
    const none = await place.run(["tunnel", "nobody", "--json"]);
    expect(none.code).toBe(1);
    expect(JSON.parse(none.stdout)).toMatchObject({
      error: { message: expect.stringContaining("0 of this name") as string },
    });
  });
});

describe("frontdoor share", () => {
  it.each(["shr-1", "web"])("shows one by %s: where it is reached, and its tunnel's connection", async (text) => {
    const { code, stdout } = await place.run(["share", text]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^target +web\.internal:443$/m);
    expect(stdout).toMatch(/^tunnel +hq, DEPLOYED$/m);
    expect(stdout).toMatch(/^reached at +\S+:8443$/m);
    expect(stdout).toMatch(/^connection +UP/m);
  });

  it("whose tunnel is gone is shown all the same", async () => {
    emulator.removeTunnel("tnl-1");
    const { code, stdout } = await place.run(["share", "web", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ share: { id: "shr-1" }, tunnel: null, connection: null });
  });
});
