import { isRefused, safeText, troubleOf } from "../../provider/errors";
import type { Reads } from "../../provider/functions/reads";
import type { TunnelResult } from "../../provider/functions/results";
import { type ConnectionOptions, connectionOf, reading } from "../connection";
import { findShare, findTunnel } from "../find";
import { tableText } from "../lists/text";
import { print, printJson } from "../output";
import { status, styled } from "../style";
import { columns } from "../table";
import { type ConnectionState, connectionLines, connectionStateOf } from "./connection-state";

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
