import type { Send } from "../../../provider/http/send";
import type { ShareInputs } from "../../../provider/resources/share/inputs";
import type { TunnelInputs } from "../../../provider/resources/tunnel/inputs";
import { chosen, derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const web = shareInputs("tnl-1");
const branch = { ...tunnelInputs, name: "branch", locationId: "loc-2" };

describe("take-over", () => {
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

  it.each([
    ["derived", derived],
    ["chosen", chosen],
  ])("takes what an interrupted run began under a %s name, and says so", async (_name, isNameDerived) => {
    await start();
    await world.interrupted(() => create({}, isNameDerived));
    const made = await create({}, isNameDerived);
    expect(made).toMatchObject({ id: onlyShare(), outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
    expect(world.said).toEqual([`IPsec share "web": took over ${made.id}, which an interrupted run began`]);
  });

  it.each([
    ["interrupted", derived, "nothing shows that this stack has made it", "or see frontdoor:takeOver for machines"],
    ["interrupted", chosen, "nothing shows that this stack has made it", "another name"],
    ["alike", chosen, "nothing shows that this stack has made it", "another name"],
    ["never", derived, "nothing shows that this stack has made it", "another name"],
  ])("set to %s leaves alone what is only alike (derived: %j)", async (takeOver, isNameDerived, why, remedy) => {
    await start(takeOver);
    const { id } = world.emulator.seedShare(web);
    const message = await create({}, isNameDerived).catch((error: unknown) => (error as Error).message);
    expect(message).toContain(
      `IPsec share "web": ${id} is exactly like it, and ${why}: it may be another one's; nothing was created`,
    );
    expect(message).toContain(`set adopt: "${id}"`);
    expect(message).toContain(remedy);
    expect(world.writes()).toEqual([]);
  });

  it("set to alike takes what is alike under a derived name, and says so", async () => {
    await start("alike");
    const { id } = world.emulator.seedShare(web);
    expect(await create()).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
    expect(world.said).toEqual([`IPsec share "web": took over ${id}, which is exactly like it`]);
  });

  it("set to never leaves alone even what an interrupted run began", async () => {
    await start("never");
    await world.interrupted(create);
    await expect(create()).rejects.toThrow(
      `${onlyShare()} was begun by an interrupted run, and frontdoor:takeOver is never; nothing was created`,
    );
    expect(world.writes()).toEqual([]);
  });

  it("leaves alone what the interrupted run of another organization's stack began", async () => {
    await start();
    const createIn = (organization: string) => {
      const origin = `${organization}::urn:pulumi:dev::acme::frontdoor:index:IpsecShare::web`;
      const { inputs } = world.shares.check({ news: { ...web }, olds: {}, origin });
      return world.shares.create(inputs as ShareInputs, derived, world.within(900));
    };
    await world.interrupted(() => createIn("organization"));
    await expect(createIn("umbrella")).rejects.toThrow("nothing shows that this stack has made it");
    expect(world.writes()).toEqual([]);
  });

  it("brings a share to what the program has become meanwhile", async () => {
    await start();
    await world.interrupted(create);
    world.emulator.clock.advance(60_000);
    const made = await create({ target: "b.internal:1", locationId: "loc-9" });
    expect(made).toMatchObject({ id: onlyShare(), outputs: { status: "DEPLOYED", target: "b.internal:1" } });
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${made.id} {"target":"b.internal:1","locationId":"loc-9"}`]);
  });

  it.each<[string, Partial<TunnelInputs>, "DEPLOYED" | "ERROR"]>([
    ["the program has changed", { peerCidr: "10.99.0.0/16" }, "DEPLOYED"],
    ["that is in ERROR", {}, "ERROR"],
  ])("replaces a tunnel %s, since the service can't mend it", async (_why, change, status) => {
    await start();
    await world.interrupted(createTunnel);
    const left = world.emulator.tunnels()[1]?.id ?? "";
    world.emulator.setStatus(left, status);
    const made = await createTunnel(change);
    expect(made.id).not.toBe(left);
    expect(made.outputs).toMatchObject({ status: "DEPLOYED", ...change });
    expect(world.writes()).toEqual([`DELETE /ipsec-tunnels/${left}`, expect.stringMatching("^POST /ipsec-tunnels ")]);
  });
});
