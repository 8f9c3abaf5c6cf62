import { UNKNOWN } from "../../../provider/fields/field";
import { chosen, derived, shareInputs, tunnelInputs, type World } from "../world";
import { kinds, openWithTunnel, port, programOf, type Shares } from "./set-program";

let world: World;
let tunnelId: string;

beforeEach(async () => {
  [world, tunnelId] = await openWithTunnel();
});
afterEach(() => world.close());

const { declared, check, stack } = programOf(() => [world, tunnelId]);
const at = (ingressPort: number | typeof UNKNOWN, more: object = {}) => ({ target: "x:1", ingressPort, ...more });

/** A share on its own, ready and shown by lists. */
async function single(name: string, ingressPort: number): Promise<string> {
  const inputs = { ...shareInputs(tunnelId), name, ingressPort };
  const { id } = await world.shares.create(inputs, chosen, world.within(900));
  world.emulator.clock.advance(60_000);
  return id;
}

describe("ports of a set that change places in a cycle", () => {
  const refusal = async (olds: Shares, news: Shares) => {
    const set = stack();
    await set.up(declared(olds));
    world.nextRun();
    world.calls();
    const { inputs } = check(declared(news), set.outputs);
    const diff = world.sets.diff("services", set.outputs, inputs, world.within(60));
    const message = await diff.catch((error: unknown) => (error as Error).message);
    expect(world.writes()).toEqual([]);
    return message;
  };

  it("are refused by the diff, which names the keys and sends nothing", async () => {
    const two = { a: port(1), b: port(2), c: port(3) };
    expect(await refusal(two, { a: at(2), b: at(1), c: port(3) })).toMatch(
      /shares\["a"\], shares\["b"\] .*\[port-cycle\]$/,
    );
  });

  it("are refused also if the cycle is longer, and a key outside it is not named", async () => {
    const four = { a: port(1), b: port(2), c: port(3), d: port(4) };
    const message = await refusal(four, { a: at(2), b: at(3), c: at(1), d: at(5), e: at(4) });
    expect(message).toMatch(/ shares\["a"\], shares\["b"\], shares\["c"\] .*\[port-cycle\]$/);
  });

  it("are let through if a share of the cycle is gone, goes to another tunnel, or has a port that is not known yet", async () => {
    const set = stack();
    await set.up(declared({ a: port(1), b: port(2) }));
    world.nextRun();
    const { outputs } = set;
    const swapped = { a: at(2), b: at(1) };
    const changes = async (news: object, olds = outputs) =>
      (await world.sets.diff("services", olds, check(news as never, olds).inputs, world.within(60))).changes;
    const { a, b } = outputs.shares;
    if (!a || !b) throw new Error("the state lacks a share");
    expect(await changes(declared(swapped), { ...outputs, shares: { a, b: { ...b, status: "DELETING" } } })).toBe(true);
    expect(await changes(declared({ a: at(2), b: at(UNKNOWN) }))).toBe(true);
    expect(await changes(declared({ a: at(2), c: at(1) }))).toBe(true);
    world.emulator.seedTunnel({ ...tunnelInputs, locationId: "loc-7" });
    const other = world.emulator.tunnels().find(({ id }) => id !== tunnelId)?.id ?? "";
    const { error, writes } = await set.up(declared(swapped, { ipsecTunnelId: other }));
    expect([error, kinds(writes).map((line) => line.replace(/\/.*/, ""))]).toEqual([undefined, ["PATCH", "PATCH"]]);
  });

  it("are refused before any write if a create adopts the shares; what it would adopt is not deleted meanwhile", async () => {
    const [a, b] = [await single("a", 1), await single("b", 2)];
    world.nextRun();
    world.calls();
    const shares = { one: at(2, { adopt: a }), two: at(1, { adopt: b }), other: port(9) };
    const made = world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
    await expect(made).rejects.toThrow(/shares\["one"\], shares\["two"\] .*\[port-cycle\]$/);
    const inputs = { ...shareInputs(tunnelId), name: "a", ingressPort: 1, status: "DEPLOYED" };
    await world.shares.delete(a, inputs, world.within(900));
    expect(world.writes()).toEqual([]);
  });
});
