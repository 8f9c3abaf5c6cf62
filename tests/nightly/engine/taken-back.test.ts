import { pluginClasses } from "../../harness/plugin";
import { Stack } from "../../harness/stack";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const on = (port: number) => ({
  ...{ ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1" },
  ...{ target: `host-${port}.internal:443`, ingressPort: port },
});
const at = (locationId: string) => ({
  tunnels: { hq: { ...hq, locationId } },
  shares: { web: on(443), mail: on(25) },
});

describe("a tunnel's move that fails", () => {
  let stack: Stack;
  let old: string[];
  const shares = () => [stack.id("web"), stack.id("mail")];
  const failNext = () => {
    stack.emulator.faults.failNext({ kind: "tunnel", op: "create" });
  };
  beforeAll(async () => {
    stack = await Stack.open();
    expect(await stack.up(at("loc-1"))).toMatchObject({ code: 0 });
    old = [stack.id("hq"), ...shares()];
    failNext();
    expect((await stack.up(at("loc-2"))).code).not.toBe(0);
    stack.writes();
  });
  afterAll(() => stack.close());

  it("leaves the shares on the old tunnel, also where it is tried again and fails again", async () => {
    failNext();
    expect((await stack.up(at("loc-2"))).code).not.toBe(0);
    expect(stack.calls()).toEqual([expect.stringMatching(/^DELETE \/ipsec-tunnels\//), "POST /ipsec-tunnels"]);
    expect(shares()).toEqual(old.slice(1));
    for (const id of old) expect(stack.alive()).toContain(id);
  });

  it("can be taken back with adopt, as the message says", async () => {
    const run = await stack.up(at("loc-1"));
    expect(run.errors.join("\n")).toContain(`set adopt: "${old[0] ?? ""}"`);
    stack.writes();
    const { tunnels, ...others } = at("loc-1");
    const adopting = { ...others, tunnels: { hq: { ...tunnels.hq, adopt: old[0] } } };
    expect(await stack.up(adopting)).toMatchObject({ code: 0 });
    expect(await stack.steadyUp(at("loc-1"))).toMatchObject({ code: 0, steps: [] });
    expect(stack.alive()).toEqual([...old].sort());
  });

  it("ends right once the service makes the new one, with the shares moved", async () => {
    failNext();
    expect((await stack.up(at("loc-2"))).code).not.toBe(0);
    stack.writes();
    expect(await stack.steadyUp(at("loc-2"))).toMatchObject({ code: 0, errors: [] });
    const tunnel = stack.id("hq");
    expect(stack.published().sort()).toEqual([tunnel, ...shares().map((id) => `${id} on ${tunnel}`)].sort());
    expect(shares()).toEqual(old.slice(1));
  });
});

it("a tunnel's move to another front door that fails, and fails again, leaves the shares on the old one", async () => {
  const stack = await Stack.open({ tokens: { "very-secret-token": ["fd-1", "fd-2"] } });
  try {
    expect(await stack.up(at("loc-1"))).toMatchObject({ code: 0 });
    const old = stack.alive();
    const { tunnels, shares } = at("loc-1");
    const elsewhere = <T extends object>(args: T) => ({ ...args, frontdoorId: "fd-2" });
    const moved = {
      tunnels: { hq: elsewhere(tunnels.hq) },
      shares: { web: elsewhere(shares.web), mail: elsewhere(shares.mail) },
    };
    for (let tries = 0; tries < 2; tries++) {
      stack.emulator.faults.failNext({ kind: "tunnel", op: "create" });
      expect((await stack.up(moved)).code).not.toBe(0);
      expect(stack.alive()).toEqual(expect.arrayContaining(old));
    }
    expect(await stack.steadyUp(moved)).toMatchObject({ code: 0, errors: [] });
    expect(stack.emulator.shares().filter(({ status }) => status !== "DELETED")).toMatchObject([
      { frontdoorId: "fd-2" },
      { frontdoorId: "fd-2" },
    ]);
  } finally {
    await stack.close();
  }
});

it("a move that was interrupted and is taken back is named, and never taken over later", async () => {
  const stack = await Stack.open({ provisionMs: 1500 });
  try {
    expect(await stack.up({ tunnels: { hq } })).toMatchObject({ code: 0 });
    const isSent = () => stack.emulator.tunnels().some(({ locationId }) => locationId === "loc-2");
    const moving = stack.up({ tunnels: at("loc-2").tunnels });
    while (!isSent()) await new Promise((resolve) => setTimeout(resolve, 10));
    stack.killProvider();
    expect((await moving).code).not.toBe(0);
    const left = stack.emulator.tunnels().find(({ locationId }) => locationId === "loc-2")?.id ?? "";
    stack.writes();

    const back = await stack.up({ tunnels: { hq } });
    expect(back).toMatchObject({ code: 0, steps: [] });
    expect(back.text).toContain(`began ${left}, which the program no longer asks for`);
    // By now it can be another's.
    const again = await stack.up({ tunnels: at("loc-2").tunnels });
    expect(again.errors.join("\n")).toContain(`there is "engine-test-hq" (${left}`);
    expect(stack.writes()).toEqual([]);
  } finally {
    await stack.close();
  }
});

it.each(["pulumi-frontdoor", pluginClasses])(
  "a replacement of a tunnel by %s that was killed while its shares were made is taken back in one run",
  async (imports) => {
    const stack = await Stack.open({}, { imports });
    try {
      const { tunnels, shares } = at("loc-1");
      const { ipsecTunnelId, envZId, ...db } = on(5432);
      const sets = { services: { ipsecTunnelId, envZId, shares: { db } } };
      expect(await stack.up({ tunnels, shares, sets })).toMatchObject({ code: 0 });
      stack.writes();
      stack.emulator.settings.provisionMs = { tunnel: 300, share: 60_000 };
      const run = stack.up({ tunnels: { hq: { ...hq, peerCidr: "10.40.0.0/16" } }, shares, sets });
      const begun = () => stack.emulator.shares().filter(({ status }) => status === "NEW");
      while (begun().length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
      stack.killProvider();
      expect((await run).code).not.toBe(0);
      const left = begun().map(({ id }) => id);
      stack.emulator.settings.provisionMs = 300;
      expect(await stack.steadyUp({ tunnels, shares, sets })).toMatchObject({ code: 0, errors: [] });
      expect(stack.alive().filter((id) => left.includes(id))).toEqual([]);
      expect(await stack.destroy()).toMatchObject({ code: 0 });
      expect(stack.alive()).toEqual([]);
    } finally {
      await stack.close();
    }
  },
);

it.each(["pulumi-frontdoor", pluginClasses])(
  "shares of %s that a run adopted and changed, and then failed, are as declared once that is taken back",
  async (imports) => {
    const stack = await Stack.open({}, { imports });
    try {
      const { tunnels } = at("loc-1");
      const { ipsecTunnelId, envZId, ...db } = on(5432);
      const set = (shares: object) => ({ ipsecTunnelId, envZId, shares });
      const program = { tunnels, shares: { web: on(443) }, sets: { services: set({ db }) } };
      expect(await stack.up(program)).toMatchObject({ code: 0 });
      const published = stack.published();
      const { ids } = stack.kept()["services"]?.outputs as unknown as { ids: { db: string } };
      stack.writes();
      const site = { ...on(8443), locationId: "loc-2", adopt: stack.id("web") };
      stack.emulator.faults.answerNext({ method: "POST", status: 403, body: { error: "forbidden", message: "no" } });
      const others = set({ base: { ...db, target: "other:1", adopt: ids.db } });
      expect((await stack.up({ tunnels, shares: { site, mail: on(25) }, sets: { others } })).code).not.toBe(0);
      const methods = () => stack.writes().map((write) => write.split(" ")[0]);
      expect(methods().sort()).toEqual(["PATCH", "PATCH", "POST"]);

      expect(await stack.steadyUp(program)).toMatchObject({ code: 0, errors: [] });
      expect(methods().sort()).toEqual(["PATCH", "PUT"]);
      expect(stack.published()).toEqual(published);
      expect(
        stack.emulator
          .shares()
          .map(({ locationId, target }) => [locationId, target])
          .sort(),
      ).toEqual([
        ["loc-1", "host-443.internal:443"],
        ["loc-1", "host-5432.internal:443"],
      ]);
      expect(await stack.up(program, "--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
    } finally {
      await stack.close();
    }
  },
);
