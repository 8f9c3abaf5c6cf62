import type { Send } from "../../../provider/http/send";
import type { ShareInputs } from "../../../provider/fields/share";
import type { TunnelInputs } from "../../../provider/fields/tunnel";
import { chosen, derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const web = shareInputs("tnl-1");
const branch = { ...tunnelInputs, name: "branch", locationId: "loc-2" };

describe("frontdoor:takeOver", () => {
  let world: World;
  const start = async (takeOver = "interrupted", wrap?: (send: Send) => Send) => {
    world = await openWorld({ provisionMs: 0 }, wrap, () => ({ "frontdoor:takeOver": takeOver }));
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  };
  const create = (change: Partial<ShareInputs> = {}, isNameDerived = derived) =>
    world.shares.create({ ...web, ...change }, isNameDerived, world.within(900));
  const createTunnel = (change: Partial<TunnelInputs> = {}) =>
    world.tunnels.create({ ...branch, ...change }, derived, world.within(1800));
  const onlyShare = () => world.emulator.shares().map(({ id }) => id)[0] ?? "";
  afterEach(() => world.close());

  it("unset: a create that was interrupted is resumed, and one line says so", async () => {
    await start();
    await world.interrupted(() => create({}, chosen));
    const made = await create({}, chosen);
    expect(made).toMatchObject({ id: onlyShare(), outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
    expect(world.said).toEqual([expect.stringMatching(`"web": .*${made.id}.*\\[resumed\\]$`)]);
  });

  it.each([
    ["interrupted", derived],
    ["alike", chosen],
  ])("%s: an identical share is not touched (derived name: %j)", async (takeOver, isNameDerived) => {
    await start(takeOver);
    const { id } = world.emulator.seedShare(web);
    await expect(create({}, isNameDerived)).rejects.toThrow(`adopt: "${id}"\` in the arguments. [identical-exists]`);
    expect(world.writes()).toEqual([]);
  });

  it("alike: an identical share is adopted under a derived name, and one line says so", async () => {
    await start("alike");
    const { id } = world.emulator.seedShare(web);
    expect(await create()).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
    expect(world.said).toEqual([expect.stringMatching(`"web": .*${id}.*\\[adopted\\]$`)]);
  });

  it("never: not even a create that was interrupted is resumed", async () => {
    await start("never");
    await world.interrupted(create);
    await expect(create()).rejects.toThrow(`adopt: "${onlyShare()}"\` in the arguments. [resume-refused]`);
    expect(world.writes()).toEqual([]);
  });

  it("a create that another organization's stack left unfinished is not resumed", async () => {
    await start();
    const createIn = (organization: string) => {
      const origin = `${organization}::urn:pulumi:dev::acme::frontdoor:index:IpsecShare::web`;
      const { inputs } = world.shares.check({ news: { ...web }, olds: {}, origin });
      return world.shares.create(inputs as ShareInputs, derived, world.within(900));
    };
    await world.interrupted(() => createIn("organization"));
    await expect(createIn("umbrella")).rejects.toThrow("[identical-exists]");
    expect(world.writes()).toEqual([]);
  });

  it("a resumed share is brought to the program of now", async () => {
    await start();
    await world.interrupted(create);
    world.emulator.clock.advance(60_000);
    const made = await create({ target: "b.internal:1", locationId: "loc-9" });
    expect(made).toMatchObject({ id: onlyShare(), outputs: { status: "DEPLOYED", target: "b.internal:1" } });
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${made.id} {"target":"b.internal:1","locationId":"loc-9"}`]);
  });

  describe.each<[string, Partial<TunnelInputs>, "DEPLOYED" | "ERROR"]>([
    ["that the program has changed", { peerCidr: "10.99.0.0/16" }, "DEPLOYED"],
    ["that is in ERROR", {}, "ERROR"],
  ])("an interrupted create of a tunnel %s", (_why, change, status) => {
    const interrupted = async (after: "POST" | "answer") => {
      await start();
      if (after === "POST") await world.interrupted(createTunnel);
      else await createTunnel();
      world.nextRun("killed");
      world.calls();
      const id = world.emulator.tunnels()[1]?.id ?? "";
      world.emulator.setStatus(id, status);
      return id;
    };

    it("is replaced in the same run if its record has the id", async () => {
      const id = await interrupted("answer");
      expect((await createTunnel(change)).outputs).toMatchObject({ status: "DEPLOYED", ...change });
      expect(world.writes()).toEqual([`DELETE /ipsec-tunnels/${id}`, expect.stringMatching("^POST /ipsec-tunnels ")]);
    });

    it("is left to the next run if its record has no id: only Pulumi may delete it", async () => {
      const id = await interrupted("POST");
      const { outputs, unfinished, ...made } = await createTunnel(change);
      expect([made.id, unfinished?.message]).toEqual([id, expect.stringMatching(/\[tunnel-(differs|error)\]$/)]);
      expect(await world.tunnelDiff(outputs, { ...branch, ...change }, id)).toMatchObject({
        replaces: [expect.any(String)],
        deleteBeforeReplace: true,
      });
      expect(world.writes()).toEqual([]);
    });
  });
});
