import { ConfigureRequest, CreateRequest, DeleteRequest, UpdateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Host } from "../../../../provider/hosts/plugin/host";
import { encoded } from "../../../../provider/hosts/plugin/values";
import { openShareWorld, type ShareWorld } from "../../world";

const urn = "urn:pulumi:test::office::frontdoor:index:IpsecShare::web";

describe("what the engine sends with an operation", () => {
  let opened: ShareWorld;
  let host: Host;
  beforeEach(async () => {
    opened = await openShareWorld();
    host = new Host({ open: () => opened.world.service, environment: {}, showProgress: () => undefined });
    const { baseUrl } = opened.world.config;
    host.configure(new ConfigureRequest().setArgs(encoded({ baseUrl, frontdoorId: "fd-1", token: "any" })));
  });
  afterEach(() => opened.world.close());

  it("is let go as soon as it is read: gRPC keeps the request for as long as the operation takes", async () => {
    const { inputs, id, outputs } = await opened.deployed();
    const create = new CreateRequest().setUrn(urn).setProperties(encoded({ ...inputs, name: "mail", ingressPort: 25 }));
    const creating = host.create(create);
    expect(create.getProperties()).toBeUndefined();
    expect((await creating).getProperties()?.toJavaScript()).toMatchObject({ name: "mail", ingressPort: 25 });

    const update = new UpdateRequest().setUrn(urn).setId(id).setOlds(encoded(outputs)).setOldInputs(encoded(inputs));
    const updating = host.update(update.setNews(encoded({ ...inputs, target: "b:1" })));
    expect([update.getOlds(), update.getNews(), update.getOldInputs()]).toEqual([undefined, undefined, undefined]);
    expect((await updating).getProperties()?.toJavaScript()).toMatchObject({ target: "b:1" });

    const remove = new DeleteRequest().setUrn(urn).setId(id).setProperties(encoded(outputs));
    const deleting = host.delete(remove);
    expect(remove.getProperties()).toBeUndefined();
    await deleting;
  });
});
