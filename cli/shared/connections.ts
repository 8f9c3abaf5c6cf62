import { isFailed } from "../../provider/api/wire";
import { asReason, isRefused, safeText, troubleOf } from "../../provider/errors";
import { failedTunnelRule, firstOf } from "../../provider/messages";
import type { TunnelConfigResult, TunnelResult } from "../../provider/functions/args";
import type { Reads } from "../../provider/functions/functions";
import type { Clock } from "../../provider/time";
import { status as styledStatus } from "./output";
import { connectionsAtOnce, isWithoutConnection, stateOf } from "./monitor";

/** A tunnel's VPN connection with the time of the read. The service does not report since when a status holds. */
export interface ConnectionState extends TunnelConfigResult {
  asked: string;
}

/** A tunnel, by its front door. */
type TunnelRef = Pick<TunnelResult, "id" | "status" | "frontdoorId">;

/** Returns the connection of a tunnel; undefined if the tunnel is not ready, or Frontdoor shows none. @throws FrontdoorError. */
export async function connectionStateOf(
  clock: Clock,
  reads: Reads,
  { id, status, frontdoorId }: TunnelRef,
): Promise<ConnectionState | undefined> {
  if (status !== "DEPLOYED") return undefined;
  try {
    const config = await configurations(reads)({ id, frontdoorId });
    return { ...config, asked: new Date(clock.wall()).toISOString() };
  } catch (error) {
    if (isWithoutConnection(error)) return undefined;
    throw error;
  }
}

/**
 * Returns a function that reads the configuration of a tunnel, with `[secret]` in place of a key that the service puts into its words. The
 * function reads the sample configuration for that, once for words that stay the same. @throws FrontdoorError.
 */
export function configurations(
  reads: Pick<Reads, "getTunnelConfig" | "getSampleConfig">,
): (tunnel: { id: string; frontdoorId: string }) => Promise<TunnelConfigResult> {
  const judged = new Map<string, { text: string; keys: string[] }>();
  return async (tunnel) => {
    const config = await reads.getTunnelConfig(tunnel);
    const words = config.tunnels
      .flatMap(({ statusMessage = "" }) => statusMessage.split(/[\s"',;()=]+/))
      .filter(isUnusual);
    const text = words.join(" ");
    if (judged.get(tunnel.id)?.text !== text)
      judged.set(tunnel.id, { text, keys: text === "" ? [] : await inSample(reads, tunnel, words) });
    const { keys = [] } = judged.get(tunnel.id) ?? {};
    const shown = (message: string) => keys.reduce((before, key) => before.replaceAll(key, "[secret]"), message);
    const tunnels = config.tunnels.map((each) =>
      each.statusMessage === undefined ? each : { ...each, statusMessage: shown(each.statusMessage) },
    );
    return { ...config, tunnels };
  };
}

/** True for a word that can be a key: it is no plain word, number or address. */
const isUnusual = (word: string): boolean => word.length >= 6 && /[^A-Za-z.:-]/.test(word) && !/^[\d.:/-]+$/.test(word);

/** Returns the words that the sample configuration contains, and all of them if it cannot be read. */
async function inSample(
  reads: Pick<Reads, "getSampleConfig">,
  tunnel: { id: string; frontdoorId: string },
  words: string[],
): Promise<string[]> {
  const sample = await reads.getSampleConfig(tunnel).catch(() => undefined);
  return words.filter((word) => sample?.includes(word) ?? true);
}

/** The connection of a DEPLOYED tunnel. */
export interface Connected {
  /** Undefined if the service names none. */
  status?: "UP" | "DOWN";
  /** The words of the service. */
  message?: string;
  /** Why the connection could not be read. */
  trouble?: string;
}

/** Returns the connections of the tunnels that are DEPLOYED, by tunnel id. Once a read gets no answer, the rest is not read. */
export async function connectionsOf(reads: Reads, tunnels: readonly TunnelRef[]): Promise<Map<string, Connected>> {
  const found = new Map<string, Connected>();
  const rest = tunnels.filter((tunnel) => tunnel.status === "DEPLOYED");
  const work = async () => {
    for (let tunnel = rest.shift(); tunnel; tunnel = rest.shift())
      try {
        found.set(tunnel.id, stateOf(await configurations(reads)(placeOf(tunnel))));
      } catch (error) {
        const trouble = troubleOf(error);
        if (!trouble) throw error;
        const hasLeft = isGone(error) || (isWithoutConnection(error) && (await hasLeftDeployed(reads, tunnel)));
        found.set(tunnel.id, hasLeft ? {} : { trouble: asReason((error as Error).message) });
        if (["unreachable", "timed-out"].includes(trouble.kind)) rest.length = 0;
      }
  };
  await Promise.all(Array.from({ length: connectionsAtOnce }, work));
  return found;
}

const placeOf = ({ id, frontdoorId }: TunnelRef) => ({ id, frontdoorId });

/** True if a read shows that the tunnel has left DEPLOYED since it was listed, or is gone. */
const hasLeftDeployed = (reads: Reads, tunnel: TunnelRef): Promise<boolean> =>
  reads.getTunnel(placeOf(tunnel)).then(
    ({ status }) => status !== "DEPLOYED",
    (error: unknown) => isGone(error) || isRefused(error, 404),
  );

/** True if the list of the front door lacks the tunnel that was read. */
const isGone = (error: unknown): boolean => troubleOf(error)?.kind === "failed";

/** Returns a line for each connection: its status, the age of the read, and the words of the service. */
export function connectionLines(clock: Clock, { state, tunnels, asked }: ConnectionState): string[] {
  const age = `${Math.round((clock.wall() - Date.parse(asked)) / 1000)} s ago`;
  const all = tunnels.length === 0 ? [{ status: "none" }] : tunnels;
  return all.map((each) => {
    const words = [each.statusMessage, state].filter((text) => text !== undefined && text !== "");
    const why = words.length === 0 ? "" : `: ${words.map((text) => safeText(text ?? "", 200)).join("; ")}`;
    return `${styledStatus(each.status ?? "unknown")} (asked ${age})${why}`;
  });
}

/** Returns what to do about what has failed or is DOWN, with the ids. */
export function remediesFor(problems: { kind: string; id: string; status: string }[]): string[] {
  const idsOf = (isMeant: (each: (typeof problems)[number]) => boolean) =>
    firstOf(
      problems.filter(isMeant).map(({ id }) => id),
      3,
    ).join(", ");
  const rows: [ids: string, remedy: (ids: string) => string][] = [
    [
      idsOf(({ status, kind }) => status === "SUSPENDED" && kind === "share"),
      (ids) => `First ask NetFoundry why ${ids} is SUSPENDED.`,
    ],
    [idsOf((each) => isFailed(each) && each.kind === "tunnel"), (ids) => `For ${ids}: ${failedTunnelRule}`],
    [
      idsOf((each) => isFailed(each) && each.kind === "share"),
      (ids) => `\`pulumi up --refresh\` sends ${ids} again: first check its target.`,
    ],
    [
      problems.find(({ status }) => status === "DOWN")?.id ?? "",
      (id) => `\`npx pulumi-frontdoor tunnel ${id}\` shows why Frontdoor calls it DOWN.`,
    ],
  ];
  return rows.flatMap(([ids, remedy]) => (ids === "" ? [] : remedy(ids)));
}

/** Returns how many have each status. */
export function numbersOf(all: { status: string }[]): Record<string, number> {
  const numbers = new Map<string, number>();
  for (const { status } of all) numbers.set(status, (numbers.get(status) ?? 0) + 1);
  return Object.fromEntries(numbers);
}

/** `3 DEPLOYED, 1 NEW` */
export const counts = (all: { status: string }[], none = "nothing on it"): string =>
  Object.entries(numbersOf(all))
    .map(([text, number]) => `${number} ${safeText(text, 30)}`)
    .join(", ") || none;
