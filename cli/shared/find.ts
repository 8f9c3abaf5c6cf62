import * as z from "zod";
import { failed, problemIn, troubleOf } from "../../provider/errors";
import type { ShareResult, TunnelResult } from "../../provider/functions/args";
import { type Reads, shareProperties, tunnelProperties } from "../../provider/functions/functions";
import { keyed } from "../../provider/lifecycle/differences";
import { canBeDerivedNameOf } from "../../provider/resources/names";
import { exportedState, type Stack, selectedStack } from "./configuration";
import type { Io } from "./io";
import { Misuse } from "./outcome";

type Match = { kind: "tunnel"; entry: TunnelResult } | { kind: "share"; entry: ShareResult };
type Kind = Match["kind"];

/** A resource by its id or name. */
interface NamedResource {
  kinds: readonly Kind[];
  text: string;
  frontdoorId: string;
}

/** What reads have found, or why each has found nothing. */
type Outcome = { found: Match } | { problems: string[] };

/**
 * Returns the only resource of these kinds with this id, else with this name, else with this logical name in the selected stack: by its
 * state, which also knows renamed and adopted resources, else by the name that the provider derives. @throws FrontdoorError `failed` if
 * there is none, Misuse if there are two.
 */
export async function find(io: Io, reads: Reads, named: NamedResource): Promise<Match> {
  const byId = await readEach(reads, named, { id: named.text });
  const direct = "found" in byId ? byId : await readEach(reads, named, { name: named.text });
  if ("found" in direct) return direct.found;
  const id = await idOfLogicalName(io, reads, named);
  const known = id === undefined ? direct : await readEach(reads, named, { id });
  if ("found" in known) return known.found;
  const [last = "", ...others] = known.problems.toReversed();
  const reasons = others.toReversed().map((each) => `${problemIn(each)}.`);
  throw failed([`${id ?? named.text}: no resource has this id.`, ...reasons, last].join(" "));
}

/** Reads each kind by its id or by its name. @throws Misuse if two kinds have it. */
async function readEach(
  reads: Reads,
  { kinds, text, frontdoorId }: NamedResource,
  by: { id: string } | { name: string },
): Promise<Outcome> {
  const outcomes = await Promise.all(kinds.map((kind) => attempt(reads, kind, { ...by, frontdoorId })));
  const [first, second] = outcomes.filter((each) => "found" in each);
  if (second) throw new Misuse(`${text} is a tunnel and a share. Choose one with --kind. [ambiguous-name]`);
  return first ?? { problems: outcomes.flatMap((each) => ("problems" in each ? each.problems : [])) };
}

/** Returns the id of the resource with this logical name in the selected stack; undefined if there is none. @throws Misuse if there are two. */
async function idOfLogicalName(io: Io, reads: Reads, named: NamedResource): Promise<string | undefined> {
  const stack = await selectedStack(io);
  if (!stack) return undefined;
  const inState = await idsInState(io, stack, named);
  const ids = inState.length > 0 ? inState : await idsOfDerivedNames(reads, stack, named);
  if (ids.length > 1)
    throw new Misuse(
      `${named.text} is the name of ${ids.length} resources: ${ids.join(", ")}. Give one of these ids. [ambiguous-name]`,
    );
  return ids[0];
}

/** Returns the ids of the resources whose name the provider can have derived from this logical name in the selected stack. */
async function idsOfDerivedNames(
  reads: Reads,
  stack: Stack,
  { kinds, text, frontdoorId }: NamedResource,
): Promise<string[]> {
  const urn = `urn:pulumi:${stack.stack}::${stack.project}::::${text}`;
  const lists = await Promise.all(
    kinds.map(async (kind) =>
      kind === "tunnel"
        ? (await reads.getTunnels({ frontdoorId })).tunnels
        : (await reads.getShares({ frontdoorId })).shares,
    ),
  );
  const isMeant = (entry: { name: string; status: string }) =>
    entry.status !== "DELETED" && canBeDerivedNameOf(urn, entry.name);
  return lists.flatMap((list) => list.filter(isMeant).map(({ id }) => id));
}

type NamedOne = Omit<NamedResource, "kinds">;

export const findTunnel = async (io: Io, reads: Reads, named: NamedOne): Promise<TunnelResult> =>
  (await find(io, reads, { kinds: ["tunnel"], ...named })).entry as TunnelResult;

export const findShare = async (io: Io, reads: Reads, named: NamedOne): Promise<ShareResult> =>
  (await find(io, reads, { kinds: ["share"], ...named })).entry as ShareResult;

/** Reads one resource. @throws FrontdoorError of a read that failed otherwise than by finding none. */
async function attempt(reads: Reads, kind: Kind, args: object): Promise<Outcome> {
  try {
    return {
      found:
        kind === "tunnel" ? { kind, entry: await reads.getTunnel(args) } : { kind, entry: await reads.getShare(args) },
    };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble?.kind !== "failed" || trouble.beforeSending) throw error;
    return { problems: [(error as Error).message] };
  }
}

/** Values by property. An entry matches if it has one of the values in each property. */
export type Filters = Record<string, string[]>;

/**
 * Returns the filters with the ids of the tunnels that `ipsecTunnelId` names. The id of a tunnel that is gone stays, if a share has it.
 * @throws FrontdoorError `failed` if there is no such tunnel and no such share.
 */
export async function withIds(io: Io, reads: Reads, filters: Filters, frontdoorId: string): Promise<Filters> {
  const { ipsecTunnelId: named } = filters;
  if (named === undefined) return filters;
  const idOf = async (text: string) => {
    try {
      return (await findTunnel(io, reads, { text, frontdoorId })).id;
    } catch (error) {
      if (troubleOf(error)?.kind !== "failed") throw error;
      const { shares } = await reads.getShares({ ipsecTunnelId: text, frontdoorId });
      if (shares.length === 0) throw error;
      return text;
    }
  };
  return { ...filters, ipsecTunnelId: await Promise.all(named.map(idOf)) };
}

/** The names of the lists. */
export type ListName = "tunnels" | "shares";

const propertiesOf: Record<ListName, string[]> = { tunnels: tunnelProperties, shares: shareProperties };

/** Returns the kinds that have all filtered properties. @throws Misuse if there are none. */
export function kindsFor(filters: Filters, kind?: ListName): ListName[] {
  const candidates = (["tunnels", "shares"] as const).filter((each) => kind === undefined || each === kind);
  const all = new Set(candidates.flatMap((each) => propertiesOf[each]));
  const unknown = Object.keys(filters).filter((property) => !all.has(property));
  if (unknown.length > 0)
    throw new Misuse(
      `--filter ${unknown.join(", ")} is no property. Use one of: ${[...all].join(", ")}. [invalid-option]`,
    );
  const matching = candidates.filter((each) => Object.keys(filters).every((one) => propertiesOf[each].includes(one)));
  if (matching.length > 0) return matching;
  throw new Misuse(
    "no tunnel or share has all the properties of these filters. Nothing was sent. Filter by properties of one kind. [invalid-option]",
  );
}

/** Returns `name` or `name,desc` in the form that lists take. @throws Misuse for any other text. */
export function orderOf(kind: ListName, text: string): string {
  const [property = "", direction = "asc", ...rest] = text.split(",");
  const isOrder = ["asc", "desc"].includes(direction) && rest.length === 0;
  if (isOrder && propertiesOf[kind].includes(property)) return `${property},${direction}`;
  throw new Misuse(
    `--sort must be <property> or <property>,desc with one of: ${propertiesOf[kind].join(", ")}. [invalid-option]`,
  );
}

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  /** True for what a replacement still has to delete. */
  delete: z.boolean().default(false),
  outputs: z.record(z.string(), z.unknown()).default({}),
});
const exported = z.object({ deployment: z.object({ resources: z.array(resource).default([]) }) });

const types = { tunnel: "IpsecTunnel", share: "IpsecShare" };

/** Returns the logical names and ids of the tunnels in the state of the selected stack. @throws Misuse if there are none. */
export async function tunnelsOfStack(io: Io, frontdoorId: string): Promise<{ name: string; id: string }[]> {
  const stack = await selectedStack(io);
  const resources = stack ? await resourcesInState(io, stack, frontdoorId) : [];
  const tunnels = resources.flatMap(({ urn, type, id }) =>
    id !== undefined && isOf(type, types.tunnel) ? [{ name: logicalNameIn(urn), id }] : [],
  );
  if (tunnels.length > 0) return tunnels;
  throw new Misuse(
    `${stack ? `stack ${stack.stack} has no tunnel of front door ${frontdoorId} in its state` : "no stack is selected in this folder"}. Nothing was sent. Run the command in the program's folder, with its stack selected. [invalid-option]`,
  );
}

/**
 * Returns the ids of the resources with this logical name in the state of a stack; a share of a set is called as in Pulumi's output,
 * `services["web"]`. Returns none if the state cannot be read: the name may be found in another way.
 */
async function idsInState(io: Io, stack: Stack, { kinds, text: name, frontdoorId }: NamedResource): Promise<string[]> {
  const resources = await resourcesInState(io, stack, frontdoorId);
  const found = resources.flatMap(({ urn, type, id, outputs }): string[] => {
    const logicalName = logicalNameIn(urn);
    if (logicalName === name && id !== undefined && kinds.some((kind) => isOf(type, types[kind]))) return [id];
    if (!kinds.includes("share") || !isOf(type, "IpsecShareSet")) return [];
    const ids = z.record(z.string(), z.string()).safeParse(outputs["ids"]).data ?? {};
    return Object.entries(ids).flatMap(([key, each]) => (keyed(logicalName, key) === name ? [each] : []));
  });
  return [...new Set(found)];
}

const isOf = (type: string, className: string) => type.endsWith(`:${className}`) && type.includes("frontdoor");
const logicalNameIn = (urn: string) => urn.split("::").slice(3).join("::");

/** Returns the resources of a front door in the state of a stack, without those that a replacement still has to delete. */
async function resourcesInState(io: Io, stack: Stack, frontdoorId: string): Promise<z.output<typeof resource>[]> {
  const resources = exported.safeParse(await exportedState(io, stack)).data?.deployment.resources ?? [];
  const isHere = ({ outputs, delete: isOld }: z.output<typeof resource>) =>
    !isOld && [undefined, frontdoorId].includes(outputs["frontdoorId"] as string | undefined);
  return resources.filter(isHere);
}
