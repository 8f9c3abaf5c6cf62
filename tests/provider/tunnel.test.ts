import { deploy, chosen, openWorld, tunnelInputs, type World } from "../harness/world";
import { tunnelConnectionLifecycle } from "../../provider/resources/tunnel-connection";

it.each<[to: string, change: object, says: RegExp]>([
  ["another network", { peerCidr: "10.21.0.0/16" }, /^DELETE, then POST; its shares are deleted first, .* tunnel; /],
  ["another location", { locationId: "loc-9" }, /^POST, then DELETE; its shares move to the new tunnel by PATCH .*; /],
  ["another front door", { frontdoorId: "fd-2" }, /^POST, then DELETE; its shares are deleted, and created .*; /],
])(
  "the preview of a tunnel that gets %s names the share of another stack, and none of its own",
  async (_to, change, says) => {
    const world = await openWorld({ filtersHonoured: false });
    const { id, outputs } = await deploy(world, world.tunnels, tunnelInputs);
    for (const [index, name] of ["p-dev-web", "theirs"].entries())
      world.emulator.seedShare({ id: `shr-${name}`, name, ipsecTunnelId: id.toUpperCase(), ingressPort: 1 + index });
    const elsewhere = world.emulator.seedTunnel({ id: "tnl-elsewhere", name: "elsewhere", locationId: "loc-9" });
    world.emulator.seedShare({ id: "shr-elsewhere", name: "elsewhere", ipsecTunnelId: elsewhere.id });
    const news = { ...tunnelInputs, ...change };
    const until = world.within(60);
    const ofRefresh = await world.tunnels.preview(id, outputs, news, await world.tunnelDiff(outputs, news, id), until);
    expect([ofRefresh?.includes("theirs"), world.calls()]).toEqual([false, []]);
    world.tunnels.check({
      news,
      olds: outputs as object as Record<string, unknown>,
      origin: "organization::urn:pulumi:dev::p::t::hq",
    });
    const line = await world.tunnels.preview(id, outputs, news, await world.tunnelDiff(outputs, news, id), until);
    expect(line).toMatch(says);
    expect(line).toMatch(
      /; new key, new address, new host: the site must load a new configuration; until then its applications can't be reached; shares that/,
    );
    expect(line).toMatch(
      /; shares that may be other stacks' are on this tunnel \(shr-theirs\): if they are, `up` will stop with `tunnel-in-use`$/,
    );
    expect(world.calls()).toEqual([expect.stringMatching(/^GET \/ipsec-shares\?/)]);
  },
);

describe("tunnel", () => {
  let world: World;
  const deployed = () => deploy(world, world.tunnels, tunnelInputs);

  beforeEach(async () => {
    world = await openWorld();
  });

  it.each([
    ["ERROR", "ERROR", []],
    ["DELETING", "DELETING", ["status"]],
    ["NEW", "NEW", []],
    ["SOMETHING_NEW", "SOMETHING_NEW", []],
    ["ERROR", "DEPLOYED", []],
    ["DELETED", "DEPLOYED", []],
  ])(
    "diff: a stored status %s is never unchanged, and read before a replacement: %s",
    async (...[status, now, replaces]) => {
      const { id, outputs } = await deployed();
      world.emulator.setStatus(id, now as never);
      expect(await world.tunnelDiff({ ...outputs, status }, tunnelInputs)).toMatchObject({ changes: true, replaces });
    },
  );

  it("update: refuses a change that needs a replacement, and sends nothing", async () => {
    const { id, outputs } = await deployed();
    const news = { ...tunnelInputs, name: "hq2", peerCidr: "10.21.0.0/16" };
    await expect(world.tunnels.update(id, outputs, news, world.within(1800))).rejects.toThrow(
      /changing `peerCidr`, `name` replaces the resource.*\[replacement-needed\]$/,
    );
    expect(world.calls()).toEqual([]);
  });

  it("keeps its sample configuration in a refresh that cannot read it, and says so", async () => {
    const { id, outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    world.emulator.faults.answerNext({ path: /sample-config/, status: 500, times: 1000 });
    const read = await world.tunnels.read(id, outputs, world.within(900));
    expect(read?.sampleConfig).toBe(outputs.sampleConfig);
    expect(world.said).toEqual([
      expect.stringMatching(/its output `sampleConfig` is not updated\..*\[tunnel-config-unread\]$/),
    ]);
  });

  it("is deleted where it is on its way out already and the service refuses a second delete", async () => {
    const { id, outputs } = await deployed();
    world.emulator.settings.deletedShownAs = "DELETED";
    world.emulator.setStatus(id, "DELETED");
    world.emulator.faults.answerNext({ method: "DELETE", status: 409, body: { error: "conflict", message: "gone" } });
    await world.tunnels.delete(id, outputs, world.within(60));
    expect(world.writes()).toEqual([`DELETE /ipsec-tunnels/${id}`]);
  });
});

describe("tunnel configuration", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });

  it.each([
    ["the token may not read it", { status: 403, body: { error: "forbidden", message: "no access" } }, /403 forbidden/],
    ["the service always refuses it", { status: 400, body: { error: "bad", message: "no" } }, /400 bad/],
    ["the service always fails", { status: 500 }, /500/],
  ])("is left out with one line if %s, and read again by a refresh", async (_why, answer, says) => {
    world.emulator.faults.answerNext({ path: /tunnel-config$/, ...answer, times: Infinity });
    const { id, outputs, unfinished } = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    expect(unfinished).toBeUndefined();
    expect(outputs).toMatchObject({ status: "DEPLOYED", tunnelConfig: {}, sampleConfig: expect.any(String) as string });
    expect(world.said).toEqual([expect.stringMatching(/"hq" \(tnl-1\): .*\[tunnel-config-unread\]$/)]);
    expect(world.said[0]).toMatch(says);
    expect(await world.tunnelDiff(outputs, tunnelInputs)).toMatchObject({ changes: false });
    const read = () => world.tunnels.read(id, outputs, world.within(900));
    expect(await read()).toEqual(outputs);
    world.emulator.faults.clear();
    expect((await read())?.tunnelConfig).toHaveProperty("insideCidr");
  });

  it("is kept without its entry where the service goes on to show none", async () => {
    world.emulator.faults.answerNext({ path: /tunnel-config$/, status: 200, body: { tunnels: [] }, times: Infinity });
    const { id, outputs, unfinished } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    expect({ unfinished, tunnelConfig: outputs.tunnelConfig }).toEqual({ unfinished: undefined, tunnelConfig: {} });
    world.calls();
    expect(await world.tunnels.read(id, outputs, world.within(900))).toEqual(outputs);
    expect(world.calls().filter((line) => line.includes("tunnel-config"))).toHaveLength(1);
  });
});

const inputs = { tunnelId: "tnl-1", frontdoorId: "fd-1" };

const read = /tunnel-config/;

describe("a tunnel connection", () => {
  let world: World;
  const connections = () => tunnelConnectionLifecycle(world.service);
  const created = (seconds = 900) => connections().create(inputs, false, world.within(seconds));
  const set = (connectionStatus: string) => Object.assign(world.emulator.settings, { connectionStatus });

  beforeEach(async () => {
    world = await openWorld({ connectionStatus: "DOWN", connectionStatusMessage: "no proposal chosen" });
    world.emulator.seedTunnel({ id: "tnl-1" });
  });

  it.each([
    ["fails", { status: 500, times: 30 }],
    ["is refused for the ceiling", { status: 429, times: 30 }],
    ["is answered with a page", { status: 404, headers: { "content-type": "text/html" }, body: "<p>", times: 30 }],
    ["is answered with something else for a while", { status: 200, body: { tunnels: "?" }, times: 3 }],
    ["is not possible yet", { status: 409, body: { error: "conflict", message: "not yet" }, times: 30 }],
    ["is not found on a replica", { status: 404, body: { error: "not_found", message: "none" }, times: 30 }],
  ])("goes on waiting while its read %s", async (_what, answer) => {
    world.emulator.faults.answerNext({ path: read, ...answer });
    set("UP");
    const begunMs = world.clock.now();
    expect(await created()).toMatchObject({ id: "tnl-1", outputs: inputs });
    expect(world.clock.now() - begunMs).toBeGreaterThan(answer.times > 3 ? 60_000 : 0);
  });

  it.each([
    [401, "unauthorized", /\[token-refused\]/],
    [403, "not_found", /\[not-found-front-door\]/],
  ])("ends at once with the service's own words at a %s", async (status, error, says) => {
    world.emulator.faults.answerNext({ path: read, status, body: { error, message: "no" }, times: 100 });
    const begunMs = world.clock.now();
    await expect(created()).rejects.toThrow(says);
    expect(world.clock.now() - begunMs).toBeLessThan(5_000);
  });

  it("is read by the id of its tunnel, and keeps its addresses if the service shows none", async () => {
    const { id, state } = connections().imported("fd-1/tnl-1");
    const outputs = await connections().read(id, state, world.within(60));
    expect(outputs).toMatchObject({ ...inputs, insideCidr: expect.stringContaining("/30") as string });
    if (!outputs) throw new Error("it is gone");
    for (const body of [{ state: "available", tunnels: [] }, { tunnels: [{ status: "DOWN" }, outputs] }]) {
      world.emulator.faults.answerNext({ path: read, status: 200, body });
      expect(await connections().read(id, outputs, world.within(60))).toEqual(outputs);
    }
    world.emulator.setStatus("tnl-1", "ERROR");
    expect(await connections().read(id, outputs, world.within(60))).toEqual(outputs);
  });
});
