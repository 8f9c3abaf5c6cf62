import { ConfigureRequest, CreateRequest, InvokeRequest, ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import { readsOf } from "../../provider/functions/functions";
import { showEach } from "../harness/shown";
import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";
import { Host } from "../../provider/host/host";
import { PluginAdapter, propertiesOf, structOf } from "../../provider/host/plugin";

/** The plugin as the engine has configured it for this world. */
function pluginOf({ service, config }: World): PluginAdapter {
  const plugin = new PluginAdapter(() => new Host(service), {});
  const { baseUrl, frontdoorId } = config;
  plugin.configure(new ConfigureRequest().setArgs(structOf({ baseUrl, frontdoorId, token: "any" })));
  return plugin;
}

/** A world with a tunnel, whose list entries have only these fields. */
async function openBare(...fields: string[]): Promise<World> {
  const world = await openWorld({ provisionMs: 0 });
  world.emulator.seedTunnel({ id: "tnl-1" });
  const bare = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([key]) => fields.includes(key)));
  for (const kind of ["share", "tunnel"] as const) showEach(world.emulator, kind, bare, "lists");
  return world;
}

it.each([[["id", "name", "status"]], [["id", "status"]]])(
  "where list entries show only %j, a share that a run has left is found",
  async (fields) => {
    const world = await openBare(...fields);
    const create = () => world.shares.create(shareInputs("tnl-1"), derived, world.within(900));
    await world.interrupted(create);
    const [{ id } = { id: "" }] = world.emulator.shares();
    expect(await create()).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
  },
);

it("where list entries show only a few fields, a share and a tunnel are read by their names", async () => {
  const { emulator, service } = await openBare("id", "name", "status");
  const { id } = emulator.seedShare(shareInputs("tnl-1"));
  expect(await readsOf(service).getShare({ name: "web" })).toMatchObject({ id, target: "web.internal:443" });
  const tunnel = emulator.seedTunnel({ ...tunnelInputs, name: "branch", locationId: "loc-2" });
  expect(await readsOf(service).getTunnel({ name: "branch" })).toMatchObject({ id: tunnel.id });
});

describe("functions", () => {
  let world: World;

  let emulator: World["emulator"];

  let functions: PluginAdapter;

  beforeEach(async () => {
    world = await openWorld();
    ({ emulator } = world);
    functions = pluginOf(world);
    for (const n of [1, 2, 3]) emulator.seedTunnel({ id: `tnl-${n}`, name: `site-${n}`, locationId: `loc-${n}` });
  });

  const invoke = async (token: string, args: object) =>
    propertiesOf((await functions.invoke(new InvokeRequest().setTok(token).setArgs(structOf(args)))).getReturn());

  async function list(token: string, query: object, limit = 0, from = "") {
    const request = new ListRequest().setToken(token).setQuery(structOf(query)).setLimit(limit);
    const all = [];
    for await (const each of functions.list(request.setContinuationToken(from)))
      all.push(
        each.hasResult()
          ? `${each.getResult()?.getId()} ${each.getResult()?.getName()}`
          : each.getContinuation()?.getContinuationToken(),
      );
    return all;
  }

  describe("a function of the plugin", () => {
    it("answers what the service has", async () => {
      const { values } = await invoke("frontdoor:index:getTunnel", { name: "site-2" });
      expect(values).toMatchObject({ id: "tnl-2", name: "site-2", frontdoorId: emulator.frontdoorId });
      expect((await invoke("frontdoor:index:getTunnels", { locationId: ["loc-1", "loc-3"] })).values).toMatchObject({
        tunnels: [{ id: "tnl-1" }, { id: "tnl-3" }],
      });
    });

    it("answers a sample configuration and its key as secrets, and metrics as they come", async () => {
      const { values, secrets } = await invoke("frontdoor:index:getSampleConfig", { id: "tnl-1" });
      expect([typeof values["sampleConfig"], secrets]).toEqual(["string", ["sampleConfig"]]);
      const key = await invoke("frontdoor:index:getPreSharedKey", { id: "tnl-1" });
      expect([key.values, key.secrets]).toEqual([{ preSharedKey: emulator.samplePsk("tnl-1") }, ["preSharedKey"]]);
      expect(await invoke("frontdoor:index:getTunnelMetrics", { id: "tnl-1" })).toMatchObject({
        values: { metrics: expect.anything() as unknown },
      });
    });

    it.each([404, 403])(
      "says that a tunnel is gone, and what refuses one that is not ready: %d",
      async (notFoundStatus) => {
        Object.assign(emulator.settings, { notFoundStatus, notReadyStatus: notFoundStatus });
        for (const name of ["getPreSharedKey", "getSampleConfig", "getTunnelConfig"])
          await expect(invoke(`frontdoor:index:${name}`, { id: "tnl-none" })).rejects.toThrow(
            /^IPsec tunnel tnl-none: front door fd-1 has no .* run `pulumi up --refresh` if .*\[not-found\]$/,
          );
        emulator.setStatus("tnl-2", "NEW");
        const early = invoke("frontdoor:index:getPreSharedKey", { id: "tnl-2" });
        await expect(early).rejects.toThrow(new RegExp(`^GET .*tnl-2/.*: ${notFoundStatus} .*\\]$`));
      },
    );

    it("makes equal reads once, until something is written; one that failed is made again", async () => {
      const id = "tnl-3";
      const read = (args: object) => invoke("frontdoor:index:getSampleConfig", args);
      const sent = () => emulator.requests.splice(0).filter(({ path }) => path.endsWith("/sample-config")).length;
      sent();
      const [first, second] = await Promise.all([read({ id, frontdoorId: "fd-1" }), read({ frontdoorId: "fd-1", id })]);
      expect([await read({ id, frontdoorId: "fd-1" }), second]).toEqual([first, first]);
      expect(sent()).toBe(1);
      const urn = "urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
      await expect(functions.create(new CreateRequest().setUrn(urn))).rejects.toThrow("[invalid-input]");
      await read({ id, frontdoorId: "fd-1" });
      expect(sent()).toBe(1);
      emulator.faults.answerNext({ status: 400, path: /sample-config/ });
      await expect(read({ id })).rejects.toThrow("400");
      await read({ id });
      expect(sent()).toBe(2);
    });

    it("says what is wrong with what it was asked", async () => {
      await expect(invoke("frontdoor:index:getTunel", {})).rejects.toThrow(
        "The frontdoor plugin has no function frontdoor:index:getTunel. Nothing was sent. Use one of: getTunnel, getShare,",
      );
      await expect(invoke("frontdoor:index:getTunnel", { id: "tnl-9" })).rejects.toThrow("[not-found]");
    });
  });

  it.each([
    ["tunnel", "getTunnel"],
    ["share", "getShare"],
  ] as const)("a %s that is being deleted is read by a command, not by a program", async (kind, name) => {
    const own = await openWorld({ teardownMs: 600_000 });
    const seeded = {
      tunnel: () => own.emulator.seedTunnel(),
      share: () => own.emulator.seedShare(shareInputs("tnl-1")),
    };
    const { id } = seeded[kind]();
    own.emulator.setStatus(id, "DELETING");
    expect(await readsOf(own.service)[name]({ id })).toMatchObject({ id, status: "DELETING" });
    const asked = new InvokeRequest().setTok(`frontdoor:index:${name}`).setArgs(structOf({ id }));
    const deleting = new RegExp(`^IPsec ${kind} ${id}: Frontdoor is deleting this resource, .* \\[not-found\\]$`);
    await expect(pluginOf(own).invoke(asked)).rejects.toThrow(deleting);
    await own.close();
  });

  describe("a secret that a function is asked with", () => {
    const secretly = (token: string, args: object) =>
      functions.invoke(new InvokeRequest().setTok(token).setArgs(structOf(args, Object.keys(args))));
    const unsaid = async (asking: Promise<unknown>, secret: string) => {
      const { message } = await asking.then(
        () => new Error("it was answered"),
        (error: unknown) => error as Error,
      );
      expect(message).toContain("[secret]");
      expect(message).not.toContain(secret);
    };

    it("is in no message: a name, an id, a value of the wrong kind", async () => {
      await unsaid(secretly("frontdoor:index:getTunnel", { name: "hush-hush" }), "hush-hush");
      await unsaid(secretly("frontdoor:index:getTunnel", { id: "tnl-hush" }), "tnl-hush");
      emulator.faults.answerNext({
        status: 403,
        path: "/ipsec-shares",
        body: { error: "no", message: "no port 48484" },
      });
      await unsaid(secretly("frontdoor:index:getShares", { ingressPort: [48484] }), "48484");
    });
  });

  describe("a list", () => {
    it("names what can be imported, page by page where a limit is given", async () => {
      const token = "frontdoor:index:IpsecTunnel";
      expect(await list(token, {})).toEqual(["tnl-1 site-1", "tnl-2 site-2", "tnl-3 site-3"]);
      expect(await list(token, {}, 2)).toEqual(["tnl-1 site-1", "tnl-2 site-2", "2"]);
      emulator.removeTunnel("tnl-1");
      expect(await list(token, {}, 2, "2")).toEqual(["tnl-3 site-3"]);
      expect(await list(token, { name: "site-3" })).toEqual(["tnl-3 site-3"]);
      expect(await list("frontdoor:index:IpsecShare", {})).toEqual([]);
    });
  });
});
