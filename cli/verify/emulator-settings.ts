import { filterable, type Findings, lagIn, type RowId, rowIds, statusIn } from "./manifest";

/** Settings of the emulator by name. The command shares no code with the emulator. */
export type EmulatorSettings = Record<string, unknown>;
type Rule = (found: string) => EmulatorSettings;

/** The setting has the value that stands for the finding. */
const mapped =
  (name: string, values: Record<string, unknown>): Rule =>
  (found) =>
    Object.hasOwn(values, found) ? { [name]: values[found] } : {};
/** The setting has one of these findings as its value. */
const same = (name: string, ...values: string[]): Rule => mapped(name, Object.fromEntries(values.map((v) => [v, v])));
/** The setting has the status of the finding. */
const statusOf =
  (name: string, ...statuses: number[]): Rule =>
  (found) =>
    statuses.includes(statusIn(found)) ? { [name]: statusIn(found) } : {};
const successOf = (name: string) => statusOf(name, 200, 201, 202, 204);
const bodyOf = (name: string) => mapped(name, { resource: true, none: false });
const permissionOf = (name: string) => mapped(name, { accepted: "allowed", refused: "refused" });
const emptyValueOf = (name: string) => mapped(name, { '""': "", null: null, absent: "absent" });
/** The setting lists the statuses in which a write is accepted. */
const acceptedIn =
  (name: string): Rule =>
  (found) => ({ [name]: [...(found === "accepted" ? ["NEW"] : []), "DEPLOYED", "ERROR"] });

const filters = [...new Set([...filterable.tunnels, ...filterable.shares, "frontdoorId", "nlbPrivateIp"])];
/** Returns the words of "ignored: name status". */
const wordsIn = (found: string) => found.replace(/^[^:]*: /, "").split(" ");

/** The settings with which the emulator behaves as was found. */
const rules: Partial<Record<RowId, Rule>> = {
  clock: (found) => {
    const skewMs = found.startsWith("within") ? 0 : parseInt(found, 10) * 1000;
    return { serviceClockSkewMs: found.endsWith("ahead") ? -skewMs : skewMs };
  },
  "basic-form": same("basicForm", "base64"),
  "token-request": same("oauthForm", "json", "form"),
  "wrong-token": statusOf("tokenRejectedStatus", 401, 403),
  "wrong-token-words": mapped("tokenRejectedMessage", { other: "This token is unknown" }),
  "list-form": same("listForm", "content", "hal"),
  "page-size": (found) => (/^\d+$/.test(found) ? { defaultPageSize: Number(found) } : {}),
  "page-limit": (found) =>
    found === "refused" ? { oversizedPage: "refused" } : /^\d+$/.test(found) ? { maxPageSize: Number(found) } : {},
  "message-form": (found) => (found.startsWith("with") ? { messageQuote: found.slice("with ".length) } : {}),
  "unknown-query": same("unknownQuery", "ignored", "refused"),
  filters: (found) => {
    const isAll = found === "all";
    if (isAll || found === "none") return { filtersHonoured: isAll };
    return { filtersHonoured: filters.filter((name) => !wordsIn(found).includes(name)) };
  },
  "repeated-filter": same("repeatedTunnelFilter", "any", "first"),
  "unknown-resource": (found) => ({
    notFoundStatus: statusIn(found),
    ...(/ [a-z_]+$/.test(found) && { notFoundError: found.split(" ")[1] }),
  }),
  "unset-field": emptyValueOf("unsetAs"),
  "connection-state": (found) => ({ connectionState: found === "other" ? "pending" : found }),
  "connection-status": same("connectionStatus", "UP", "DOWN"),
  algorithms: mapped("tunnelConfigForm", { strong: "strong", "weak ones too": "aws" }),
  "tunnel-metrics": same("metricsForm", "series", "samples"),
  "share-durations": (found) => ({ shareDurations: found === "any" ? null : found === "none" ? [] : wordsIn(found) }),
  "create-status": successOf("createStatus"),
  "create-body": bodyOf("createBody"),
  "create-location": mapped("createLocationHeader", { none: false, names: true }),
  "read-lag": (found) => ({ readLagMs: lagIn(found) }),
  "list-lag": (found) => ({ listLagMs: lagIn(found) }),
  "changes-together": same("tunnelShareChanges", "together", "one at a time"),
  "list-order": mapped("defaultSort", {
    ...{ creation: null, newest: "id,desc", name: "name,asc", "name, reversed": "name,desc" },
  }),
  "share-location": mapped("shareLocationFromTunnel", { "the tunnel's": true, other: false }),
  "same-port": permissionOf("duplicateIngressPort"),
  "conflict-status": statusOf("conflictStatus", 400, 409),
  "same-name": permissionOf("duplicateShareName"),
  "both-env-ids": mapped("bothEnvIds", { refused: "refused", accepted: "envZId" }),
  "unknown-environment": permissionOf("unknownEnvironment"),
  "unknown-property": same("unknownProperty", "ignored", "refused"),
  "null-location": mapped("nullLocation", { refused: "refused", accepted: "clears" }),
  "empty-patch": same("emptyPatch", "recreates", "ignored", "refused"),
  "update-status": successOf("updateStatus"),
  "update-body": bodyOf("updateBody"),
  "update-in-NEW": acceptedIn("updateAcceptedIn"),
  "delete-status": successOf("deleteStatus"),
  "delete-body": bodyOf("deleteBody"),
  "deleted-shown": mapped("deletedShownAs", { DELETED: "DELETED", "404": "404", "403": "404" }),
  "deleted-listed": mapped("deletedListed", { listed: true, "left out": false }),
  "nlb-address": mapped("nlbPrivateIpShown", { "at once": "at once", later: "DEPLOYED" }),
  "empty-field": emptyValueOf("emptyAs"),
  "not-ready": (found) => (statusIn(found) >= 400 ? { notReadyStatus: statusIn(found) } : {}),
  "share-on-NEW-tunnel": acceptedIn("shareAcceptedOnTunnelIn"),
  "private-peer": mapped("peerMustBePublic", { refused: true, accepted: false }),
  "host-bits": permissionOf("cidrHostBits"),
  "one-tunnel": (found) => ({ oneTunnelPerLocation: found === "refused" }),
};

/** Returns the settings with which the emulator behaves as was found. */
export function emulatorSettings(findings: Findings): EmulatorSettings {
  const settings: EmulatorSettings = {};
  for (const id of rowIds) {
    const found = findings[id];
    if (found !== undefined) Object.assign(settings, rules[id]?.(found));
  }
  // One setting for two rows.
  const [inNew, twice] = [findings["delete-in-NEW"], findings["delete-twice"]];
  if (inNew !== undefined || twice !== undefined)
    settings["deleteAcceptedIn"] = [
      ...(inNew === "refused" ? [] : ["NEW"]),
      ...["DEPLOYED", "ERROR"],
      ...(twice === "accepted" ? ["DELETING"] : []),
    ];
  return settings;
}
