import {
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { silent } from "../../../provider/engine/engine";
import { PluginAdapter } from "../../../provider/plugin/adapter";
import { encoded } from "../../../provider/plugin/server";
import { openShareWorld, shareInputs, type ShareWorld } from "../world";

const settingsOf = (settings: object, secrets: string[] = []) =>
  new ConfigureRequest().setArgs(encoded(settings, secrets));

const urn = "urn:pulumi:test::office::frontdoor:index:IpsecShare::web";

describe("what the engine sends with an operation", () => {
  let opened: ShareWorld;
  let adapter: PluginAdapter;
  beforeEach(async () => {
    opened = await openShareWorld();
    adapter = new PluginAdapter({ open: () => opened.world.service, environment: {}, ...silent });
    const { baseUrl } = opened.world.config;
    adapter.configure(settingsOf({ baseUrl, frontdoorId: "fd-1", token: "any" }));
  });
  afterEach(() => opened.world.close());

  it("is let go as soon as it is read: gRPC keeps the request for as long as the operation takes", async () => {
    const { inputs, id, outputs } = await opened.deployed();
    const create = new CreateRequest().setUrn(urn).setProperties(encoded({ ...inputs, name: "mail", ingressPort: 25 }));
    const creating = adapter.create(create);
    expect(create.getProperties()).toBeUndefined();
    expect((await creating).getProperties()?.toJavaScript()).toMatchObject({ name: "mail", ingressPort: 25 });

    const update = new UpdateRequest().setUrn(urn).setId(id).setOlds(encoded(outputs)).setOldInputs(encoded(inputs));
    const updating = adapter.update(update.setNews(encoded({ ...inputs, target: "b:1" })));
    expect([update.getOlds(), update.getNews(), update.getOldInputs()]).toEqual([undefined, undefined, undefined]);
    expect((await updating).getProperties()?.toJavaScript()).toMatchObject({ target: "b:1" });

    const remove = new DeleteRequest().setUrn(urn).setId(id).setProperties(encoded(outputs));
    const deleting = adapter.delete(remove);
    expect(remove.getProperties()).toBeUndefined();
    await deleting;
  });
});

describe("a check", () => {
  it.each([true, false])("tells a run that changes something from a preview by a hidden input: %s", async (isUp) => {
    const { world } = await openShareWorld();
    world.nextRun("in order", "preview");
    let isOpen = false;
    world.service.previewGate.outside(() => (isOpen = true));
    const adapter = new PluginAdapter({ open: () => world.service, environment: {}, ...silent });
    adapter.configure(settingsOf({ baseUrl: world.config.baseUrl, frontdoorId: "fd-1", token: "any" }));
    const news = { ...shareInputs("tnl-1"), ...(isUp && { __isUp: true }) };
    const checked = adapter.check(new CheckRequest().setUrn(urn).setNews(encoded(news)));
    expect(checked.getFailuresList()).toEqual([]);
    expect(checked.getInputs()?.toJavaScript()).not.toHaveProperty("__isUp");
    expect(isOpen).toBe(isUp);
    await world.close();
  });
});

describe("a second configuration of the same process", () => {
  const settings = { baseUrl: "https://gateway.example.com/frontdoor", frontdoorId: "fd-1", token: "any" };
  const opened: string[] = [];
  let world: ShareWorld;
  let adapter: PluginAdapter;
  beforeEach(async () => {
    world = await openShareWorld();
    opened.length = 0;
    const open = ({ baseUrl }: { baseUrl: string }) => (opened.push(baseUrl), world.world.service);
    adapter = new PluginAdapter({ open, environment: { FRONTDOOR_TOKEN: "canary" }, ...silent });
    adapter.configure(settingsOf(settings, ["token"]));
  });
  afterEach(() => world.world.close());

  it("is accepted if it is identical, and opens nothing", () => {
    const { token, frontdoorId, baseUrl } = settings;
    expect(adapter.configure(settingsOf({ token, frontdoorId, baseUrl }, ["token"])).getAcceptsecrets()).toBe(true);
    expect(opened).toEqual([settings.baseUrl]);
  });

  it.each<[string, object, string[]]>([
    ["another address", { ...settings, baseUrl: "https://evil.example.com/frontdoor" }, ["token"]],
    ["no token of its own", { baseUrl: settings.baseUrl, frontdoorId: "fd-1" }, []],
    ["a secret in the clear", settings, []],
  ])("is refused with %s, and opens nothing", (_what, others, secrets) => {
    expect(() => adapter.configure(settingsOf(others, secrets))).toThrow("[configured-twice]");
    expect(opened).toEqual([settings.baseUrl]);
  });
});
