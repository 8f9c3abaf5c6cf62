import { UNKNOWN } from "../../provider/fields/field";
import { deploy, chosen, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";
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

it("an adoption is told in its preview, and not beside the second half of a replacement, for which adopt has no effect", async () => {
  const world = await openWorld();
  const { id, outputs } = await deploy(world, world.tunnels, tunnelInputs);
  const news = { ...tunnelInputs, adopt: id };
  const origin = "organization::urn:pulumi:dev::p::t::hq";
  const adopts = () => world.tunnels.check({ news, olds: {}, origin }).adopts?.map((each) => each.id);
  expect(adopts()).toEqual([id]);
  await world.tunnelDiff(outputs, { ...news, peerCidr: "10.21.0.0/16" }, id);
  expect(adopts()).toBeUndefined();
});

it("no line stands beside a share whose old tunnel the state lacks: an earlier run may have deleted both", async () => {
  const world = await openWorld();
  const tunnel = await deploy(world, world.tunnels, tunnelInputs);
  const { id, outputs } = await deploy(world, world.shares, shareInputs(tunnel.id));
  const news = { ...shareInputs(tunnel.id), ipsecTunnelId: UNKNOWN } as const;
  const diff = { changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true };
  const lineOf = async () => world.shares.preview(id, outputs, news, diff, world.within(60));
  expect(await lineOf()).toBeUndefined();
  world.tunnels.check({
    news: { ...tunnelInputs },
    olds: { ...tunnel.outputs },
    origin: "organization::urn:pulumi:dev::p::t::hq",
  });
  await world.tunnelDiff(tunnel.outputs, tunnelInputs, tunnel.id);
  expect(await lineOf()).toMatch(/^interrupted until DEPLOYED, keeps its id: PATCH ipsecTunnelId$/);
});

describe("tunnel", () => {
  let world: World;
  const deployed = () => deploy(world, world.tunnels, tunnelInputs);

  beforeEach(async () => {
    world = await openWorld();
  });

  it.each([
    ["nothing", {}, [], false, true],
    ["the peer's address", { peerPublicIp: "203.0.113.8" }, ["peerPublicIp"], true, true],
    ["the peer's network", { peerCidr: "10.21.0.0/16" }, ["peerCidr"], true, true],
    ["the name", { name: "hq2" }, ["name"], true, true],
    ["the load balancer's address", { nlbPrivateIp: "10.9.9.9" }, ["nlbPrivateIp"], true, true],
    ["the location", { locationId: "loc-9" }, ["locationId"], true, false],
    ["the front door", { frontdoorId: "fd-2" }, ["frontdoorId"], true, false],
    ["an unknown location", { locationId: UNKNOWN }, ["locationId"], true, true],
    [
      "location and network",
      { locationId: "loc-9", peerCidr: "10.21.0.0/16" },
      ["peerCidr", "locationId"],
      true,
      false,
    ],
  ] as const)("diff: %s", async (_name, change, replaces, changes, deleteBeforeReplace) => {
    const { outputs } = await deployed();
    expect(await world.tunnelDiff(outputs, { ...tunnelInputs, ...change })).toMatchObject({
      changes,
      isOfInputs: false,
      replaces,
      deleteBeforeReplace,
    });
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

  it("diff: a tunnel that has failed and never worked is replaced", async () => {
    const { id, outputs } = await deployed();
    world.emulator.setStatus(id, "ERROR");
    const never = { ...outputs, status: "ERROR", tunnelConfig: undefined };
    expect(await world.tunnelDiff(never, tunnelInputs)).toMatchObject({ changes: true, replaces: ["status"] });
  });

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

  it.each(["NEW", "UPDATING", "ERROR"] as const)(
    "keeps its outputs in a refresh that meets it as %s",
    async (status) => {
      const { id, outputs } = await deploy(world, world.tunnels, tunnelInputs);
      world.emulator.setStatus(id, status as "NEW");
      expect(await world.tunnels.read(id, outputs, world.within(900))).toEqual({
        ...outputs,
        status,
        __failedSince: status === "ERROR" ? (expect.stringMatching(/^20.*Z$/) as string) : undefined,
      });
    },
  );

  it("is kept as unfinished when its sample configuration cannot be read, and completed by the next run", async () => {
    world.emulator.faults.answerNext({ path: /sample-config/, status: 500, times: 1000 });
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    expect(made.unfinished?.message).toContain("sample-config: 500");
    expect(made.outputs.status).toBe("DEPLOYED");
    expect((await world.tunnelDiff(made.outputs, tunnelInputs)).changes).toBe(true);
    world.emulator.faults.clear();
    const resumed = await world.tunnels.update(made.id, made.outputs, tunnelInputs, world.within(1800));
    expect(resumed.outputs.sampleConfig).toBeDefined();
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
    [{}, 2],
    [{ state: "available", tunnels: [] }, 3],
    [{ tunnels: null }, 1],
  ])("is asked for again where %j lacks its entry", async (body, times) => {
    world.emulator.faults.answerNext({ path: /tunnel-config$/, status: 200, body, times });
    const { outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    expect(outputs.tunnelConfig).toHaveProperty("insideCidr");
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

  it("has the entry that the state knows by its outside address, in whatever order the service shows them", async () => {
    const tunnels = ["203.0.113.1", "203.0.113.2"].map((outsideIpAddress) => ({ outsideIpAddress }));
    const shows = (entries: object[]) => {
      world.emulator.faults.clear();
      world.emulator.faults.answerNext({
        ...{ path: /tunnel-config$/, status: 200, times: Infinity },
        body: { tunnels: entries },
      });
    };
    shows(tunnels);
    const { id, outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    shows(tunnels.toReversed());
    const read = await world.tunnels.read(id, outputs, world.within(900));
    expect(read?.tunnelConfig).toEqual({ outsideIpAddress: "203.0.113.1" });
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

  it("is checked by its table, and gets the configured front door", () => {
    const check = (news: object) => connections().check({ news: { ...news }, olds: {}, origin: undefined });
    expect(check({ tunnelId: UNKNOWN })).toMatchObject({ inputs: { ...inputs, tunnelId: UNKNOWN }, failures: [] });
    expect(check({ tunnelid: "tnl-1" }).failures).toEqual([
      { property: "tunnelId", reason: expect.stringContaining("is required") as string },
      { property: "tunnelid", reason: expect.stringContaining("Write tunnelId instead.") as string },
    ]);
  });

  it.each([
    ["nothing", {}, []],
    ["the tunnel", { tunnelId: "tnl-2" }, ["tunnelId"]],
    ["an unknown tunnel", { tunnelId: UNKNOWN }, ["tunnelId"]],
    ["the front door", { frontdoorId: "fd-2" }, ["frontdoorId"]],
  ] as const)("diff: %s", async (_what, change, replaces) => {
    const diff = await connections().diff("tnl-1", inputs, { ...inputs, ...change }, world.within(60));
    expect(diff).toMatchObject({
      changes: replaces.length > 0,
      isOfInputs: false,
      replaces,
      deleteBeforeReplace: false,
    });
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

  it("ends once its read has been answered in the same wrong way five times", async () => {
    world.emulator.faults.answerNext({ path: read, status: 200, body: { tunnels: "?" }, times: 1_000 });
    const begunMs = world.clock.now();
    await expect(created()).rejects.toThrow(/wrong or missing fields: tunnels\. .*\[unusable-answer\]$/);
    expect(world.clock.now() - begunMs).toBeLessThan(15_000);
  });

  it("ends at once if the service asks for a pause that outlasts its deadline", async () => {
    world.emulator.faults.answerNext({ path: read, status: 429, headers: { "retry-after": "3600" }, skip: 1 });
    const begunMs = world.clock.now();
    await expect(created()).rejects.toThrow(
      /no requests for 60 min, which is beyond the deadline \(429\)\..*\[long-pause\]$/,
    );
    expect(world.clock.now() - begunMs).toBeLessThan(5_000);
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

  it("shows while it waits how the connection is", async () => {
    const lines: string[] = [];
    const until = { ...world.within(60), report: (line: string) => lines.push(line) };
    await expect(connections().create(inputs, false, until)).rejects.toThrow();
    expect(lines.at(-1)).toMatch(/^DOWN \(no proposal chosen\) for \d+ s, limit 60 s$/);
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

it("is deleted with pauses while a list shows a share in DELETING that no read shows", async () => {
  let sent = 0;
  const ghost = { ...shareInputs("tnl-1"), id: "shr-9", status: "DELETING" };
  const answered = (status: number, body: object) => ({ status, headers: {}, text: JSON.stringify(body) });
  const world = await openWorld({}, (send) => (request) => {
    sent += 1;
    // Without a pause there would be no end.
    if (request.method === "DELETE" && sent < 2_000)
      return Promise.resolve(answered(409, { error: "conflict", message: "a share uses the tunnel" }));
    if (request.url.includes("ipsecTunnelId="))
      return Promise.resolve(answered(200, { content: [ghost], totalElements: 1 }));
    return send(request);
  });
  const { id, outputs } = await deploy(world, world.tunnels, tunnelInputs);
  await expect(world.tunnels.delete(id, outputs, world.within(300))).rejects.toThrow("a share uses the tunnel");
});
