import { derivedName } from "../../../provider/resources/names";
import type { ShareInputs } from "../../../provider/fields/share";
import { checkedIn, declaredOn, port } from "./set-program";
import { chosen, derived, openShareWorld, type ShareWorld, shareInputs } from "../world";

let opened: ShareWorld;
beforeEach(async () => {
  opened = await openShareWorld();
});
afterEach(() => opened.world.close());

const originOf = (name: string, stack = "test") =>
  `organization::urn:pulumi:${stack}::office::frontdoor:index:IpsecShare::${name}`;

/** What check makes of the share "web" of the stack, and what its create is refused for. */
async function refused(more: object = {}, stack = "test"): Promise<string> {
  const { world, tunnelId } = opened;
  const news = { ...shareInputs(tunnelId), name: undefined, target: "own:1", ...more };
  const { inputs } = world.shares.check({ news, origin: originOf("web", stack), olds: {} });
  const created = world.shares.create(inputs as ShareInputs, derived, world.within(900));
  return created.then(
    () => "created",
    (error: unknown) => (error as Error).message,
  );
}

/** Somebody's share on port 443. */
const holder = (name: string) => opened.world.emulator.seedShare({ ...shareInputs(opened.tunnelId), name }).id;

const foreign = /Choose another `ingressPort`\. \[port-in-use\]$/;
const adopting = (id: string) => new RegExp(`adopt: "${id}"\` in the arguments\\. \\[port-in-use\\]$`);
const renamed = /If you renamed that share .* `aliases`\. \[port-in-use\]$/;
const own = /Give your share another `ingressPort`, or first move .*\[port-in-use\]$/;
const itself = /is this very resource, which Pulumi would create before it deletes it\. .*\[port-in-use\]$/;

describe("a refusal because of a port that another share has", () => {
  it("names the port, the tunnel and the share, and offers no adoption of another team's share", async () => {
    const id = holder("payments");
    const message = await refused();
    expect(message).toMatch(new RegExp(`"office-test-web": port 443 of tunnel ${opened.tunnelId} .*${id}`));
    expect(message).toMatch(foreign);
  });

  it.each([
    ["this very resource", "office-test-web", "test"],
    ["this very resource, with a hash", derivedName(originOf("web", "pr-7")), "pr-7"],
    ["an earlier resource of this stack", "office-test-old", "test"],
  ])("offers the adoption of a share that has the derived name of %s", async (_whose, name, stack) => {
    const id = holder(name);
    expect(await refused({}, stack)).toMatch(adopting(id));
  });

  it("names the alias if the name can be derived in this stack, but also in another one", async () => {
    holder("office-test-eu-web-1a2b3c4d");
    expect(await refused()).toMatch(renamed);
  });

  it.each([false, true])("offers the adoption of what a record of this stack names by id: %s", async (hasId) => {
    const id = holder("payments");
    const record = { origin: originOf("old"), postedAtMs: 0, required: "", before: [], ...(hasId && { id }) };
    opened.world.service.frontDoor("fd-1").shares.records.write("payments", record);
    expect(await refused()).toMatch(hasId ? adopting(id) : foreign);
  });

  it("advises another port if another resource of the program has the share", async () => {
    const { world, tunnelId } = opened;
    holder("office-test-other");
    const news = { ...shareInputs(tunnelId), name: undefined };
    world.shares.check({ news, origin: originOf("other"), olds: {} });
    expect(await refused()).toMatch(own);
  });

  it("says if it is the share that the state holds under the resource itself", async () => {
    const { world, tunnelId } = opened;
    const id = holder("office-test-web");
    const news = { ...shareInputs(tunnelId), name: undefined };
    const { inputs } = world.shares.check({ news, origin: originOf("web"), olds: {} });
    const olds = { ...(inputs as ShareInputs), target: "a:1", status: "DEPLOYED" };
    await world.shares.diff(id, olds, inputs, world.within(60));
    expect(await refused()).toMatch(itself);
  });

  it("offers no adoption to an update", async () => {
    const { world, tunnelId } = opened;
    const inputs = { ...shareInputs(tunnelId), ingressPort: 80 };
    const { id, outputs } = await world.shares.create(inputs, chosen, world.within(900));
    holder("payments");
    const moved = world.shares.update(id, outputs, { ...inputs, ingressPort: 443 }, world.within(900));
    await expect(moved).rejects.toThrow(foreign);
  });
});

describe("a preview of a create", () => {
  /** The refusal of the share "web" in a preview; undefined if there is none. */
  const refusal = async (more: object = {}) => {
    const { world, tunnelId } = opened;
    const news = { ...shareInputs(tunnelId), name: undefined, ...more };
    const { inputs } = world.shares.check({ news, origin: originOf("web"), olds: {} });
    return world.shares.refuseTaken?.(inputs, world.within(60)).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
  };

  it("refuses a port that a share of another stack has", async () => {
    const id = holder("payments");
    expect(await refusal()).toMatch(new RegExp(`port 443 .*${id}.*\\[port-in-use\\]$`));
    expect(await refusal({ ingressPort: 8443 })).toBeUndefined();
  });

  it.each([
    ["this stack may have", "office-test-old", {}],
    ["the program adopts", "payments", { adopt: "shr-any" }],
    ["the share may resume", "web", { name: "web" }],
  ])("accepts a port of a share that %s", async (_whose, name, more) => {
    holder(name);
    expect(await refusal(more)).toBeUndefined();
  });

  it.each([
    ["accepts", {}, undefined],
    ["refuses", { retain: true }, /\[port-in-use\]$/],
  ])("%s a port of a removed key of a set: %j", async (_it, more, says) => {
    const { world, tunnelId } = opened;
    holder("payments");
    const keys = { old: port(443, { name: "payments", ...more }), kept: port(8443) };
    const { inputs } = checkedIn(world, declaredOn(tunnelId, keys));
    world.nextRun();
    checkedIn(world, declaredOn(tunnelId, { kept: keys.kept }), inputs);
    // The share of the removed key is not in the program.
    const told = await refusal();
    if (says) expect(told).toMatch(says);
    else expect(told).toBeUndefined();
  });

  it("accepts any port if the service refuses the read", async () => {
    holder("payments");
    opened.world.emulator.faults.answerNext({ method: "GET", path: /ipsec-shares$/, status: 403 });
    expect(await refusal()).toBeUndefined();
  });
});
