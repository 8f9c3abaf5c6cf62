import { failed, FrontdoorError } from "../../provider/errors";
import { notOneMatch } from "../../provider/messages";
import {
  chosen,
  openWorld,
  shareInputs,
  tunnelInputs,
  type World,
  derived,
  openShareWorld,
  type ShareWorld,
} from "../harness/world";
import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import { UNKNOWN } from "../../provider/fields/field";

describe("refusals", () => {
  const posts = /^POST /;

  let world: World;

  const start = async (settings: Parameters<typeof openWorld>[0] = {}) => {
    world = await openWorld({ provisionMs: 10_000, teardownMs: 5_000, ...settings });
  };

  /** The error of an operation, the seconds that it took, and the writes of this method that it sent. */
  async function refused(work: Promise<unknown>, method = posts) {
    const startedMs = world.clock.now();
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown as FrontdoorError,
    );
    const took = (world.clock.now() - startedMs) / 1000;
    return { message: error?.message ?? "it succeeded", took, sent: world.calls().filter((line) => method.test(line)) };
  }

  const refuse = (path: string, status: number, message: string, times = 1, method = "POST") =>
    world.emulator.faults.answerNext({ method, path: new RegExp(path), status, times, body: { error: "no", message } });

  const form = "Value for `envZId` must be of `environment`";

  describe("a tunnel without a location that is refused", () => {
    it.each([400, 409])("is not said to be at the location of another tunnel, %i", async (status) => {
      await start();
      const { id } = world.emulator.seedTunnel({ id: "tnl-b", name: "branch", locationId: "loc-7" });
      refuse("ipsec-tunnels$", status, "Value for `peerCidr` must be of `CIDR`", 1_000);
      const { message, sent } = await refused(world.tunnels.create(tunnelInputs, chosen, world.within(900)));
      expect(message).toContain("peerCidr");
      expect(message).not.toMatch(new RegExp(`${id}|branch|loc-7|locationId|place-taken`));
      expect(sent).toHaveLength(1);
    });
  });

  describe("a share on a tunnel that this run has just created", () => {
    const onNewTunnel = async () => {
      await start();
      const { id } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
      world.calls();
      return id;
    };
    const shareOn = (id: string) => world.shares.create(shareInputs(id), chosen, world.within(900));

    it.each([
      [404, "no such tunnel"],
      [409, "no such tunnel"],
      [400, "no such tunnel"],
      ...[412, 423, 425].map((code): [number, string] => [code, "no"]),
      [400, "Value for `ipsecTunnelId` must be of `tunnel`"],
      [400, "value for 'ipsecTunnelId' must be of 'tunnel'."],
      [400, "The value is not free"],
    ])("is created although the service does not see the tunnel yet, %i %s", async (status, words) => {
      const id = await onNewTunnel();
      refuse("ipsec-shares$", status, words, 2);
      const { message, sent } = await refused(shareOn(id));
      expect(message).toBe("it succeeded");
      expect(sent).toHaveLength(3);
    });

    it.each([404, 409, 400])("is refused in the words of the service after 30 s, %i", async (status) => {
      const id = await onNewTunnel();
      refuse("ipsec-shares$", status, "no such tunnel", 1_000);
      const { message, took, sent } = await refused(shareOn(id));
      expect(message).toContain("no such tunnel");
      expect(message).not.toContain("baseUrl");
      expect(took).toBeGreaterThan(20);
      expect(took).toBeLessThan(45);
      expect(sent.length).toBeLessThan(20);
    });
  });

  describe("a share whose port another share has", () => {
    const withHolder = async (status: number, words: string) => {
      await start();
      world.emulator.seedTunnel({ id: "tnl-1" });
      world.emulator.seedShare({ ...shareInputs("tnl-1"), id: "shr-x", name: "x" });
      refuse("ipsec-shares$", status, words, 1_000);
      return (await refused(world.shares.create(shareInputs("tnl-1"), chosen, world.within(900)))).message;
    };

    it.each([
      [404, "no"],
      [400, "Value for `ipsecTunnelId` must be of `tunnel`"],
      [400, form],
    ])("is not said to be refused for that share by %i %s", async (status, words) => {
      const message = await withHolder(status, words);
      expect(message).toContain(words);
      expect(message).not.toContain("shr-x");
    });
  });

  it("a share is created although the service does not call its port free yet, which this run has freed", async () => {
    await start();
    world.emulator.seedTunnel({ id: "tnl-1" });
    const { id, outputs } = await world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
    world.nextRun();
    await world.shares.delete(id, outputs, world.within(900));
    world.calls();
    refuse("ipsec-shares$", 409, "the port is in use", 2);
    const other = { ...shareInputs("tnl-1"), name: "other" };
    const { message, sent } = await refused(world.shares.create(other, chosen, world.within(900)));
    expect(message).toBe("it succeeded");
    expect(sent).toHaveLength(3);
  });

  it("a tunnel's delete says which share it waits for", async () => {
    await start();
    const { id, outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    world.nextRun();
    const share = world.emulator.seedShare({ ...shareInputs(id), name: "other" });
    world.emulator.setStatus(share.id, "DELETING");
    const lines: string[] = [];
    const until = { ...world.within(60), report: (line: string) => lines.push(line) };
    await expect(world.tunnels.delete(id, outputs, until)).rejects.toThrow();
    expect(lines.join("\n")).toMatch(new RegExp(`^waits for share ${share.id}: DELETING for \\d+ s`, "m"));
  });

  describe("the delete of a tunnel whose last share this run has just deleted", () => {
    const words = "still in use";
    const deleted = async (status: number, endsAfterMs = Infinity) => {
      await start();
      const tunnel = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
      const share = await world.shares.create(shareInputs(tunnel.id), chosen, world.within(900));
      world.nextRun();
      await world.shares.delete(share.id, share.outputs, world.within(300));
      world.calls();
      refuse("ipsec-tunnels", status, words, 1_000, "DELETE");
      if (endsAfterMs < Infinity)
        void world.clock.sleep(endsAfterMs).then(() => {
          world.emulator.faults.clear();
        });
      const lines: string[] = [];
      const until = { ...world.within(120), startedMs: world.clock.now(), report: (line: string) => lines.push(line) };
      return { ...(await refused(world.tunnels.delete(tunnel.id, tunnel.outputs, until), /^DELETE /)), lines };
    };

    it.each([409, 400])("is sent until the service lets go after 20 s, %i", async (status) => {
      const { message, sent, lines } = await deleted(status, 20_000);
      expect(message).toBe("it succeeded");
      expect(sent.length).toBeLessThan(20);
      expect(lines.join("\n")).toMatch(
        /^refused for \d+ s while Frontdoor may not show the last change yet, limit 2 min$/m,
      );
    });
  });
});

describe("a tunnel that takes one change of its shares at a time", () => {
  let world: World;
  const start = async (settings: Parameters<typeof openWorld>[0] = {}) => {
    world = await openWorld({
      tunnelShareChanges: "one at a time",
      provisionMs: 10_000,
      teardownMs: 5_000,
      ...settings,
    });
    world.emulator.seedTunnel({ id: "tnl-1" });
  };
  const inputs = (n: number) => ({ ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: 1000 + n });
  const createMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => world.shares.create(inputs(n), chosen, world.within(900))));

  it.each([{ listLagMs: 5_000 }, { conflictStatus: 400 as const }])(
    "has many shares created, updated and deleted at once, with %p",
    async (settings) => {
      await start(settings);
      const made = await createMany(12);
      expect(made.every(({ unfinished }) => !unfinished)).toBe(true);
      expect(world.clock.now()).toBeLessThan(12 * 20_000);

      const change = (id: string, n: number, outputs: (typeof made)[number]["outputs"]) =>
        world.shares.update(id, outputs, { ...inputs(n), envZId: "env-2" }, world.within(900));
      const changed = await Promise.all(made.map(({ id, outputs }, n) => change(id, n, outputs)));
      expect(changed.every(({ unfinished }) => !unfinished)).toBe(true);
      expect(world.emulator.shares().every(({ envZId, status }) => envZId === "env-2" && status === "DEPLOYED")).toBe(
        true,
      );

      world.nextRun();
      await Promise.all(changed.map(({ id, outputs }) => world.shares.delete(id, outputs, world.within(900))));
      expect(new Set(world.emulator.shares().map(({ status }) => status))).toEqual(new Set(["DELETED"]));
    },
  );

  it("is waited for while somebody else changes a share, until the deadline", async () => {
    await start();
    const other = world.emulator.seedShare({ ...shareInputs("tnl-1"), name: "other", ingressPort: 2000 });
    world.emulator.setStatus(other.id, "NEW");
    await expect(world.shares.create(inputs(1), chosen, world.within(60))).rejects.toThrow(/409 .* is busy/);
    expect(world.clock.now()).toBeGreaterThan(50_000);
    expect(world.clock.now()).toBeLessThan(65_000);
  });
});

it("a message that is too long keeps its code", () => {
  const { message, code } = failed(`${"shr-1, ".repeat(1_000)}shr-2. Use an id instead. [not-one-match]`);
  expect([code, message.length <= 4_000]).toEqual(["not-one-match", true]);
  const ids = Array.from({ length: 1_000 }, (_, n) => `shr-${n}`);
  expect(failed(notOneMatch("share", "fd-1", ids, [])).message).toMatch(
    /has 1000 resources with this name: shr-0, .* and 990 more\. Use an id instead\. \[not-one-match\]$/,
  );
});

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

  describe("a refusal because of a port that another share has", () => {
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
