/** Settings of the emulator by name. The command shares no code with the emulator. */
export type EmulatorSettings = Record<string, unknown>;

/** One assumption about the service, and what `verify` can find instead. */
export interface Row {
  /** The assumption. */
  says: string;
  /** Where it comes from: the specification states it, the vendor's pages and clients show it, or the provider infers it. */
  source: "specification" | "vendor" | "inferred" | "unknown";
  /** What `verify` has to do to see it. `never`: it can't be seen. */
  needs: "reads" | "--write" | "--write --location" | "never";
  /** The findings with which the assumption holds. */
  holds: readonly string[];
  /** What the provider does if it doesn't hold. */
  else: string;
  /** The setting or argument that helps. */
  helps?: string;
  /** True for a finding that the provider can't work with. */
  isFatal?: (found: string) => boolean;
  /** The settings with which the emulator behaves so. */
  emulate?: (found: string) => EmulatorSettings;
}

const statusOf = (found: string) => Number(/^\d{3}/.exec(found)?.[0]);
const as = (name: string, values: Record<string, unknown>) => (found: string) =>
  Object.hasOwn(values, found) ? { [name]: values[found] } : {};
const accepted = (found: string, name: string) =>
  [200, 201, 202, 204].includes(statusOf(found)) ? { [name]: statusOf(found) } : {};
const writeAnswer = "reads the resource until it shows the change; the response's status and body don't matter";
const wordsOf = (found: string) => found.replace(/^[^:]*: /, "").split(" ");
const forms = { '""': "", null: null, absent: "absent" };

/** The properties that lists take as filters (spec: Endpoints). */
export const filterable = {
  tunnels: ["id", "name", "locationId", "status", "peerPublicIp", "peerCidr"],
  shares: ["id", "name", "ipsecTunnelId", "envZId", "target", "ingressPort", "locationId", "status"],
} as const;
const everyFilter = [...new Set([...filterable.tunnels, ...filterable.shares, "frontdoorId", "nlbPrivateIp"])];

const define = <Id extends string>(rows: Record<Id, Row>): Record<Id, Row> => rows;

/** Every assumption, in the order of the output. */
export const manifest = define({
  address: {
    ...{
      says: "Frontdoor answers at `frontdoor:baseUrl`, by default `https://gateway.production.netfoundry.io/frontdoor`.",
      source: "vendor",
      needs: "reads",
      holds: ["answers"],
    },
    ...{ else: "can't work", helps: "frontdoor:baseUrl", isFatal: () => true },
  },
  clock: {
    ...{ says: "This machine's clock agrees with Frontdoor's.", source: "specification", needs: "reads" },
    ...{
      holds: ["within 60 s"],
      else: "works until tokens expire at the wrong time",
      helps: "set this machine's clock",
    },
    emulate: (found) => {
      const seconds = Number(/\d+/.exec(found)?.[0] ?? 0);
      return found.endsWith("ahead")
        ? { serviceClockSkewMs: -seconds * 1000 }
        : found.endsWith("behind")
          ? { serviceClockSkewMs: seconds * 1000 }
          : {};
    },
  },
  "basic-form": {
    ...{ says: "Basic credentials are `username:token` in base64.", source: "inferred", needs: "reads" },
    ...{ holds: ["base64"], else: "can't log in with Basic", helps: "a bearer token or an API account" },
    emulate: as("basicForm", { base64: "base64" }),
  },
  "token-request": {
    ...{ says: "The token endpoint takes client credentials as configured.", source: "vendor", needs: "reads" },
    ...{
      holds: ["json", "form"],
      else: "can't log in",
      helps: "frontdoor:tokenRequest, frontdoor:scope, frontdoor:audience",
    },
    emulate: as("oauthForm", { json: "json", form: "form" }),
  },
  "wrong-token": {
    ...{
      says: "An unknown token gets 401 (the specification also names 403).",
      source: "specification",
      needs: "reads",
      holds: ["401"],
    },
    ...{ else: "reports it as missing access", helps: "npx pulumi-frontdoor doctor" },
    emulate: (found) => ([401, 403].includes(statusOf(found)) ? { tokenRejectedStatus: statusOf(found) } : {}),
  },
  "wrong-token-words": {
    ...{ says: "That 401 has the specification's message.", source: "specification", needs: "reads" },
    ...{ holds: ["the specification's"], else: "shows Frontdoor's words" },
    emulate: as("tokenRejectedMessage", { other: "This token is unknown" }),
  },
  "other-front-door": {
    ...{ says: "An inaccessible front door gets 403 with `not_found`.", source: "specification", needs: "reads" },
    ...{ holds: ["403 not_found"], else: "shows Frontdoor's words" },
  },
  "list-form": {
    ...{ says: "A list has `content`.", source: "specification", needs: "reads", holds: ["content"] },
    ...{ else: "reads the one array under `_embedded`", isFatal: (found) => found === "other" },
    emulate: as("listForm", { content: "content", hal: "hal" }),
  },
  "list-totals": {
    ...{ says: "A list has `totalElements` and `totalPages`.", source: "specification", needs: "reads" },
    ...{ holds: ["totalElements, totalPages"], else: "reads pages until one brings nothing new" },
  },
  "list-entries": {
    ...{
      says: "List entries have the specification's fields.",
      source: "specification",
      needs: "reads",
      holds: ["all"],
    },
    ...{ else: "reads entries that lack fields one by one", isFatal: (found) => /missing:.*\bid\b/.test(found) },
  },
  "page-size": {
    ...{ says: "A page has 20 entries if `size` is left out.", source: "unknown", needs: "reads", holds: ["20"] },
    ...{ else: "names the size in each request" },
    emulate: (found) => (/^\d+$/.test(found) ? { defaultPageSize: Number(found) } : {}),
  },
  "page-limit": {
    ...{ says: "A page can have 100 entries.", source: "unknown", needs: "reads", holds: ["100"] },
    ...{ else: "lists without a page size, and reads as many pages as there are" },
    emulate: (found) =>
      found === "refused" ? { oversizedPage: "refused" } : /^\d+$/.test(found) ? { maxPageSize: Number(found) } : {},
  },
  "page-beyond": {
    ...{ says: "A page beyond the last one is empty.", source: "inferred", needs: "reads", holds: ["empty"] },
    ...{ else: "stops at the last page" },
  },
  "page-wrong": {
    ...{ says: "A non-numeric page gets 400.", source: "specification", needs: "reads", holds: ["400"] },
    ...{ else: "sends numbers only" },
  },
  "error-shape": {
    ...{ says: "An error has `error` and `message`.", source: "specification", needs: "reads" },
    ...{ holds: ["error and message"], else: "shows the status only" },
  },
  "message-form": {
    ...{ says: "A 400 says: Value for `property` must be of `type`.", source: "specification", needs: "reads" },
    ...{ holds: ["with `"], else: "shows Frontdoor's words" },
    emulate: (found) => (found.startsWith("with") ? { messageQuote: found.slice("with ".length) } : {}),
  },
  "unknown-query": {
    ...{ says: "A query parameter that names no property is ignored.", source: "unknown", needs: "reads" },
    ...{ holds: ["ignored"], else: "sends properties only" },
    emulate: as("unknownQuery", { ignored: "ignored", refused: "refused" }),
  },
  filters: {
    ...{ says: "Lists honor a filter for each property.", source: "specification", needs: "reads", holds: ["all"] },
    ...{ else: "filters again; its own requests omit a refused filter, and functions such as `getTunnels` fail" },
    emulate: (found) =>
      found === "all"
        ? { filtersHonoured: true }
        : found === "none"
          ? { filtersHonoured: false }
          : { filtersHonoured: everyFilter.filter((name) => !wordsOf(found).includes(name)) },
  },
  "repeated-filter": {
    ...{ says: "A repeated filter of tunnels matches any of its values.", source: "unknown", needs: "reads" },
    ...{ holds: ["any"], else: "repeats only filters of shares" },
    emulate: as("repeatedTunnelFilter", { any: "any", first: "first" }),
  },
  "repeated-share-filter": {
    ...{
      says: "A repeated filter of shares matches any of its values.",
      source: "specification",
      needs: "reads",
    },
    ...{ holds: ["any"], else: "reads a missing share by its id, unless it was DELETING before" },
  },
  sort: {
    ...{ says: "Lists honor `sort`.", source: "specification", needs: "reads", holds: ["honoured"] },
    ...{ else: "needs no order" },
  },
  "unknown-resource": {
    ...{ says: "An unknown tunnel or share gets 404.", source: "unknown", needs: "reads", holds: ["404 not_found"] },
    ...{ else: "treats a 403 with `not_found` as absent only if the front door's list lacks the id" },
    isFatal: (found) => ![403, 404, 410].includes(statusOf(found)),
    emulate: (found) => ({
      notFoundStatus: statusOf(found),
      ...(/ [a-z_]+$/.test(found) && { notFoundError: found.split(" ")[1] }),
    }),
  },
  "unset-field": {
    ...{ says: "An optional field without a value is null.", source: "unknown", needs: "reads", holds: ["null"] },
    ...{ else: "reads null, an empty string and a missing field as no value" },
    emulate: as("unsetAs", forms),
  },
  "connection-state": {
    ...{ says: "A deployed tunnel's connection is `available`.", source: "specification", needs: "reads" },
    ...{ holds: ["available"], else: "shows the state as it is" },
    emulate: (found) => (/^[a-z]+$/.test(found) ? { connectionState: found === "other" ? "pending" : found } : {}),
  },
  "connection-status": {
    ...{ says: "The connection of a tunnel in use is UP.", source: "specification", needs: "reads", holds: ["UP"] },
    ...{ else: "counts any other value as not UP", helps: "start it from the remote site's device" },
    emulate: as("connectionStatus", { UP: "UP", DOWN: "DOWN" }),
  },
  "connection-entries": {
    ...{ says: "The tunnel configuration has one entry with every field.", source: "specification", needs: "reads" },
    ...{ holds: ["one, complete"], else: "uses the first entry, and leaves missing fields out" },
  },
  algorithms: {
    ...{ says: "A tunnel offers strong algorithms only.", source: "unknown", needs: "reads" },
    ...{
      holds: ["strong"],
      else: "shows them all",
      helps: "choose the strongest common ones on the device; policy refuse-weak-crypto",
    },
    emulate: as("tunnelConfigForm", { strong: "strong", "weak ones too": "aws" }),
  },
  "sample-config": {
    ...{ says: "A deployed tunnel has a sample configuration as plain text.", source: "specification", needs: "reads" },
    ...{ holds: ["text/plain"], else: "retries until the deadline", helps: "storeSampleConfig: false" },
  },
  "tunnel-metrics": {
    ...{
      says: "Tunnel metrics are `series`, each with a name and points.",
      source: "unknown",
      needs: "reads",
      holds: ["series"],
    },
    ...{ else: "returns the body as it is" },
    emulate: as("metricsForm", { series: "series", samples: "samples" }),
  },
  "metrics-windows": {
    ...{ says: "Tunnel metrics take the windows 30m, 1h, 1d and 7d.", source: "specification", needs: "reads" },
    ...{ holds: ["all"], else: "shows the refusal" },
  },
  "share-durations": {
    ...{ says: "Share metrics take any duration.", source: "unknown", needs: "reads", holds: ["any"] },
    ...{ else: "shows the refusal", helps: "durations in the `verify` row" },
    emulate: (found) => ({
      shareDurations: found === "any" ? null : wordsOf(`x: ${found}`).filter((word) => word !== "none"),
    }),
  },
  "rate-headers": {
    ...{ says: "Frontdoor states no rate limit.", source: "unknown", needs: "reads", holds: ["none"] },
    ...{ else: "sends 20 requests a second, and pauses after a 429", helps: "frontdoor:requestsPerSecond" },
  },
  "version-headers": {
    ...{ says: "No end of version 2 is announced.", source: "unknown", needs: "reads", holds: ["none"] },
    ...{ else: "works until then", helps: "a newer version of this package" },
  },
  "create-status": {
    ...{
      says: "An accepted POST gets 202.",
      source: "specification",
      needs: "--write",
      holds: ["202"],
      else: writeAnswer,
    },
    emulate: (found) => accepted(found, "createStatus"),
  },
  "create-body": {
    ...{ says: "The response to a POST is the resource.", source: "specification", needs: "--write" },
    ...{ holds: ["resource"], else: "finds the new resource by its name in the list" },
    emulate: as("createBody", { resource: true, none: false }),
  },
  "create-location": {
    ...{ says: "The response to a POST has no `Location`.", source: "unknown", needs: "--write", holds: ["none"] },
    ...{ else: "takes the id from it if the body has none" },
    emulate: as("createLocationHeader", { none: false, names: true }),
  },
  "read-lag": {
    ...{ says: "A read shows a create at once.", source: "specification", needs: "--write", holds: ["at once"] },
    ...{ else: "waits at most 30 s for it", isFatal: (found) => lagOf(found) > 30_000 },
    emulate: (found) => ({ readLagMs: lagOf(found) }),
  },
  "list-lag": {
    ...{ says: "A list shows a create at once.", source: "specification", needs: "--write", holds: ["at once"] },
    ...{ else: "waits at most 30 s for it", isFatal: (found) => lagOf(found) > 30_000 },
    emulate: (found) => ({ listLagMs: lagOf(found) }),
  },
  "share-time": {
    ...{ says: "A share is deployed within 15 minutes.", source: "inferred", needs: "--write", holds: ["in time"] },
    ...{ else: "fails at the deadline", helps: "customTimeouts of the share" },
  },
  "changes-together": {
    ...{ says: "The shares of a tunnel can change at the same time.", source: "inferred", needs: "--write" },
    ...{ holds: ["together"], else: "repeats a refused write until its deadline" },
    emulate: as("tunnelShareChanges", { together: "together", "one at a time": "one at a time" }),
  },
  "list-order": {
    ...{ says: "A list without `sort` is in creation order.", source: "unknown", needs: "--write" },
    ...{ holds: ["creation"], else: "needs no order" },
    emulate: as("defaultSort", { creation: null, name: "name,asc", "name, reversed": "name,desc", newest: "id,desc" }),
  },
  "share-location": {
    ...{ says: "A share without a location gets its tunnel's.", source: "inferred", needs: "--write" },
    ...{ holds: ["the tunnel's"], else: "keeps what Frontdoor chose", helps: "locationId of the share" },
    emulate: as("shareLocationFromTunnel", { "the tunnel's": true, other: false }),
  },
  spelling: {
    ...{
      says: "A value shows as it was sent, or in another case or form of an address.",
      source: "inferred",
    },
    ...{
      needs: "--write",
      holds: ["as sent"],
      else: "ends the write with value-differs",
      helps: "give the value as Frontdoor shows it",
    },
  },
  "location-elsewhere": {
    ...{ says: "A share outside its tunnel's location fails.", source: "inferred", needs: "--write" },
    ...{ holds: ["refused", "ERROR"], else: "sends any location", helps: "turn the policy match-share-locations off" },
  },
  "same-port": {
    ...{ says: "A tunnel takes one share per port.", source: "inferred", needs: "--write", holds: ["refused"] },
    ...{ else: "refuses two shares of a program on one port", helps: "declare the second share in another stack" },
    emulate: as("duplicateIngressPort", { refused: "refused", accepted: "allowed" }),
  },
  "conflict-status": {
    ...{ says: "A write that conflicts gets 409.", source: "unknown", needs: "--write", holds: ["409"] },
    ...{ else: "treats 400, 409, 412, 423 and 425 as a conflict" },
    emulate: (found) => ([400, 409].includes(statusOf(found)) ? { conflictStatus: statusOf(found) } : {}),
  },
  "same-name": {
    ...{ says: "Shares can have equal names.", source: "unknown", needs: "--write", holds: ["accepted"] },
    ...{ else: "shows the refusal", helps: "another name" },
    emulate: as("duplicateShareName", { accepted: "allowed", refused: "refused" }),
  },
  "both-env-ids": {
    ...{ says: "`envZId` and `envId` that differ are refused.", source: "unknown", needs: "--write" },
    ...{ holds: ["refused"], else: "never sends both" },
    emulate: as("bothEnvIds", { refused: "refused", accepted: "envZId" }),
  },
  "unknown-environment": {
    ...{ says: "A share with a nonexistent environment is accepted.", source: "unknown", needs: "--write" },
    ...{ holds: ["accepted"], else: "shows the refusal", helps: "npx pulumi-frontdoor ids lists environments" },
    emulate: as("unknownEnvironment", { accepted: "allowed", refused: "refused" }),
  },
  "unknown-property": {
    ...{ says: "A property that the specification does not list is ignored.", source: "unknown", needs: "--write" },
    ...{ holds: ["ignored"], else: "sends listed properties only" },
    emulate: as("unknownProperty", { ignored: "ignored", refused: "refused" }),
  },
  "null-location": {
    ...{ says: "A PATCH with `locationId: null` is refused.", source: "unknown", needs: "--write", holds: ["refused"] },
    ...{ else: "never sends null" },
    emulate: as("nullLocation", { refused: "refused", accepted: "clears" }),
  },
  "empty-patch": {
    ...{ says: "A PATCH without fields recreates the share.", source: "unknown", needs: "--write" },
    ...{ holds: ["recreates"], else: "never sends one" },
    emulate: as("emptyPatch", { recreates: "recreates", ignored: "ignored", refused: "refused" }),
  },
  "update-status": {
    ...{ says: "An accepted PATCH gets 202.", source: "unknown", needs: "--write", holds: ["202"], else: writeAnswer },
    emulate: (found) => accepted(found, "updateStatus"),
  },
  "update-body": {
    ...{ says: "The response to a PATCH is the share.", source: "unknown", needs: "--write", holds: ["resource"] },
    ...{ else: writeAnswer },
    emulate: as("updateBody", { resource: true, none: false }),
  },
  "put-status": {
    ...{ says: "An accepted PUT gets 202.", source: "unknown", needs: "--write", holds: ["202"], else: writeAnswer },
  },
  "patch-keeps": {
    ...{
      says: "A PATCH keeps the id and the fields that it does not name.",
      source: "specification",
      needs: "--write",
    },
    ...{ holds: ["keeps"], else: "can't work", isFatal: (found) => found !== "keeps" },
  },
  "update-recreates": {
    ...{ says: "During an update, the share is NEW.", source: "specification", needs: "--write", holds: ["NEW"] },
    ...{ else: "waits until the share shows what was sent, and 3 s for another status" },
  },
  "update-in-NEW": {
    ...{ says: "A share in NEW accepts an update.", source: "unknown", needs: "--write", holds: ["accepted"] },
    ...{ else: "waits until the share has settled, and sends it again" },
    emulate: (found) => ({
      updateAcceptedIn: found === "accepted" ? ["NEW", "DEPLOYED", "ERROR"] : ["DEPLOYED", "ERROR"],
    }),
  },
  "update-in-ERROR": {
    ...{ says: "A share in ERROR accepts an update.", source: "inferred", needs: "--write", holds: ["accepted"] },
    ...{ else: "reports the refusal", helps: "pulumi up --replace with deleteBeforeReplace: true" },
  },
  "delete-status": {
    ...{ says: "An accepted DELETE gets 202.", source: "unknown", needs: "--write", holds: ["202"], else: writeAnswer },
    emulate: (found) => accepted(found, "deleteStatus"),
  },
  "delete-body": {
    ...{ says: "The response to a DELETE is the resource.", source: "unknown", needs: "--write", holds: ["resource"] },
    ...{ else: writeAnswer },
    emulate: as("deleteBody", { resource: true, none: false }),
  },
  "delete-in-NEW": {
    ...{ says: "A share in NEW accepts a DELETE.", source: "unknown", needs: "--write", holds: ["accepted"] },
    ...{ else: "waits until the share has settled, and sends it again" },
  },
  "delete-twice": {
    ...{ says: "A second DELETE is refused while the first is under way.", source: "unknown", needs: "--write" },
    ...{ holds: ["refused"], else: "sends one only" },
  },
  "deleted-shown": {
    ...{ says: "A deleted resource is shown as DELETED for a while.", source: "specification", needs: "--write" },
    ...{ holds: ["DELETED"], else: "also counts 404, 410 and absence in lists as deleted" },
    emulate: as("deletedShownAs", { DELETED: "DELETED", "404": "404", "403": "404" }),
  },
  "deleted-listed": {
    ...{ says: "Lists show deleted resources for a while.", source: "unknown", needs: "--write", holds: ["listed"] },
    ...{ else: "reads the id separately" },
    emulate: as("deletedListed", { listed: true, "left out": false }),
  },
  "nlb-address": {
    ...{ says: "A new tunnel shows `nlbPrivateIp` at once.", source: "unknown", needs: "--write --location" },
    ...{ holds: ["at once"], else: "reads it once the tunnel is DEPLOYED" },
    emulate: as("nlbPrivateIpShown", { "at once": "at once", later: "DEPLOYED" }),
  },
  "empty-field": {
    ...{
      says: "A field that is not known yet is an empty string.",
      source: "specification",
      needs: "--write --location",
    },
    ...{ holds: ['""'], else: "reads null, an empty string and a missing field as no value" },
    emulate: as("emptyAs", forms),
  },
  "not-ready": {
    ...{ says: "The configuration of a tunnel in NEW gets 409.", source: "unknown", needs: "--write --location" },
    ...{ holds: ["409"], else: "reads it once the tunnel is DEPLOYED" },
    emulate: (found) => (statusOf(found) >= 400 ? { notReadyStatus: statusOf(found) } : {}),
  },
  "share-on-NEW-tunnel": {
    ...{
      says: "A tunnel in NEW accepts a share.",
      source: "unknown",
      needs: "--write --location",
      holds: ["accepted"],
    },
    ...{ else: "waits until the tunnel is DEPLOYED" },
    emulate: (found) => ({
      shareAcceptedOnTunnelIn: found === "accepted" ? ["NEW", "DEPLOYED", "ERROR"] : ["DEPLOYED", "ERROR"],
    }),
  },
  "private-peer": {
    ...{ says: "A private `peerPublicIp` is refused.", source: "inferred", needs: "--write --location" },
    ...{ holds: ["refused"], else: "warns at preview" },
    emulate: as("peerMustBePublic", { refused: true, accepted: false }),
  },
  "host-bits": {
    ...{ says: "A `peerCidr` with host bits is accepted.", source: "unknown", needs: "--write --location" },
    ...{ holds: ["accepted"], else: "refuses them at preview", helps: "a network address" },
    emulate: as("cidrHostBits", { accepted: "allowed", refused: "refused" }),
  },
  "one-tunnel": {
    ...{ says: "A location of a front door takes one tunnel.", source: "specification", needs: "--write --location" },
    ...{
      holds: ["refused"],
      else: "refuses two in one program at preview",
      helps: "frontdoor:oneTunnelPerLocation: false",
    },
    emulate: as("oneTunnelPerLocation", {
      ...{ refused: true, accepted: false, "two DEPLOYED at one location": false },
    }),
  },
  "tunnel-time": {
    ...{ says: "A tunnel is deployed within 60 minutes.", source: "vendor", needs: "--write --location" },
    ...{ holds: ["in time"], else: "fails at the deadline", helps: "customTimeouts of the tunnel" },
  },
  "delete-with-shares": {
    ...{ says: "A tunnel with shares refuses DELETE with 400.", source: "specification", needs: "--write --location" },
    ...{ holds: ["400"], else: "deletes shares first, and never a tunnel with others' shares" },
  },
  "tunnel-names": {
    ...{ says: "Tunnels can have equal names.", source: "unknown", needs: "never", holds: [] },
    ...{
      else: "shows the refusal: a tunnel that moves then needs another `name` in the same edit",
      helps: "another name",
    },
  },
  "lost-post": {
    ...{
      says: "A write whose response is lost takes effect within `requestTimeout` plus 12 s, or never.",
      source: "inferred",
    },
    ...{ needs: "never", holds: [], else: "may create it a second time", helps: "frontdoor:requestTimeout" },
  },
  "rate-limit": {
    ...{ says: "Frontdoor accepts 20 requests a second.", source: "unknown", needs: "never", holds: [] },
    ...{ else: "pauses after a 429", helps: "frontdoor:requestsPerSecond" },
  },
  events: {
    ...{ says: "Frontdoor sends no events that the provider needs.", source: "unknown", needs: "never", holds: [] },
    ...{ else: "polls" },
  },
});

export type RowId = keyof typeof manifest;
/** What was found, by row. A row that was not seen is missing. */
export type Findings = Partial<Record<RowId, string>>;

export const rowIds = Object.keys(manifest) as RowId[];

/** Returns the milliseconds of a lag such as "after 1.5 s". */
function lagOf(found: string): number {
  return Math.round(1000 * Number(/[\d.]+/.exec(found)?.[0] ?? 0));
}

export type State = "holds" | "differs" | "not seen";

export const stateOf = (id: RowId, found: string | undefined): State =>
  found === undefined ? "not seen" : manifest[id].holds.includes(found) ? "holds" : "differs";

/** Returns the settings with which the emulator behaves as was found. */
export function emulatorSettings(findings: Findings): EmulatorSettings {
  const settings: EmulatorSettings = {};
  for (const id of rowIds) {
    const found = findings[id];
    if (found !== undefined) Object.assign(settings, manifest[id].emulate?.(found));
  }
  const [inNew, twice] = [findings["delete-in-NEW"], findings["delete-twice"]];
  if (inNew !== undefined || twice !== undefined)
    settings["deleteAcceptedIn"] = [
      ...(inNew === "refused" ? [] : ["NEW"]),
      ...["DEPLOYED", "ERROR"],
      ...(twice === "accepted" ? ["DELETING"] : []),
    ];
  return settings;
}
