import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../sdk";
import { Provider } from "../../sdk/plugin";
import { read } from "../../sdk/run-reads";
import { emulator, must, sent, shares, tunnels, type Entry, ids, plainEngine, resolved } from "./registered";
import { shareProperties, tunnelProperties } from "../../provider/functions/functions";

describe("getTunnel and getShare", () => {
  it("give all fields by one GET for an id", async () => {
    const tunnel = must(tunnels[0]);
    expect(await sdk.getTunnel({ id: String(tunnel["id"]) })).toEqual(tunnel);
    const share = must(shares[0]);
    expect(await sdk.getShare({ id: String(share["id"]) })).toEqual(share);
    expect(sent()).toEqual([`GET /ipsec-tunnels/${tunnel["id"]}`, `GET /ipsec-shares/${share["id"]}`]);
  });

  it("give all fields for a name, also one of another front door", async () => {
    const tunnel = must(tunnels.find(({ name, status }) => name !== "twin" && status === "DEPLOYED"));
    expect(await sdk.getTunnel({ name: String(tunnel["name"]) })).toEqual(tunnel);
    const share = must(shares.find((each) => each["name"] === "share-4"));
    expect(await sdk.getShare({ name: "share-4" })).toEqual(share);
    emulator.settings.tokens = { "very-secret-token": ["fd-1", "fd-other"] };
    expect(await sdk.getTunnel({ name: "elsewhere", frontdoorId: "fd-other" })).toMatchObject({
      frontdoorId: "fd-other",
    });
  });

  it("say how many there are where a name is not exactly one's", async () => {
    await expect(sdk.getTunnel({ name: "twin" })).rejects.toThrow(
      /^IPsec tunnel "twin": front door fd-1 has 2 resources with this name: \S+, \S+\. .*\[not-one-match\]$/,
    );
    await expect(sdk.getShare({ name: "nobody" })).rejects.toThrow(
      'IPsec share "nobody": front door fd-1 has no resource with this name',
    );
  });

  it("do not count what is on its way out, nor find what is gone", async () => {
    const gone = emulator.seedShare({ status: "DELETED" });
    await expect(sdk.getShare({ id: gone.id })).rejects.toThrow("[not-found]");
    emulator.removeShare(gone.id);
    const leaving = must(shares.find(({ status, name }) => status === "DELETING" && name !== "twin"));
    await expect(sdk.getShare({ name: String(leaving["name"]) })).rejects.toThrow("has no resource with this name");
    const byId = sdk.getShare({ id: String(leaving["id"]) });
    await expect(byId).rejects.toThrow("Frontdoor is deleting this resource");
  });
});

describe("tunnel configuration, metrics and sample configuration", () => {
  const deployed = () => String(tunnels[0]?.["id"]);

  it("give the connection as it is now", async () => {
    expect(await sdk.getTunnelConfig({ id: deployed() })).toMatchObject({
      state: "available",
      tunnels: [{ status: "UP", statusMessage: expect.any(String) as string, phase1DHGroupNumbers: [14, 19, 20] }],
    });
    emulator.settings.connectionStatus = "DOWN";
    expect((await sdk.getTunnelConfig({ id: deployed() })).tunnels[0]?.status).toBe("DOWN");
  });

  it("pass metrics on as they come", async () => {
    const id = deployed();
    const body = { odd: [1, { deep: null }], "key with space": "x" };
    emulator.faults.answerNext({ path: /metrics/, times: 2, status: 200, body });
    expect(await sdk.getTunnelMetrics({ id, window: "7d" })).toEqual(body);
    expect(await sdk.getShareMetrics({ id: String(shares[0]?.["id"]), duration: "15m" })).toEqual(body);
    expect(sent()).toEqual([
      `GET /ipsec-tunnels/${id}/metrics?window=7d`,
      `GET /ipsec-shares/${String(shares[0]?.["id"])}/metrics?duration=15m`,
    ]);
    for (const window of ["30m", "1h", "1d", "7d", undefined] as const)
      expect(await sdk.getTunnelMetrics({ id, window })).toMatchObject({ window: window ?? "1h" });
  });

  it("give the sample configuration as a secret output, and to hooks as a promise", async () => {
    const sample = sdk.getSampleConfig({ id: pulumi.output(deployed()) });
    expect(await pulumi.isSecret(sample)).toBe(true);
    expect(await resolved(sample)).toContain(emulator.samplePsk(deployed()));
    expect(Object.keys(sdk).filter((name) => name.startsWith("getSampleConfig"))).toEqual(["getSampleConfig"]);
    expect(await sdk.readSampleConfig({ id: deployed() })).toBe(await resolved(sample));
  });

  it("give the pre-shared key alone as a secret output, and say why there is none", async () => {
    const key = sdk.getPreSharedKey({ id: pulumi.output(deployed()) });
    expect([await pulumi.isSecret(key), await resolved(key)]).toEqual([true, emulator.samplePsk(deployed())]);
    expect(await sdk.readPreSharedKey({ id: deployed() })).toBe(emulator.samplePsk(deployed()));
    const { outsideIpAddress } = must((await sdk.getTunnelConfig({ id: deployed() })).tunnels[0]);
    const second = "pre-shared-key address 192.0.2.9 key another";
    const answer = (body: string) => {
      emulator.faults.answerNext({ path: /sample-config/, status: 200, body });
    };
    const id = String(tunnels[1]?.["id"]);
    answer(`${second}\npre-shared-key address ${outsideIpAddress} key own`);
    expect(await read("getPreSharedKey", { id: deployed(), frontdoorId: "fd-1" })).toBe("own");
    for (const [body, reason] of [
      [`${second}\npre-shared-key key one`, "of which the sample configuration has 2: choose the one of this tunnel"],
      ["pre-shared-key ****", "which the sample configuration masks: ask for the key"],
      ["no key", "which was not found in the sample configuration"],
    ] as const) {
      answer(body);
      await expect(read("getPreSharedKey", { id })).rejects.toThrow(
        `IPsec tunnel ${id}: The program got no pre-shared key, ${reason}. Use getSampleConfig for the whole text. [key-not-found]`,
      );
    }
  });
});

describe("output forms", () => {
  it("take outputs anywhere and give what the promise forms give", async () => {
    const id = pulumi.output(String(tunnels[0]?.["id"]));
    const shareId = pulumi.output(String(shares[0]?.["id"]));
    expect(await resolved(sdk.getTunnelOutput({ id }))).toEqual(tunnels[0]);
    expect(await resolved(sdk.getShareOutput({ id: shareId }))).toEqual(shares[0]);
    const { tunnels: some } = await resolved(sdk.getTunnelsOutput({ id: [id, "tnl-x"], sort: "name,asc" }));
    expect(some.map((each) => each.id)).toEqual([tunnels[0]?.["id"]]);
    expect((await resolved(sdk.getSharesOutput({ id: shareId }))).shares).toEqual([shares[0]]);
    expect((await resolved(sdk.getTunnelConfigOutput({ id }))).state).toBe("available");
    expect(await resolved(sdk.getTunnelMetricsOutput({ id, window: "1d" }))).toMatchObject({ window: "1d" });
    expect(await resolved(sdk.getShareMetricsOutput({ id: shareId }))).toHaveProperty("series");
  });

  it("wait for what dependsOn names, and read only by the stack's configuration", async () => {
    await plainEngine();
    const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "db:5432", ingressPort: 5432 };
    const dependsOn = [new sdk.IpsecShare("db", share), pulumi.output(new sdk.IpsecShare("web", share))];
    const id = String(tunnels[0]?.["id"]);
    await sdk.getTunnel({ id });
    sent();
    expect(await resolved(sdk.getTunnelOutput({ id }, { dependsOn }))).toEqual(tunnels[0]);
    expect(sent()).toContain(`GET /ipsec-tunnels/${id}`);
    expect(await sdk.getTunnel({ id }, { async: true })).toEqual(tunnels[0]);
    const provider = new Provider("north");
    const refusal = /^getTunnel: .*"pulumi-frontdoor\/plugin"\. \[provider-not-plugin\]$/;
    await expect(sdk.getTunnel({ id }, { provider })).rejects.toThrow(refusal);
    expect(() => sdk.getTunnelOutput({ id }, { provider })).toThrow(refusal);
  });

  it("read nothing in a preview while a resource behind an argument does not exist", async () => {
    await plainEngine({ isPreview: true });
    const web = new sdk.IpsecShare("web", {
      ...{ name: "web", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "db:5432", ingressPort: 5432 },
    });
    for (const args of [
      { name: web.name },
      { name: web.name.apply((name) => `${name}-2`) },
      { name: pulumi.output(web).name },
    ]) {
      const read = sdk.getShareOutput(args) as unknown as { isKnown: Promise<boolean> };
      expect(await read.isKnown).toBe(false);
    }
    expect(sent()).toEqual([]);
    const id = String(shares[0]?.["id"]);
    const found = sdk.IpsecShare.get("found", id);
    expect(await resolved(sdk.getShareOutput({ id: found.id }))).toEqual(shares[0]);
  });

  it("keep what is secret secret", async () => {
    const id = pulumi.secret(String(tunnels[0]?.["id"]));
    expect(await pulumi.isSecret(sdk.getTunnelOutput({ id }))).toBe(true);
    expect(await pulumi.isSecret(sdk.getTunnelOutput({ id: String(tunnels[0]?.["id"]) }))).toBe(false);
  });
});

describe("bad arguments", () => {
  const windows = "window must be one of 30m, 1h, 1d, 7d";
  const twoHours = { id: "a", window: "2h" } as never;
  it.each<[string, () => Promise<unknown>, string]>([
    ["no id", () => sdk.getTunnelConfig({} as never), "getTunnelConfig: id is required: an id"],
    ["an id with a slash", () => sdk.getShareMetrics({ id: "a/b" }), "getShareMetrics: id must be an id: 1 to 128"],
    ["the parent path as id", () => sdk.getTunnel({ id: ".." }), "getTunnel: id must be an id"],
    ["neither id nor name", () => sdk.getTunnel({} as never), "getTunnel: Give either id or name"],
    ["both id and name", () => sdk.getShare({ id: "a", name: "b" } as never), "getShare: Give either id or name"],
    ["a window that is none", () => sdk.getTunnelMetrics(twoHours), windows],
    ["a wrong duration", () => sdk.getShareMetrics({ id: "a", duration: "1h&x=1" }), "duration must be a span of time"],
    [
      "an unknown filter",
      () => sdk.getTunnels({ a: "b" } as never),
      "getTunnels: a is no argument. Use one of: id, peer",
    ],
    ["an empty filter", () => sdk.getShares({ name: "" }), "getShares: name must be text that is not empty, a number"],
    ["an object as filter", () => sdk.getShares({ name: {} } as never), "getShares: name must be text"],
    ["an unknown sort", () => sdk.getShares({ sort: "a,asc" as never }), 'getShares: sort must be "<property>,asc"'],
    ["a sort without direction", () => sdk.getTunnels({ sort: "name" as never }), 'sort must be "<property>,asc"'],
    ["a front door as path", () => sdk.getTunnels({ frontdoorId: "../x" }), "frontdoorId must be a front door id"],
  ])("%s: one clear line, and nothing is sent", async (_name, call, message) => {
    const refused = await call().catch((error: unknown) => error as Error);
    expect(refused).toHaveProperty("message", expect.stringContaining(message));
    expect(refused).toHaveProperty("message", expect.stringMatching(/^[^\n]*Nothing was sent\. \[invalid-input\]$/));
    expect(sent()).toEqual([]);
  });

  it("name every setting that is missing", async () => {
    delete process.env["FRONTDOOR_ID"];
    await expect(sdk.getTunnels()).rejects.toThrow(/^getTunnels: frontdoorId is missing .*\[front-door-missing\]$/);
    delete process.env["FRONTDOOR_TOKEN"];
    await expect(sdk.getTunnels()).rejects.toMatchObject({
      code: "token-missing",
      message: expect.stringContaining("pulumi config set frontdoor:frontdoorId") as string,
    });
    expect(sent()).toEqual([]);
  });
});

const getTunnels = async (args: object) => (await sdk.getTunnels(args)).tunnels as unknown as Entry[];

const getShares = async (args: object) => (await sdk.getShares(args)).shares as unknown as Entry[];

const lists = [
  ["getTunnels", getTunnels, () => tunnels, tunnelProperties],
  ["getShares", getShares, () => shares, shareProperties],
] as const;

describe.each(lists)("%s", (_name, get, all, properties) => {
  it("gives every entry of more than three pages once", async () => {
    const found = await get({});
    expect(ids(found).sort()).toEqual(ids(all()).sort());
    expect(found).toHaveLength(25);
    expect(found.every((entry) => entry["frontdoorId"] === "fd-1")).toBe(true);
    // In the order of ids, one reading is enough.
    expect(sent()).toHaveLength(4);
  });

  it.each(properties)(
    "filters by %s, by one value and by several, whether or not the service does",
    async (property) => {
      const values = [...new Set(all().map((entry) => entry[property]))].filter((value) => value !== "").slice(1, 3);
      for (const filtersHonoured of [true, false]) {
        emulator.settings.filtersHonoured = filtersHonoured;
        for (const wanted of [values.slice(0, 1), values]) {
          const expected = all().filter((entry) => wanted.includes(entry[property] ?? null));
          expect(expected.length).toBeGreaterThan(0);
          expect(ids(await get({ [property]: wanted })).sort()).toEqual(ids(expected).sort());
        }
        expect(ids(await get({ [property]: values[0] }))).toEqual(ids(await get({ [property]: [values[0]] })));
      }
    },
  );

  it.each(properties.flatMap((property) => [`${property},asc`, `${property},desc`]))(
    "sorts by %s, whether or not the service does",
    async (sort) => {
      const [property = "", direction] = sort.split(",");
      const sign = direction === "asc" ? 1 : -1;
      const rank = (value: string | number | null | undefined) =>
        typeof value === "number" ? String(value).padStart(6, "0") : (value ?? "");
      const expected = all()
        .map((entry) => rank(entry[property]))
        .sort((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0));
      const ranks = (found: Entry[]) => found.map((entry) => rank(entry[property]));
      expect(ranks(await get({ sort }))).toEqual(expected);
      emulator.faults.onRequest({
        match: ({ query }) => query.includes("sort"),
        times: 4,
        action: async (work) => {
          const page = (await (await work()).json()) as { content: object[] };
          return Response.json({ ...page, content: page.content.reverse() });
        },
      });
      expect(ranks(await get({ sort }))).toEqual(expected);
      emulator.faults.clear();
    },
  );

  it("is empty where nothing matches, and sends nothing for an empty list of values", async () => {
    expect(await get({ name: "none-such" })).toEqual([]);
    expect(sent()).toHaveLength(1);
    expect(await get({ name: [] })).toEqual([]);
    expect(sent()).toHaveLength(1);
  });
});

describe("getTunnels", () => {
  it("finds all of several values also where the service looks at the first alone", async () => {
    emulator.settings.repeatedTunnelFilter = "first";
    const status = ["NEW", "ERROR"];
    const expected = tunnels.filter((tunnel) => status.includes(String(tunnel["status"])));
    expect(ids(await getTunnels({ status })).sort()).toEqual(ids(expected).sort());
  });

  it("reads by id only what its lists can't tell", async () => {
    const [{ nlbPrivateIp } = {}] = tunnels;
    const [found] = await getTunnels({ nlbPrivateIp, status: "DEPLOYED" });
    expect(found).toMatchObject({ nlbPrivateIp });
    await getTunnels({ status: "DEPLOYED" });
    const reads = sent().filter((line) => line.startsWith("GET /ipsec-tunnels/"));
    expect(reads.length).toBeLessThanOrEqual(10);
  });
});
