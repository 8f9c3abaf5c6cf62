import { manifest, type RowId, rowIds } from "../../cli/verify/manifest";
import { check, linesOf } from "../../cli/verify/verify";
import { type Settings, startEmulator } from "../../emulator";
import { checkAll, peopled, runOn, servedBy } from "./servers";

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

it("every assumption holds at the emulator, and nothing is left behind", async () => {
  const { all, findings, ended, left, own } = await differences({});
  expect({ all, ended, left, own }).toEqual({ all: [], ended: undefined, left: [], own: [] });
  const notSeen = rowIds.filter((id) => findings[id] === undefined);
  const bySettingUp: RowId[] = ["clock", "basic-form", "token-request", "update-in-ERROR"];
  expect(notSeen).toEqual([...bySettingUp, "tunnel-names", "lost-post", "rate-limit", "events"]);
});

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
