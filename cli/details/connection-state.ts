import { isConflict, isRefused, safeText } from "../../provider/errors";
import type { Reads } from "../../provider/functions/reads";
import type { TunnelConfigResult, TunnelResult } from "../../provider/functions/results";
import { status } from "../style";

/** A tunnel's VPN connection with the time of the read. The service does not report since when a status holds. */
export interface ConnectionState extends TunnelConfigResult {
  asked: string;
}

/** Returns the connection of a tunnel; undefined if the tunnel is not ready. @throws FrontdoorError. */
export async function connectionStateOf(reads: Reads, tunnel: TunnelResult): Promise<ConnectionState | undefined> {
  const { id, frontdoorId } = tunnel;
  if (tunnel.status !== "DEPLOYED") return undefined;
  try {
    const config = await reads.getTunnelConfig({ id, frontdoorId });
    const asked = new Date().toISOString();
    const words = config.tunnels
      .flatMap(({ statusMessage = "" }) => statusMessage.split(/[\s"',;()=]+/))
      .filter(isUnusual);
    const keys = words.length === 0 ? [] : await inSample(reads, { id, frontdoorId }, words);
    const shown = (text: string) => keys.reduce((before, key) => before.replaceAll(key, "[secret]"), text);
    const tunnels = config.tunnels.map((each) =>
      each.statusMessage === undefined ? each : { ...each, statusMessage: shown(each.statusMessage) },
    );
    return { ...config, tunnels, asked };
  } catch (error) {
    // It was DEPLOYED a moment ago.
    if (isConflict(error) || isRefused(error, 404, 422)) return undefined;
    throw error;
  }
}

/** True for a word that can be a key: it is no plain word, number or address. */
const isUnusual = (word: string): boolean => word.length >= 6 && /[^A-Za-z.:-]/.test(word) && !/^[\d.:/-]+$/.test(word);

/** Returns the words that the sample configuration contains, and all of them if it cannot be read. */
async function inSample(reads: Reads, tunnel: { id: string; frontdoorId: string }, words: string[]): Promise<string[]> {
  const sample = await reads.getSampleConfig(tunnel).catch(() => undefined);
  return words.filter((word) => sample?.includes(word) ?? true);
}

/** Returns a line for each connection: its status, the age of the read, and the words of the service. */
export function connectionLines({ state, tunnels, asked }: ConnectionState): string[] {
  const age = `${Math.round((Date.now() - Date.parse(asked)) / 1000)} s ago`;
  const all = tunnels.length === 0 ? [{ status: "none" }] : tunnels;
  return all.map((each) => {
    const words = [each.statusMessage, state].filter((text) => text !== undefined && text !== "");
    const why = words.length === 0 ? "" : `: ${words.map((text) => safeText(text ?? "", 200)).join("; ")}`;
    return `${status(each.status ?? "unknown")} (asked ${age})${why}`;
  });
}
