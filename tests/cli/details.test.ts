import { useEmulator } from "./command";

const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "hq", locationId: "loc-1" });
  emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2", status: "NEW" });
  const web = { target: "web.internal:443", ingressPort: 8443 };
  emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", ...web });
  emulator.seedShare({ id: "shr-2", name: "db", ipsecTunnelId: "tnl-2", target: "db.internal:1", ingressPort: 1 });
});

describe("frontdoor tunnel", () => {
  it.each(["tnl-1", "hq"])("shows one by %s: details, connection with its age, and its shares", async (text) => {
    const { code, stdout, stderr } = await here.run(`tunnel ${text}`);
    expect([code, stderr]).toEqual([0, ""]);
    const connection = "connection +UP \\(asked 0 s ago\\): IPsec security associations are established; available$";
    for (const line of ["id +tnl-1$", "status +DEPLOYED$", connection, "shr-1 +web +DEPLOYED"])
      expect(stdout).toMatch(new RegExp(`^${line}`, "m"));
    expect(stdout).not.toContain(here.emulator.samplePsk("tnl-1"));
  });

  it("says that a connection is DOWN", async () => {
    Object.assign(here.emulator.settings, { connectionStatus: "DOWN", connectionStatusMessage: "IPSEC IS DOWN" });
    expect((await here.run("tunnel hq")).stdout).toMatch(/^connection +DOWN \(asked 0 s ago\): IPSEC IS DOWN/m);
  });

  it.each(["", " --json"])("shows no key that the service puts into its words on the connection%s", async (option) => {
    const psk = here.emulator.samplePsk("tnl-1");
    const connectionStatusMessage = `peer sent ${psk}, expected psk=hunter2 or "Zx81kk2LmnoPq90rst" for 10.20.0.0/16`;
    Object.assign(here.emulator.settings, { connectionStatus: "DOWN", connectionStatusMessage });
    const { stdout } = await here.run(`tunnel tnl-1${option}`);
    expect(stdout).toContain("peer sent [secret], expected psk=[secret] or ");
    expect(stdout).toContain("10.20.0.0/16");
    for (const secret of [psk, "hunter2", "Zx81kk2"]) expect(stdout).not.toContain(secret);
  });

  it("has no connection before it is DEPLOYED", async () => {
    const { code, stdout } = await here.run("tunnel plant --json");
    const tunnel = { id: "tnl-2", status: "NEW" };
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { tunnel, connection: null, shares: [{ id: "shr-2" }] }]);
  });

  it("a name of two, and one of none, end with 1", async () => {
    here.emulator.seedTunnel({ id: "tnl-3", name: "hq", locationId: "loc-3" });
    const two = await here.run("tunnel hq");
    const told =
      /hq: no resource has this id\. .* fd-1 has 2 resources with this name: tnl-1, tnl-3\. .*\[not-one-match\]\n$/;
    expect([two.code, two.stderr]).toEqual([1, expect.stringMatching(told)]);
    here.emulator.seedTunnel({ id: "tnl-4", name: "shop-prod-south", locationId: "loc-4" });
    for (const [text, meant] of [
      ["plnat", '"plant" (tnl-2)'],
      ["south", '"shop-prod-south" (tnl-4)'],
    ] as const)
      expect((await here.run(`tunnel ${text}`)).stderr).toContain(`Did you mean ${meant}? [not-one-match]`);
    const none = await here.run("tunnel nobody --json");
    const message = expect.stringContaining("no resource with this name") as string;
    expect([none.code, JSON.parse(none.stdout)]).toMatchObject([1, { error: { message } }]);
  });
});

describe("frontdoor share", () => {
  it.each(["shr-1", "web"])("shows one by %s: where it is reached, and its tunnel's connection", async (text) => {
    const { code, stdout } = await here.run(`share ${text}`);
    expect(code).toBe(0);
    const lines = ["target +web\\.internal:443$", "tunnel +hq, DEPLOYED$", "reached at +\\S+:8443$", "connection +UP"];
    for (const line of lines) expect(stdout).toMatch(new RegExp(`^${line}`, "m"));
  });

  it("whose tunnel is gone is shown all the same", async () => {
    here.emulator.removeTunnel("tnl-1");
    const { code, stdout } = await here.run("share web --json");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { share: { id: "shr-1" }, tunnel: null, connection: null }]);
  });
});
