import { isConflict, isRefused, safeText, troubleOf } from "../provider/errors";
import type { TunnelConfigResult, TunnelResult } from "../provider/functions/args";
import type { Reads } from "../provider/functions/functions";
import { connectionOf, type ConnectionOptions, reading } from "./connection";
import { findShare, findTunnel } from "./find";
import { tableText } from "./lists";
import { columns, print, printJson, status, styled } from "./output";

export interface DetailsOptions extends ConnectionOptions {
  json?: true;
}

/** Prints a tunnel, its connection and the shares on it. */
export async function showTunnel(text: string, options: DetailsOptions): Promise<void> {
  const { config, frontdoorId } = await connectionOf(options, process.env);
  await reading(config, async (reads) => {
    const tunnel = await findTunnel(reads, text, frontdoorId);
    const [connection, { shares }] = await Promise.all([
      connectionStateOf(reads, tunnel),
      reads.getShares({ ipsecTunnelId: tunnel.id, frontdoorId, sort: "ingressPort,asc" }),
    ]);
    if (options.json) {
      printJson({ tunnel, connection: connection ?? null, shares });
      return;
    }
    print(columns([...rowsOf(tunnel), ...connectionRows(connection)]));
    const present = shares.filter((share) => share.status !== "DELETED");
    if (present.length > 0) print(`\n${tableText("shares", present)}`);
  });
}

/** Prints a share, the address at which you reach it, and its tunnel's connection. */
export async function showShare(text: string, options: DetailsOptions): Promise<void> {
  const { config, frontdoorId } = await connectionOf(options, process.env);
  await reading(config, async (reads) => {
    const share = await findShare(reads, text, frontdoorId);
    const tunnel = await tunnelOf(reads, share.ipsecTunnelId, frontdoorId);
    const connection = tunnel && (await connectionStateOf(reads, tunnel));
    if (options.json) {
      printJson({ share, tunnel: tunnel ?? null, connection: connection ?? null });
      return;
    }
    const host = tunnel?.nlbDnsName ?? tunnel?.nlbPrivateIp;
    const of = tunnel ? `${safeText(tunnel.name, 80)}, ${status(tunnel.status)}` : "no tunnel has this id";
    print(
      columns([
        ...rowsOf(share),
        row("tunnel", of),
        ...(host ? [row("reached at", `${safeText(host, 260)}:${share.ingressPort}`)] : []),
        ...connectionRows(connection),
      ]),
    );
  });
}

/** Returns the tunnel of a share; undefined if the front door no longer has the tunnel. */
async function tunnelOf(reads: Reads, id: string, frontdoorId: string): Promise<TunnelResult | undefined> {
  try {
    return await reads.getTunnel({ id, frontdoorId });
  } catch (error) {
    if (troubleOf(error)?.kind === "failed" || isRefused(error, 404)) return undefined;
    throw error;
  }
}

const row = (name: string, text: string): string[] => [styled("bold", name), text];

const rowsOf = (entry: object): string[][] =>
  Object.entries(entry)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => row(name, name === "status" ? status(String(value)) : safeText(String(value))));

const connectionRows = (connection: ConnectionState | undefined): string[][] =>
  connection === undefined
    ? []
    : connectionLines(connection).map((line, index) => row(index ? "" : "connection", line));

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
