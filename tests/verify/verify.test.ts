import { manifest, type RowId, rowIds } from "../../cli/verify/manifest";
import { check, linesOf, reportOf, textOf } from "../../cli/verify/verify";
import { type Settings, startEmulator } from "../../emulator";
import { FrontdoorError } from "../../provider/errors";
import { checkAll, OtherService, peopled, runOn, servedBy } from "./servers";

const served = (service: OtherService) => ({
  answer: (request: Request) => service.answer(request),
  advance: (ms: number) => {
    service.advance(ms);
  },
});
const on = (service: OtherService, more: Parameters<typeof runOn>[1]) =>
  check(runOn(served(service), more, service.frontdoorId));

it("every difference of a server from the specification alone is found, and nothing is left behind", async () => {
  const service = new OtherService();
  const onTunnel = await on(service, { on: { tunnel: "r1" } });
  const onLocation = await on(service, { on: { location: "eu-2" } });
  expect([onTunnel.ended, onLocation.ended, onTunnel.left, onLocation.left, service.extra]).toEqual([
    undefined,
    undefined,
    [],
    [],
    [],
  ]);
  const lines = linesOf({ ...onLocation.findings, ...onTunnel.findings });
  const found = lines.filter(({ state }) => state === "differs").map(({ id, found }) => [id, found]);
  expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
   {
     "algorithms": "weak ones too",
     "both-env-ids": "accepted",
     "changes-together": "one at a time",
     "conflict-status": "423",
     "connection-entries": "several, missing: statusMessage insideCidr phase1EncryptionAlgorithms phase1IntegrityAlgorithms phase1DHGroupNumbers phase1LifetimeSeconds phase2EncryptionAlgorithms phase2IntegrityAlgorithms phase2DHGroupNumbers phase2LifetimeSeconds rekeyMarginTimeSeconds rekeyFuzzPercentage dpdTimeoutSeconds dpdTimeoutAction",
     "connection-state": "other",
     "connection-status": "other",
     "create-body": "none",
     "create-location": "names",
     "create-status": "201",
     "delete-body": "none",
     "delete-in-NEW": "refused",
     "delete-status": "204",
     "delete-twice": "accepted",
     "deleted-listed": "left out",
     "deleted-shown": "410",
     "empty-field": "absent",
     "empty-patch": "refused",
     "filters": "none",
     "host-bits": "refused",
     "list-form": "hal",
     "list-lag": "after 1 s",
     "list-order": "newest",
     "list-totals": "none",
     "message-form": "other words",
     "metrics-windows": "refused: 7d",
     "nlb-address": "later",
     "not-ready": "425",
     "null-location": "accepted",
     "page-limit": "3",
     "page-size": "3",
     "page-wrong": "422",
     "put-status": "204",
     "rate-headers": "shown",
     "read-lag": "after 0.5 s",
     "same-name": "refused",
     "same-port": "accepted",
     "sample-config": "other",
     "share-durations": "30m 1h 1d",
     "share-location": "none",
     "share-on-NEW-tunnel": "refused",
     "sort": "ignored",
     "tunnel-metrics": "other",
     "unknown-property": "refused",
     "unknown-query": "refused",
     "unknown-resource": "410 no_such_thing",
     "update-body": "none",
     "update-in-ERROR": "refused",
     "update-in-NEW": "refused",
     "update-status": "200",
     "version-headers": "shown",
     "wrong-token": "403",
   }
  `);
  expect(lines.filter(({ state }) => state === "not seen").map(({ id }) => id)).toMatchInlineSnapshot(`
   [
     "clock",
     "basic-form",
     "token-request",
     "wrong-token-words",
     "repeated-filter",
     "repeated-share-filter",
     "unset-field",
     "tunnel-names",
     "lost-post",
     "rate-limit",
     "events",
   ]
  `);
  const report = reportOf(
    lines,
    {},
    { credentials: { kind: "bearer", token: "emulator-token", source: "a wrong token" } },
  );
  for (const secret of [
    "emulator-token",
    service.frontdoorId,
    "r1",
    "eu-1",
    "10.0.",
    "192.0.2",
    "203.0.113",
    "verify-",
    "hq",
  ])
    expect(report).not.toMatch(new RegExp(`[| ]${secret}`));
});

it.each([1, 3, 6])("a service that fails for a while after create %i has nothing left behind", async (nth) => {
  const service = new OtherService();
  const made: string[] = [];
  service.onMade = (count) => {
    if (count !== nth) return;
    made.push(...service.extra);
    service.failing = 6;
  };
  const { left } = await on(service, { on: { tunnel: "r1" } });
  expect(made.length).toBeGreaterThan(0);
  expect([service.failing, left, service.extra]).toEqual([0, [], []]);
});

it("what can't be removed is named, and a run an hour later removes it if the user agrees", async () => {
  const service = new OtherService();
  service.onMade = (count) => {
    if (count === 3) service.failing = Infinity;
  };
  const { left, ended } = await on(service, { on: { tunnel: "r1" } });
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
  const next = await on(service, { ...later, on: { tunnel: "r1" }, confirm, say: (line) => said.push(line) });
  expect(asked[0]).toContain(left[0]?.name);
  expect([next.left, service.extra]).toEqual([[], []]);
  const byName = (all: { name: string }[]) => all.sort((one, other) => one.name.localeCompare(other.name));
  const removed = left.map(({ kind, id, name }) => ({ kind, id, name, isRemoved: true }));
  expect(byName(next.leftovers)).toEqual(byName(removed));
  for (const { id, name } of left) expect(said).toContain(`Removed share ${name} (${id}), which an earlier run left.`);
});

it("says what is going on, and that a run has ended early", async () => {
  const emulator = await peopled({ provisionMs: 25_000 });
  const said: string[] = [];
  await check(runOn(servedBy(emulator), { on: { tunnel: "tnl-a" }, say: (line) => said.push(line) }));
  await emulator.close();
  const steps = [
    "Creating shares on tunnel tnl-a…",
    "Sending creates",
    "Changing share verify-",
    "Deleting share verify-",
  ];
  for (const step of steps) expect(said.join("\n")).toContain(step);
  expect(said).toContainEqual(expect.stringMatching(/^share verify-\w+-nut-\d+ is NEW \(1\d s\)$/));

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
  const service = new OtherService();
  const stop = new AbortController();
  const made: string[] = [];
  service.onMade = (count) => {
    if (count !== nth) return;
    made.push(...service.extra);
    stop.abort("stopped");
  };
  const { left, ended } = await on(service, { on: { tunnel: "r1" }, signal: stop.signal });
  expect(ended).toBeDefined();
  expect(made.length).toBeGreaterThan(0);
  expect([left, service.extra]).toEqual([[], []]);
});

it("two runs at once leave each other's resources alone", async () => {
  const service = new OtherService();
  const said: string[] = [];
  let kept: string[] = [];
  const stop = new AbortController();
  service.onMade = (count) => {
    if (count === 3) stop.abort("killed");
  };
  // The first run dies with its clean-up, as a run that still works looks to others.
  await on(service, { on: { tunnel: "r1" }, signal: stop.signal, hurry: AbortSignal.abort("killed") });
  const during = service.extra;
  service.onMade = () => {
    kept = service.extra;
  };
  service.advance(60_000);
  const second = await on(service, { on: { tunnel: "r1" }, say: (line) => said.push(line) });
  expect(during.length).toBeGreaterThan(0);
  expect(kept).toEqual(expect.arrayContaining(during));
  expect([second.left, second.leftovers, service.extra]).toEqual([[], [], during]);
  expect(said).toContainEqual(expect.stringMatching(/^verify leaves share verify-.* alone: another run made it/));
});

it.each([1, 2])(
  "a stop after create %i, whose answer names somebody else's share, has nothing left behind",
  async (nth) => {
    const service = new OtherService();
    const stop = new AbortController();
    service.onMade = (count) => {
      service.answersWith = count === nth ? "r2" : undefined;
      if (count === nth) stop.abort("stopped");
    };
    const { left } = await on(service, { on: { tunnel: "r1" }, signal: stop.signal });
    expect([left, service.extra]).toEqual([[], []]);
    expect(service.requests.filter((each) => /^(PUT|PATCH|DELETE) .*\/r[123]$/.test(each))).toEqual([]);
  },
);

it("an answer that names somebody else's share has no effect on that share", async () => {
  const service = new OtherService();
  service.answersWith = "r2";
  const { left, ended } = await on(service, { on: { tunnel: "r1" } });
  const writes = service.requests.filter((each) => /^(PUT|PATCH|DELETE) .*\/r[123]$/.test(each));
  expect([writes, ended, left, service.extra]).toEqual([[], undefined, [], []]);
});

it("writes nothing if the user does not agree", async () => {
  const service = new OtherService();
  const run = on(service, { on: { tunnel: "r1" }, confirm: () => Promise.resolve(false) });
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

  /** What the second server does as the specification says: one setting of the emulator, and the row that then differs. */
  const turned: [Partial<Settings>, string][] = [
    [{ serviceClockSkewMs: -120_000 }, "clock: 120 s ahead"],
    [{ tokenRejectedMessage: "no" }, "wrong-token-words: other"],
    [
      { filtersHonoured: ["id", "name", "status"] },
      "filters: ignored: locationId peerPublicIp peerCidr ipsecTunnelId envZId target ingressPort",
    ],
    [{ repeatedTunnelFilter: "first" }, "repeated-filter: first"],
    [{ unsetAs: "absent" }, "unset-field: absent"],
    [{ spellings: { ingressPort: "text" } }, "spelling: in another spelling"],
    [{ unknownEnvironment: "refused", environments: { "env-1": "one" } }, "unknown-environment: refused"],
    [{ peerMustBePublic: false }, "private-peer: accepted"],
    [{ oneTunnelPerLocation: false }, "one-tunnel: accepted"],
  ];

  it("finds what only a setting of the emulator shows", async () => {
    const settings = Object.assign({}, ...turned.map(([each]) => each)) as Partial<Settings>;
    const { all, ended, left, own } = await differences(settings);
    const rows = turned.map(([, row]) => row).toSorted();
    expect({ all: all.toSorted(), ended, left, own }).toEqual({ all: rows, ended: undefined, left: [], own: [] });
  });

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
    expect(manifest["one-tunnel"].helps).toBe("frontdoor:oneTunnelPerLocation: false");
    await emulator.close();
  });

  it("a front door without resources leaves rows unseen, and none differs", async () => {
    const emulator = await startEmulator({ frozenAtMs: Date.now() });
    const { findings } = await check(runOn(servedBy(emulator)));
    expect(linesOf(findings).filter(({ state }) => state === "differs")).toEqual([]);
    await emulator.close();
  });
});
