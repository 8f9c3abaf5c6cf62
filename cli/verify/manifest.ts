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
  /** True if the provider does that also if the assumption holds, so that it works either way. */
  isAlways?: true;
  /** What the user can do then, as an imperative. */
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

const takesAnyStatus = "accepts any 2xx status, and reads the resource until it shows the change";
const takesAnyBody = "ignores the body, and reads the resource until it shows the change";

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
      "set `frontdoor:baseUrl`",
    ),
    clock: specification(
      "This machine's clock agrees with Frontdoor's.",
      "within 60 s",
      "Frontdoor may refuse the token.",
      "set this machine's clock",
    ),
    "basic-form": inferred(
      "Basic credentials are `username:token` in base64.",
      "base64",
      "can't log in with Basic",
      "use a bearer token or an API account",
    ),
    "token-request": vendor(
      "The token endpoint takes client credentials as configured.",
      ["json", "form"],
      "can't log in",
      "set `frontdoor:tokenRequest`, `frontdoor:scope` and `frontdoor:audience`",
    ),
    "wrong-token": specification(
      "A request with an unknown token gets 401.",
      "401",
      "reports missing access instead of an unknown token",
      "run `npx pulumi-frontdoor doctor`",
    ),
    "wrong-token-words": always(
      specification(
        "The 401 for an unknown token has the message that the specification shows.",
        "the specification's",
        "shows Frontdoor's words.",
      ),
    ),
    "other-front-door": always(
      specification(
        "A request for a front door that the token can't access gets 403 with `not_found`.",
        "403 not_found",
        "shows Frontdoor's words.",
      ),
    ),
    "list-form": specification("A list has its entries in `content`.", "content", "reads the array under `_embedded`"),
    "list-totals": specification(
      "A list has `totalElements` and `totalPages`.",
      "totalElements, totalPages",
      "reads pages until a page contains no new entry",
    ),
    "list-entries": specification(
      "List entries have the specification's fields.",
      "all",
      "If an entry lacks fields, the provider reads that entry by its id.",
    ),
    "page-size": always(
      unknown("A list request without `size` gets pages of 20 entries.", "20", "names the size in each request"),
    ),
    "page-limit": unknown("A page can have 100 entries.", "100", "lists without `size`, and reads every page"),
    "page-beyond": inferred("A page beyond the last one is empty.", "empty", "stops at the last page"),
    "page-wrong": always(
      specification(
        "If the query parameter `page` isn't a number, Frontdoor answers 400.",
        "400",
        "sends numbers only",
      ),
    ),
    "error-shape": specification(
      "An error has `error` and `message`.",
      "error and message",
      "shows only the HTTP status",
    ),
    "message-form": always(
      specification(
        "The message of a 400 is: Value for `property` must be of `type`.",
        "with `",
        "shows Frontdoor's words.",
      ),
    ),
    "unknown-query": always(
      unknown("A query parameter that names no property is ignored.", "ignored", "sends only properties"),
    ),
    filters: specification(
      "Lists can be filtered by each property.",
      "all",
      "The provider filters the results itself. If Frontdoor refuses a filter, the provider omits it, but functions such as `getTunnels` fail.",
    ),
    "repeated-filter": always(
      unknown(
        "A tunnel filter that a request repeats matches any of its values.",
        "any",
        "repeats only filters of shares",
      ),
    ),
    "repeated-share-filter": specification(
      "A share filter that a request repeats matches any of its values.",
      "any",
      "If a share is missing from the list, the provider reads that share by its id. A share whose last known status was DELETING counts as deleted.",
    ),
    sort: always(specification("Lists are sorted by `sort`.", "honoured", "needs no order")),
    "unknown-resource": unknown(
      "A request for an unknown tunnel or share gets 404.",
      "404 not_found",
      "looks for the id in the front door's list. If the list lacks the id, the resource counts as deleted",
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
      "While a device is connected to a tunnel, the tunnel's connection has the status UP.",
      "UP",
      "treats any other status as not UP",
      "start the tunnel from the site's device",
    ),
    "connection-entries": specification(
      "The tunnel configuration has exactly one entry, and that entry has every field.",
      "one, complete",
      "An `IpsecTunnelConnection` continues once one entry is UP. `status`, `watch` and the alerts show UP only if all entries are UP. `device-config` uses the first entry. Missing fields are omitted",
    ),
    algorithms: unknown(
      "A tunnel offers only strong algorithms.",
      "strong",
      "shows the weak algorithms too",
      "allow only strong algorithms on the device, and use the policy `refuse-weak-crypto`",
    ),
    "sample-config": specification(
      "A deployed tunnel has a sample configuration as plain text.",
      "text/plain",
      "retries until the timeout ends",
      "set `storeSampleConfig: false`",
    ),
    "tunnel-metrics": unknown(
      "Tunnel metrics are a list `series`, whose entries have a name and points.",
      "series",
      "returns the body as it is",
    ),
    "metrics-windows": specification(
      "Tunnel metrics can be read for 30m, 1h, 1d and 7d.",
      "all",
      "shows Frontdoor's refusal",
    ),
    "share-durations": unknown(
      "Share metrics can be read for any duration.",
      "any",
      "shows Frontdoor's refusal",
      "use a duration that `verify` lists",
    ),
    "rate-headers": unknown(
      "Responses state no rate limit.",
      "none",
      "reads no limit from headers",
      "lower `frontdoor:requestsPerSecond` if the stated limit is below 20 a second",
    ),
    "version-headers": unknown(
      "Responses announce no end of the API's version 2.",
      "none",
      "works until the announced day",
      "look for a newer version of this package",
    ),
  }),
  ...needing("--write", {
    "create-status": always(specification("Frontdoor answers an accepted POST with 202.", "202", takesAnyStatus)),
    "create-body": specification(
      "The response to a POST contains the resource.",
      "resource",
      "finds the new resource by its name in the list",
    ),
    "create-location": unknown(
      "The response to a POST has no header `Location`.",
      "none",
      "takes the id from `Location` if the body has no id",
    ),
    "read-lag": specification("A read shows a new resource at once.", "at once", "waits up to 30 s for it"),
    "list-lag": specification("A list shows a new resource at once.", "at once", "waits up to 30 s for it"),
    "share-time": inferred(
      "A share is deployed within 15 minutes.",
      "in time",
      "fails when the timeout ends, and the next `pulumi up` continues",
      "raise `customTimeouts` of the share",
    ),
    "changes-together": inferred(
      "Several shares of a tunnel can change at the same time.",
      "together",
      "repeats a refused write until the timeout ends",
    ),
    "list-order": always(unknown("A list without `sort` is in creation order.", "creation", "needs no order")),
    "share-location": inferred(
      "A share without `locationId` gets the location of its tunnel.",
      "the tunnel's",
      "keeps the location that Frontdoor chose",
      "set `locationId` of the share",
    ),
    spelling: inferred(
      "Frontdoor returns each value as it was sent, except for letter case and the notation of an address.",
      "as sent",
      "fails with `value-differs`",
      "write the value as Frontdoor shows it",
    ),
    "location-elsewhere": inferred(
      "A share in another location than its tunnel fails.",
      ["refused", "ERROR"],
      "sends any location, but the policy `match-share-locations` reports such a share",
      "turn the policy off",
    ),
    "same-port": inferred(
      "A tunnel takes one share per port.",
      "refused",
      "still refuses two shares of a program on one port",
      "declare the second share in another stack",
    ),
    "conflict-status": always(
      unknown(
        "A write that conflicts with another one gets 409.",
        "409",
        "treats 400, 409, 412, 423 and 425 as a conflict",
      ),
    ),
    "same-name": unknown("Shares can have equal names.", "accepted", "shows Frontdoor's refusal", "set another `name`"),
    "both-env-ids": always(
      unknown("A share with different `envZId` and `envId` is refused.", "refused", "never sends both"),
    ),
    "unknown-environment": unknown(
      "A share with a nonexistent environment is accepted.",
      "accepted",
      "shows Frontdoor's refusal",
      "find the environments with `npx pulumi-frontdoor ids`",
    ),
    "unknown-property": always(
      unknown("A property that the specification does not list is ignored.", "ignored", "sends only listed properties"),
    ),
    "null-location": always(unknown("A PATCH with `locationId: null` is refused.", "refused", "never sends null")),
    "empty-patch": always(
      unknown("A PATCH without fields recreates the share.", "recreates", "never sends such a PATCH"),
    ),
    "update-status": always(unknown("Frontdoor answers an accepted PATCH with 202.", "202", takesAnyStatus)),
    "update-body": always(unknown("The response to a PATCH contains the share.", "resource", takesAnyBody)),
    "put-status": always(unknown("Frontdoor answers an accepted PUT with 202.", "202", takesAnyStatus)),
    "patch-keeps": specification(
      "A PATCH changes only the fields that it names, and keeps the id.",
      "keeps",
      "changes more of a share than the preview says",
    ),
    "update-recreates": specification(
      "A share has the status NEW during an update.",
      "NEW",
      "waits until the share shows the sent values. After that, it waits 3 s in case the status changes",
    ),
    "update-in-NEW": unknown(
      "A share with the status NEW accepts an update.",
      "accepted",
      "waits until the status has changed, and sends the request again",
    ),
    "update-in-ERROR": inferred(
      "A share with the status ERROR accepts an update.",
      "accepted",
      "shows Frontdoor's refusal",
      "run `pulumi up --replace 'URN'` with the option `deleteBeforeReplace: true`",
    ),
    "delete-status": always(unknown("Frontdoor answers an accepted DELETE with 202.", "202", takesAnyStatus)),
    "delete-body": always(unknown("The response to a DELETE contains the resource.", "resource", takesAnyBody)),
    "delete-in-NEW": unknown(
      "A share with the status NEW accepts a DELETE.",
      "accepted",
      "waits until the status has changed, and sends the request again",
    ),
    "delete-twice": always(
      unknown("A second DELETE is refused while the first is under way.", "refused", "never sends a second DELETE"),
    ),
    "deleted-shown": always(
      specification(
        "A read shows a deleted resource as DELETED for a while.",
        "DELETED",
        "counts a resource as deleted also after a 404 or 410, or if lists lack it",
      ),
    ),
    "deleted-listed": always(
      unknown(
        "Lists show deleted resources for a while.",
        "listed",
        "The provider relies on no list for this. If a tunnel is missing from a list, the provider reads that tunnel by its id. If shares are missing, it reads one of them.",
      ),
    ),
  }),
  ...needing("--write --location", {
    "nlb-address": unknown(
      "A new tunnel has `nlbPrivateIp` at once.",
      "at once",
      "reads it when the tunnel is DEPLOYED",
    ),
    "empty-field": always(
      specification(
        "A field without a value yet is an empty string.",
        '""',
        "reads null, an empty string and a missing field as no value",
      ),
    ),
    "not-ready": always(
      unknown(
        "A request for the configuration of a tunnel with the status NEW gets 409.",
        "409",
        "reads it when the tunnel is DEPLOYED",
      ),
    ),
    "share-on-NEW-tunnel": unknown(
      "A tunnel with the status NEW accepts a share.",
      "accepted",
      "waits until the tunnel is DEPLOYED",
    ),
    "private-peer": always(
      inferred("A private `peerPublicIp` is refused.", "refused", "warns about such an address at preview"),
    ),
    "host-bits": always(
      unknown("A `peerCidr` with host bits is accepted.", "accepted", "refuses host bits at preview"),
    ),
    "one-tunnel": specification(
      "A front door can have at most one tunnel at each location.",
      "refused",
      "still refuses a second tunnel of a program at the location, at preview",
      "set `frontdoor:oneTunnelPerLocation` to `false`",
    ),
    "tunnel-time": vendor(
      "A tunnel is deployed within 60 minutes.",
      "in time",
      "fails when the timeout ends, and the next `pulumi up` continues",
      "raise `customTimeouts` of the tunnel",
    ),
    "delete-with-shares": always(
      specification(
        "A DELETE of a tunnel with shares gets 400.",
        "400",
        "deletes the shares first, and never deletes a tunnel with shares of other stacks",
      ),
    ),
  }),
  ...needing("never", {
    "tunnel-names": unknown(
      "Tunnels can have equal names.",
      [],
      "shows Frontdoor's refusal of a tunnel that moves to another location",
      "set another `name` in the same edit",
    ),
    "lost-post": inferred(
      "If the response to a write is lost, the write takes effect within `requestTimeout` plus 12 s, or never.",
      [],
      "may create the resource a second time",
      "raise `frontdoor:requestTimeout`",
    ),
    "rate-limit": unknown(
      "Frontdoor accepts 20 requests a second.",
      [],
      "pauses after each 429, so runs take longer",
      "lower `frontdoor:requestsPerSecond`",
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
  "list-form": [
    "the response to a list request contains no array of entries, or several",
    (found) => found === "other",
  ],
  "list-entries": ["an entry lacks `id`", (found) => /missing:.*\bid\b/.test(found)],
  "unknown-resource": ["the response is none of 403, 404 and 410", (found) => !/^(403|404|410)\b/.test(found)],
  "read-lag": ["a new resource shows after more than 30 s", isLagTooLong],
  "list-lag": ["a new resource shows after more than 30 s", isLagTooLong],
  "patch-keeps": ["a PATCH changes the id or another field", (found) => found !== "keeps"],
};

export const isFatal = (id: RowId, found: string | undefined): boolean =>
  found !== undefined && fatal[id]?.[1](found) === true;
