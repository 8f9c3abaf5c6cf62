import { openWithTunnel, port, type World } from "../harness/world";
import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import { type Held, type OpenAdapter, type Props, type Subject, typeTokens, UNKNOWN } from "../model/program";

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

  it.each<[Kind, () => Props, string]>([
    ["tunnels", () => peer, "was NEW: waits until DEPLOYED"],
    ["shares", share, "was NEW: waits until DEPLOYED, sends what differs"],
    ["sets", set, "was NEW: waits until DEPLOYED, sends what differs"],
  ])("of unfinished %s says why it shows an update", async (kind, args, line) => {
    const held = await made(kind, args());
    const { shares } = held.outputs as { shares?: Record<string, object> };
    const unfinished = {
      ...{ ...held.outputs, status: "NEW" },
      ...(shares && { shares: { ...shares, web: { ...shares["web"], status: "NEW" } } }),
    };
    expect(await preview(kind, { ...held, outputs: unfinished }, args())).toEqual([line]);
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
