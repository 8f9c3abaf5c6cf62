import { randomUUID } from "node:crypto";
import { entryFields } from "../../provider/fields/tunnel-connection";
import { entriesOf, objectIn, type RawResponse, type RequestOptions, textIn } from "../shared/raw-client";
import {
  type Entry,
  type Found,
  type FrontDoor,
  isAccepted,
  type Kind,
  kinds,
  type Lists,
  type Query,
} from "./front-door";
import { filterable } from "./manifest";

/** What the read probes have at hand. */
interface Subject {
  frontDoor: FrontDoor;
  /** The response to a list without a query. */
  plain: RawResponse;
  lists: Lists;
}

/** Every probe by reads and harmless refused requests. Each finds its rows. */
const probes: ((subject: Subject) => Found | Promise<Found>)[] = [
  headers,
  credentials,
  wrongToken,
  otherFrontDoor,
  listForm,
  listEntries,
  pages,
  wrongPage,
  unknownQuery,
  filters,
  repeatedFilters,
  sort,
  unknownResources,
  fields,
  notReadyTunnel,
  deployedTunnel,
  anyShare,
];

/** Runs all read probes, and returns the lists. @throws FrontdoorError, RefusedList if the service refuses the front door's list. */
export async function probeReads(frontDoor: FrontDoor): Promise<Lists> {
  const plain = await frontDoor.get("tunnels");
  if (!isAccepted(plain)) throw new RefusedList(plain);
  frontDoor.note({ address: "answers" });
  const lists = { tunnels: await frontDoor.list("tunnels"), shares: await frontDoor.list("shares") };
  for (const probe of probes) frontDoor.note(await probe({ frontDoor, plain, lists }));
  return lists;
}

/** The front door's list is refused, so nothing can be checked. */
export class RefusedList extends Error {
  constructor(readonly response: RawResponse) {
    super(response.words);
  }
}

const nobody = "no-such-name-a0b1c2";
const isLive = ({ status }: Entry) => status !== "DELETED" && status !== "DELETING";
const isDeployed = ({ status }: Entry) => status === "DEPLOYED";
/** Returns `word: name name`; `none` if there are no names. */
const listOf = (names: readonly string[], word: string, none: string) =>
  names.length === 0 ? none : `${word}: ${names.join(" ")}`;
/** Returns the text if it is a known word: a report shows findings. */
const known = (text: unknown, words: readonly string[]) => (words.includes(String(text)) ? String(text) : "other");
/** Returns the status, with the `error` if that is a code. */
const refusalOf = ({ status, code }: RawResponse): string =>
  `${status}${/^[a-z_]{1,40}$/.test(code ?? "") ? ` ${code ?? ""}` : ""}`;

export const emptyForm = (value: unknown): string =>
  value === undefined ? "absent" : value === null ? "null" : value === "" ? '""' : "other";

function headers({ frontDoor, plain }: Subject): Found {
  const { date } = plain.headers;
  const behindMs = typeof date === "string" ? Date.parse(date) - frontDoor.clock.wall() : NaN;
  const seconds = 10 * Math.round(Math.abs(behindMs) / 10_000);
  const clock = Math.abs(behindMs) < 60_000 ? "within 60 s" : `${seconds} s ${behindMs > 0 ? "behind" : "ahead"}`;
  const shown = (name: RegExp) => (Object.keys(plain.headers).some((each) => name.test(each)) ? "shown" : "none");
  return {
    clock: Number.isNaN(behindMs) ? undefined : clock,
    "rate-headers": shown(/^(x-)?ratelimit|^retry-after$/),
    "version-headers": shown(/^(deprecation|sunset)$/),
  };
}

function credentials({ frontDoor }: Subject): Found {
  const { credentials: used } = frontDoor.access.config;
  return {
    "basic-form": used.kind === "basic" ? "base64" : undefined,
    "token-request": used.kind === "client" ? used.request : undefined,
  };
}

async function wrongToken({ frontDoor }: Subject): Promise<Found> {
  const credentials = { kind: "bearer", token: "not-a-token-of-this-service", source: "a wrong token" } as const;
  const { status, words } = await frontDoor
    .with({ config: { ...frontDoor.access.config, credentials } })
    .get("tunnels");
  const isSpecified = words.includes("Bearer token is missing or invalid");
  return {
    "wrong-token": status >= 400 ? String(status) : undefined,
    "wrong-token-words": status === 401 ? (isSpecified ? "the specification's" : "other") : undefined,
  };
}

async function otherFrontDoor({ frontDoor }: Subject): Promise<Found> {
  return { "other-front-door": refusalOf(await frontDoor.with({ frontdoorId: randomUUID() }).get("tunnels")) };
}

function listForm({ plain }: Subject): Found {
  const body = objectIn(plain.body);
  const page = objectIn(body["page"]);
  const isHal = body["_embedded"] !== undefined || body["_links"] !== undefined;
  const hasTotals = (holder: Entry) =>
    typeof holder["totalElements"] === "number" && typeof holder["totalPages"] === "number";
  return {
    "list-form": Array.isArray(body["content"]) ? "content" : isHal ? "hal" : "other",
    "list-totals": hasTotals(body) ? "totalElements, totalPages" : hasTotals(page) ? "in page" : "none",
    "page-size": pageSizeIn(plain),
  };
}

function pageSizeIn({ body }: RawResponse): string {
  const { pageable, page } = objectIn(body);
  const size = objectIn(pageable)["pageSize"] ?? objectIn(page)["size"];
  return typeof size === "number" ? String(size) : "not shown";
}

function listEntries({ lists }: Subject): Found {
  const entries = kinds.flatMap((kind) => lists[kind].filter(isLive).map((entry) => ({ kind, entry })));
  if (entries.length === 0) return {};
  const missing = entries.flatMap(({ kind, entry }) =>
    [...filterable[kind], "frontdoorId"].filter((name) => !(name in entry) && name !== "locationId"),
  );
  return { "list-entries": listOf([...new Set(missing)], "missing", "all") };
}

const page = (number: number, size: number): Query => [
  ["page", String(number)],
  ["size", String(size)],
];

async function pages({ frontDoor }: Subject): Promise<Found> {
  const largest = await frontDoor.get("tunnels", page(0, 5000));
  const beyond = await frontDoor.get("tunnels", page(100_000, 20));
  return {
    "page-limit": isAccepted(largest) ? pageSizeIn(largest) : "refused",
    "page-beyond": !isAccepted(beyond) ? "refused" : entriesOf(beyond.body).length === 0 ? "empty" : "other",
  };
}

async function wrongPage({ frontDoor }: Subject): Promise<Found> {
  const response = await frontDoor.get("tunnels", [["page", "x"]]);
  if (isAccepted(response)) return { "page-wrong": "ignored" };
  const { status, code, words } = response;
  const [, quote] = /Value for (\W?)page\1 must be of /.exec(words) ?? [];
  return {
    "page-wrong": String(status),
    "error-shape": code !== undefined && words.includes(": ") ? "error and message" : "other",
    "message-form": quote === undefined ? "other words" : `with ${quote}`.trimEnd(),
  };
}

async function unknownQuery({ frontDoor }: Subject): Promise<Found> {
  const response = await frontDoor.get("tunnels", [["noSuchProperty", "x"]]);
  return { "unknown-query": isAccepted(response) ? "ignored" : "refused" };
}

/** Values that no entry has, besides a name or an id that nobody has. */
const unused: Partial<Record<string, string>> = {
  status: "DELETED",
  peerPublicIp: "192.0.2.254",
  peerCidr: "192.0.2.0/31",
};

const textOf = (value: unknown): string => (typeof value === "number" ? String(value) : (textIn(value) ?? ""));

async function filters({ frontDoor, lists }: Subject): Promise<Found> {
  const ignored = new Set<string>();
  const tried = new Set<string>();
  for (const kind of ["tunnels", "shares"] as const)
    for (const property of lists[kind].length === 0 ? [] : filterable[kind]) {
      const ports = new Set(lists.shares.map(({ ingressPort }) => Number(ingressPort)));
      const freePort = Array.from({ length: 65_535 }, (_, index) => 65_535 - index).find((port) => !ports.has(port));
      const value = property === "ingressPort" ? String(freePort) : (unused[property] ?? nobody);
      const response = await frontDoor.get(kind, [[property, value]]);
      tried.add(property);
      const isFiltered = entriesOf(response.body).every((entry) => textOf(entry[property]) === value);
      if (!isAccepted(response) || !isFiltered) ignored.add(property);
    }
  if (tried.size === 0) return {};
  return { filters: ignored.size === tried.size ? "none" : listOf([...ignored], "ignored", "all") };
}

async function repeatedFilters({ frontDoor, lists }: Subject): Promise<Found> {
  const repeated = async (kind: Kind) => {
    const id = textIn((lists[kind].find(isLive) ?? lists[kind][0])?.["id"]);
    const shows = async (...values: string[]) => {
      const { body } = await frontDoor.get(
        kind,
        values.map((value) => ["id", value]),
      );
      return entriesOf(body).some((entry) => entry["id"] === id);
    };
    // A filter that is ignored or refused says nothing about two.
    if (id === undefined || (await shows(nobody)) || !(await shows(id))) return undefined;
    const [first, last] = [await shows(id, nobody), await shows(nobody, id)];
    return first && last ? "any" : first ? "first" : last ? "last" : "none";
  };
  return { "repeated-filter": await repeated("tunnels"), "repeated-share-filter": await repeated("shares") };
}

async function sort({ frontDoor, lists }: Subject): Promise<Found> {
  const kind = lists.tunnels.length > 1 ? "tunnels" : "shares";
  if (lists[kind].length < 2) return {};
  const namesBy = async (direction: string) => {
    const response = await frontDoor.get(kind, [["sort", `name,${direction}`], ...page(0, 20).slice(1)]);
    return isAccepted(response) ? entriesOf(response.body).map(({ name }) => String(name)) : undefined;
  };
  const [up, down] = [await namesBy("asc"), await namesBy("desc")];
  if (up === undefined || down === undefined) return { sort: "refused" };
  if (new Set([...up, ...down]).size < 2) return {};
  return { sort: up.join() === down.join() ? "ignored" : "honoured" };
}

async function unknownResources({ frontDoor }: Subject): Promise<Found> {
  const [tunnel, share] = [await frontDoor.get("tunnels", [], nobody), await frontDoor.get("shares", [], nobody)];
  return { "unknown-resource": refusalOf(!isAccepted(tunnel) && isAccepted(share) ? share : tunnel) };
}

function fields({ lists: { tunnels, shares } }: Subject): Found {
  const locations = tunnels.filter(isDeployed).flatMap(({ locationId }) => textIn(locationId) ?? []);
  const isDeleted = ({ status }: Entry) => status === "DELETED";
  return {
    "unset-field": tunnels.map(({ locationId }) => emptyForm(locationId)).find((form) => form !== "other"),
    "one-tunnel": new Set(locations).size < locations.length ? "two DEPLOYED at one location" : undefined,
    "deleted-listed": [...tunnels, ...shares].some(isDeleted) ? "listed" : undefined,
  };
}

async function notReadyTunnel({ frontDoor, lists }: Subject): Promise<Found> {
  const tunnel = lists.tunnels.find(({ status }) => status === "NEW" || status === "ERROR");
  return tunnel ? configurationOfNotReady(frontDoor, String(tunnel["id"])) : {};
}

export async function configurationOfNotReady(frontDoor: FrontDoor, id: string): Promise<Found> {
  const response = await frontDoor.get("tunnels", [], `${id}/tunnel-config`);
  return { "not-ready": isAccepted(response) ? undefined : String(response.status) };
}

async function deployedTunnel({ frontDoor, lists }: Subject): Promise<Found> {
  const tunnel = lists.tunnels.find(isDeployed);
  if (!tunnel) return {};
  const below = (name: string, query: Query = [], options: RequestOptions = {}) =>
    frontDoor.get("tunnels", query, `${String(tunnel["id"])}/${name}`, options);
  const config = await below("tunnel-config");
  const sample = await below("sample-config", [], { accept: "text/plain" });
  const isText = String(sample.headers["content-type"]).startsWith("text/plain") && textIn(sample.body) !== undefined;
  const metrics = await below("metrics");
  const { series, samples } = objectIn(metrics.body);
  const form = Array.isArray(series) ? "series" : Array.isArray(samples) ? "samples" : "other";
  const refused: string[] = [];
  for (const window of ["30m", "1h", "1d", "7d"])
    if (!isAccepted(await below("metrics", [["window", window]]))) refused.push(window);
  return {
    ...(isAccepted(config) && connectionIn(config.body)),
    "sample-config": !isAccepted(sample) ? String(sample.status) : isText ? "text/plain" : "other",
    "tunnel-metrics": isAccepted(metrics) ? form : undefined,
    "metrics-windows": listOf(refused, "refused", "all"),
  };
}

function connectionIn(body: unknown): Found {
  const { state, tunnels } = objectIn(body);
  const entries = Array.isArray(tunnels) ? tunnels.map(objectIn) : [];
  const [entry = {}] = entries;
  const missing = ["status", "statusMessage", ...Object.keys(entryFields)].filter((name) => !(name in entry));
  const count = entries.length === 1 ? "one" : entries.length === 0 ? "none" : "several";
  const { ikeVersions, phase1IntegrityAlgorithms, phase1DHGroupNumbers } = entry;
  const offered = JSON.stringify([ikeVersions, phase1IntegrityAlgorithms, phase1DHGroupNumbers]);
  return {
    "connection-state": known(state, ["available", "pending", "deleting", "deleted"]),
    "connection-status": known(entry["status"], ["UP", "DOWN"]),
    "connection-entries": `${count}, ${listOf([...new Set(missing)], "missing", "complete")}`,
    algorithms: /"ikev1"|"SHA1"|[[,]2[,\]]/.test(offered) ? "weak ones too" : "strong",
  };
}

async function anyShare({ frontDoor, lists }: Subject): Promise<Found> {
  const share = lists.shares.find(isLive);
  return share ? shareDurations(frontDoor, String(share["id"])) : {};
}

/** 17m is no usual value: a service that takes it takes any. */
const durations = ["15m", "30m", "1h", "1d", "7d", "17m"];

export async function shareDurations(frontDoor: FrontDoor, id: string): Promise<Found> {
  const taken: string[] = [];
  for (const duration of durations)
    if (isAccepted(await frontDoor.get("shares", [["duration", duration]], `${id}/metrics`))) taken.push(duration);
  return { "share-durations": taken.includes("17m") ? "any" : taken.length === 0 ? "none" : taken.join(" ") };
}
