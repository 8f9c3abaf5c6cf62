type Source = "specification" | "vendor" | "inferred" | "unknown";

/** One assumption about the service, and what `verify` can find instead. */
export interface Row {
  /** The assumption. */
  says: string;
  /** Where it comes from: the specification states it, the vendor's pages and clients show it, or the provider infers it. */
  source: Source;
  /** What `verify` has to do to see it. `never`: it can't be seen. */
  needs: "reads" | "--write" | "--write --location" | "never";
  /** The findings with which the assumption holds. */
  holds: readonly string[];
  /** What the provider does if it doesn't hold, as a predicate. Whole sentences stand as they are. */
  else: string;
  /** True if the provider does that also if the assumption holds. */
  isAlways?: true;
  /** The setting or argument that helps. */
  helps?: string;
}

/** Returns a function that describes an assumption of this source. */
const from =
  (source: Source) =>
  (says: string, holds: string | readonly string[], otherwise: string, helps?: string): Omit<Row, "needs"> => ({
    says,
    source,
    holds: [holds].flat(),
    else: otherwise,
    ...(helps !== undefined && { helps }),
  });
const specification = from("specification");
const vendor = from("vendor");
const inferred = from("inferred");
const unknown = from("unknown");

/** Marks an assumption that changes nothing of what the provider does. */
const always = <Of extends object>(row: Of) => ({ ...row, isAlways: true }) as const;

const needing = <Id extends string>(needs: Row["needs"], rows: Record<Id, Omit<Row, "needs">>) =>
  Object.fromEntries(Object.entries<Omit<Row, "needs">>(rows).map(([id, row]) => [id, { ...row, needs }])) as Record<
    Id,
    Row
  >;

const readsUntilShown =
  "reads the resource until it shows the change, and the status and the body of the response don't matter";

/** The properties that lists take as filters (spec: Endpoints). */
export const filterable = {
  tunnels: ["id", "name", "locationId", "status", "peerPublicIp", "peerCidr"],
  shares: ["id", "name", "ipsecTunnelId", "envZId", "target", "ingressPort", "locationId", "status"],
} as const;

/** Every assumption, in the order of the output. */
export const manifest = {
  ...needing("reads", {
    address: vendor(
      "Frontdoor answers at `frontdoor:baseUrl`, by default `https://gateway.production.netfoundry.io/frontdoor`.",
      "answers",
      "fails in each request",
      "frontdoor:baseUrl",
    ),
    clock: specification(
      "This machine's clock agrees with Frontdoor's.",
      "within 60 s",
      "works until tokens expire at the wrong time",
      "set this machine's clock",
    ),
    "basic-form": inferred(
      "Basic credentials are `username:token` in base64.",
      "base64",
      "can't log in with Basic",
      "a bearer token or an API account",
    ),
    "token-request": vendor(
      "The token endpoint takes client credentials as configured.",
      ["json", "form"],
      "can't log in",
      "frontdoor:tokenRequest, frontdoor:scope, frontdoor:audience",
    ),
    "wrong-token": specification(
      "An unknown token gets 401 (the specification also names 403).",
      "401",
      "reports it as missing access",
      "npx pulumi-frontdoor doctor",
    ),
    "wrong-token-words": specification(
      "That 401 has the specification's message.",
      "the specification's",
      "In any case, the provider shows Frontdoor's words.",
    ),
    "other-front-door": specification(
      "An inaccessible front door gets 403 with `not_found`.",
      "403 not_found",
      "In any case, the provider shows Frontdoor's words.",
    ),
    "list-form": specification("A list has `content`.", "content", "reads the one array under `_embedded`"),
    "list-totals": specification(
      "A list has `totalElements` and `totalPages`.",
      "totalElements, totalPages",
      "reads pages until one brings nothing new",
    ),
    "list-entries": specification(
      "List entries have the specification's fields.",
      "all",
      "reads entries that lack fields one by one",
    ),
    "page-size": always(
      unknown("A page has 20 entries if `size` is left out.", "20", "names the size in each request"),
    ),
    "page-limit": unknown(
      "A page can have 100 entries.",
      "100",
      "lists without a page size, and reads as many pages as there are",
    ),
    "page-beyond": inferred("A page beyond the last one is empty.", "empty", "stops at the last page"),
    "page-wrong": always(specification("A non-numeric page gets 400.", "400", "sends numbers only")),
    "error-shape": specification("An error has `error` and `message`.", "error and message", "shows the status only"),
    "message-form": specification(
      "A 400 says: Value for `property` must be of `type`.",
      "with `",
      "In any case, the provider shows Frontdoor's words.",
    ),
    "unknown-query": always(
      unknown("A query parameter that names no property is ignored.", "ignored", "sends properties only"),
    ),
    filters: specification(
      "Lists honor a filter for each property.",
      "all",
      "The provider filters the results itself. If Frontdoor refuses a filter, the provider omits it, but functions such as `getTunnels` fail.",
    ),
    "repeated-filter": always(
      unknown("A repeated filter of tunnels matches any of its values.", "any", "repeats only filters of shares"),
    ),
    "repeated-share-filter": specification(
      "A repeated filter of shares matches any of its values.",
      "any",
      "reads a share that the list lacks by its id. If the share's last known status was DELETING, it counts as deleted",
    ),
    sort: always(specification("Lists honor `sort`.", "honoured", "needs no order")),
    "unknown-resource": unknown(
      "An unknown tunnel or share gets 404.",
      "404 not_found",
      "treats a 403 with `not_found`, and a 404 that names a path, as absent only if the front door's list lacks the id",
    ),
    "unset-field": always(
      unknown(
        "An optional field without a value is null.",
        "null",
        "reads null, an empty string and a missing field as no value",
      ),
    ),
    "connection-state": always(
      specification("A deployed tunnel's connection is `available`.", "available", "shows the state as it is"),
    ),
    "connection-status": specification(
      "The connection of a tunnel in use is UP.",
      "UP",
      "If the connection has another status, the provider treats it as not UP.",
      "start the tunnel from the site's device",
    ),
    "connection-entries": specification(
      "The tunnel configuration has one entry with every field.",
      "one, complete",
      "uses the first entry, and leaves missing fields out",
    ),
    algorithms: always(
      unknown(
        "A tunnel offers strong algorithms only.",
        "strong",
        "shows all algorithms",
        "choose the strongest common ones on the device; policy refuse-weak-crypto",
      ),
    ),
    "sample-config": specification(
      "A deployed tunnel has a sample configuration as plain text.",
      "text/plain",
      "retries until the deadline",
      "storeSampleConfig: false",
    ),
    "tunnel-metrics": unknown(
      "Tunnel metrics are `series`, each with a name and points.",
      "series",
      "returns the body as it is",
    ),
    "metrics-windows": specification("Tunnel metrics take the windows 30m, 1h, 1d and 7d.", "all", "shows the refusal"),
    "share-durations": unknown(
      "Share metrics take any duration.",
      "any",
      "shows the refusal",
      "durations in the `verify` row",
    ),
    "rate-headers": always(
      unknown(
        "Frontdoor states no rate limit.",
        "none",
        "sends at most 20 requests a second, and pauses after a 429",
        "frontdoor:requestsPerSecond",
      ),
    ),
    "version-headers": unknown(
      "No end of version 2 is announced.",
      "none",
      "works until that day",
      "a newer version of this package",
    ),
  }),
  ...needing("--write", {
    "create-status": always(specification("An accepted POST gets 202.", "202", readsUntilShown)),
    "create-body": specification(
      "The response to a POST is the resource.",
      "resource",
      "finds the new resource by its name in the list",
    ),
    "create-location": unknown(
      "The response to a POST has no `Location`.",
      "none",
      "If there is a `Location`, and the body has no id, the provider takes the id from `Location`.",
    ),
    "read-lag": specification("A read shows a create at once.", "at once", "waits at most 30 s until the create shows"),
    "list-lag": specification("A list shows a create at once.", "at once", "waits at most 30 s until the create shows"),
    "share-time": inferred(
      "A share is deployed within 15 minutes.",
      "in time",
      "fails at the deadline",
      "customTimeouts of the share",
    ),
    "changes-together": inferred(
      "The shares of a tunnel can change at the same time.",
      "together",
      "repeats a refused write until its deadline",
    ),
    "list-order": always(unknown("A list without `sort` is in creation order.", "creation", "needs no order")),
    "share-location": inferred(
      "A share without a location gets its tunnel's.",
      "the tunnel's",
      "In any case, the provider keeps what Frontdoor chose.",
      "locationId of the share",
    ),
    spelling: inferred(
      "Frontdoor returns a value as sent. Only letter case, or the notation of an address, may differ.",
      "as sent",
      "ends the write with value-differs",
      "give the value as Frontdoor shows it",
    ),
    "location-elsewhere": always(
      inferred(
        "A share outside its tunnel's location fails.",
        ["refused", "ERROR"],
        "sends any location",
        "turn the policy match-share-locations off",
      ),
    ),
    "same-port": always(
      inferred(
        "A tunnel takes one share per port.",
        "refused",
        "refuses two shares of a program on one port",
        "declare the second share in another stack",
      ),
    ),
    "conflict-status": always(
      unknown("A write that conflicts gets 409.", "409", "treats 400, 409, 412, 423 and 425 as a conflict"),
    ),
    "same-name": unknown("Shares can have equal names.", "accepted", "shows the refusal", "another name"),
    "both-env-ids": unknown(
      "`envZId` and `envId` that differ are refused.",
      "refused",
      "It makes no difference: the provider never sends both.",
    ),
    "unknown-environment": unknown(
      "A share with a nonexistent environment is accepted.",
      "accepted",
      "shows the refusal",
      "npx pulumi-frontdoor ids lists environments",
    ),
    "unknown-property": always(
      unknown("A property that the specification does not list is ignored.", "ignored", "sends listed properties only"),
    ),
    "null-location": always(unknown("A PATCH with `locationId: null` is refused.", "refused", "never sends null")),
    "empty-patch": always(
      unknown("A PATCH without fields recreates the share.", "recreates", "never sends such a PATCH"),
    ),
    "update-status": always(unknown("An accepted PATCH gets 202.", "202", readsUntilShown)),
    "update-body": always(unknown("The response to a PATCH is the share.", "resource", readsUntilShown)),
    "put-status": always(unknown("An accepted PUT gets 202.", "202", readsUntilShown)),
    "patch-keeps": specification(
      "A PATCH keeps the id and the fields that it does not name.",
      "keeps",
      "Otherwise, an update of a share changes more than the preview says.",
    ),
    "update-recreates": specification(
      "During an update, the share is NEW.",
      "NEW",
      "waits until the share shows the sent values. After that, it waits 3 s in case the status changes",
    ),
    "update-in-NEW": unknown(
      "A share in NEW accepts an update.",
      "accepted",
      "waits until the share has settled, and sends it again",
    ),
    "update-in-ERROR": inferred(
      "A share in ERROR accepts an update.",
      "accepted",
      "reports the refusal",
      "pulumi up --replace with deleteBeforeReplace: true",
    ),
    "delete-status": always(unknown("An accepted DELETE gets 202.", "202", readsUntilShown)),
    "delete-body": always(unknown("The response to a DELETE is the resource.", "resource", readsUntilShown)),
    "delete-in-NEW": unknown(
      "A share in NEW accepts a DELETE.",
      "accepted",
      "waits until the share has settled, and sends it again",
    ),
    "delete-twice": always(
      unknown("A second DELETE is refused while the first is under way.", "refused", "never sends a second DELETE"),
    ),
    "deleted-shown": always(
      specification(
        "A deleted resource is shown as DELETED for a while.",
        "DELETED",
        "also counts 404, 410 and absence in lists as deleted",
      ),
    ),
    "deleted-listed": always(
      unknown(
        "Lists show deleted resources for a while.",
        "listed",
        "also reads each deleted tunnel by its id, and one of the missing shares",
      ),
    ),
  }),
  ...needing("--write --location", {
    "nlb-address": unknown(
      "A new tunnel shows `nlbPrivateIp` at once.",
      "at once",
      "reads it once the tunnel is DEPLOYED",
    ),
    "empty-field": always(
      specification(
        "A field that is not known yet is an empty string.",
        '""',
        "reads null, an empty string and a missing field as no value",
      ),
    ),
    "not-ready": always(
      unknown("The configuration of a tunnel in NEW gets 409.", "409", "reads it once the tunnel is DEPLOYED"),
    ),
    "share-on-NEW-tunnel": unknown(
      "A tunnel in NEW accepts a share.",
      "accepted",
      "waits until the tunnel is DEPLOYED",
    ),
    "private-peer": always(
      inferred("A private `peerPublicIp` is refused.", "refused", "warns about such an address at preview"),
    ),
    "host-bits": always(
      unknown(
        "A `peerCidr` with host bits is accepted.",
        "accepted",
        "refuses host bits at preview",
        "a network address",
      ),
    ),
    "one-tunnel": always(
      specification(
        "A location of a front door takes one tunnel.",
        "refused",
        "by default refuses two tunnels of one program in a location at preview",
        "frontdoor:oneTunnelPerLocation: false",
      ),
    ),
    "tunnel-time": vendor(
      "A tunnel is deployed within 60 minutes.",
      "in time",
      "fails at the deadline",
      "customTimeouts of the tunnel",
    ),
    "delete-with-shares": always(
      specification(
        "A tunnel with shares refuses DELETE with 400.",
        "400",
        "deletes its shares first, and never deletes a tunnel that carries other stacks' shares",
      ),
    ),
  }),
  ...needing("never", {
    "tunnel-names": unknown(
      "Tunnels can have equal names.",
      [],
      "shows the refusal: a tunnel that moves then needs another `name` in the same edit",
      "another name",
    ),
    "lost-post": inferred(
      "A write whose response is lost takes effect within `requestTimeout` plus 12 s, or never.",
      [],
      "may create the resource a second time",
      "frontdoor:requestTimeout",
    ),
    "rate-limit": unknown(
      "Frontdoor accepts 20 requests a second.",
      [],
      "pauses after a 429",
      "frontdoor:requestsPerSecond",
    ),
    events: always(unknown("Frontdoor sends no events that the provider needs.", [], "polls")),
  }),
};

export type RowId = keyof typeof manifest;
/** What was found, by row. A row that was not seen is missing. */
export type Findings = Partial<Record<RowId, string>>;

export const rowIds = Object.keys(manifest) as RowId[];

export type State = "holds" | "differs" | "not seen";

export const stateOf = (id: RowId, found: string | undefined): State =>
  found === undefined ? "not seen" : manifest[id].holds.includes(found) ? "holds" : "differs";

/** True for a lag such as "after 31.5 s". */
const isLagTooLong = (found: string) => Number(/[\d.]+/.exec(found)?.[0] ?? 0) > 30;

/** The findings with which the provider can't work: in words, and as a check. */
export const fatal: Partial<Record<RowId, readonly [when: string, isFatal: (found: string) => boolean]>> = {
  address: ["no request is answered", (found) => found !== "answers"],
  "list-form": ["a list has no array of entries, or more than one", (found) => found === "other"],
  "list-entries": ["an entry lacks `id`", (found) => /missing:.*\bid\b/.test(found)],
  "unknown-resource": ["the response is none of 403, 404 and 410", (found) => !/^(403|404|410)\b/.test(found)],
  "read-lag": ["a create shows after more than 30 s", isLagTooLong],
  "list-lag": ["a create shows after more than 30 s", isLagTooLong],
  "patch-keeps": ["a PATCH changes the id or another field", (found) => found !== "keeps"],
};

export const isFatal = (id: RowId, found: string | undefined): boolean =>
  found !== undefined && fatal[id]?.[1](found) === true;
