import * as z from "zod";
import { filterQuery, type Filters, inOrder, matches, type Order } from "../api/filters";
import type { Collection } from "../api/collection";
import { present, readOdd } from "../api/named";
import type { FrontDoor, Service } from "../service";
import { listSteady } from "../api/steady";
import { wireTunnelConfig } from "../api/tunnels";
import type { Named, WireShare, WireTunnel } from "../api/types";
import { isBare } from "../api/wire";
import { namesOf } from "../fields/field";
import { shareFields } from "../fields/share";
import { tunnelFields } from "../fields/tunnel";
import { noFrontdoorId } from "../config";
import { failed } from "../errors";
import type { Until } from "../time/clock";
import { argShapes, checkedArgs } from "./checks";
import type { ShareResult, TunnelConfigResult, TunnelResult } from "./results";

/** One of the two kinds of resources, as reads need it. */
interface Of<Wire extends Named> {
  thing: string;
  callsOf: (door: FrontDoor) => Collection<Wire>;
  shape: typeof argShapes.tunnels;
  /** How often a filter may be repeated. */
  mostValues: number;
  /** Properties that list entries lack. */
  onlyByGet: string[];
}

const tunnels: Of<WireTunnel> = {
  thing: "IPsec tunnel",
  callsOf: (door) => door.tunnels.calls,
  shape: argShapes.tunnels,
  // That a repeated filter matches any of its values is said of shares only (spec: Lists).
  mostValues: 1,
  onlyByGet: namesOf(tunnelFields, ({ visible }) => visible === "by get"),
};

const shares: Of<WireShare> = {
  thing: "IPsec share",
  callsOf: (door) => door.shares.calls,
  shape: argShapes.shares,
  mostValues: 50,
  onlyByGet: namesOf(shareFields, ({ visible }) => visible === "by get"),
};

/** The read side of the service for a program's own process. Every read ends within a minute. @throws FrontdoorError. */
export class Reads {
  constructor(private readonly service: Service) {}

  async getTunnel(args: object): Promise<TunnelResult> {
    const { id, frontdoorId, ...listed } = await this.one("getTunnel", tunnels, args);
    if ("id" in args && args.id != null) return { id, frontdoorId, ...listed };
    // By name it comes from a list, whose entries are not whole.
    return this.one("getTunnel", tunnels, { id, frontdoorId });
  }

  async getShare(args: object): Promise<ShareResult> {
    return this.one("getShare", shares, args);
  }

  async getTunnels(args: object): Promise<{ tunnels: TunnelResult[] }> {
    return { tunnels: await this.list("getTunnels", tunnels, args) };
  }

  async getShares(args: object): Promise<{ shares: ShareResult[] }> {
    return { shares: await this.list("getShares", shares, args) };
  }

  async getTunnelConfig(args: object): Promise<TunnelConfigResult> {
    const config = await this.below("getTunnelConfig", tunnels, argShapes.id, args, "tunnel-config", wireTunnelConfig);
    return {
      ...(config.state !== undefined && { state: config.state }),
      tunnels: config.tunnels ?? [],
    };
  }

  async getTunnelMetrics(args: object): Promise<unknown> {
    return this.below("getTunnelMetrics", tunnels, argShapes.tunnelMetrics, args, "metrics", metrics);
  }

  async getShareMetrics(args: object): Promise<unknown> {
    return this.below("getShareMetrics", shares, argShapes.shareMetrics, args, "metrics", metrics);
  }

  /** Holds the pre-shared key: the caller must keep it secret. */
  async getSampleConfig(args: object): Promise<string> {
    return this.below("getSampleConfig", tunnels, argShapes.id, args, "sample-config", z.string(), "text/plain");
  }

  /** What is read below one entry; arguments that are not its place are the query. */
  private async below<Wire extends Named, Result>(
    what: string,
    { callsOf }: Of<Wire>,
    shape: typeof argShapes.id,
    args: object,
    name: string,
    schema: z.ZodType<Result>,
    accept?: "text/plain",
  ): Promise<Result> {
    const { id, frontdoorId, ...query } = checkedArgs(what, shape, args);
    const calls = callsOf(this.frontDoor(what, frontdoorId));
    const wanted = accept && { accept };
    return calls.below(id, name, schema, { until: this.until(), query: Object.entries(query), ...wanted });
  }

  private async one<Wire extends Named>(
    what: string,
    { thing, callsOf }: Of<Wire>,
    args: object,
  ): Promise<Wire & { frontdoorId: string }> {
    const { id, name, frontdoorId } = checkedArgs(what, argShapes.one, args);
    if ((id === undefined) === (name === undefined)) {
      throw failed(`${what}: give either id or name; nothing was sent`);
    }
    const door = this.frontDoor(what, frontdoorId);
    const calls = callsOf(door);
    const until = this.until();
    const refused = (what: string) => failed(`${thing} ${id ?? `"${name ?? ""}"`}: front door ${door.id} has ${what}`);
    if (id !== undefined) {
      const wire = await calls.get(id, until);
      if (wire && wire.status !== "DELETED") return { ...wire, frontdoorId: door.id };
      throw refused("none of this id");
    }
    const listed = await listSteady(calls, [["name", name ?? ""]], until);
    const found = await present(listed, name ?? "", (odd) => readOdd(calls, odd, until));
    if (found.length === 1 && found[0]) return { ...found[0], frontdoorId: door.id };
    const ids = found.length === 0 ? "" : ` (${found.map((wire) => wire.id).join(", ")})`;
    throw refused(`${found.length} of this name${ids}, not exactly one`);
  }

  private async list<Wire extends Named>(
    what: string,
    { callsOf, shape, mostValues, onlyByGet }: Of<Wire>,
    args: object,
  ): Promise<(Wire & { frontdoorId: string })[]> {
    const { frontdoorId, sort, ...given } = checkedArgs(what, shape, args);
    const door = this.frontDoor(what, frontdoorId);
    const filters: Filters = new Map(Object.entries(given));
    if ([...filters.values()].some((values) => values.length === 0)) return [];

    const calls = callsOf(door);
    const until = this.until();
    const order = sort && ({ property: sort[0] ?? "", direction: sort[1] } as Order);
    const query = filterQuery(filters, mostValues);
    if (order) query.push(["sort", `${order.property},${order.direction}`]);
    const listed = await listSteady(calls, query, until);
    const isByGet = [...filters.keys(), order?.property ?? ""].some((property) => onlyByGet.includes(property));
    // An entry that can't be read as one is read by its id, which says what is wrong with it: nothing is left out in silence.
    const [shown, unclear] = isByGet ? [[], [...listed.entries, ...listed.odd]] : [listed.entries, listed.odd];
    const read = await Promise.all(unclear.map(({ id }) => calls.get(id, until)));
    const entries = [...shown, ...read]
      .filter((entry) => entry !== undefined)
      .filter((entry) => !isBare(entry) && matches(entry, filters));
    if (order) entries.sort(inOrder(order));
    return entries.map((entry) => ({ ...entry, frontdoorId: door.id }));
  }

  private frontDoor(what: string, given: string | undefined): FrontDoor {
    const id = given ?? this.service.config.frontdoorId;
    if (id !== undefined) return this.service.frontDoor(id);
    throw failed(`${what}: frontdoorId ${noFrontdoorId}`);
  }

  private until(): Until {
    return this.service.until(60);
  }
}

/** Any JSON, as it is (spec: metrics response bodies are not shown), but not so deep that what walks it falls over. */
const metrics = z.unknown().refine((body) => !isDeeper(body, 50));

const isDeeper = (body: unknown, levels: number): boolean =>
  typeof body === "object" &&
  body !== null &&
  (levels === 0 || Object.values(body).some((each) => isDeeper(each, levels - 1)));
