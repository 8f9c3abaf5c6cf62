import { openWithTunnel, port, type World, chosen, deploy, openWorld, tunnelInputs } from "../harness/world";
import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import { type Held, type OpenAdapter, type Props, type Subject, typeTokens, UNKNOWN } from "../model/program";
import { Host } from "../../provider/host/host";

type Kind = Subject["kind"];

const subjectOf = (kind: Kind, name: string, tunnel?: string): Subject => ({
  kind,
  urn: `urn:pulumi:test::office::${typeTokens[kind]}::${name}`,
  ...(tunnel !== undefined && { tunnel }),
});

const peer = { peerPublicIp: "203.0.113.9", peerCidr: "10.99.0.0/16", locationId: "loc-2" };

describe.each<[string, OpenAdapter]>([
  ["dynamic provider", dynamicAdapter],
  ["plugin", pluginAdapter],
])("lines beside a resource, with the %s: a preview", (_name, open) => {
  let world: World;
  let tunnelId: string;
  let lines: string[];

  /** The adapter of the present run. */
  const adapter = () => {
    const given: Record<string, string> = {
      "frontdoor:baseUrl": world.config.baseUrl,
      "frontdoor:frontdoorId": "fd-1",
    };
    return open(
      world.service,
      (key) => given[key],
      (_urn, line) => lines.push(line),
    );
  };

  beforeEach(async () => {
    [world, tunnelId] = await openWithTunnel();
    lines = [];
  });

  /** Creates a resource in an earlier run. */
  const made = async (kind: Kind, args: Props, name = "it"): Promise<Held> => {
    const now = adapter();
    const { inputs } = await now.check(subjectOf(kind, name), {}, args);
    const { id, outputs } = await now.create(subjectOf(kind, name), inputs);
    await world.clock.sleep(120_000);
    world.nextRun();
    return { id, inputs, outputs };
  };

  /** The lines beside a resource that the program declares so. */
  const preview = async (kind: Kind, held: Held, args: Props, name = "it"): Promise<string[]> => {
    const now = adapter();
    const { inputs, failures } = await now.check(subjectOf(kind, name), held.inputs, args);
    expect(failures).toEqual([]);
    lines = [];
    await now.diff(subjectOf(kind, name), held, inputs);
    return lines;
  };

  const share = () => ({ ipsecTunnelId: tunnelId, envZId: "env-1", ...port(443) });
  const set = () => ({ ipsecTunnelId: tunnelId, envZId: "env-1", shares: { web: port(1), db: port(2) } });
  const replaced = { ...peer, rotation: 2 };
  const long =
    /^DELETE, then POST; its shares are deleted first,.*; new key, new address, new host: .*can't be reached/;

  it("of a share that changes says the effect, then the requests", async () => {
    const held = await made("shares", { ...share(), locationId: "loc-1" });
    const changed = { ...share(), locationId: "loc-1", target: "b.internal:1", ingressPort: 8443 };
    expect(await preview("shares", held, changed)).toEqual([
      "interrupted until DEPLOYED, keeps its id: PATCH target, ingressPort",
    ]);
    expect(await preview("shares", held, share())).toEqual([
      "interrupted until DEPLOYED, keeps its id: PUT without locationId",
    ]);
    const failed = { ...held, outputs: { ...held.outputs, status: "ERROR" } };
    expect(await preview("shares", failed, { ...share(), locationId: "loc-1" })).toEqual([
      "was ERROR: interrupted until DEPLOYED, keeps its id: PUT",
    ]);
  });

  it("of a set says the same with the number of its shares", async () => {
    const held = await made("sets", set());
    const changed = { ...set(), shares: { web: port(1, { target: "b.internal:1" }), db: port(2), dns: port(3) } };
    expect(await preview("sets", held, changed)).toEqual([
      "1 of 2 shares interrupted until DEPLOYED, ids stay: 1 × POST, 1 × PATCH",
    ]);
  });

  it("of a replaced tunnel says once what that asks of the site, and repeats only the requests", async () => {
    const held = await made("tunnels", peer);
    expect(await preview("tunnels", held, replaced)).toEqual([
      expect.stringMatching(long) as string,
      "DELETE, then POST",
    ]);
    expect(await preview("tunnels", held, { ...peer, locationId: "loc-9" })).toEqual([
      expect.stringMatching(/^POST, then DELETE; its shares move .*; new key/) as string,
      "POST, then DELETE",
    ]);
  });

  it("of a rotation that comes from another resource says what happens if that changes", async () => {
    const held = await made("tunnels", { ...peer, rotation: "1" });
    const unknown = { ...peer, rotation: UNKNOWN };
    const short = "if rotation changes: DELETE, then POST";
    expect(await preview("tunnels", held, unknown)).toEqual([
      expect.stringMatching(/^if rotation changes: DELETE, then POST; .*new key, new address/) as string,
      short,
    ]);
    // Pulumi asks without a check before it deletes what depends on a resource that it replaces delete first.
    world.nextRun();
    lines = [];
    await adapter().diff(subjectOf("tunnels", "it"), held, { ...held.inputs, rotation: UNKNOWN });
    expect(lines[0]).toMatch(/if rotation changes: DELETE, then POST; .*new key, new address/);
    // A refresh compares too.
    world.nextRun();
    lines = [];
    await adapter().diff(subjectOf("tunnels", "it"), held, { ...held.inputs, rotation: "2" });
    expect(lines).toEqual([]);
  });
});

describe("a line that the provider says", () => {
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

  it("hides only the secret values of a set, of which the engine marks all shares", async () => {
    const world = await openWorld();
    const { secrets } = world.service;
    const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const shares = { web: { target: "hush:443" }, db: { target: "plain:5432" } };
    new Host(world.service).decoded({ shares: { ...mark, value: shares }, __secrets: ['shares["web"].target'] });
    expect(secrets.clean("hush:443, plain:5432")).toBe("[secret], plain:5432");
  });
});
