import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import {
  chosen,
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
});
