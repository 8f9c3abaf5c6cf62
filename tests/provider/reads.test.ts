import { ConfigureRequest, CreateRequest, InvokeRequest, ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import { readsOf } from "../../provider/functions/functions";
import { showEach } from "../harness/shown";
import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";
import { Host } from "../../provider/host/host";
import { PluginAdapter, propertiesOf, structOf } from "../../provider/host/plugin";
import { Collection, isAbsent } from "../../provider/api/collection";
import { wireShare, wireTunnel, wireTunnelConfig } from "../../provider/api/wire";
import type { Call, Client } from "../../provider/http/client";
import { FrontdoorError } from "../../provider/errors";

/** The plugin as the engine has configured it for this world. */
function pluginOf({ service, config }: World): PluginAdapter {
  const plugin = new PluginAdapter(() => new Host(service), {});
  const { baseUrl, frontdoorId } = config;
  plugin.configure(new ConfigureRequest().setArgs(structOf({ baseUrl, frontdoorId, token: "any" })));
  return plugin;
}

/** A world with a tunnel, whose list entries have only these fields. */
async function openBare(...fields: string[]): Promise<World> {
  const world = await openWorld({ provisionMs: 0 });
  world.emulator.seedTunnel({ id: "tnl-1" });
  const bare = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([key]) => fields.includes(key)));
  for (const kind of ["share", "tunnel"] as const) showEach(world.emulator, kind, bare, "lists");
  return world;
}

it.each([[["id", "name", "status"]], [["id", "status"]]])(
  "where list entries show only %j, a share that a run has left is found",
  async (fields) => {
    const world = await openBare(...fields);
    const create = () => world.shares.create(shareInputs("tnl-1"), derived, world.within(900));
    await world.interrupted(create);
    const [{ id } = { id: "" }] = world.emulator.shares();
    expect(await create()).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
  },
);

it("where list entries show only a few fields, a share and a tunnel are read by their names", async () => {
  const { emulator, service } = await openBare("id", "name", "status");
  const { id } = emulator.seedShare(shareInputs("tnl-1"));
  expect(await readsOf(service).getShare({ name: "web" })).toMatchObject({ id, target: "web.internal:443" });
  const tunnel = emulator.seedTunnel({ ...tunnelInputs, name: "branch", locationId: "loc-2" });
  expect(await readsOf(service).getTunnel({ name: "branch" })).toMatchObject({ id: tunnel.id });
});

describe("functions", () => {
  let world: World;

  let emulator: World["emulator"];

  let functions: PluginAdapter;

  beforeEach(async () => {
    world = await openWorld();
    ({ emulator } = world);
    functions = pluginOf(world);
    for (const n of [1, 2, 3]) emulator.seedTunnel({ id: `tnl-${n}`, name: `site-${n}`, locationId: `loc-${n}` });
  });

  const invoke = async (token: string, args: object) =>
    propertiesOf((await functions.invoke(new InvokeRequest().setTok(token).setArgs(structOf(args)))).getReturn());

  async function list(token: string, query: object, limit = 0, from = "") {
    const request = new ListRequest().setToken(token).setQuery(structOf(query)).setLimit(limit);
    const all = [];
    for await (const each of functions.list(request.setContinuationToken(from)))
      all.push(
        each.hasResult()
          ? `${each.getResult()?.getId()} ${each.getResult()?.getName()}`
          : each.getContinuation()?.getContinuationToken(),
      );
    return all;
  }

  describe("a function of the plugin", () => {
    it("answers what the service has", async () => {
      const { values } = await invoke("frontdoor:index:getTunnel", { name: "site-2" });
      expect(values).toMatchObject({ id: "tnl-2", name: "site-2", frontdoorId: emulator.frontdoorId });
      expect((await invoke("frontdoor:index:getTunnels", { locationId: ["loc-1", "loc-3"] })).values).toMatchObject({
        tunnels: [{ id: "tnl-1" }, { id: "tnl-3" }],
      });
    });

    it("answers a sample configuration and its key as secrets, and metrics as they come", async () => {
      const { values, secrets } = await invoke("frontdoor:index:getSampleConfig", { id: "tnl-1" });
      expect([typeof values["sampleConfig"], secrets]).toEqual(["string", ["sampleConfig"]]);
      const key = await invoke("frontdoor:index:getPreSharedKey", { id: "tnl-1" });
      expect([key.values, key.secrets]).toEqual([{ preSharedKey: emulator.samplePsk("tnl-1") }, ["preSharedKey"]]);
      expect(await invoke("frontdoor:index:getTunnelMetrics", { id: "tnl-1" })).toMatchObject({
        values: { metrics: expect.anything() as unknown },
      });
    });

    it.each([404, 403])(
      "says that a tunnel is gone, and what refuses one that is not ready: %d",
      async (notFoundStatus) => {
        Object.assign(emulator.settings, { notFoundStatus, notReadyStatus: notFoundStatus });
        for (const name of ["getPreSharedKey", "getSampleConfig", "getTunnelConfig"])
          await expect(invoke(`frontdoor:index:${name}`, { id: "tnl-none" })).rejects.toThrow(
            /^IPsec tunnel tnl-none: front door fd-1 has no .* run `pulumi up --refresh` if .*\[not-found\]$/,
          );
        emulator.setStatus("tnl-2", "NEW");
        const early = invoke("frontdoor:index:getPreSharedKey", { id: "tnl-2" });
        await expect(early).rejects.toThrow(new RegExp(`^GET .*tnl-2/.*: ${notFoundStatus} .*\\]$`));
      },
    );

    it("makes equal reads once, until something is written; one that failed is made again", async () => {
      const id = "tnl-3";
      const read = (args: object) => invoke("frontdoor:index:getSampleConfig", args);
      const sent = () => emulator.requests.splice(0).filter(({ path }) => path.endsWith("/sample-config")).length;
      sent();
      const [first, second] = await Promise.all([read({ id, frontdoorId: "fd-1" }), read({ frontdoorId: "fd-1", id })]);
      expect([await read({ id, frontdoorId: "fd-1" }), second]).toEqual([first, first]);
      expect(sent()).toBe(1);
      const urn = "urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
      await expect(functions.create(new CreateRequest().setUrn(urn))).rejects.toThrow("[invalid-input]");
      await read({ id, frontdoorId: "fd-1" });
      expect(sent()).toBe(1);
      emulator.faults.answerNext({ status: 400, path: /sample-config/ });
      await expect(read({ id })).rejects.toThrow("400");
      await read({ id });
      expect(sent()).toBe(2);
    });

    it("says what is wrong with what it was asked", async () => {
      await expect(invoke("frontdoor:index:getTunel", {})).rejects.toThrow(
        "The frontdoor plugin has no function frontdoor:index:getTunel. Nothing was sent. Use one of: getTunnel, getShare,",
      );
      await expect(invoke("frontdoor:index:getTunnel", { id: "tnl-9" })).rejects.toThrow("[not-found]");
    });
  });

  describe("a secret that a function is asked with", () => {
    const secretly = (token: string, args: object) =>
      functions.invoke(new InvokeRequest().setTok(token).setArgs(structOf(args, Object.keys(args))));
    const unsaid = async (asking: Promise<unknown>, secret: string) => {
      const { message } = await asking.then(
        () => new Error("it was answered"),
        (error: unknown) => error as Error,
      );
      expect(message).toContain("[secret]");
      expect(message).not.toContain(secret);
    };

    it("is in no message: a name, an id, a value of the wrong kind", async () => {
      await unsaid(secretly("frontdoor:index:getTunnel", { name: "hush-hush" }), "hush-hush");
      await unsaid(secretly("frontdoor:index:getTunnel", { id: "tnl-hush" }), "tnl-hush");
      emulator.faults.answerNext({
        status: 403,
        path: "/ipsec-shares",
        body: { error: "no", message: "no port 48484" },
      });
      await unsaid(secretly("frontdoor:index:getShares", { ingressPort: [48484] }), "48484");
    });
  });

  describe("a list", () => {
    it("names what can be imported, page by page where a limit is given", async () => {
      const token = "frontdoor:index:IpsecTunnel";
      expect(await list(token, {})).toEqual(["tnl-1 site-1", "tnl-2 site-2", "tnl-3 site-3"]);
      expect(await list(token, {}, 2)).toEqual(["tnl-1 site-1", "tnl-2 site-2", "2"]);
      emulator.removeTunnel("tnl-1");
      expect(await list(token, {}, 2, "2")).toEqual(["tnl-3 site-3"]);
      expect(await list(token, { name: "site-3" })).toEqual(["tnl-3 site-3"]);
      expect(await list("frontdoor:index:IpsecShare", {})).toEqual([]);
    });
  });
});

const until = { deadlineMs: Infinity };

const share = (id: string) => ({
  id,
  name: id,
  ipsecTunnelId: "t",
  envZId: "e",
  target: "a:1",
  ingressPort: 1,
  status: "NEW",
  extra: 1,
});

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `s-${from + index}`);

const answering = (answer: (call: Call) => unknown, length?: number) => {
  const calls: string[] = [];
  const client = {
    call: (call: Call) => {
      calls.push(`${call.method} ${call.path}?${new URLSearchParams(call.query).toString()}`);
      return Promise.resolve().then(() => {
        const body = answer(call);
        const status = body === undefined ? 204 : 200;
        return { status, body: call.read ? call.read(body, status, length) : body, location: undefined };
      });
    },
    urlPlace: "frontdoor:baseUrl",
  } as unknown as Client;
  return { calls, shares: new Collection(client, "/v2/fd-1/ipsec-shares", wireShare) };
};

const pageOf = (call: Call) => Number(new Map(call.query).get("page"));

describe("list", () => {
  /** The entries of a page, from the first page on that has this number. */
  const paged = (call: Call, all: string[], { size = 100, from = 0 } = {}) => {
    const at = Math.max(0, pageOf(call) - from) * size;
    return all.slice(at, at + size).map(share);
  };
  const capped = (call: Call, all: string[], totals: object) => ({
    content: paged(call, all, { size: 20 }),
    ...totals,
  });

  it.each<[what: string, count: number, answer: (call: Call, all: string[]) => unknown]>([
    [
      "pages that the service caps at 20, with a full envelope",
      65,
      (call, all) => {
        const pageable = { pageNumber: pageOf(call), pageSize: 20 };
        return capped(call, all, { totalElements: 65, totalPages: 4, pageable });
      },
    ],
    ["such pages and only their number", 65, (call, all) => capped(call, all, { totalPages: 4 })],
    ["such pages and only the number of elements", 65, (call, all) => capped(call, all, { totalElements: 65 })],
    ["such pages without totals", 65, (call, all) => capped(call, all, {})],
    [
      "such pages, and their number as if they were as long as asked for",
      65,
      (call, all) => capped(call, all, { totalElements: 65, totalPages: 1 }),
    ],
    ["an array of one page", 250, (_call, all) => all.map(share)],
    ["arrays, page by page", 250, (call, all) => paged(call, all)],
    ["pages counted from 1", 250, (call, all) => ({ content: paged(call, all, { from: 1 }) })],
    [
      "pages counted from 1, with a total",
      250,
      (call, all) => ({ content: paged(call, all, { from: 1 }), totalElements: 250 }),
    ],
    [
      "totals that end with the first full page",
      250,
      (call, all) => ({ content: paged(call, all), totalElements: 100, totalPages: 1 }),
    ],
    ["pages and the total 0", 250, (call, all) => ({ content: paged(call, all), totalElements: 0 })],
    ["pages and their number 0", 250, (call, all) => ({ content: paged(call, all), totalPages: 0 })],
    [
      "the number of pages, and each page's own total",
      250,
      (call, all) => ({ content: paged(call, all), totalElements: paged(call, all).length, totalPages: 3 }),
    ],
  ])("is read from %s", async (_what, count, answer) => {
    const { shares } = answering((call) => answer(call, ids(0, count)));
    expect((await shares.listWhole([], until)).entries.map(({ id }) => id)).toEqual(ids(0, count));
  });

  it("that its total contradicts is read once more, and is then an error that says so", async () => {
    const { shares, calls } = answering((call) => ({
      content: pageOf(call) === 0 ? ids(0, 90).map(share) : [],
      totalElements: 1500,
    }));
    await expect(shares.listWhole([], until)).rejects.toThrow(
      "GET /v2/fd-1/ipsec-shares: Frontdoor's pages show 90 of 1500 entries, also when read again. So the list is not complete. Try again later. If it happens again, report it to NetFoundry. [list-contradicts-itself]",
    );
    expect(calls.filter((line) => line.includes("page=0"))).toHaveLength(2);
  });

  it.each([
    ["entries", 50, () => share(""), undefined],
    ["pages", 1, () => share(""), undefined],
    ["bytes", 1, () => share(""), 5 * 1024 * 1024],
  ])("ends when a service shows new %s for ever", async (_what, perPage, entry, length) => {
    let sent = 0;
    const { shares, calls } = answering(() => {
      if (calls.length > 6_000) throw new Error("it does not end");
      const content = Array.from({ length: perPage }, () => ({ ...entry(), id: `s-${sent++}` }));
      return { content, totalElements: 1e9 };
    }, length);
    await expect(shares.list([], until)).rejects.toMatchObject({
      message:
        "GET /v2/fd-1/ipsec-shares: Frontdoor's list does not end, so the provider stopped reading. Check the URL in frontdoor:baseUrl. [list-too-long]",
      trouble: { kind: "unexpected-response" },
    });
  });

  it.each([[{ content: null, totalElements: 0 }], [{ totalElements: 0 }], [{ content: [] }]])(
    "is empty for %j",
    async (body) => {
      expect((await answering(() => body).shares.list([], until)).entries).toEqual([]);
    },
  );

  it.each([{}, { content: null }, { content: {} }, { _embedded: [] }, { _embedded: { a: [], b: [] } }, null, "x"])(
    "is not empty but wrong for %j, which proves nothing",
    async (body) => {
      await expect(answering(() => body).shares.list([], until)).rejects.toThrow(
        "the response has wrong or missing fields",
      );
    },
  );

  describe("in HAL", () => {
    const page = (count: number, call: Call) => {
      const number = pageOf(call);
      const all = ids(0, count).slice(number * 100, number * 100 + 100);
      const _links = { self: { href: `/ipsec-shares?page=${number}` } };
      const entries = all.map((id) => ({ ...share(id), _links, createdAt: "2026-01-01T00:00:00Z" }));
      const totals = { size: 100, totalElements: count, totalPages: Math.ceil(count / 100), number };
      return { _links, page: totals, ...(all.length > 0 && { _embedded: { ipsecShares: entries } }) };
    };

    it.each([0, 1, 250])("has %i entries without totals", async (count) => {
      const { shares } = answering((call) => ({ ...page(count, call), page: undefined }));
      const { entries, isWhole } = await shares.list([], until);
      expect([entries.map(({ id }) => id), isWhole]).toEqual([ids(0, count), true]);
    });

    it.each([{ _embedded: {} }, { _embedded: null, _links: {} }, { page: { totalElements: "0" } }, { pageable: {} }])(
      "is empty for %j",
      async (body) => {
        expect(await answering(() => body).shares.list([], until)).toMatchObject({ entries: [], isWhole: true });
      },
    );
  });

  it("does not prove that an entry is gone if it says that it has more than it shows", async () => {
    const { shares } = answering(() => ({ page: { totalElements: 5 } }));
    await expect(isAbsent(shares, "s-9", until)).rejects.toThrow("[list-contradicts-itself]");
  });

  it("takes one odd entry for itself: it spoils no other, and its id is known", async () => {
    const content = [{ ...share("s-1"), target: null }, share("s-2"), share("../../x")];
    const { entries, ids } = await answering(() => ({ content, totalElements: 3 })).shares.list([], until);
    expect(entries.map(({ id }) => id)).toEqual(["s-2"]);
    expect(ids).toEqual(new Set(["s-1", "s-2", "../../x"]));
  });

  it.each([null, "x", { name: "s-2" }, { id: null }])("leaves out the entry %j and is not whole", async (odd) => {
    const { shares, calls } = answering(() => ({ content: [share("s-1"), odd], totalElements: 2 }));
    const { entries, isWhole } = await shares.list([], until);
    expect([entries.map(({ id }) => id), isWhole, calls.length]).toEqual([["s-1"], false, 1]);
  });

  it("asks without a filter, this time, if the service refuses the address as too long", async () => {
    const { shares, calls } = answering((call) => {
      if (String(call.query).length > 300)
        throw new FrontdoorError("414", { kind: "refused", status: 414, code: undefined });
      return { content: [share("s-1")], totalElements: 1 };
    });
    expect((await shares.list([["target", "x".repeat(400)]], until)).entries).toHaveLength(1);
    calls.length = 0;
    await shares.list([["id", "s-1"]], until);
    expect(calls).toEqual(["GET /v2/fd-1/ipsec-shares?id=s-1&page=0&size=100&sort=id%2Casc"]);
  });
});

describe("a filter that the service refuses with 400", () => {
  const refusing = (isRefused: (query: URLSearchParams) => boolean) =>
    answering((call) => {
      const query = new URLSearchParams(call.query);
      if (isRefused(query))
        throw new FrontdoorError("400 no", { kind: "refused", status: 400, code: "invalid_request" });
      return { content: [share("s-1")], totalElements: 1 };
    });
  const asked = ({ calls }: { calls: string[] }) => calls.splice(0).map((line) => line.split("?")[1]);

  it("is given up if it is the provider's own, after the same request without it succeeded, and no other is", async () => {
    const service = refusing((query) => query.has("id"));
    await service.shares.list([["id", "s-1"]], until);
    expect(asked(service).slice(-1)).toEqual(["page=0&size=100&sort=id%2Casc"]);
    await service.shares.list([["id", "s-1"]], until);
    await service.shares.list([["name", "s-1"]], until);
    expect(asked(service)).toEqual(["page=0&size=100&sort=id%2Casc", "name=s-1&page=0&size=100&sort=id%2Casc"]);
  });
});

describe("texts that the service alone gives", () => {
  const hostile = "x\u001B[31m\u0085\u202Ey";
  const safe = "x [31m  y";

  it("hold no control or direction characters, and those that programs give are as they are", async () => {
    const { shares } = answering(() => ({ ...share("s-1"), locationId: hostile, status: hostile, target: hostile }));
    expect(await shares.get("s-1", until)).toMatchObject({ locationId: safe, status: safe, target: hostile });
    const tunnel = { id: "t-1", name: hostile, peerPublicIp: "8.8.8.8", peerCidr: "10.0.0.0/8", status: "DEPLOYED" };
    const facts = (text: string) => ({ nlbDnsName: text, nlbPrivateIp: text, vpnConnectionId: text });
    expect(wireTunnel.parse({ ...tunnel, ...facts(hostile) })).toEqual({ ...tunnel, ...facts(safe) });
  });

  it("and a single text can stand for several", () => {
    expect(wireTunnelConfig.parse({ tunnels: [{ ikeVersions: "ikev2" }] }).tunnels).toEqual([
      { ikeVersions: ["ikev2"] },
    ]);
  });
});

/** A list of three on pages of two; while the second page is asked for the first time, one of the first goes away. */
const shifting = (times: number) => {
  let all = ids(1, 4);
  return answering((call) => {
    if (pageOf(call) === 0) all = ids(1, 4);
    else if (times-- > 0) all = ids(2, 4);
    const at = 2 * pageOf(call);
    return { content: all.slice(at, at + 2).map(share), totalElements: all.length };
  });
};

describe("a list whose entries slip between pages", () => {
  it("does not prove that one is gone", async () => {
    await expect(isAbsent(shifting(Infinity).shares, "s-3", until)).rejects.toThrow("[list-contradicts-itself]");
    expect(await isAbsent(shifting(0).shares, "s-3", until)).toBe(false);
    expect(await isAbsent(shifting(0).shares, "s-4", until)).toBe(true);
  });
});

describe("get", () => {
  it.each(["", ".", "..", "%2e%2e", "a/b", "a\\b", "a?b", "a#b", "a b", "a\u0000", "x".repeat(10_000)])(
    "sends nothing for the id %j",
    async (id) => {
      const { shares, calls } = answering(() => share("s-1"));
      await expect(shares.get(id, until)).rejects.toMatchObject({ code: "invalid-id" });
      await expect(shares.remove(id, until, () => undefined)).rejects.toMatchObject({ code: "invalid-id" });
      expect(calls).toEqual([]);
    },
  );

  it("and a write do not take an answer that describes another resource", async () => {
    const { shares } = answering(() => share("s-2"));
    await expect(shares.get("s-1", until)).rejects.toThrow("describes another resource");
    const written = shares.write("PATCH", "s-1", {}, until, () => undefined);
    await expect(written).rejects.toThrow("describes another resource");
  });
});
