import type { Settings } from "../../emulator";
import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import type { TunnelInputs } from "../../provider/fields/tunnel";
import type { Send } from "../../provider/http/send";
import { type Common, type Lifecycle, Resource } from "../../provider/lifecycle/lifecycle";
import { chosen, openWorld, shareInputs, tunnelInputs, type World, checkedIn, declaredOn, port } from "./world";

type Spellings = Settings["spellings"];

const tunnel: TunnelInputs = { ...tunnelInputs, name: "Branch", locationId: "eu-West-1", nlbPrivateIp: "10.90.0.77" };

const share: ShareInputs = { ...shareInputs("tnl-1"), name: "Web", envZId: "Env-1", locationId: "eu-West-1" };

const shareFields = ["name", "envZId", "target", "locationId", "ipsecTunnelId"];

describe("a service that shows arguments in another spelling", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });

  const show = (spellings: Spellings) => {
    world.emulator.settings.spellings = spellings;
  };
  const later = () => {
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
  };
  const seedTunnel = () => world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  const shares = () => new Resource(world.shares, world.service);
  const newTunnel = () => new Resource(world.tunnels, world.service).create({ inputs: tunnel });
  const newShare = (inputs = share) => shares().create({ inputs });
  const updated = async (
    { id, outputs }: Awaited<ReturnType<typeof newShare>>,
    change: Partial<ShareInputs>,
    before: () => void = later,
  ) => {
    before();
    const made = await shares().update({ id, state: outputs, inputs: { ...share, ...change } });
    return { ...made, writes: world.writes() };
  };

  /** Creates a resource, of which the service shows what the program gives. Later nothing differs, and nothing is written. */
  const staysQuiet = async <Inputs extends Common, Outputs extends Common>(
    of: () => Lifecycle<Inputs, Outputs>,
    inputs: Inputs,
    shown = inputs,
    again = () => inputs,
  ) => {
    const { id, outputs, unfinished } = await new Resource(of(), world.service).create({ inputs });
    expect(unfinished).toBeUndefined();
    expect(outputs).toMatchObject(shown);
    later();
    expect(await of().diff(id, outputs, again(), world.within(60))).toMatchObject({ changes: false });
    const read = await new Resource(of(), world.service).read({ id, state: outputs });
    expect(read?.outputs).toEqual(outputs);
    expect(world.writes()).toEqual([]);
    return of().inputsOf(outputs);
  };

  it.each(["name", "peerPublicIp", "peerCidr", "locationId", "nlbPrivateIp"])(
    "leads to no write without an edit, for the %s of a tunnel",
    async (field) => {
      show({ [field]: "upper" });
      await staysQuiet(() => world.tunnels, tunnel);
    },
  );

  it.each(shareFields)("leads to no write without an edit, for the %s of a share", async (field) => {
    seedTunnel();
    show({ [field]: "upper" });
    await staysQuiet(() => world.shares, share);
  });

  it("is not blamed for a change that somebody makes in the service", async () => {
    seedTunnel();
    show({ locationId: "upper" });
    const { outputs } = await newShare();
    world.emulator.patchShare("shr-1", { locationId: "us-East-1" });
    later();
    const read = await world.shares.read("shr-1", outputs, world.within(60));
    expect(read).toMatchObject({ locationId: "US-EAST-1" });
    const { writes } = await updated({ id: "shr-1", outputs: read ?? outputs }, {});
    expect(writes).toEqual(['PATCH /ipsec-shares/shr-1 {"locationId":"eu-West-1"}']);
  });

  it("does not hide, in an update, a change of another field by somebody else", async () => {
    seedTunnel();
    show({ locationId: "upper" });
    const made = await newShare();
    const { outputs } = await updated(made, { ingressPort: 8443 }, () => {
      world.emulator.patchShare("shr-1", { target: "elsewhere:1" });
      later();
    });
    expect(outputs).toMatchObject({ target: "elsewhere:1", locationId: "eu-West-1" });
  });

  it("clears an optional field once", async () => {
    seedTunnel();
    show({ locationId: "upper", name: "upper" });
    const cleared = { ...share, locationId: undefined };
    const made = await newShare();
    later();
    const after = await world.shares.update(made.id, made.outputs, cleared, world.within(900));
    expect(after.unfinished).toBeUndefined();
    expect(world.writes()).toEqual([expect.stringMatching(/^PUT /)]);
    expect(await world.shareDiff(after.outputs, cleared)).toMatchObject({ changes: false });
  });

  it("leads to no write if a list left out the location, and no read worked", async () => {
    seedTunnel();
    const { id, outputs } = await newShare();
    show({ locationId: "upper" });
    later();
    const read = await world.shares.read(id, outputs, world.within(60));
    expect(await world.shareDiff(read ?? outputs, share, id)).toMatchObject({ changes: false });
  });

  describe("of a tunnel that is replaced", () => {
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::hq";
    const changed = { ...tunnel, peerCidr: "10.21.0.0/16" };
    const make = (inputs: TunnelInputs) => world.tunnels.create(inputs, chosen, world.within(1800));
    const declare = () => {
      world.nextRun();
      world.tunnels.check({ news: { ...tunnel }, olds: { ...tunnel }, origin });
    };
    beforeEach(() => {
      show({ name: "upper", locationId: "upper" });
      declare();
    });

    it("is replaced delete first if an interrupted run created it with other arguments", async () => {
      await world.interrupted(() => make(changed));
      declare();
      const { id, outputs, unfinished } = await make(tunnel);
      expect(unfinished?.message).toMatch(/\[tunnel-differs\]$/);
      declare();
      expect(await world.tunnelDiff(outputs, tunnel, id)).toMatchObject({
        replaces: ["peerCidr"],
        deleteBeforeReplace: true,
      });
    });

    it("is named in the refusal of another tunnel at its location", async () => {
      await make(tunnel);
      await expect(make({ ...changed, name: "Other" })).rejects.toThrow(/eu-West-1 is occupied by .*tnl-1/);
    });
  });

  it.each(["tunnel", "share"])("lets a program adopt a %s in its own spelling", async (kind) => {
    world.emulator.seedTunnel({ ...tunnel, id: "tnl-1" });
    world.emulator.seedShare({ ...share, id: "shr-1" });
    show({ name: "upper", locationId: "upper" });
    if (kind === "tunnel")
      await staysQuiet(
        () => world.tunnels,
        { ...tunnel, adopt: "tnl-1" },
        tunnel,
        () => tunnel,
      );
    else
      await staysQuiet(
        () => world.shares,
        { ...share, adopt: "shr-1" },
        share,
        () => share,
      );
  });

  it("imports what it shows", async () => {
    seedTunnel();
    world.emulator.seedShare({ ...share, id: "shr-1" });
    show({ name: "upper", locationId: "upper" });
    const { id, olds } = world.shares.imported("shr-1");
    const read = await world.shares.read(id, olds, world.within(60));
    expect(read).toMatchObject({ name: "WEB", locationId: "EU-WEST-1" });
    expect(read && world.shares.inputsOf(read)).toMatchObject({ name: "WEB", locationId: "EU-WEST-1" });
  });

  it("deletes a tunnel whose shares it shows on it in another spelling", async () => {
    const made = await newTunnel();
    const { id, outputs } = await newShare({ ...share, ipsecTunnelId: made.id });
    show({ ipsecTunnelId: "upper" });
    later();
    const leaving = world.shares.delete(id, outputs, world.within(900));
    await world.tunnels.delete(made.id, made.outputs, world.within(900));
    await leaving;
    expect(world.writes().filter((line) => line.includes("tunnels"))).not.toEqual([]);
  });

  it("leads to no write for the shares of a set", async () => {
    seedTunnel();
    show({ name: "upper", locationId: "upper", envZId: "upper" });
    const declared = declaredOn("tnl-1", { web: port(443, { locationId: "eu-West-1" }), db: port(5432) });
    const { inputs } = checkedIn(world, declared);
    const shown = { ipsecTunnelId: "tnl-1" } as typeof inputs;
    const again = () => checkedIn(world, declared, inputs).inputs;
    expect(await staysQuiet(() => world.sets, inputs, shown, again)).toMatchObject({
      shares: { web: { locationId: "eu-West-1" } },
    });
  });
});

describe("a service that shows another value than was sent", () => {
  let world: World;
  /** The values that reads show. A required one can be empty. */
  let shown: Record<string, unknown>;
  const changing =
    (send: Send): Send =>
    async (request) => {
      const received = await send(request);
      if (request.method !== "GET" || !/shares|tunnels/.test(request.url) || request.url.endsWith("config"))
        return received;
      const body = JSON.parse(received.text) as { content?: object[]; id?: string };
      const changed = body.content
        ? { ...body, content: body.content.map((entry) => ({ ...entry, ...shown })) }
        : body.id === undefined
          ? body
          : { ...body, ...shown };
      return { ...received, text: JSON.stringify(changed) };
    };
  const share1 = shareInputs("tnl-1");
  const differs = (fields: string) => ({
    message: expect.stringMatching(`Frontdoor shows ${fields}\\. .*\\[value-differs\\]$`) as string,
  });

  beforeEach(async () => {
    shown = {};
    world = await openWorld({}, changing);
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  });
  const nextRun = () => {
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
  };
  const createShare = () => world.shares.create(share1, chosen, world.within(900));
  const updateShare = (id: string, olds: ShareOutputs, news: ShareInputs) =>
    world.shares.update(id, olds, news, world.within(900));

  it("fails an update after 30 s, and each later run brings the program's value again", async () => {
    const { id, outputs } = await createShare();
    nextRun();
    const news = { ...share1, ingressPort: 8443 };
    shown = { ingressPort: 18443 };
    const begunMs = world.clock.now();
    const made = await updateShare(id, outputs, news);
    const outputs1 = { ...news, ingressPort: 18443 };
    expect(made).toMatchObject({ id, outputs: outputs1, unfinished: differs("`ingressPort` 18443 instead of 8443") });
    expect(world.clock.now() - begunMs).toBeGreaterThanOrEqual(30_000);
    expect(world.clock.now() - begunMs).toBeLessThan(120_000);
    expect(world.writes()).toHaveLength(1);
    nextRun();
    expect(await world.shareDiff(made.outputs, news)).toMatchObject({ changes: true, replaces: [] });
    const again = await updateShare(id, made.outputs, news);
    expect(again).toMatchObject({ unfinished: differs("`ingressPort` 18443 instead of 8443") });
    expect(world.writes()).toEqual(['PATCH /ipsec-shares/shr-1 {"ingressPort":8443}']);
    // The program may take what the service shows.
    const taken = await updateShare(id, again.outputs, outputs1);
    expect(taken.unfinished).toBeUndefined();
    expect(await world.shareDiff(taken.outputs, outputs1)).toMatchObject({ changes: false });
    shown = {};
    const corrected = await updateShare(id, made.outputs, news);
    expect(corrected.unfinished).toBeUndefined();
    expect(await world.shareDiff(corrected.outputs, news)).toMatchObject({ changes: false });
  });

  it("is drift of a set, too, after a refresh: the next run brings the program's", async () => {
    const { inputs } = checkedIn(world, declaredOn("tnl-1", { web: port(443) }));
    shown = { target: "z.internal:1" };
    const made = await world.sets.create(inputs, chosen, world.within(900));
    expect(made.unfinished?.message).toContain('`target` "z.internal:1" instead of "host-443.internal:443"');
    world.emulator.patchShare("shr-1", shown);
    shown = {};
    nextRun();
    const read = await world.sets.read(made.id, made.outputs, world.within(900));
    const updated = await world.sets.update(made.id, read ?? made.outputs, inputs, world.within(900));
    expect(updated.unfinished).toBeUndefined();
    expect(world.writes()).toEqual(['PATCH /ipsec-shares/shr-1 {"target":"host-443.internal:443"}']);
  });

  it.each([
    ["name", "acme-web"],
    ["envZId", "environments/env-1"],
    ["target", "other.internal:443"],
  ])("fails a create with its id in the state, also if the answer to the POST is lost: %s", async (field, value) => {
    shown = field === "name" ? {} : { [field]: value };
    if (field !== "name") world.emulator.faults.answerNext({ method: "POST", status: 503, when: "after" });
    else shown = { [field]: value };
    const made = await createShare();
    expect(made).toMatchObject({
      id: "shr-1",
      outputs: { ...share1, status: "DEPLOYED", [field]: value },
      unfinished: differs(`\`${field}\` .*`),
    });
    expect(world.writes().filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  it("fails a create of a tunnel, which the next run does not repeat", async () => {
    const inputs = { ...tunnelInputs, locationId: "loc-2", name: "two", nlbPrivateIp: "10.90.0.10" };
    world.emulator.removeTunnel("tnl-1");
    shown = { nlbPrivateIp: "10.90.0.99" };
    const made = await world.tunnels.create(inputs, chosen, world.within(1800));
    const difference = differs('`nlbPrivateIp` "10.90.0.99" instead of "10.90.0.10"');
    expect(made).toMatchObject({ outputs: { ...inputs, ...shown }, unfinished: difference });
    nextRun();
    const context = { ...world.within(60), declared: inputs };
    expect(await world.tunnels.diff(made.id, made.outputs, inputs, context)).toMatchObject({ replaces: [] });
    // Nor does it replace the tunnel after a refresh: the next one would have the value also.
    const read = await world.tunnels.read(made.id, made.outputs, world.within(900));
    expect(read && (await world.tunnels.diff(made.id, read, inputs, context))).toMatchObject({ replaces: [] });
    const again = await world.tunnels.update(made.id, made.outputs, inputs, { ...context, ...world.within(1800) });
    expect(again.unfinished).toMatchObject(difference);
    expect(world.writes()).toEqual([]);
  });

  it.each([["envZId"], ["target"], ["name"]])(
    "shows no value if a required one is empty, and nothing is created or written again: %s",
    async (field) => {
      shown = { [field]: "" };
      const made = await createShare();
      expect(made).toMatchObject({ outputs: share1 });
      expect(made.unfinished).toBeUndefined();
      expect(world.writes()).toHaveLength(1);
      nextRun();
      const read = await world.shares.read(made.id, made.outputs, world.within(900));
      expect(read).toEqual(made.outputs);
      expect(await world.shareDiff(made.outputs, share1)).toMatchObject({ changes: false });
    },
  );
});
