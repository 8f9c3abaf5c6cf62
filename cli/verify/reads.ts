import { randomUUID } from "node:crypto";
import { entryFields } from "../../provider/fields/tunnel-connection";
import type { Config } from "../../provider/config";
import { type Asked, type Asking, entriesOf, objectIn, textIn } from "../asking";
import { filterable, type Findings } from "./manifest";

export type Entry = Record<string, unknown>;
export type Kind = "tunnels" | "shares";

/** One front door, as the checks use it. */
export interface Place {
  asking: Asking;
  /** A client with a token that nobody has. */
  stranger: Asking;
  config: Config;
  frontdoorId: string;
  findings: Findings;
}

export const pathOf = ({ frontdoorId }: Pick<Place, "frontdoorId">, kind: Kind, id?: string): string =>
  `/v2/${frontdoorId}/ipsec-${kind}${id === undefined ? "" : `/${id}`}`;

export const isAccepted = ({ status }: Asked): boolean => status >= 200 && status < 300;
const textOf = (value: unknown): string => (typeof value === "number" ? String(value) : (textIn(value) ?? ""));
const nobody = "no-such-name-a0b1c2";
/** Returns a service's `error` only if it is a code: a report shows it. */
const safeCode = (code: string | undefined): string => (/^[a-z_]{1,40}$/.test(code ?? "") ? ` ${code ?? ""}` : "");
export const refusalOf = ({ status, code }: Asked): string => `${status}${safeCode(code)}`;
export const emptyForm = (value: unknown): string =>
  value === undefined ? "absent" : value === null ? "null" : value === "" ? '""' : "other";

/** Returns the entries of all pages, or what a first page shows that the service refuses. @throws FrontdoorError. */
export async function listAll(place: Place, kind: Kind): Promise<Entry[]> {
  const found = new Map<unknown, Entry>();
  for (let page = 0, size = "100"; page < 500; page++) {
    const query: [string, string][] = [["page", String(page)]];
    if (size !== "") query.push(["size", size]);
    const answer = await place.asking.ask("GET", pathOf(place, kind), { query });
    if (!isAccepted(answer)) {
      if (page > 0 || size === "") return [...found.values()];
      [page, size] = [-1, ""];
      continue;
    }
    const before = found.size;
    for (const entry of entriesOf(answer.body)) found.set(entry["id"], entry);
    if (found.size === before) break;
  }
  return [...found.values()];
}

const isLive = ({ status }: Entry) => status !== "DELETED" && status !== "DELETING";

/** Finds everything that reads and harmless refused requests show. @throws FrontdoorError if the service refuses the front door's list. */
export async function readAll(place: Place): Promise<Record<Kind, Entry[]>> {
  const { findings: found, config } = place;
  const ask = (kind: Kind, query: [string, string][], id?: string) =>
    place.asking.ask("GET", pathOf(place, kind, id), { query });
  const plain = await ask("tunnels", []);
  if (!isAccepted(plain)) throw new RefusedList(plain);
  found.address = "answers";
  aboutHeaders(place, plain);
  const { credentials } = config;
  if (credentials.kind === "basic") found["basic-form"] = "base64";
  if (credentials.kind === "client") found["token-request"] = credentials.request === "form" ? "form" : "json";
  const all = { tunnels: await listAll(place, "tunnels"), shares: await listAll(place, "shares") };
  await aboutAccess(place);
  aboutList(place, plain, all);
  await aboutPages(place);
  await aboutFilters(place, all);
  await aboutUnknown(place);
  const unset = all.tunnels.map(({ locationId }) => emptyForm(locationId)).find((form) => form !== "other");
  if (unset !== undefined) found["unset-field"] = unset;
  const deployed = all.tunnels.filter(({ status }) => status === "DEPLOYED").map(({ id }) => String(id));
  const locations = all.tunnels.flatMap((tunnel) =>
    tunnel["status"] === "DEPLOYED" ? (textIn(tunnel["locationId"]) ?? []) : [],
  );
  if (new Set(locations).size < locations.length) found["one-tunnel"] ??= "two DEPLOYED at one location";
  const other = all.tunnels.find(({ status }) => status === "NEW" || status === "ERROR");
  if (other) await aboutNotReady(place, String(other["id"]));
  if (deployed[0] !== undefined) await aboutTunnel(place, deployed[0]);
  const share = all.shares.find(isLive);
  if (share) await aboutShareMetrics(place, String(share["id"]));
  if ([...all.tunnels, ...all.shares].some(({ status }) => status === "DELETED")) found["deleted-listed"] = "listed";
  return all;
}

/** The front door's list is refused, so nothing can be checked. */
export class RefusedList extends Error {
  constructor(readonly answer: Asked) {
    super(answer.words);
  }
}

function aboutHeaders({ findings: found, asking }: Place, { headers }: Asked): void {
  const date = headers["date"];
  const behindMs = typeof date === "string" ? Date.parse(date) - asking.clock.wall() : NaN;
  if (!Number.isNaN(behindMs))
    found.clock =
      Math.abs(behindMs) < 60_000
        ? "within 60 s"
        : `${10 * Math.round(Math.abs(behindMs) / 10_000)} s ${behindMs > 0 ? "behind" : "ahead"}`;
  const names = Object.keys(headers);
  found["rate-headers"] = names.some((name) => /^(x-)?ratelimit|^retry-after$/.test(name)) ? "shown" : "none";
  found["version-headers"] = names.some((name) => ["deprecation", "sunset"].includes(name)) ? "shown" : "none";
}

async function aboutAccess(place: Place): Promise<void> {
  const { findings: found } = place;
  const wrong = await place.stranger.ask("GET", pathOf(place, "tunnels"));
  if (wrong.status >= 400) found["wrong-token"] = String(wrong.status);
  if (wrong.status === 401)
    found["wrong-token-words"] = wrong.words.includes("Bearer token is missing or invalid")
      ? "the specification's"
      : "other";
  const elsewhere = await place.asking.ask("GET", pathOf({ frontdoorId: randomUUID() }, "tunnels"));
  found["other-front-door"] = refusalOf(elsewhere);
}

const fieldsOf: Record<Kind, readonly string[]> = {
  tunnels: [...filterable.tunnels, "frontdoorId"],
  shares: [...filterable.shares, "frontdoorId"],
};

function aboutList({ findings: found }: Place, plain: Asked, all: Record<Kind, Entry[]>): void {
  const body = objectIn(plain.body);
  const page = objectIn(body["page"]);
  const isHal = body["_embedded"] !== undefined || body["_links"] !== undefined;
  found["list-form"] = Array.isArray(body["content"]) ? "content" : isHal ? "hal" : "other";
  const has = (holder: Entry) =>
    typeof holder["totalElements"] === "number" && typeof holder["totalPages"] === "number";
  found["list-totals"] = has(body) ? "totalElements, totalPages" : has(page) ? "in page" : "none";
  const size = objectIn(body["pageable"])["pageSize"] ?? page["size"];
  found["page-size"] = typeof size === "number" ? String(size) : "not shown";
  const entries = (["tunnels", "shares"] as const).flatMap((kind) =>
    all[kind].filter(isLive).map((entry) => ({ kind, entry })),
  );
  if (entries.length === 0) return;
  const missing = new Set(
    entries.flatMap(({ kind, entry }) => fieldsOf[kind].filter((name) => !(name in entry) && name !== "locationId")),
  );
  found["list-entries"] = missing.size === 0 ? "all" : `missing: ${[...missing].join(" ")}`;
}

async function aboutPages(place: Place): Promise<void> {
  const { findings: found } = place;
  const ask = (query: [string, string][]) => place.asking.ask("GET", pathOf(place, "tunnels"), { query });
  const most = await ask([
    ["page", "0"],
    ["size", "5000"],
  ]);
  const given = objectIn(objectIn(most.body)["pageable"])["pageSize"] ?? objectIn(objectIn(most.body)["page"])["size"];
  found["page-limit"] = !isAccepted(most) ? "refused" : typeof given === "number" ? String(given) : "not shown";
  const beyond = await ask([
    ["page", "100000"],
    ["size", "20"],
  ]);
  found["page-beyond"] = !isAccepted(beyond) ? "refused" : entriesOf(beyond.body).length === 0 ? "empty" : "other";
  const wrong = await ask([["page", "x"]]);
  found["page-wrong"] = isAccepted(wrong) ? "ignored" : String(wrong.status);
  if (!isAccepted(wrong)) {
    found["error-shape"] = wrong.code !== undefined && wrong.words.includes(": ") ? "error and message" : "other";
    const [, quote] = /Value for (\W?)page\1 must be of /.exec(wrong.words) ?? [];
    found["message-form"] = quote === undefined ? "other words" : `with ${quote}`.trimEnd();
  }
  const stray = await ask([["noSuchProperty", "x"]]);
  found["unknown-query"] = isAccepted(stray) ? "ignored" : "refused";
}

async function aboutFilters(place: Place, all: Record<Kind, Entry[]>): Promise<void> {
  const { findings: found } = place;
  const ignored = new Set<string>();
  let seen = 0;
  for (const kind of ["tunnels", "shares"] as const) {
    const { length } = all[kind];
    const ask = (query: [string, string][]) => place.asking.ask("GET", pathOf(place, kind), { query });
    if (length === 0) continue;
    for (const property of filterable[kind]) {
      const values = new Set(all[kind].map((entry) => entry[property]));
      const port = Array.from({ length: 65535 }, (_, index) => 65535 - index).find((number) => !values.has(number));
      const value =
        property === "ingressPort"
          ? String(port)
          : property === "status"
            ? "DELETED"
            : property === "peerPublicIp"
              ? "192.0.2.254"
              : property === "peerCidr"
                ? "192.0.2.0/31"
                : nobody;
      const answer = await ask([[property, value]]);
      seen += 1;
      const isMatch = (entry: Entry) => textOf(entry[property]) === value;
      if (!isAccepted(answer) || entriesOf(answer.body).some((entry) => !isMatch(entry))) ignored.add(property);
    }
    const id = String(all[kind].find(isLive)?.["id"] ?? all[kind][0]?.["id"]);
    if (!ignored.has("id")) {
      const shows = async (values: string[]) =>
        entriesOf((await ask(values.map((value) => ["id", value]))).body).some((entry) => entry["id"] === id);
      const [first, last] = [await shows([id, nobody]), await shows([nobody, id])];
      found[kind === "tunnels" ? "repeated-filter" : "repeated-share-filter"] =
        first && last ? "any" : first ? "first" : last ? "last" : "none";
    }
  }
  const most = new Set([
    ...(all.tunnels.length > 0 ? filterable.tunnels : []),
    ...(all.shares.length > 0 ? filterable.shares : []),
  ]).size;
  if (seen > 0)
    found.filters = ignored.size === 0 ? "all" : ignored.size === most ? "none" : `ignored: ${[...ignored].join(" ")}`;
  const kind = all.tunnels.length > 1 ? "tunnels" : "shares";
  if (all[kind].length < 2) return;
  const namesIn = async (direction: string) => {
    const answer = await place.asking.ask("GET", pathOf(place, kind), {
      query: [
        ["sort", `name,${direction}`],
        ["size", "20"],
      ],
    });
    return isAccepted(answer) ? entriesOf(answer.body).map(({ name }) => String(name)) : undefined;
  };
  const [up, down] = [await namesIn("asc"), await namesIn("desc")];
  if (up === undefined || down === undefined) found.sort = "refused";
  else if (new Set([...up, ...down]).size > 1) found.sort = up.join() === down.join() ? "ignored" : "honoured";
}

async function aboutUnknown(place: Place): Promise<void> {
  const answers: Asked[] = [];
  for (const kind of ["tunnels", "shares"] as const)
    answers.push(await place.asking.ask("GET", pathOf(place, kind, nobody)));
  const answer = answers.find(isAccepted) ?? answers[0];
  if (answer) place.findings["unknown-resource"] = refusalOf(answer);
}

export async function aboutNotReady(place: Place, id: string): Promise<void> {
  const answer = await place.asking.ask("GET", `${pathOf(place, "tunnels", id)}/tunnel-config`);
  if (!isAccepted(answer)) place.findings["not-ready"] = String(answer.status);
}

const words = (text: unknown, known: readonly string[]) => (known.includes(String(text)) ? String(text) : "other");

async function aboutTunnel(place: Place, id: string): Promise<void> {
  const { findings: found } = place;
  const below = (name: string, question: Parameters<Asking["ask"]>[2] = {}) =>
    place.asking.ask("GET", `${pathOf(place, "tunnels", id)}/${name}`, question);
  const config = await below("tunnel-config");
  if (isAccepted(config)) {
    const body = objectIn(config.body);
    const entries = Array.isArray(body["tunnels"]) ? (body["tunnels"] as unknown[]).map(objectIn) : [];
    const [entry = {}] = entries;
    found["connection-state"] = words(body["state"], ["available", "pending", "deleting", "deleted"]);
    found["connection-status"] = words(entry["status"], ["UP", "DOWN"]);
    const missing = [...new Set(["status", "statusMessage", ...Object.keys(entryFields)])].filter(
      (name) => !(name in entry),
    );
    const count = entries.length === 1 ? "one" : entries.length === 0 ? "none" : "several";
    found["connection-entries"] = `${count}, ${missing.length === 0 ? "complete" : `missing: ${missing.join(" ")}`}`;
    const offered = JSON.stringify([
      entry["ikeVersions"],
      entry["phase1IntegrityAlgorithms"],
      entry["phase1DHGroupNumbers"],
    ]);
    found.algorithms = /"ikev1"|"SHA1"|[[,]2[,\]]/.test(offered) ? "weak ones too" : "strong";
  }
  const sample = await below("sample-config", { accept: "text/plain" });
  found["sample-config"] = !isAccepted(sample)
    ? String(sample.status)
    : String(sample.headers["content-type"]).startsWith("text/plain") && textIn(sample.body) !== undefined
      ? "text/plain"
      : "other";
  const metrics = await below("metrics");
  if (isAccepted(metrics)) {
    const body = objectIn(metrics.body);
    found["tunnel-metrics"] = Array.isArray(body["series"])
      ? "series"
      : Array.isArray(body["samples"])
        ? "samples"
        : "other";
  }
  const refused = [];
  for (const window of ["30m", "1h", "1d", "7d"])
    if (!isAccepted(await below("metrics", { query: [["window", window]] }))) refused.push(window);
  found["metrics-windows"] = refused.length === 0 ? "all" : `refused: ${refused.join(" ")}`;
}

/** 17m is no usual value: a service that takes it takes any. */
const durations = ["15m", "30m", "1h", "1d", "7d", "17m"];

export async function aboutShareMetrics(place: Place, id: string): Promise<void> {
  const taken = [];
  for (const duration of durations) {
    const query: [string, string][] = [["duration", duration]];
    const answer = await place.asking.ask("GET", `${pathOf(place, "shares", id)}/metrics`, { query });
    if (isAccepted(answer)) taken.push(duration);
  }
  place.findings["share-durations"] = taken.includes("17m") ? "any" : taken.length === 0 ? "none" : taken.join(" ");
}
