import * as z from "zod";
import { type RequestEntry, statuses } from "./records";

const ms = z.number().min(0);
const perKind = z.union([ms, z.object({ tunnel: ms, share: ms })]);
const acceptedStatus = z.union([z.literal(200), z.literal(201), z.literal(202), z.literal(204)]);
const errorStatus = z.int().min(400).max(599);
const states = z.array(z.enum(statuses));
const working = statuses.slice(0, statuses.indexOf("DELETING"));
const emptyValue = z.union([z.literal(""), z.null(), z.literal("absent")]);
const policy = z.enum(["allowed", "refused"]);

/** The documented token, which is no secret. */
export const defaultToken = "emulator-token";

/** The settings of the start. The command has options for them. */
const startSettings = {
  /** TCP port on 127.0.0.1, 0 for any free one. Fixed at the start. */
  port: z.int().min(0).max(65535).default(0),
  /** SQLite file that keeps tunnels and shares across restarts, null for memory only. Fixed at the start. */
  dataFile: z.string().nullable().default(null),
  /** The clock stands still at this time (ms since 1970) until someone advances it; null for real time. Fixed at the start. */
  frozenAtMs: z.number().nullable().default(null),
  /** Front door of seeded tunnels and shares that name none. Fixed at the start. */
  frontdoorId: z.string().min(1).default("fd-1"),
  /** Bearer token that is accepted for `frontdoorId`. Fixed at the start. */
  token: z.string().min(1).default(defaultToken),
  /** Turns the endpoints under `/_admin` on. */
  admin: z.boolean().default(false),
  /** Called once per answered or dropped request on `/v2/...`; not settable over HTTP. */
  onAnswer: z
    .custom<(entry: RequestEntry, tookMs: number) => void>((value) => typeof value === "function")
    .nullable()
    .default(null),
};

/** The settings that users have (docs/reference/emulator.md). Durations are in milliseconds. */
const publicSettings = {
  /** From NEW to DEPLOYED or ERROR; one number, or one per kind. Holds for work begun after the change. */
  provisionMs: perKind.default({ tunnel: 2000, share: 1000 }),
  /** From DELETING to DELETED; one number, or one per kind. Holds for work begun after the change. */
  teardownMs: perKind.default({ tunnel: 1000, share: 500 }),
  /** Each duration is drawn from ± this fraction of itself. */
  jitter: z.number().min(0).max(1).default(0),
  /** The lag of GETs of one resource behind writes. */
  readLagMs: ms.default(0),
  /** The lag of lists behind writes. */
  listLagMs: ms.default(0),
  /** Shift of the `Date` header against this machine's clock; negative is behind. */
  serviceClockSkewMs: z.number().default(0),
  /** Bearer token → front doors it opens; `*` opens all. Left out: `token` opens `frontdoorId`. */
  tokens: z.record(z.string(), z.array(z.string())).default({}),
  /** Basic user → its token and the front doors it opens. */
  basicUsers: z.record(z.string(), z.object({ token: z.string(), frontdoorIds: z.array(z.string()) })).default({}),
  /** Client id that the token endpoint knows. */
  oauthClientId: z.string().default("emulator-client"),
  /** Its secret. */
  oauthClientSecret: z.string().default("emulator-client-secret"),
  /** Lifetime of such a token, as in `expires_in`. */
  oauthLifetimeSeconds: z.number().positive().default(3600),
  /** Environments of every front door: zId → name. */
  environments: z.record(z.string(), z.string()).default({ "env-demo": "demo" }),
  /** A share whose `envZId` is not in `environments`. */
  unknownEnvironment: policy.default("allowed"),
  /** Location given to a tunnel that names none; null leaves it without one (which counts as a location of its own). */
  defaultLocationId: z.string().nullable().default("loc-1"),
  /** A second tunnel of a front door at one location is refused, as the specification says; false: accepted. */
  oneTunnelPerLocation: z.boolean().default(true),
  /** `status` of the tunnel-config entry. */
  connectionStatus: z.string().default("UP"),
  /** `status` by tunnel id. All other tunnels have `connectionStatus`. */
  connectionStatuses: z.record(z.string(), z.string()).default({}),
};

/**
 * What Frontdoor can do otherwise than the emulator does by default. The tests and `--as netfoundry` use these settings. They are no
 * promise.
 */
const serviceSettings = {
  /** The number of requests in the log. The log drops the oldest first. */
  requestLogLimit: z.int().min(1).default(100_000),
  /** The form of the Basic credential: as in the spec, base64 as in RFC 7617, or either. */
  basicForm: z.enum(["literal", "base64", "either"]).default("either"),
  /** Status for a token that is not known; the spec names it under 401 and under 403. */
  tokenRejectedStatus: z.union([z.literal(401), z.literal(403)]).default(401),
  /** Message of a 401. */
  tokenRejectedMessage: z.string().default("Bearer token is missing or invalid"),
  /** Front doors without IPsec shares enabled: they answer 403 like unknown ones. */
  ipsecSharesDisabledFor: z.array(z.string()).default([]),
  /** The body that the token endpoint takes: JSON, a form with HTTP Basic, or either. */
  oauthForm: z.enum(["either", "json", "form"]).default("either"),
  /** The one audience it gives tokens for; null for any or none. */
  oauthAudience: z.string().nullable().default(null),
  /** The one scope it gives tokens for; null for any or none. */
  oauthScope: z.string().nullable().default(null),
  /** The number of calls after which such a token is invalid without notice; null for no limit. */
  oauthTokenCalls: z.int().min(0).nullable().default(null),
  /** The organization of every token, at `/identity/v1/identities/self`; null answers 403 there and in the list of front doors. */
  organizationId: z.string().nullable().default("0e0e0e0e-1111-4222-8333-444444444444"),
  /** The time after which a gateway gives up an answer and sends 503; null for no gateway. */
  gatewayTimeoutMs: ms.nullable().default(null),
  /** The form of a list: as in the spec, HAL, or HAL if the client accepts `application/hal+json` only. */
  listForm: z.enum(["content", "hal", "as accepted"]).default("content"),
  /** Page size of a list when `size` is left out. */
  defaultPageSize: z.int().min(1).default(20),
  /** Largest page size. */
  maxPageSize: z.int().min(1).default(100),
  /** The answer to a `size` above `maxPageSize`: a page of `maxPageSize`, or a 400. */
  oversizedPage: z.enum(["clamped", "refused"]).default("clamped"),
  /** Order of lists without `sort`, as `<property>,<asc|desc>`; null for the order of creation. */
  defaultSort: z.string().nullable().default(null),
  /** The filters that lists honor: all, none, or only the named properties. */
  filtersHonoured: z.union([z.boolean(), z.array(z.string())]).default(true),
  /** A tunnel filter given more than once: any of the values, or only the first. (For shares the spec says any.) */
  repeatedTunnelFilter: z.enum(["any", "first"]).default("any"),
  /** A query parameter that is no property: ignored, or a 400. */
  unknownQuery: z.enum(["ignored", "refused"]).default("ignored"),
  /** If true, each front door counts its own ids, so two front doors have equal ids. Otherwise all ids are unique. */
  idsPerFrontdoor: z.boolean().default(false),
  /** A share that names no location gets its tunnel's; false: `defaultLocationId`. */
  shareLocationFromTunnel: z.boolean().default(true),
  /** The time from which a get shows `nlbPrivateIp`. */
  nlbPrivateIpShown: z.enum(["at once", "DEPLOYED"]).default("at once"),
  /** The form of fields that are not known yet. */
  emptyAs: emptyValue.default(""),
  /** The form of an optional field that neither client nor service has set. */
  unsetAs: emptyValue.default(null),
  /** The spelling in which answers show the property, whatever clients write; "other" is another value, and "text" the number as text. */
  spellings: z.record(z.string(), z.enum(["upper", "lower", "text", "other"])).default({}),
  /** A deleted resource is shown as DELETED for `deletedRetentionMs` and then 404, or 404 at once. */
  deletedShownAs: z.enum(["DELETED", "404"]).default("DELETED"),
  /** The time for which a deleted resource is still visible. */
  deletedRetentionMs: ms.default(60_000),
  /** If true, lists also show DELETED resources during `deletedRetentionMs`. */
  deletedListed: z.boolean().default(true),
  /** Status of an accepted POST; 204 has no body. */
  createStatus: acceptedStatus.default(202),
  /** If true, the answer to an accepted POST holds the resource. */
  createBody: z.boolean().default(true),
  /** If true, the answer to an accepted POST names the resource in a `Location` header. */
  createLocationHeader: z.boolean().default(false),
  /** Status of an accepted PUT or PATCH. */
  updateStatus: acceptedStatus.default(202),
  /** If true, the answer to an accepted PUT or PATCH holds the resource. */
  updateBody: z.boolean().default(true),
  /** Status of an accepted DELETE. */
  deleteStatus: acceptedStatus.default(202),
  /** If true, the answer to an accepted DELETE holds the resource. */
  deleteBody: z.boolean().default(true),
  /** States from which DELETE is accepted; DELETING here makes a second DELETE harmless. */
  deleteAcceptedIn: states.default(working),
  /** States from which PUT and PATCH are accepted. */
  updateAcceptedIn: states.default(working),
  /** States of a tunnel in which a share may be put on it. */
  shareAcceptedOnTunnelIn: states.default(working),
  /** Shares of one tunnel change together, or one at a time. If one at a time, other writes fail while a share is NEW or DELETING. */
  tunnelShareChanges: z.enum(["together", "one at a time"]).default("together"),
  /** A PATCH without a field recreates the share, changes nothing, or gets a 400. */
  emptyPatch: z.enum(["recreates", "ignored", "refused"]).default("recreates"),
  /** `"locationId": null` in a body: a 400, or as if it were left out (PUT, POST) or cleared (PATCH). */
  nullLocation: z.enum(["refused", "clears"]).default("refused"),
  /** `envZId` and `envId` together and different: a 400, or `envZId` wins. */
  bothEnvIds: z.enum(["refused", "envZId"]).default("refused"),
  /** A property in a body that the spec does not list: ignored, or a 400. */
  unknownProperty: z.enum(["ignored", "refused"]).default("ignored"),
  /** Status for a second tunnel at one location, for duplicates refused below and for a write in a state that does not accept it. */
  conflictStatus: z.union([z.literal(400), z.literal(409)]).default(409),
  /** A second share with the same name on one front door. */
  duplicateShareName: policy.default("allowed"),
  /** A second share with the same `ingressPort` on one tunnel. */
  duplicateIngressPort: policy.default("refused"),
  /** If true, the service refuses private, loopback, link-local, shared and multicast addresses as `peerPublicIp`. */
  peerMustBePublic: z.boolean().default(true),
  /** A `peerCidr` with host bits set, such as 10.1.2.3/16. */
  cidrHostBits: policy.default("allowed"),
  /** Status for an unknown tunnel, share or path. */
  notFoundStatus: errorStatus.default(404),
  /** `error` value of that answer. */
  notFoundError: z.string().default("not_found"),
  /** Status of tunnel-config and sample-config before the tunnel is DEPLOYED. */
  notReadyStatus: errorStatus.default(409),
  /** The quotes around property and type in the message of a 400. The spec shows backticks, which can be markup. */
  messageQuote: z.string().default("`"),
  /** The form of metrics: named series of points, or samples of `timestamp`, `rx` and `tx`. */
  metricsForm: z.enum(["series", "samples"]).default("series"),
  /** The values of tunnel-config: few strong algorithms, or everything that AWS offers by default. */
  tunnelConfigForm: z.enum(["strong", "aws"]).default("strong"),
  /** Values of `duration` that share metrics accept; null for any number with s, m, h or d. */
  shareDurations: z.array(z.string()).nullable().default(null),
  /** `state` of tunnel-config. */
  connectionState: z.string().default("available"),
  /** `statusMessage` of the tunnel-config entry, or null for the status's usual one. */
  connectionStatusMessage: z.string().nullable().default(null),
};

export const settingsSchema = z.strictObject({ ...startSettings, ...publicSettings, ...serviceSettings });

/** All settings of one emulator. A change takes effect at once, unless the comment says otherwise. */
export type Settings = z.infer<typeof settingsSchema>;

/** The settings of `--set`, of a file and of the admin endpoint. */
export const publicSchema = z.strictObject(
  Object.fromEntries(Object.entries(publicSettings).map(([name, schema]) => [name, schema.unwrap().optional()])),
);

/** Returns the settings with defaults. @throws TypeError that names the wrong settings. */
export function readSettings(overrides: Partial<Settings>): Settings {
  const result = settingsSchema.safeParse(overrides);
  if (!result.success) throw new TypeError(`Emulator settings: ${z.prettifyError(result.error)}`);
  const settings = result.data;
  return overrides.tokens ? settings : { ...settings, tokens: { [settings.token]: [settings.frontdoorId] } };
}
