import { failed, FrontdoorError } from "../../provider/errors";
import { notOneMatch } from "../../provider/messages";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";

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
