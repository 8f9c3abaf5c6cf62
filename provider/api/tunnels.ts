import * as z from "zod";
import { tunnelFields } from "../fields/tunnel";
import { entryFields } from "../fields/tunnel-config";
import type { TunnelConfigEntry, WireTunnel } from "../fields/types";
import { entryOf, maybe, printable } from "./wire";

/** An IPsec tunnel as list and get show it (spec: IPsec tunnel). */
export const wireTunnel = entryOf<WireTunnel>(tunnelFields);

/** A word such as `psk` or `pre-shared key`, with the value after it. */
const named =
  /\b(psk|pre-?shared[ _-]?keys?|shared[ _-]?secret|secret|password|key)(["']?(?:\s*[:=]\s*|\s+is\s+|\s+(?=["'])))("[^"]*"|'[^']*'|\S+)/gi;
/** A long word of letters and digits that is neither a UUID nor an id, address, time or name with dots, hyphens or colons. */
const random = /(?<![\w.:+/=-])(?=[\w+/=]*\d)(?=[\w+/=]*[a-z])(?=[\w+/=]*[A-Z])[\w+/=]{16,}(?![\w.:-])/g;

/** Removes what looks like a key from the service's words on a connection: no field that is not secret may have it. */
const withoutKeys = (text: string): string => text.replace(named, "$1$2[secret]").replace(random, "[secret]");

const kinds = { text: printable, texts: z.array(printable), number: z.int(), numbers: z.array(z.int()) };
const fields = Object.entries(entryFields).map(([name, { type }]) => [
  name,
  maybe<unknown>(name === "statusMessage" ? printable.transform(withoutKeys) : kinds[type]),
]);
/** One connection, with only the fields that have a value. */
const entry: z.ZodType<TunnelConfigEntry> = z
  .object(Object.fromEntries(fields))
  .transform((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

/** The tunnel configuration (spec: Tunnel configuration). */
export const wireTunnelConfig = z.object({
  state: maybe(printable.transform(withoutKeys)),
  tunnels: z.array(entry).nullish(),
});
