import { manifest, type RowId, rowIds } from "../../cli/verify/manifest";
import { check, linesOf, type Run, textOf } from "../../cli/verify/verify";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { readConfig } from "../../provider/config";
import { FrontdoorError } from "../../provider/errors";
import type { Send } from "../../provider/http/send";
import { VirtualClock } from "../harness/virtual-clock";

/** A server in this process: answers a request, or nothing if the connection is cut. */
interface Served {
  answer: (request: Request) => Promise<Response | undefined>;
  advance: (ms: number) => void;
}

const baseUrl = "http://127.0.0.1:1/frontdoor";

/** Returns a run of `verify` against a server in this process, in virtual time. */
function runOn(served: Served, more: Partial<Run> & { hoursLater?: number } = {}, frontdoorId = "fd-1"): Run {
  const given: Record<string, string> = { baseUrl, frontdoorId, token: "emulator-token", requestsPerSecond: "1000" };
  const clock = new VirtualClock(served.advance);
  clock.setBack(-(more.hoursLater ?? 0) * 60 * 60_000);
  const send: Send = ({ method, url, headers, body }) =>
    clock.during(async () => {
      const answer = await served.answer(new Request(url, { method, headers, body: body ?? null }));
      if (!answer) throw new Error("the connection was cut");
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
    });
  return {
    config: readConfig((key) => given[key.replace("frontdoor:", "")], {}),
    ...{ frontdoorId, clock, on: {}, say: () => undefined },
    transport: { send, close: () => Promise.resolve() },
    confirm: () => Promise.resolve(true),
    ...more,
  };
}

const servedBy = (emulator: Emulator): Served => ({
  answer: (request) => emulator.ask(request),
  advance: (ms) => {
    emulator.clock.advance(ms);
  },
});

/** An emulator with two tunnels, one of them without a location, and two shares. */
async function peopled(settings: Partial<Settings> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ frozenAtMs: Date.now(), ...settings });
  emulator.seedTunnel({ id: "tnl-a", name: "branch", locationId: "loc-a" });
  emulator.seedTunnel({ id: "tnl-b", name: "alone", locationId: null });
  emulator.seedShare({ id: "shr-a", name: "web", ipsecTunnelId: "tnl-a", envZId: "env-1", ingressPort: 443 });
  emulator.seedShare({ id: "shr-b", name: "api", ipsecTunnelId: "tnl-a", envZId: "env-1", ingressPort: 8443 });
  return emulator;
}

/** Checks an emulator with all writes: on an existing tunnel, and on one of its own. The first finding of a row counts. */
async function checkAll(emulator: Emulator) {
  const { frontdoorId } = emulator;
  const onTunnel = await check(runOn(servedBy(emulator), { on: { tunnel: "tnl-a" } }, frontdoorId));
  const onLocation = await check(runOn(servedBy(emulator), { on: { location: "loc-x" } }, frontdoorId));
  return {
    findings: { ...onLocation.findings, ...onTunnel.findings },
    ended: onTunnel.ended ?? onLocation.ended,
    left: [...onTunnel.left, ...onLocation.left],
  };
}

/** An emulator whose answers lag, which counts what is made and can be made to fail. */
async function watched() {
  const lag = { readLagMs: 400, listLagMs: 900, provisionMs: 3_000, teardownMs: 1_500 };
  const emulator = await peopled(lag);
  const service = {
    ...servedBy(emulator),
    emulator,
    /** The number of next requests that are answered by 502. */
    failing: 0,
    /** Called before the answer of a POST that made something, with how many there were. */
    onMade: (_count: number): void => undefined,
    /** The entry that the answer of a POST names instead of the new one. */
    answersWith: undefined as string | undefined,
    requests: [] as string[],
    /** What `verify` has made and not deleted. */
    get extra(): string[] {
      const left = [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");
      return left.flatMap(({ name }) => (name.startsWith("verify-") ? name : []));
    },
  };
  let made = 0;
  service.answer = async (request) => {
    service.requests.push(`${request.method} ${new URL(request.url).pathname}`);
    if (service.failing > 0) {
      service.failing -= 1;
      return new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
    }
    const answer = await emulator.ask(request);
    if (request.method !== "POST" || !answer?.ok) return answer;
    made += 1;
    service.onMade(made);
    const body = (await answer.json()) as object;
    return Response.json(service.answersWith === undefined ? body : { ...body, id: service.answersWith }, answer);
  };
  return service;
}

type Watched = Awaited<ReturnType<typeof watched>>;
const on = (service: Watched, more: Parameters<typeof runOn>[1]) => check(runOn(service, more));
/** Writes to what others have made. */
const foreign = ({ requests }: Watched) =>
  requests.filter((each) => /^(PUT|PATCH|DELETE) .*\/(shr|tnl)-[ab]$/.test(each));

let service: Watched;
beforeEach(async () => {
  service = await watched();
});
afterEach(() => service.emulator.close());

it.each([1, 3, 6])("a service that fails for a while after create %i has nothing left behind", async (nth) => {
  const made: string[] = [];
  service.onMade = (count) => {
    if (count !== nth) return;
    made.push(...service.extra);
    service.failing = 6;
  };
  const { left } = await on(service, { on: { tunnel: "tnl-a" } });
  expect(made.length).toBeGreaterThan(0);
  expect([service.failing, left, service.extra]).toEqual([0, [], []]);
});

it("what can't be removed is named, and a run an hour later removes it if the user agrees", async () => {
  service.onMade = (count) => {
    if (count === 3) service.failing = Infinity;
  };
  const { left, ended } = await on(service, { on: { tunnel: "tnl-a" } });
  expect(ended?.isUnreachable).toBe(true);
  expect(left.map(({ name }) => name)).toEqual(service.extra);
  expect(left.length).toBeGreaterThan(0);
  Object.assign(service, { failing: 0, onMade: () => undefined });
  service.advance(60_000);
  const said: string[] = [];
  const later = { hoursLater: 1.1 };
  await on(service, { ...later, say: (line) => said.push(line) });
  expect(said.join()).toContain(`An earlier run left share verify-`);
  const asked: string[] = [];
  const confirm = (question: string) => Promise.resolve(asked.push(question) > 0);
  const next = await on(service, { ...later, on: { tunnel: "tnl-a" }, confirm, say: (line) => said.push(line) });
  expect(asked[0]).toContain(left[0]?.name);
  expect([next.left, service.extra]).toEqual([[], []]);
  const byName = (all: { name: string }[]) => all.sort((one, other) => one.name.localeCompare(other.name));
  const removed = left.map(({ kind, id, name }) => ({ kind, id, name, isRemoved: true }));
  expect(byName(next.leftovers)).toEqual(byName(removed));
  for (const { id, name } of left) expect(said).toContain(`Removed share ${name} (${id}), which an earlier run left.`);
});

it("says which checks a run has not reached that ended early", async () => {
  const refused = new FrontdoorError("nothing listens there", { kind: "unreachable", mayHaveRun: false });
  const cut = { answer: () => Promise.reject(refused), advance: () => undefined };
  const { findings, ended } = await check(runOn(cut));
  expect(ended?.isUnreachable).toBe(true);
  const text = textOf(linesOf(findings), {}, true);
  expect(text).toMatch(/^not seen \(the run ended before this check\): address, clock, /m);
  expect(text).toMatch(/^not seen \(needs --write\): create-status, /m);
  expect(text).not.toContain("no resource shows it");
});

it.each([1, 2, 4, 6])("a stop at create %i has nothing left behind", async (nth) => {
  const stop = new AbortController();
  const made: string[] = [];
  service.onMade = (count) => {
    if (count !== nth) return;
    made.push(...service.extra);
    stop.abort("stopped");
  };
  const { left, ended } = await on(service, { on: { tunnel: "tnl-a" }, signal: stop.signal });
  expect(ended).toBeDefined();
  expect(made.length).toBeGreaterThan(0);
  expect([left, service.extra]).toEqual([[], []]);
});

it("two runs at once leave each other's resources alone", async () => {
  const said: string[] = [];
  let kept: string[] = [];
  const stop = new AbortController();
  service.onMade = (count) => {
    if (count === 3) stop.abort("killed");
  };
  // The first run dies with its clean-up, as a run that still works looks to others.
  await on(service, { on: { tunnel: "tnl-a" }, signal: stop.signal, hurry: AbortSignal.abort("killed") });
  const during = service.extra;
  service.onMade = () => {
    kept = service.extra;
  };
  service.advance(60_000);
  const second = await on(service, { on: { tunnel: "tnl-a" }, say: (line) => said.push(line) });
  expect(during.length).toBeGreaterThan(0);
  expect(kept).toEqual(expect.arrayContaining(during));
  expect([second.left, second.leftovers, service.extra]).toEqual([[], [], during]);
  expect(said).toContainEqual(expect.stringMatching(/^verify leaves share verify-.* alone: another run made it/));
});

it.each([1, 2])(
  "a stop after create %i, whose answer names somebody else's share, has nothing left behind",
  async (nth) => {
    const stop = new AbortController();
    service.onMade = (count) => {
      service.answersWith = count === nth ? "shr-b" : undefined;
      if (count === nth) stop.abort("stopped");
    };
    const { left } = await on(service, { on: { tunnel: "tnl-a" }, signal: stop.signal });
    expect([left, service.extra]).toEqual([[], []]);
    expect(foreign(service)).toEqual([]);
  },
);

it("an answer that names somebody else's share has no effect on that share", async () => {
  service.answersWith = "shr-b";
  const { left, ended } = await on(service, { on: { tunnel: "tnl-a" } });
  expect([foreign(service), ended, left, service.extra]).toEqual([[], undefined, [], []]);
});

it("writes nothing if the user does not agree", async () => {
  const run = on(service, { on: { tunnel: "tnl-a" }, confirm: () => Promise.resolve(false) });
  await expect(run).rejects.toThrow("[not-confirmed]");
  expect(service.requests.filter((each) => !each.startsWith("GET "))).toEqual([]);
});

describe("on the emulator", () => {
  /** The emulator deploys a share in any location, also one that its tunnel is not in. */
  const always = "location-elsewhere: DEPLOYED";

  async function differences(settings: Partial<Settings>) {
    const emulator = await peopled(settings);
    try {
      const { findings, ended, left } = await checkAll(emulator);
      const differing = linesOf(findings).filter(({ state }) => state === "differs");
      const all = differing.map(({ id, found }) => `${id}: ${found ?? ""}`).filter((each) => each !== always);
      const own = [...emulator.shares(), ...emulator.tunnels()].filter(
        ({ name, status }) => name.startsWith("verify-") && status !== "DELETED",
      );
      return { all, findings, ended, left, own };
    } finally {
      await emulator.close();
    }
  }

  /** One setting that is not at its default, and the rows that differ. */
  const turned: [Partial<Settings>, ...string[]][] = [
    [{ readLagMs: 1000 }, "read-lag: after 1 s"],
    [{ listLagMs: 2000 }, "list-lag: after 2 s"],
    [{ serviceClockSkewMs: -120_000 }, "clock: 120 s ahead"],
    [{ tokenRejectedStatus: 403 }, "wrong-token: 403"],
    [{ tokenRejectedMessage: "no" }, "wrong-token-words: other"],
    [{ listForm: "hal" }, "list-form: hal", "list-totals: in page"],
    [{ defaultPageSize: 7 }, "page-size: 7"],
    [{ maxPageSize: 50 }, "page-limit: 50"],
    [{ oversizedPage: "refused" }, "page-limit: refused"],
    [{ defaultSort: "name,asc" }, "list-order: name"],
    [{ filtersHonoured: false }, "filters: none"],
    [
      { filtersHonoured: ["id", "name", "status"] },
      "filters: ignored: locationId peerPublicIp peerCidr ipsecTunnelId envZId target ingressPort",
    ],
    [{ repeatedTunnelFilter: "first" }, "repeated-filter: first"],
    [{ unknownQuery: "refused" }, "unknown-query: refused"],
    [{ shareLocationFromTunnel: false }, "share-location: other"],
    [{ nlbPrivateIpShown: "DEPLOYED" }, "nlb-address: later"],
    [{ emptyAs: null }, "empty-field: null"],
    [{ unsetAs: "absent" }, "unset-field: absent"],
    [{ deletedShownAs: "404" }, "deleted-shown: 404", "deleted-listed: left out"],
    [{ spellings: { ingressPort: "text" } }, "spelling: in another spelling"],
    [{ deletedListed: false }, "deleted-listed: left out"],
    [{ createStatus: 201 }, "create-status: 201"],
    [{ createBody: false }, "create-body: none"],
    [{ createLocationHeader: true }, "create-location: names"],
    [{ updateStatus: 200 }, "update-status: 200", "put-status: 200"],
    [{ updateBody: false }, "update-body: none"],
    [{ deleteStatus: 204 }, "delete-status: 204", "delete-body: none"],
    [{ deleteBody: false }, "delete-body: none"],
    [{ deleteAcceptedIn: ["NEW", "DEPLOYED", "ERROR", "DELETING"] }, "delete-twice: accepted"],
    [{ updateAcceptedIn: ["DEPLOYED", "ERROR"] }, "update-in-NEW: refused"],
    [{ shareAcceptedOnTunnelIn: ["DEPLOYED"] }, "share-on-NEW-tunnel: refused"],
    [{ tunnelShareChanges: "one at a time" }, "changes-together: one at a time"],
    [{ emptyPatch: "ignored" }, "empty-patch: ignored"],
    [{ nullLocation: "clears" }, "null-location: accepted"],
    [{ bothEnvIds: "envZId" }, "both-env-ids: accepted"],
    [{ unknownProperty: "refused" }, "unknown-property: refused"],
    [{ unknownEnvironment: "refused", environments: { "env-1": "one" } }, "unknown-environment: refused"],
    [{ conflictStatus: 400 }, "conflict-status: 400"],
    [{ duplicateShareName: "refused" }, "same-name: refused"],
    [{ duplicateIngressPort: "allowed" }, "same-port: accepted"],
    [{ peerMustBePublic: false }, "private-peer: accepted"],
    [{ cidrHostBits: "refused" }, "host-bits: refused"],
    [{ oneTunnelPerLocation: false }, "one-tunnel: accepted"],
    [{ notFoundStatus: 403 }, "unknown-resource: 403 not_found"],
    [{ notFoundError: "gone" }, "unknown-resource: 404 gone"],
    [{ notReadyStatus: 404 }, "not-ready: 404"],
    [{ messageQuote: "'" }, "message-form: with '"],
    [{ tunnelConfigForm: "aws" }, "algorithms: weak ones too"],
    [{ metricsForm: "samples" }, "tunnel-metrics: samples"],
    [{ shareDurations: ["15m", "1h"] }, "share-durations: 15m 1h"],
    [{ connectionState: "pending" }, "connection-state: pending"],
    [{ connectionStatus: "DOWN" }, "connection-status: DOWN"],
  ];

  const rowsOf = (...names: string[]) => turned.filter(([settings]) => names.some((name) => name in settings));
  /** These would change what others show. */
  const alone = [rowsOf("spellings", "unknownEnvironment"), rowsOf("deletedShownAs"), rowsOf("tunnelShareChanges")];
  const together = turned.filter((row) => !alone.flat().includes(row));
  /** Neighbours in the list are about one thing, so they go to different groups. */
  const dealt = Array.from({ length: 6 }, (_, at) => together.filter((_row, index) => index % 6 === at));
  const named = (group: typeof turned) => [group.map(([settings]) => Object.keys(settings)[0]).join(), group] as const;

  async function findAll(group: typeof turned) {
    const settings = Object.assign({}, ...group.map(([each]) => each)) as Partial<Settings>;
    const rows = group.flatMap(([, ...each]) => each).toSorted();
    const { all, ended, left, own } = await differences(settings);
    expect({ all: all.toSorted(), ended, left, own }).toEqual({ all: rows, ended: undefined, left: [], own: [] });
  }

  it.each([...alone, ...dealt].map(named))("finds %s", (...[, group]) => findAll(group));

  it("every assumption holds at the emulator, and nothing is left behind", async () => {
    const { all, findings, ended, left, own } = await differences({});
    expect({ all, ended, left, own }).toEqual({ all: [], ended: undefined, left: [], own: [] });
    const notSeen = rowIds.filter((id) => findings[id] === undefined);
    const bySettingUp: RowId[] = ["clock", "basic-form", "token-request", "update-in-ERROR"];
    expect(notSeen).toEqual([...bySettingUp, "tunnel-names", "lost-post", "rate-limit", "events"]);
  });

  it("reads only if nothing else is asked for", async () => {
    const emulator = await peopled();
    const { findings } = await check(runOn(servedBy(emulator)));
    expect(findings["list-form"]).toBe("content");
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await emulator.close();
  });

  it("reads alone show two tunnels at one location, and name the setting to change", async () => {
    const emulator = await peopled();
    const { findings: before } = await check(runOn(servedBy(emulator)));
    expect(before["one-tunnel"]).toBeUndefined();
    const [{ locationId } = {}] = emulator.tunnels().filter(({ status }) => status === "DEPLOYED");
    emulator.seedTunnel({ name: "second", status: "DEPLOYED", ...(locationId !== undefined && { locationId }) });
    const { findings } = await check(runOn(servedBy(emulator)));
    expect(linesOf(findings).find(({ id }) => id === "one-tunnel")).toMatchObject({
      ...{ state: "differs", found: "two DEPLOYED at one location" },
    });
    expect(manifest["one-tunnel"].helps).toBe("set `frontdoor:oneTunnelPerLocation` to `false`");
    await emulator.close();
  });

  it("a front door without resources leaves rows unseen, and none differs", async () => {
    const emulator = await startEmulator({ frozenAtMs: Date.now() });
    const { findings } = await check(runOn(servedBy(emulator)));
    expect(linesOf(findings).filter(({ state }) => state === "differs")).toEqual([]);
    await emulator.close();
  });
});
