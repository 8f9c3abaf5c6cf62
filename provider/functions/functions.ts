import * as z from "zod";
import { type Collection, present } from "../api/collection";
import { filterQuery, type Filters, inOrder, matches } from "../api/lists";
import { isBare, isPresent, type Named, type WireShare, type WireTunnel, wireTunnelConfig } from "../api/wire";
import { noFrontdoorId } from "../config";
import { failed, isHidden, isRefused, safeText } from "../errors";
import { isVisible, namesOf } from "../fields/field";
import { shareFields } from "../fields/share";
import { tunnelFields } from "../fields/tunnel";
import * as fields from "../fields/values";
import { beingDeleted, keyNotFound, noneOfThisId, notOneMatch } from "../messages";
import { near } from "../nearest";
import { type FrontDoor, Once, type Service } from "../run/service";
import type { Until } from "../time";
import type { IdArgs, ShareResult, TunnelConfigResult, TunnelResult } from "./args";
import { keyIn } from "./pre-shared-key";

/** The properties by which a list can be filtered and sorted (spec: any property of the resource). */
export const tunnelProperties = ["id", ...namesOf(tunnelFields, isVisible)];
export const shareProperties = ["id", ...namesOf(shareFields, isVisible)];

const frontdoorId = fields.id("a front door id").optional();
const byId = { id: fields.id("an id"), frontdoorId };
const name = z.string("must be text").min(1, "must not be empty").optional();
const wanted = "must be text that is not empty, a number, or a list of such";
const value = z.union([z.string(wanted).min(1, wanted).max(1024, wanted), z.number(wanted)], wanted).transform(String);
const values = z.union([value.transform((one) => [one]), z.array(value, wanted)], wanted);

const oneOrMany = (properties: readonly string[]) =>
  z.strictObject({
    ...Object.fromEntries(properties.map((property) => [property, values.optional()])),
    frontdoorId,
    sort: z
      .string()
      .transform((text) => text.split(","))
      .refine(
        ([property = "", direction = "", ...rest]) =>
          properties.includes(property) && ["asc", "desc"].includes(direction) && rest.length === 0,
        `must be "<property>,asc" or "<property>,desc" with one of ${properties.join(", ")}`,
      )
      .optional(),
  });

/** The schemas of the functions' arguments. */
const argShapes = {
  one: z.strictObject({ id: byId.id.optional(), name, frontdoorId }),
  id: z.strictObject(byId),
  tunnels: oneOrMany(tunnelProperties),
  shares: oneOrMany(shareProperties),
  tunnelMetrics: z.strictObject({
    ...byId,
    window: z.enum(["30m", "1h", "1d", "7d"], "must be one of 30m, 1h, 1d, 7d").optional(),
  }),
  shareMetrics: z.strictObject({
    ...byId,
    duration: z
      .string("must be text such as 15m or 1h")
      .regex(/^[A-Za-z0-9][A-Za-z0-9.:_-]{0,31}$/, "must be a span of time such as 15m or 1h")
      .optional(),
  }),
};

/** Returns the checked arguments. Null counts as omitted. @throws FrontdoorError `failed` that names every problem. */
function checkedArgs<Shape extends z.ZodObject>(what: string, shape: Shape, args: object): z.output<Shape> {
  const given = Object.fromEntries(Object.entries(args).filter(([, each]) => each != null));
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `${issue.keys.join(", ")} is no argument. Use one of: ${Object.keys(shape.shape).join(", ")}`
      : `${issue.path[0] === undefined ? "" : `${String(issue.path[0])} `}${issue.message}`,
  );
  throw failed(`${what}: ${[...new Set(problems)].join("; ")}. Nothing was sent. [invalid-input]`);
}

/** The reads of a program. Makes equal reads once. A read that failed is made again. */
export class ReadCache {
  private readonly once = new Once();
  private readonly reads: Reads;

  constructor(service: Service) {
    this.reads = readsOf(service, isPresent);
  }

  read<Name extends keyof Reads>(name: Name, args: object): ReturnType<Reads[Name]> {
    const key = `${name} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
    return this.once.do(key, (): Promise<unknown> => this.reads[name](args)) as ReturnType<Reads[Name]>;
  }

  /** Forgets every result: a write can have changed it. */
  forget(): void {
    this.once.forget();
  }
}

/** A kind of resource, as reads see it. */
interface ReadKind<Wire extends Named> {
  thing: string;
  callsOf: (door: FrontDoor) => Collection<Wire>;
  shape: typeof argShapes.tunnels;
  /** The number of values that a filter can have in one request. */
  mostValues: number;
  /** Properties that list entries lack. */
  onlyByGet: string[];
}

const tunnels: ReadKind<WireTunnel> = {
  thing: "IPsec tunnel",
  callsOf: (door) => door.tunnels.calls,
  shape: argShapes.tunnels,
  // Only for shares the specification says that a repeated filter matches any of its values (spec: Lists).
  mostValues: 1,
  onlyByGet: namesOf(tunnelFields, ({ visible }) => visible === "by get"),
};

const shares: ReadKind<WireShare> = {
  thing: "IPsec share",
  callsOf: (door) => door.shares.calls,
  shape: argShapes.shares,
  mostValues: 50,
  onlyByGet: namesOf(shareFields, ({ visible }) => visible === "by get"),
};

const secondsOfRead = 60;

/**
 * The reads by name. Each ends within a minute. Refuses an id of which `isWanted` is false: a program needs a resource that stays, and a
 * command also shows one that is being deleted. @throws FrontdoorError.
 */
export const readsOf = (service: Service, isWanted: (entry: Named) => boolean = () => true) => ({
  getTunnel: (args: object): Promise<TunnelResult> => one(service, "getTunnel", { ...tunnels, isWanted }, args),
  getShare: (args: object): Promise<ShareResult> => one(service, "getShare", { ...shares, isWanted }, args),
  getTunnels: async (args: object): Promise<{ tunnels: TunnelResult[] }> => ({
    tunnels: await list(service, "getTunnels", tunnels, args),
  }),
  getShares: async (args: object): Promise<{ shares: ShareResult[] }> => ({
    shares: await list(service, "getShares", shares, args),
  }),
  getTunnelConfig: (args: object): Promise<TunnelConfigResult> => tunnelConfig(service, "getTunnelConfig", args),
  getTunnelMetrics: (args: object): Promise<unknown> => {
    const path = { kind: tunnels, shape: argShapes.tunnelMetrics, name: "metrics" };
    return below(service, "getTunnelMetrics", path, args, metrics);
  },
  getShareMetrics: (args: object): Promise<unknown> => {
    const path = { kind: shares, shape: argShapes.shareMetrics, name: "metrics" };
    return below(service, "getShareMetrics", path, args, metrics);
  },
  /** Returns the sample configuration with the pre-shared key, which the caller must keep secret. */
  getSampleConfig: (args: object): Promise<string> => sampleConfig(service, "getSampleConfig", args),
  /** Returns the pre-shared key, which the caller must keep secret. */
  getPreSharedKey: async (args: object): Promise<string> => {
    const what = "getPreSharedKey";
    const reads = [sampleConfig(service, what, args), tunnelConfig(service, what, args)] as const;
    const [sample, config] = await Promise.all(reads);
    const { key, missing } = keyIn(sample, config.tunnels[0]?.outsideIpAddress);
    if (key === undefined) throw failed(keyNotFound(`IPsec tunnel ${(args as IdArgs).id}`, missing));
    return key;
  },
});

export type Reads = ReturnType<typeof readsOf>;

async function tunnelConfig(service: Service, what: string, args: object): Promise<TunnelConfigResult> {
  const path = { kind: tunnels, shape: argShapes.id, name: "tunnel-config" };
  const { state, tunnels: entries } = await below(service, what, path, args, wireTunnelConfig);
  return { ...(state !== undefined && { state }), tunnels: entries ?? [] };
}

function sampleConfig(service: Service, what: string, args: object): Promise<string> {
  const path = { kind: tunnels, shape: argShapes.id, name: "sample-config", accept: "text/plain" } as const;
  return below(service, what, path, args, z.string());
}

/** Reads below one entry. The arguments that are not its place are the query. */
async function below<Wire extends Named, Result>(
  service: Service,
  what: string,
  path: { kind: ReadKind<Wire>; shape: typeof argShapes.id; name: string; accept?: "text/plain" },
  args: object,
  schema: z.ZodType<Result>,
): Promise<Result> {
  const { id, frontdoorId, ...query } = checkedArgs(what, path.shape, args);
  const calls = path.kind.callsOf(frontDoorOf(service, what, frontdoorId));
  const { name, accept } = path;
  const until = service.until(secondsOfRead);
  const read = calls.below(id, name, schema, { until, query: Object.entries(query), ...(accept && { accept }) });
  return read.catch(async (error: unknown) => {
    // If the entry is gone, this says so. Otherwise it is not ready yet, and the refusal counts.
    if (isRefused(error, 404, 409, 410) || isHidden(error))
      await one(service, what, { ...path.kind, isWanted: () => true }, { id, frontdoorId });
    throw error;
  });
}

/** Reads one entry by its id, or the only entry with a name. */
async function one<Wire extends Named>(
  service: Service,
  what: string,
  { thing, callsOf, onlyByGet, isWanted }: ReadKind<Wire> & { isWanted: (entry: Named) => boolean },
  args: object,
): Promise<Wire & { frontdoorId: string }> {
  const { id, name = "", frontdoorId } = checkedArgs(what, argShapes.one, args);
  if ((id === undefined) === (name === ""))
    throw failed(`${what}: Give either id or name. Nothing was sent. [invalid-input]`);
  const door = frontDoorOf(service, what, frontdoorId);
  const calls = callsOf(door);
  const until = service.until(secondsOfRead);
  const byId = async (known: string) => {
    const wire = await calls.get(known, until);
    if (!wire || wire.status === "DELETED") throw failed(noneOfThisId(`${thing} ${known}`, door.id));
    if (!isWanted(wire)) throw failed(beingDeleted(`${thing} ${known}`));
    return { ...wire, frontdoorId: door.id };
  };
  if (id !== undefined) return byId(id);
  const listed = await calls.listWhole([["name", name]], until);
  const found = await present(calls, listed, (other) => other === name, until);
  const [first, ...others] = found;
  if (first && others.length === 0) return onlyByGet.length > 0 ? byId(first.id) : { ...first, frontdoorId: door.id };
  const meant = found.length === 0 ? await nearNames(calls, name, until) : [];
  const ids = found.map((wire) => wire.id);
  throw failed(notOneMatch(`${thing} "${name}"`, door.id, ids, meant));
}

/** Returns the names that are near to this one, with their ids; none if they cannot be listed. */
async function nearNames<Wire extends Named>(calls: Collection<Wire>, name: string, until: Until): Promise<string[]> {
  const { entries } = await calls.list([], until, { mostPages: 20 }).catch(() => ({ entries: [] as Wire[] }));
  const present = entries.filter(isPresent);
  const meant = near(name, [...new Set(present.map((wire) => wire.name))]);
  return meant.flatMap((each) => {
    const wire = present.find((one) => one.name === each);
    return wire ? [`"${safeText(each, 80)}" (${wire.id})`] : [];
  });
}

/** Reads every entry that the filters match, in order. */
async function list<Wire extends Named>(
  service: Service,
  what: string,
  { callsOf, shape, mostValues, onlyByGet }: ReadKind<Wire>,
  args: object,
): Promise<(Wire & { frontdoorId: string })[]> {
  const { frontdoorId, sort, ...given } = checkedArgs(what, shape, args);
  const door = frontDoorOf(service, what, frontdoorId);
  const filters: Filters = new Map(Object.entries(given));
  if ([...filters.values()].some((values) => values.length === 0)) return [];

  const calls = callsOf(door);
  const until = service.until(secondsOfRead);
  const [property = "", direction = ""] = sort ?? [];
  const query = filterQuery(filters, mostValues);
  if (sort) query.push(["sort", sort.join()]);
  const { entries, odd } = await calls.listWhole(query, until, { isUsers: true });
  const isOnlyByGet = [...filters.keys(), property].some((each) => onlyByGet.includes(each));
  // An odd entry is read by its id, and an error explains a broken one: no entry is omitted silently.
  const read = await Promise.all((isOnlyByGet ? [...entries, ...odd] : odd).map(({ id }) => calls.get(id, until)));
  const matching = [...(isOnlyByGet ? [] : entries), ...read]
    .filter((entry) => entry !== undefined)
    .filter((entry) => !isBare(entry) && matches(entry, filters));
  if (sort) matching.sort(inOrder(property, direction));
  return matching.map((entry) => ({ ...entry, frontdoorId: door.id }));
}

function frontDoorOf(service: Service, what: string, given: string | undefined): FrontDoor {
  const id = given ?? service.config.frontdoorId;
  if (id !== undefined) return service.frontDoor(id);
  throw failed(`${what}: frontdoorId ${noFrontdoorId}`);
}

/** Any JSON (the specification shows no bodies of metrics), but not nested so deeply that reading it would overflow. */
const metrics = z.unknown().refine((body) => !isDeeper(body, 50));

const isDeeper = (body: unknown, levels: number): boolean =>
  typeof body === "object" &&
  body !== null &&
  (levels === 0 || Object.values(body).some((each) => isDeeper(each, levels - 1)));
