import * as z from "zod";
import { filterQuery, type Filters, inOrder, matches, type Order } from "../api/filters";
import type { Collection } from "../api/collection";
import { present, readOdd } from "../api/named";
import { connect, type FrontDoor, type Service } from "../service";
import { listSteady } from "../api/steady";
import { wireTunnelConfig } from "../api/tunnels";
import type { WireShare, WireTunnel } from "../api/types";
import { isBare } from "../api/wire";
import { namesOf } from "../fields/field";
import { shareFields } from "../fields/share";
import { tunnelFields } from "../fields/tunnel";
import type { Until } from "../time/clock";
import { readConfig } from "../config";
import { FrontdoorError } from "../errors";
import { argShapes, checkedArgs } from "./checks";
import type { ShareResult, TunnelConfigResult, TunnelResult } from "./results";

const longestReadMs = 60_000;
const deepestMetrics = 50;

/** One of the two kinds of resources, as reads need it. */
interface Of<Wire extends { id: string; name: string; status: string }> {
  thing: string;
  callsOf: (door: FrontDoor) => Collection<Wire>;
  shape: typeof argShapes.tunnels;
  /** How often a filter may be repeated. */
  mostValues: number;
  onlyByGet: string[];
}

const tunnels: Of<WireTunnel> = {
  thing: "IPsec tunnel",
  callsOf: (door) => door.tunnels.calls,
  shape: argShapes.tunnels,
  // That a repeated filter matches any of its values is said of shares only.
  mostValues: 1,
  onlyByGet: namesOf(tunnelFields, ({ shown }) => shown === "by get"),
};

const shares: Of<WireShare> = {
  thing: "IPsec share",
  callsOf: (door) => door.shares.calls,
  shape: argShapes.shares,
  mostValues: 50,
  onlyByGet: namesOf(shareFields, ({ shown }) => shown === "by get"),
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
    const { id, frontdoorId } = checkedArgs("getTunnelConfig", argShapes.id, args);
    const { calls } = this.frontDoor("getTunnelConfig", frontdoorId).tunnels;
    const config = await calls.below(id, "tunnel-config", wireTunnelConfig, { until: this.until() });
    return {
      ...(config.state !== undefined && { state: config.state }),
      tunnels: (config.tunnels ?? []).map(withoutEmpty),
    };
  }

  async getTunnelMetrics(args: object): Promise<unknown> {
    const { id, frontdoorId, window } = checkedArgs("getTunnelMetrics", argShapes.tunnelMetrics, args);
    const { calls } = this.frontDoor("getTunnelMetrics", frontdoorId).tunnels;
    return calls.below(id, "metrics", metrics, { until: this.until(), query: optional("window", window) });
  }

  async getShareMetrics(args: object): Promise<unknown> {
    const { id, frontdoorId, duration } = checkedArgs("getShareMetrics", argShapes.shareMetrics, args);
    const { calls } = this.frontDoor("getShareMetrics", frontdoorId).shares;
    return calls.below(id, "metrics", metrics, { until: this.until(), query: optional("duration", duration) });
  }

  /** Holds the pre-shared key: the caller must keep it secret. */
  async getSampleConfig(args: object): Promise<string> {
    const { id, frontdoorId } = checkedArgs("getSampleConfig", argShapes.id, args);
    const { calls } = this.frontDoor("getSampleConfig", frontdoorId).tunnels;
    return calls.below(id, "sample-config", z.string(), { until: this.until(), accept: "text/plain" });
  }

  private async one<Wire extends { id: string; name: string; status: string }>(
    what: string,
    { thing, callsOf }: Of<Wire>,
    args: object,
  ): Promise<Wire & { frontdoorId: string }> {
    const { id, name, frontdoorId } = checkedArgs(what, argShapes.one, args);
    if ((id === undefined) === (name === undefined)) {
      throw new FrontdoorError(`${what}: give either id or name; nothing was sent`, { kind: "failed" });
    }
    const door = this.frontDoor(what, frontdoorId);
    const found =
      id === undefined
        ? await named(callsOf(door), name ?? "", this.until())
        : [await callsOf(door).get(id, this.until())].filter((wire) => wire && wire.status !== "DELETED");
    if (found.length === 1 && found[0]) return { ...found[0], frontdoorId: door.id };
    const ids = found.length === 0 ? "" : ` (${found.map((wire) => wire?.id).join(", ")})`;
    const count = id === undefined ? `${found.length} of this name${ids}, not exactly one` : "none of this id";
    throw new FrontdoorError(`${thing} ${id ?? `"${name ?? ""}"`}: front door ${door.id} has ${count}`, {
      kind: "failed",
    });
  }

  private async list<Wire extends { id: string; name: string; status: string }>(
    what: string,
    { callsOf, shape, mostValues, onlyByGet }: Of<Wire>,
    args: object,
  ): Promise<(Wire & { frontdoorId: string })[]> {
    const { frontdoorId, sort, ...given } = checkedArgs(what, shape, args);
    const door = this.frontDoor(what, frontdoorId);
    const filters: Filters = new Map(Object.entries(given));
    if ([...filters.values()].some((values) => values.length === 0)) return [];

    const order = sort && ({ property: sort[0] ?? "", direction: sort[1] } as Order);
    const query = filterQuery(filters, mostValues);
    if (order) query.push(["sort", `${order.property},${order.direction}`]);
    const until = this.until();
    const isHidden = (property: string) => onlyByGet.includes(property);
    const shown = new Map([...filters].filter(([property]) => !isHidden(property)));
    const listed = await listSteady(callsOf(door), query, until);
    // An entry that can't be read as one is read by its id, which says what is wrong with it: nothing is left out in silence.
    const odd = await Promise.all(listed.odd.map(({ id }) => callsOf(door).get(id, until)));
    let entries = [...listed.entries, ...odd]
      .filter((entry) => entry !== undefined)
      .filter((entry) => !isBare(entry) && matches(entry, shown));
    if ([...filters.keys(), order?.property ?? ""].some(isHidden)) {
      const whole = await Promise.all(entries.map((entry) => callsOf(door).get(entry.id, until)));
      entries = whole.filter((entry) => entry !== undefined).filter((entry) => matches(entry, filters));
    }
    if (order) entries.sort(inOrder(order));
    return entries.map((entry) => ({ ...entry, frontdoorId: door.id }));
  }

  private frontDoor(what: string, given: string | undefined): FrontDoor {
    const id = given ?? this.service.config.frontdoorId;
    if (id !== undefined) return this.service.frontDoor(id);
    const remedy = 'set it here, with "pulumi config set frontdoor:frontdoorId <id>" or in FRONTDOOR_ID';
    throw new FrontdoorError(`${what}: frontdoorId is required: ${remedy}`, { kind: "failed" });
  }

  private until(): Until {
    return { deadlineMs: this.service.clock.now() + longestReadMs };
  }
}

/** Those of this name that are there to stay. */
async function named<Wire extends { id: string; name: string; status: string }>(
  calls: Collection<Wire>,
  name: string,
  until: Until,
): Promise<Wire[]> {
  const listed = await listSteady(calls, [["name", name]], until);
  return present(listed, name, (odd) => readOdd(calls, odd, until));
}

const optional = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];

/** Any JSON, as it is (spec: metrics response bodies are not shown), but not so deep that what walks it falls over. */
const metrics = z.unknown().refine((body) => !isDeeper(body, deepestMetrics));

const isDeeper = (body: unknown, levels: number): boolean =>
  typeof body === "object" &&
  body !== null &&
  (levels === 0 || Object.values(body).some((each) => isDeeper(each, levels - 1)));

const withoutEmpty = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([, value]) => value != null));

/** Reads by the configuration of this run (contract: Configuration). @throws FrontdoorError where it is wrong. */
export const openReads = (stackConfig: (key: string) => string | undefined, environment: NodeJS.ProcessEnv): Reads =>
  new Reads(connect(readConfig(stackConfig, environment)));
