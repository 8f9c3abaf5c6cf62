import { Host } from "../../provider/host/host";
import { chosen, deploy, openWorld, tunnelInputs } from "../harness/world";

describe("a line that the provider says", () => {
  it("never shows a secret input or a credential", async () => {
    const world = await openWorld({ token: "canary-1" }, undefined, () => ({
      "frontdoor:token": "canary-1",
    }));
    world.service.secrets.addAll(["acme-db", 8443]);
    world.service.say('IPsec share "acme-db": port 8443 of tnl-1, canary-1. [resumed]');
    expect(world.said).toEqual(['IPsec share "[secret]": port [secret] of tnl-1, [secret]. [resumed]']);
  });

  it.each(["bearer", "basic"])("warns of a %s token that has expired, when a preview begins", async (kind) => {
    const token = (endMs: number) => {
      const claims = Buffer.from(JSON.stringify({ exp: Math.floor(endMs / 1000) })).toString("base64url");
      return `header.${claims}.signature`;
    };
    const worldWith = (text: string) =>
      openWorld({}, undefined, () => ({
        "frontdoor:token": text,
        ...(kind === "basic" && { "frontdoor:username": "acme" }),
      }));
    for (const valid of ["plain", "a.b.c", token(Date.now() + 3_600_000)]) {
      const world = await worldWith(valid);
      new Host(world.service);
      expect(world.said).toEqual([]);
    }
    const world = await worldWith(token(Date.now() - 60_000));
    new Host(world.service);
    expect(world.said).toEqual([
      expect.stringMatching(/the token in frontdoor:token has expired at .*\[token-expired\]$/),
    ]);
  });

  it("hides what Frontdoor shows of a secret argument, and nothing else of a set or a tunnel", async () => {
    const world = await openWorld();
    const tunnelId = world.emulator.seedTunnel({ id: "tnl-1" }).id;
    const inputs = (host: string) => {
      const common = { envZId: "env-1", __defaults: [] };
      const share = (name: string, ingressPort: number) => ({
        ...common,
        name,
        target: `${name}-${host}:1`,
        ingressPort,
      });
      return {
        name: "s",
        frontdoorId: "fd-1",
        ipsecTunnelId: tunnelId,
        shares: { web: share("web", 1), db: share("db", 2) },
      };
    };
    const { id, outputs } = await deploy(world, world.sets, inputs("a"));
    for (const share of Object.values(outputs.ids)) {
      world.emulator.patchShare(share, { target: "colleague:1" });
      world.emulator.setStatus(share, "DEPLOYED");
    }
    await world.clock.sleep(60_000);
    await world.sets.update(id, outputs, inputs("b"), { ...world.within(900), secrets: ['shares["web"].target'] });
    expect(world.said.map((line) => line.replace(/ \(.*?\)/, "").split(".")[0]).sort()).toEqual([
      'IPsec share "db": changed outside Pulumi: `target` to "colleague:1"',
      'IPsec share "web": changed outside Pulumi: `target` to [secret]',
    ]);
    const adopted = world.tunnels.create(
      { ...tunnelInputs, name: "hq", adopt: tunnelId, peerPublicIp: "203.0.113.99" },
      chosen,
      { ...world.within(900), secrets: ["peerPublicIp"] },
    );
    await expect(adopted).rejects.toThrow(/peerPublicIp \(it has \[secret\]\).*\[adopt-differs\]$/);
  });

  it("warns of a peer without a public address when it is new, and never shows it", async () => {
    const world = await openWorld();
    const check = (peerPublicIp: string, olds = {}) =>
      world.tunnels.check({ news: { ...tunnelInputs, name: "hq", peerPublicIp }, olds, origin: undefined }).failures;
    for (const address of ["203.0.113.7", "8.8.8.8"]) expect(check(address)).toEqual([]);
    expect(check("192.168.7.8", { peerPublicIp: "192.168.7.8" })).toEqual([]);
    expect(world.said).toEqual([]);
    for (const address of ["192.168.7.8", "100.64.0.1", "169.254.1.1"]) expect(check(address)).toEqual([]);
    expect(world.said).toHaveLength(3);
    for (const line of world.said) expect(line).toMatch(/^IPsec tunnel "hq": [^\d]*\[peer-not-public\]$/);
  });

  it("hides only the secret values of a set, of which the engine marks all shares", async () => {
    const world = await openWorld();
    const { secrets } = world.service;
    const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const shares = { web: { target: "hush:443" }, db: { target: "plain:5432" } };
    new Host(world.service).decoded({ shares: { ...mark, value: shares }, __secrets: ['shares["web"].target'] });
    expect(secrets.clean("hush:443, plain:5432")).toBe("[secret], plain:5432");
  });
});
