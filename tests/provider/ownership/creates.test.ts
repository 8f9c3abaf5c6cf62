import { Creates } from "../../../provider/ownership/creates";
import { chosen, memoryRecords, openWorld, shareInputs } from "../world";

describe("the record of a create whose answer never came", () => {
  const begun = { origin: "organization::urn:pulumi:dev::p::t::web", postedAtMs: 0, likeness: "x", before: ["shr-1"] };
  const noted = () => {
    const creates = new Creates(memoryRecords()).at(["share", "fd-1"]);
    creates.note("web", begun);
    return creates;
  };

  it("stays where a state shows what had the name before", () => {
    const creates = noted();
    creates.forget("web", "shr-1");
    expect(creates.find("web", begun.origin)).toEqual(begun);
  });

  it("goes where a state, be it another stack's, shows under its name what was not there before", () => {
    const creates = noted();
    creates.forget("web", "shr-2");
    expect(creates.find("web", begun.origin)).toBeUndefined();
  });

  it("stays where the state shows what this run held under that name as it was sent", async () => {
    const world = await openWorld();
    try {
      world.emulator.seedTunnel({ id: "tnl-1" });
      const inputs = shareInputs("tnl-1");
      const { name, frontdoorId, envZId } = inputs;
      const fields = { name, frontdoorId, envZId, ipsecTunnelId: "tnl-1", target: "other:1", ingressPort: 444 };
      const held = { ...fields, status: "DEPLOYED" };
      world.emulator.seedShare({ id: "shr-held", ...fields });
      world.service.frontDoor("fd-1").shares.claims.hold("shr-held");
      await world.interrupted(() => world.shares.create(inputs, chosen, world.within(900)));
      world.writes();
      await world.shareDiff(held, fields, "shr-held");
      const made = await world.shares.create(inputs, chosen, world.within(900));
      expect(made.id).not.toBe("shr-held");
      expect(world.writes()).toEqual([]);
    } finally {
      await world.close();
    }
  });

  it("stays until the run has ended in order, also where the share has failed and its answer told no id", async () => {
    const world = await openWorld({ createBody: false, provisionMs: 0 });
    try {
      world.emulator.seedTunnel({ id: "tnl-1" });
      const inputs = shareInputs("tnl-1");
      world.emulator.faults.failNext({ kind: "share", op: "create" });
      await world.shares.create(inputs, chosen, world.within(900));
      world.nextRun("killed");
      world.writes();
      expect(await world.shares.create(inputs, chosen, world.within(900))).toMatchObject({ id: "shr-1" });
      expect(world.writes().map((line) => line.split(" ")[0])).not.toContain("POST");
    } finally {
      await world.close();
    }
  });
});
