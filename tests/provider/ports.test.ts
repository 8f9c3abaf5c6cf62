import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import {
  chosen,
  deploy,
  derived,
  openShareWorld,
  type ShareWorld,
  shareInputs,
  openWorld,
  type World,
  tunnelInputs,
} from "../harness/world";
import { UNKNOWN } from "../../provider/fields/field";

describe("port in use", () => {
  let opened: ShareWorld;

  beforeEach(async () => {
    opened = await openShareWorld();
  });

  const originOf = (name: string) => `organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::${name}`;

  /** What check makes of the share "web" of the stack, and what its create is refused for. */
  async function refused(secrets: string[] = []): Promise<string> {
    const { world, tunnelId } = opened;
    const news = { ...shareInputs(tunnelId), name: undefined, target: "own:1" };
    const { inputs } = world.shares.check({ news, origin: originOf("web"), olds: {} });
    const created = world.shares.create(inputs as ShareInputs, derived, { ...world.within(900), secrets });
    return created.then(
      () => "created",
      (error: unknown) => (error as Error).message,
    );
  }

  /** Somebody's share on port 443. */
  const holder = (name: string) => opened.world.emulator.seedShare({ ...shareInputs(opened.tunnelId), name }).id;

  const mine =
    /, or first move or remove (shr-\d+) in a separate `pulumi up`\. If names follow the order of a list, use keys instead\. \[port-in-use\]$/;

  const anybodys =
    /If it's yours: .* `aliases` \(a site's key: `formerly`\); .* `deleteBeforeReplace: true`; .* `adopt: "shr-\d+"`\. \[port-in-use\]$/;

  it("is free for a new share after a move that an error hook repeats, though lists still show the old place", async () => {
    const { world, deployed } = opened;
    const { id, outputs, inputs } = await deployed();
    const moved = { ...inputs, ingressPort: 9443 };
    world.shares.check({ news: { ...moved }, olds: { ...inputs }, origin: originOf("web") });
    await world.shareDiff(outputs, moved, id);
    world.emulator.faults.answerNext({ method: "PATCH", status: 422 });
    const move = () => world.shares.update(id, outputs, moved, world.within(900));
    await expect(move()).rejects.toThrow(/422/);
    await move();
    world.emulator.settings.listLagMs = 20_000;
    world.emulator.faults.answerNext({ method: "POST", status: 409 });
    const made = await world.shares.create({ ...inputs, name: "other" }, chosen, world.within(900));
    expect(made.outputs.status).toBe("DEPLOYED");
  });

  describe("a refusal because of a port that another share has", () => {
    it("names the port, the tunnel and the share with its name", async () => {
      const id = holder("payments");
      const message = await refused();
      expect(message).toContain(
        `"office-test-web": share "payments" (${id}) has port 443 of tunnel ${opened.tunnelId} (`,
      );
      expect(message).toMatch(anybodys);
    });

    it("shows the share without its name if the program's name is a secret", async () => {
      const id = holder("payments");
      expect(await refused(["name"])).toContain(`share "[secret]" (${id}) has port 443`);
    });

    it("asks for the right stack, if that is the same share of another stack", async () => {
      holder("office-dev-web");
      expect(await refused()).toMatch(
        /It looks like one of stack "dev": is the right stack selected\? If it is, choose another `ingressPort`\. \[port-in-use\]$/,
      );
    });

    it("offers no adoption of what another resource of the program is", async () => {
      const { world, tunnelId } = opened;
      holder("office-test-other");
      const news = { ...shareInputs(tunnelId), name: undefined };
      world.shares.check({ news, origin: originOf("other"), olds: {} });
      expect(await refused()).toMatch(mine);
    });

    it("offers no adoption of what the state has under another resource", async () => {
      const { world, tunnelId } = opened;
      const id = holder("adopted");
      const news = { ...shareInputs(tunnelId), name: undefined };
      const { inputs } = world.shares.check({ news, origin: originOf("other"), olds: {} });
      const olds = { ...(inputs as ShareInputs), name: "adopted", target: "a:1", status: "DEPLOYED" };
      await world.shares.diff(
        id,
        olds,
        { ...inputs, name: "adopted", __derivedName: String(inputs.name) },
        world.within(60),
      );
      expect(await refused()).toMatch(mine);
    });

    it("is told to an update as well, which cannot adopt", async () => {
      const { world, tunnelId } = opened;
      const inputs = { ...shareInputs(tunnelId), ingressPort: 80 };
      const { id, outputs } = await world.shares.create(inputs, chosen, world.within(900));
      holder("payments");
      const moved = world.shares.update(id, outputs, { ...inputs, ingressPort: 443 }, world.within(900));
      await expect(moved).rejects.toThrow(/or first remove shr-\d+ where it was created\. \[port-in-use\]$/);
    });
  });
});

describe("shares that need one another's ports in one run", () => {
  let opened: ShareWorld;
  beforeEach(async () => {
    opened = await openShareWorld();
  });
  const deployed = (inputs: ShareInputs) => deploy(opened.world, opened.world.shares, inputs);
  const origin = (name: string) => `organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::${name}`;

  /** Check and diff as the engine calls them before an update. Returns the update. */
  async function changed({ id, outputs, inputs }: Awaited<ReturnType<typeof deployed>>, more: Partial<ShareInputs>) {
    const { world } = opened;
    const news = { ...inputs, ...more };
    world.shares.check({ news, olds: { ...inputs }, origin: origin(inputs.name) });
    await world.shareDiff(outputs, news, id);
    return () => world.shares.update(id, outputs, news, world.within(900));
  }

  it("a new share waits until the share that has its port has got another one", async () => {
    const { world, tunnelId } = opened;
    const update = await changed(await deployed(shareInputs(tunnelId)), { ingressPort: 8443 });
    const api = { ...shareInputs(tunnelId), name: "api" };
    const creating = world.shares.create(api, chosen, world.within(900));
    // Pulumi may start the update later.
    await world.clock.sleep(5_000);
    const [created, updated] = await Promise.all([creating, update()]);
    expect([created.unfinished, updated.unfinished]).toEqual([undefined, undefined]);
    expect(world.writes().map((line) => line.split(" ")[0])).toEqual(["PATCH", "POST"]);
  });

  it("one that moves to a port whose holder Pulumi does not begin to move ends within a minute (--parallel 1)", async () => {
    const { world, tunnelId } = opened;
    const one = await deployed(shareInputs(tunnelId));
    const two = await deployed({ ...shareInputs(tunnelId), name: "api", ingressPort: 8443 });
    const update = await changed(one, { ingressPort: 8443 });
    await changed(two, { ingressPort: 9443 });
    const startedMs = world.clock.now();
    await expect(update()).rejects.toMatchObject({ code: "port-in-use" });
    expect(world.clock.now() - startedMs).toBeLessThan(60_000);
  });

  it.each(["ports", "tunnels"] as const)("two that swap their %s end soon, and say why", async (what) => {
    const { world, tunnelId } = opened;
    const hub = { ...tunnelInputs, name: "hub", locationId: "loc-9" };
    const other = what === "ports" ? tunnelId : (await world.tunnels.create(hub, chosen, world.within(900))).id;
    const one = await deployed(shareInputs(tunnelId));
    const two = await deployed({ ...shareInputs(other), name: "api", ingressPort: what === "ports" ? 8443 : 443 });
    const place = ({ inputs: { ipsecTunnelId, ingressPort } }: typeof one) => ({ ipsecTunnelId, ingressPort });
    const updates = [await changed(one, place(two)), await changed(two, place(one))];
    const startedMs = world.clock.now();
    const ends = await Promise.allSettled(updates.map((update) => update()));
    for (const end of ends) expect(end).toMatchObject({ reason: { code: "port-in-use" } });
    expect(world.clock.now() - startedMs).toBeLessThan(60_000);
  });
});

describe("replaced tunnel", () => {
  interface Share {
    id: string;
    outputs: ShareOutputs;
  }

  let world: World;

  let tunnel: Awaited<ReturnType<World["tunnels"]["create"]>>;

  let web: Share;

  let other: Share;

  const elsewhere = shareInputs("tnl-x");

  const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";

  const kinds = () => world.writes().map((line) => line.split(" {")[0]);

  const create = () => world.shares.create(elsewhere, chosen, world.within(900));

  const remove = ({ id, outputs }: Share) => world.shares.delete(id, outputs, world.within(900));

  const asked = ({ id, outputs }: Share) =>
    world.shareDiff(outputs, { ...outputs, ipsecTunnelId: UNKNOWN } as never, id);

  const secondsOf = async (work: Promise<unknown>) => {
    const startedMs = world.clock.now();
    await work;
    return (world.clock.now() - startedMs) / 1000;
  };

  /** A tunnel that is replaced, with two shares on it, and a tunnel for a share to move to. */
  beforeEach(async () => {
    const settings = { teardownMs: { tunnel: 100, share: 20_000 }, duplicateIngressPort: "allowed" } as const;
    world = await openWorld(settings);
    tunnel = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-1" }, chosen, world.within(1800));
    world.emulator.seedTunnel({ id: "tnl-x", locationId: "loc-2" });
    const inputs = shareInputs(tunnel.id);
    web = await world.shares.create(inputs, chosen, world.within(900));
    other = await world.shares.create({ ...inputs, name: "other", ingressPort: 444 }, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
  });

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

    it("is created after a delete that an error hook repeats while the create waits", async () => {
      world.emulator.faults.answerNext({ method: "DELETE", path: /shares/, status: 403 });
      await expect(remove(web)).rejects.toThrow(/403/);
      const [, created] = await Promise.all([remove(web), create()]);
      expect(created.unfinished).toBeUndefined();
      const deletion = `DELETE /ipsec-shares/${web.id}`;
      expect(kinds()).toEqual([deletion, deletion, "POST /ipsec-shares"]);
    });

    it("is created after the delete, although it was adopted and has another name in the service", async () => {
      const renamed = { ...elsewhere, name: "renamed" };
      await world.shareDiff(web.outputs, { ...renamed, ipsecTunnelId: UNKNOWN } as never, web.id);
      const ended: string[] = [];
      await Promise.all([
        remove(web).then(() => ended.push("deleted")),
        world.shares.create(renamed, chosen, world.within(900)).then(() => ended.push("created")),
      ]);
      expect(ended).toEqual(["deleted", "created"]);
    });
  });

  describe("the check that others use a replaced tunnel", () => {
    const seed = () => world.emulator.seedShare({ ...shareInputs(tunnel.id), name: "third", ingressPort: 445 }).id;
    beforeEach(async () => {
      for (const share of [web, other]) await asked(share);
      world.calls();
    });

    it("refuses before the first delete", async () => {
      seed();
      await expect(remove(web)).rejects.toThrow("[tunnel-in-use]");
      expect(world.writes()).toEqual([]);
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

  it("the delete of a tunnel ends with its cause if lists still show a share that this run deleted a minute ago", async () => {
    for (const share of [web, other]) await remove(share);
    await world.clock.sleep(60_000);
    world.calls();
    world.emulator.faults.answerNext({ method: "DELETE", path: /tunnels/, status: 409, times: Infinity });
    world.emulator.faults.answerNext({
      ...{ method: "GET", path: /^\/ipsec-shares$/, status: 200, times: Infinity },
      body: { content: [{ ...web.outputs, id: web.id, status: "DEPLOYED" }], totalElements: 1, totalPages: 1 },
    });
    const deleted = world.tunnels.delete(tunnel.id, tunnel.outputs, world.within(1800));
    await expect(deleted).rejects.toThrow(new RegExp(`${web.id}.*\\[tunnel-in-use\\]$`));
    expect(kinds()).toEqual([`DELETE /ipsec-tunnels/${tunnel.id}`]);
  });

  it("a preview that cannot tell whether the tunnel stays says that the share is replaced", async () => {
    const news = { ...shareInputs(tunnel.id), ipsecTunnelId: UNKNOWN } as const;
    world.shares.check({ news, olds: { ...web.outputs }, origin: undefined });
    expect(await world.shareDiff(web.outputs, news, web.id)).toMatchObject({
      changes: true,
      replaces: ["ipsecTunnelId"],
    });
  });
});
