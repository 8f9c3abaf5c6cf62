import { type Run, check } from "../../cli/verify/verify";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { readConfig } from "../../provider/config";
import type { Send } from "../../provider/http/send";
import { VirtualClock } from "../harness/virtual-clock";

/** A server in this process: answers a request, or nothing if the connection is cut. */
export interface Served {
  answer: (request: Request) => Promise<Response | undefined>;
  advance: (ms: number) => void;
}

const baseUrl = "http://127.0.0.1:1/frontdoor";

/** Returns a run of `verify` against a server in this process, in virtual time. */
export function runOn(served: Served, more: Partial<Run> & { hoursLater?: number } = {}, frontdoorId = "fd-1"): Run {
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

export const servedBy = (emulator: Emulator): Served => ({
  answer: (request) => emulator.ask(request),
  advance: (ms) => {
    emulator.clock.advance(ms);
  },
});

/** An emulator with two tunnels, one of them without a location, and two shares. */
export async function peopled(settings: Partial<Settings> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ frozenAtMs: Date.now(), ...settings });
  emulator.seedTunnel({ id: "tnl-a", name: "branch", locationId: "loc-a" });
  emulator.seedTunnel({ id: "tnl-b", name: "alone", locationId: null });
  emulator.seedShare({ id: "shr-a", name: "web", ipsecTunnelId: "tnl-a", envZId: "env-1", ingressPort: 443 });
  emulator.seedShare({ id: "shr-b", name: "api", ipsecTunnelId: "tnl-a", envZId: "env-1", ingressPort: 8443 });
  return emulator;
}

/** Checks an emulator with all writes: on an existing tunnel, and on one of its own. The first finding of a row counts. */
export async function checkAll(emulator: Emulator) {
  const { frontdoorId } = emulator;
  const onTunnel = await check(runOn(servedBy(emulator), { on: { tunnel: "tnl-a" } }, frontdoorId));
  const onLocation = await check(runOn(servedBy(emulator), { on: { location: "loc-x" } }, frontdoorId));
  return {
    findings: { ...onLocation.findings, ...onTunnel.findings },
    ended: onTunnel.ended ?? onLocation.ended,
    left: [...onTunnel.left, ...onLocation.left],
  };
}

/**
 * A second server, written from the specification alone. It makes another choice than the emulator wherever the specification is silent:
 * HAL lists without totals, 404 and 400 under other names, capped pages, filters and sort ignored, lag, no bodies, no DELETED.
 */
interface Item {
  id: string;
  fields: Record<string, unknown>;
  seen: { at: number; status: string; fields: Record<string, unknown> }[];
  goneAt?: number;
}

const provisionMs = 3_000;
const teardownMs = 1_500;
const readLagMs = 400;
const listLagMs = 900;
const pageMost = 3;
const tunnelEntry = ["name", "locationId", "peerPublicIp", "peerCidr"];
const shareFields = ["name", "ipsecTunnelId", "envZId", "target", "ingressPort", "locationId"];

export class OtherService {
  readonly tunnels: Item[] = [];
  readonly shares: Item[] = [];
  nowMs = Date.now();
  /** The number of next requests that are answered by 502. */
  failing = 0;
  /** Called before the answer of a POST that made something, with how many there were. */
  onMade: (count: number) => void = () => undefined;
  private made = 0;
  /** The entry that the answer of a POST names instead of the new one. */
  answersWith: string | undefined;
  requests: string[] = [];
  private given = 0;

  constructor(private readonly door = "6f1c1f0e-0000-4000-8000-0000000000aa") {
    const tunnel = this.add(this.tunnels, {
      name: "hq",
      peerPublicIp: "203.0.113.9",
      peerCidr: "10.1.0.0/16",
      locationId: "eu-1",
    });
    for (const [name, ingressPort] of [
      ["one", 1],
      ["two", 2],
    ] as const)
      this.add(this.shares, {
        name,
        ingressPort,
        ipsecTunnelId: tunnel.id,
        envZId: "env",
        target: "10.0.0.1:80",
        locationId: undefined,
      });
    this.advance(60_000);
  }

  get frontdoorId(): string {
    return this.door;
  }

  advance(ms: number): void {
    this.nowMs += ms;
  }

  /** The resources that were made by others than the first two shares and the first tunnel, and are not deleted. */
  get extra(): string[] {
    return [...this.tunnels.slice(1), ...this.shares.slice(2)]
      .filter((item) => this.statusOf(item) !== "DELETED")
      .map(({ fields }) => String(fields["name"]));
  }

  /** Puts the names that `verify` gave back by a century. */
  makeOlder(): void {
    for (const item of [...this.tunnels, ...this.shares])
      for (const { fields } of item.seen)
        fields["name"] = String(fields["name"]).replace(/^(?<head>verify-.*-)20/, "$<head>19");
  }

  async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    this.requests.push(`${request.method} ${pathname}`);
    if (this.failing > 0) {
      this.failing -= 1;
      return new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
    }
    if (request.headers.get("authorization") !== "Bearer emulator-token") return refused(403, "forbidden", "no access");
    const [, , version, door, collection = "", id, below] = pathname.split("/");
    if (version !== "v2" || door !== this.door)
      return refused(403, "not_found", `front door ${String(door)} was not found`);
    const isTunnel = collection === "ipsec-tunnels";
    const items = isTunnel ? this.tunnels : this.shares;
    const body = ["POST", "PUT", "PATCH"].includes(request.method)
      ? ((await request.json()) as Record<string, unknown>)
      : {};
    if (id === undefined)
      return request.method === "POST" ? this.create(isTunnel, body) : this.list(items, isTunnel, searchParams);
    const item = items.find((each) => each.id === id);
    if (request.method === "GET") return this.read(item, isTunnel, below, searchParams);
    if (!item || this.statusOf(item) === "DELETED") return refused(410, "no_such_thing", `${id} is gone`);
    return request.method === "DELETE" ? this.remove(item, isTunnel) : this.update(item, request.method, body);
  }

  private add(items: Item[], fields: Record<string, unknown>): Item {
    this.given += 1;
    const item: Item = { id: `r${this.given}`, fields, seen: [] };
    this.work(item, "NEW", fields["locationId"] === "verify-nowhere" ? "ERROR" : "DEPLOYED", provisionMs);
    items.push(item);
    return item;
  }

  private work(item: Item, now: string, later: string, ms: number): void {
    item.seen = item.seen.filter(({ at }) => at <= this.nowMs);
    item.seen.push(
      { at: this.nowMs, status: now, fields: item.fields },
      { at: this.nowMs + ms, status: later, fields: item.fields },
    );
  }

  private at(item: Item, time: number) {
    return item.seen.findLast(({ at }) => at <= time);
  }

  private statusOf(item: Item): string {
    return this.at(item, this.nowMs)?.status ?? "DELETED";
  }

  private shown(item: Item, time: number, isTunnel: boolean, isWhole: boolean): Record<string, unknown> | undefined {
    const state = this.at(item, time);
    if (!state || state.status === "DELETED") return undefined;
    const isUp = state.status === "DEPLOYED";
    const names = isTunnel ? tunnelEntry : shareFields;
    return {
      ...{ id: item.id, frontdoorId: this.door, status: state.status },
      ...Object.fromEntries(
        names.flatMap((name) => (state.fields[name] === undefined ? [] : [[name, state.fields[name]]])),
      ),
      ...(isTunnel &&
        isWhole &&
        isUp && { nlbPrivateIp: "10.0.9.9", nlbDnsName: "nlb.example", vpnConnectionId: "vpn-1" }),
    };
  }

  private read(item: Item | undefined, isTunnel: boolean, below: string | undefined, query: URLSearchParams): Response {
    const shown = item && this.shown(item, this.nowMs - readLagMs, isTunnel, true);
    if (!shown) return refused(410, "no_such_thing", "it is not here");
    if (below === undefined) return json(200, shown);
    if (below === "metrics") {
      const window = query.get(isTunnel ? "window" : "duration") ?? "1h";
      return ["30m", "1h", "1d"].includes(window)
        ? json(200, { rx: [1], tx: [2] })
        : refused(422, "bad_window", "no such window");
    }
    if (shown["status"] !== "DEPLOYED") return refused(425, "too_early", "wait until it is DEPLOYED");
    if (below === "sample-config")
      return new Response("key: k", { headers: { "content-type": "application/octet-stream" } });
    const entry = { outsideIpAddress: "192.0.2.9", status: "STARTING", ikeVersions: ["ikev1"] };
    return json(200, { state: "modifying", tunnels: [entry, entry] });
  }

  private list(items: Item[], isTunnel: boolean, query: URLSearchParams): Response {
    const [page, size] = ["page", "size"].map((name) => query.get(name));
    if (page !== null && page !== undefined && !/^\d+$/.test(page))
      return refused(422, "bad_query", "page is no number");
    const known = [...tunnelEntry, ...shareFields, "id", "status", "page", "size", "sort"];
    if ([...query.keys()].some((name) => !known.includes(name))) return refused(422, "bad_query", "no such parameter");
    const found = items.flatMap((item) => this.shown(item, this.nowMs - listLagMs, isTunnel, false) ?? []).reverse();
    const number = Number(page ?? 0);
    const length = Math.min(Number(size ?? pageMost), pageMost);
    const content = found.slice(number * length, (number + 1) * length);
    return json(200, {
      ...(content.length > 0 && { _embedded: { entries: content } }),
      ...{ _links: {}, page: { size: length, number } },
    });
  }

  private create(isTunnel: boolean, body: Record<string, unknown>): Response {
    const known = isTunnel ? [...tunnelEntry, "nlbPrivateIp"] : [...shareFields, "envId"];
    if (Object.keys(body).some((name) => !known.includes(name)))
      return refused(422, "bad_body", "a property is not known");
    const clash = isTunnel ? this.tunnelClash(body) : this.shareClash(body, undefined);
    if (clash) return clash;
    const item = this.add(isTunnel ? this.tunnels : this.shares, { ...body, envZId: body["envZId"] ?? body["envId"] });
    const collection = isTunnel ? "ipsec-tunnels" : "ipsec-shares";
    this.made += 1;
    this.onMade(this.made);
    return new Response(null, {
      status: 201,
      headers: { location: `/frontdoor/v2/${this.door}/${collection}/${this.answersWith ?? item.id}` },
    });
  }

  private tunnelClash(body: Record<string, unknown>): Response | undefined {
    if (String(body["peerCidr"]).startsWith("198.51.100.7")) return refused(422, "bad_body", "host bits");
    if (String(body["peerPublicIp"]).startsWith("10.")) return refused(422, "bad_body", "private");
    const isTaken = this.tunnels.some(
      (item) => this.statusOf(item) !== "DELETED" && item.fields["locationId"] === body["locationId"],
    );
    return isTaken ? refused(423, "locked", "the location is in use") : undefined;
  }

  private shareClash(body: Record<string, unknown>, self: Item | undefined): Response | undefined {
    const tunnel = this.tunnels.find(({ id }) => id === body["ipsecTunnelId"]);
    if (!tunnel || this.statusOf(tunnel) !== "DEPLOYED") return refused(423, "locked", "the tunnel is not DEPLOYED");
    const others = this.shares.filter(
      (item) =>
        item !== self && !["DELETED"].includes(this.statusOf(item)) && item.fields["ipsecTunnelId"] === tunnel.id,
    );
    if (others.some((item) => ["NEW", "DELETING"].includes(this.statusOf(item))))
      return refused(423, "locked", "another share changes");
    if (others.some(({ fields }) => fields["name"] === body["name"]))
      return refused(423, "locked", "the name is in use");
    return undefined;
  }

  private update(item: Item, method: string, body: Record<string, unknown>): Response {
    const status = this.statusOf(item);
    if (status !== "DEPLOYED") return refused(423, "locked", `it is ${status}`);
    if (method === "PATCH" && Object.keys(body).length === 0) return refused(422, "bad_body", "nothing to change");
    const fields = method === "PUT" ? body : { ...item.fields, ...body };
    const clash = this.shareClash(fields, item);
    if (clash) return clash;
    item.fields = fields;
    this.work(item, "NEW", "DEPLOYED", provisionMs);
    return new Response(null, { status: method === "PUT" ? 204 : 200 });
  }

  private remove(item: Item, isTunnel: boolean): Response {
    const status = this.statusOf(item);
    if (status === "NEW") return refused(423, "locked", "it is NEW");
    if (
      isTunnel &&
      this.shares.some((each) => this.statusOf(each) !== "DELETED" && each.fields["ipsecTunnelId"] === item.id)
    )
      return refused(400, "invalid_request", "shares still target it");
    if (status !== "DELETING") this.work(item, "DELETING", "DELETED", teardownMs);
    return new Response(null, { status: 204 });
  }
}

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/hal+json",
      "x-ratelimit-limit": "50",
      sunset: "Fri, 31 Dec 2027 00:00:00 GMT",
    },
  });

const refused = (status: number, error: string, message: string): Response => json(status, { error, message });
