import { UNKNOWN } from "../../../provider/fields/field";
import { hashOf } from "../../../provider/ledger/creation-records";
import type { Claim, RunStore } from "../../../provider/ledger/files";
import type { ShareOutputs } from "../../../provider/fields/share";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

interface Share {
  id: string;
  outputs: ShareOutputs;
}

/** What another provider process of the run does with ids. */
const claims = new Map<string, Claim>();
const otherProcess: RunStore = {
  claim: () => undefined,
  claimOfAnother: (key) => claims.get(key),
  close: () => undefined,
};
const keyOf = (id: string) => hashOf([world.config.baseUrl, "share", "fd-1", id]);

let world: World;
let tunnel: Awaited<ReturnType<World["tunnels"]["create"]>>;
let web: Share;
let other: Share;
const elsewhere = shareInputs("tnl-x");
const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";

const kinds = () => world.writes().map((line) => line.split(" {")[0]);
const create = () => world.shares.create(elsewhere, chosen, world.within(900));
const remove = ({ id, outputs }: Share) => world.shares.delete(id, outputs, world.within(900));
const asked = ({ id, outputs }: Share) => world.shareDiff(outputs, { ...outputs, ipsecTunnelId: UNKNOWN } as never, id);
const secondsOf = async (work: Promise<unknown>) => {
  const startedMs = world.clock.now();
  await work;
  return (world.clock.now() - startedMs) / 1000;
};

/** A tunnel that is replaced, with two shares on it, and a tunnel for a share to move to. */
beforeEach(async () => {
  claims.clear();
  const settings = { teardownMs: { tunnel: 100, share: 20_000 }, duplicateIngressPort: "allowed" } as const;
  world = await openWorld(settings, undefined, undefined, undefined, otherProcess);
  tunnel = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-1" }, chosen, world.within(1800));
  world.emulator.seedTunnel({ id: "tnl-x", locationId: "loc-2" });
  const inputs = shareInputs(tunnel.id);
  web = await world.shares.create(inputs, chosen, world.within(900));
  other = await world.shares.create({ ...inputs, name: "other", ingressPort: 444 }, chosen, world.within(900));
  world.emulator.clock.advance(60_000);
  world.nextRun();
  world.calls();
});
afterEach(() => world.close());

describe("a share that is deleted with its tunnel while the program creates it elsewhere", () => {
  beforeEach(async () => {
    for (const share of [web, other]) expect(await asked(share)).toMatchObject({ replaces: ["ipsecTunnelId"] });
    world.calls();
  });

  it("is not created if Pulumi does not start the delete, and the create waits only until that is certain", async () => {
    const waited = await secondsOf(expect(create()).rejects.toThrow(/shr-\d+.*\[pending-delete\]$/));
    expect(waited).toBeLessThan(40);
    expect(world.writes()).toEqual([]);
  });

  it("stays if shares of others use its tunnel: the error names ten, and how many more", async () => {
    for (let port = 1; port <= 100; port++)
      world.emulator.seedShare({ ...shareInputs(tunnel.id), name: `${"n".repeat(60)}${port}`, ingressPort: port });
    await expect(remove(web)).rejects.toThrow(
      /^IPsec tunnel tnl-\d: [^:]*: (shr-\d+, ){10}and 90 more\. .*\[tunnel-in-use\]$/,
    );
    expect(world.calls().every((line) => line.startsWith(`GET /ipsec-shares?ipsecTunnelId=${tunnel.id}&`))).toBe(true);
  });
});

describe("a share that `adopt` names while another provider process of the run deletes it with its tunnel", () => {
  const adopt = () => world.shares.create({ ...elsewhere, adopt: web.id }, chosen, world.within(900));
  beforeEach(() => claims.set(keyOf(web.id), "pending"));

  it.each(["before", "after"])("is created on its new tunnel: %s the DELETE", async (when) => {
    if (when === "after") world.emulator.removeShare(web.id);
    const made = await adopt();
    expect(made.unfinished).toBeUndefined();
    expect(made.id).not.toBe(web.id);
    expect(kinds()).toEqual(["POST /ipsec-shares"]);
  });
});

describe("the check that others use a replaced tunnel", () => {
  const seed = () => world.emulator.seedShare({ ...shareInputs(tunnel.id), name: "third", ingressPort: 445 }).id;
  beforeEach(async () => {
    for (const share of [web, other]) await asked(share);
    world.calls();
  });

  it("is made beside another provider process of the run, before the first delete", async () => {
    claims.set(keyOf("shr-any"), "owned");
    seed();
    await expect(remove(web)).rejects.toThrow("[tunnel-in-use]");
    expect(world.writes()).toEqual([]);
  });

  it("refuses for a share that another process owns, but not for one that another process moves or deletes", async () => {
    const third = seed();
    claims.set(keyOf(third), "owned");
    await expect(remove(web)).rejects.toThrow("[tunnel-in-use]");
    claims.set(keyOf(third), "pending");
    await remove(web);
    expect(kinds()).toEqual([`DELETE /ipsec-shares/${web.id}`]);
  });

  it("is made again if it could not read", async () => {
    world.emulator.faults.answerNext({ method: "GET", path: /^\/ipsec-shares$/, status: 422 });
    world.emulator.faults.answerNext({ method: "GET", path: /^\/ipsec-shares$/, status: 403 });
    await expect(remove(web)).rejects.toThrow(/403/);
    await remove(web);
    expect(kinds()).toEqual([`DELETE /ipsec-shares/${web.id}`]);
  });
});

describe("a share that moves while its tunnel is replaced", () => {
  const deleteTunnel = () => world.tunnels.delete(tunnel.id, tunnel.outputs, world.within(1800));
  const move = () => world.shares.update(web.id, web.outputs, elsewhere, world.within(900));
  beforeEach(async () => {
    await remove(other);
    world.nextRun();
    world.shares.check({ news: { ...elsewhere }, olds: { ...shareInputs(tunnel.id) }, origin });
    expect(await world.shareDiff(web.outputs, elsewhere, web.id)).toMatchObject({ changes: true, replaces: [] });
    world.calls();
  });

  it("is waited for by the delete of the tunnel", async () => {
    const deleted = deleteTunnel();
    await world.clock.sleep(20_000);
    expect((await move()).outputs).toMatchObject({ status: "DEPLOYED", ipsecTunnelId: "tnl-x" });
    await deleted;
    const deletion = `DELETE /ipsec-tunnels/${tunnel.id}`;
    expect(kinds()).toEqual([deletion, `PATCH /ipsec-shares/${web.id}`, deletion]);
  });
});

it("a preview that cannot tell whether the tunnel stays says that the share is replaced", async () => {
  const news = { ...shareInputs(tunnel.id), ipsecTunnelId: UNKNOWN } as const;
  world.shares.check({ news, olds: { ...web.outputs }, origin: undefined });
  expect(await world.shareDiff(web.outputs, news, web.id)).toMatchObject({
    changes: true,
    replaces: ["ipsecTunnelId"],
  });
});
