import { Resource } from "../../../provider/lifecycle/lifecycle";
import { openShareWorld, shareInputs, type ShareWorld } from "../world";

describe("a resource as hosts work it", () => {
  let opened: ShareWorld;
  const shares = () => new Resource(opened.world.shares, opened.world.service);
  const tunnels = () => new Resource(opened.world.tunnels, opened.world.service);
  beforeEach(async () => {
    opened = await openShareWorld();
  });
  afterEach(() => opened.world.close());

  it.each(["", "fd-1/"])("is read from an id alone, as an import does, its inputs included: %j", async (place) => {
    const { id, inputs } = await opened.deployed();
    // The service has chosen the location.
    const read = { ...inputs, locationId: "loc-1" };
    expect(await shares().read(`${place}${id}`)).toEqual({
      id,
      outputs: { ...read, status: "DEPLOYED", __set: ["locationId"] },
      inputs: read,
    });
    const tunnel = await tunnels().read(`${place}${opened.tunnelId}`);
    expect(tunnel).toMatchObject({
      id: opened.tunnelId,
      outputs: { status: "DEPLOYED", sampleConfig: expect.stringContaining("") as string },
      inputs: { name: "hq", peerCidr: "10.20.0.0/16" },
    });
  });

  it("says at once that an id to import does not exist, with the kind and the front door", async () => {
    const none = "front door fd-1 has no resource with this id. Correct the id. [not-found]";
    await expect(shares().read("shr-none")).rejects.toThrow(`IPsec share shr-none: ${none}`);
    await expect(tunnels().read("fd-1/tnl-none")).rejects.toThrow(`IPsec tunnel tnl-none: ${none}`);
    const sets = new Resource(opened.world.sets, opened.world.service);
    await expect(sets.read("tunnel/tnl-none")).rejects.toThrow(
      "IPsec share set: tunnel tnl-none of front door fd-1 has no shares. Correct the id. [not-found]",
    );
    expect(opened.world.said).toEqual([]);
  });

  it("refuses an id of more parts than a front door and an id", async () => {
    await expect(shares().read("a/fd-1/shr-1")).rejects.toThrow("a/fd-1/shr-1 has too many parts for an id");
  });

  it("says of each property how it differs, and whether that replaces the resource", async () => {
    const { id, inputs, outputs } = await opened.deployed();
    const diff = async (news: object) => (await shares().diff(id, outputs, { ...inputs, ...news })).properties;
    expect(await diff({})).toEqual({});
    expect(await diff({ target: "b:2", locationId: "loc-1" })).toEqual({ target: "update", locationId: "add" });
    expect(await diff({ frontdoorId: "fd-2" })).toEqual({ frontdoorId: "update-replace" });
    const located = await shares().update(id, outputs, { ...inputs, locationId: "loc-1" });
    expect((await shares().diff(id, located.outputs, inputs)).properties).toEqual({ locationId: "delete" });
  });

  it("proposes no spelling of a secret input", () => {
    const news = { ...shareInputs("tnl-1"), target: "b\u00fccher.example:443" };
    const { failures } = shares().check({ news, olds: {}, origin: undefined, secrets: ["target"] });
    expect(JSON.stringify(failures)).toContain("needs its ASCII form");
    expect(JSON.stringify(failures)).not.toMatch(/xn--|b\u00fccher/);
  });

  it("shows no secret input in any message, whatever resource it is about", async () => {
    const { id, outputs, inputs } = await opened.deployed();
    shares().keepSecret("web.internal:443");
    const news = { ...inputs, name: "-", target: "web.internal:443:no" };
    const { failures } = shares().check({ news, olds: {}, origin: undefined, secrets: ["name"] });
    expect(failures).toEqual([
      { property: "target", reason: expect.any(String) as string },
      { property: "", reason: expect.stringMatching(/^name \(a secret\) must be/) as string },
    ]);
    opened.world.emulator.faults.answerNext({ status: 400, times: 9, body: { error: "web.internal:443 is taken" } });
    const refused = await tunnels()
      .read(id, outputs as never)
      .catch((error: unknown) => error);
    expect(refused).toHaveProperty("message", expect.stringContaining("[secret] is taken"));
  });
});
