import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { endianness } from "node:os";

/** An end of a connection; the address is an IPv4 address. */
export interface End {
  address: string;
  port: number;
}

type Ends = Pick<Socket, "remoteAddress" | "remotePort" | "localAddress" | "localPort">;

/** The kernel's tables of TCP connections: those of IPv4 sockets, and those of IPv6 sockets. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"] as const;

/** The states in which the kernel names the user for certain: for a closed socket it names user 0. */
const states = { established: "01", listening: "0A" };

/** The first bytes of an IPv6 address that stands for an IPv4 address (RFC 4291, section 2.5.5.2). */
const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** Returns the user id that a table names for the connection from `peer` to `own`; undefined if the table does not have the connection. */
export function userOf(table: string, peer: End, own: End): number | undefined {
  const [peerSpellings, ownSpellings] = [spellings(peer), spellings(own)];
  const isPeers = (row: string[]) =>
    [0, 1].some((family) => row[1] === peerSpellings[family] && row[2] === ownSpellings[family]);
  return userIn(table, (row) => row[3] === states.established && isPeers(row));
}

function userIn(table: string, isMeant: (row: string[]) => boolean): number | undefined {
  const row = table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(isMeant);
  return row?.[7] === undefined ? undefined : Number(row[7]);
}

/** Reads the kernel's tables once for each answer. A read can miss a row, because the kernel does not write the tables at once. */
export interface PeerCheck {
  /** True if this process's user opened the connection. Without the kernel's tables, as outside Linux, always true. */
  isOwn: (socket: Ends) => boolean;
  /** False if the tables do not name this process's user as the owner of its own listener. Then they tell nothing about others. */
  hasOwners: (listener: End) => boolean;
}

export function peerCheck(read = (path: string) => readFileSync(path, "utf8"), user = process.geteuid?.()): PeerCheck {
  const textOf = (path: string) => {
    try {
      return read(path);
    } catch {
      return undefined;
    }
  };
  // Only the start decides: later a stranger could make reading fail by opening many connections.
  if (textOf(tables[0]) === undefined) return { isOwn: () => true, hasOwners: () => false };
  return {
    isOwn: ({ remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 }) => {
      const [peer, own] = [
        { address: remoteAddress, port: remotePort },
        { address: localAddress, port: localPort },
      ];
      const found = tables.map((path) => userOf(textOf(path) ?? "", peer, own)).find((each) => each !== undefined);
      return found !== undefined && found === user;
    },
    hasOwners: (listener) => {
      const table = textOf(tables[0]);
      const isListener = (row: string[]) => row[3] === states.listening && row[1] === spellings(listener)[0];
      return table === undefined || userIn(table, isListener) === user;
    },
  };
}

/** An end as the tables of IPv4 and of IPv6 sockets show it: 32-bit words in this machine's byte order. */
function spellings({ address, port }: End): [string, string] {
  const bytes = address.split(".").map(Number);
  const hex = (all: number[]) => {
    const words = Buffer.from(all);
    return (endianness() === "LE" && words.length % 4 === 0 ? words.swap32() : words).toString("hex").toUpperCase();
  };
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return [hex(bytes) + suffix, hex([...mappedPrefix, ...bytes]) + suffix];
}
