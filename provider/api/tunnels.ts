import * as z from "zod";
import { tunnelFields } from "../fields/tunnel";
import { entryFields } from "../fields/tunnel-config";
import type { TunnelConfigEntry, WireTunnel } from "../fields/types";
import { entryOf, maybe, printable } from "./wire";

/** An IPsec tunnel as list and get show it (spec: IPsec tunnel). */
export const wireTunnel = entryOf<WireTunnel>(tunnelFields);

const kinds = { text: printable, texts: z.array(printable), number: z.int(), numbers: z.array(z.int()) };
const fields = Object.entries(entryFields).map(([name, { type }]) => [name, maybe<unknown>(kinds[type])]);
/** One connection, with only the fields that have a value. */
const entry: z.ZodType<TunnelConfigEntry> = z
  .object(Object.fromEntries(fields))
  .transform((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

/** The tunnel configuration (spec: Tunnel configuration). */
export const wireTunnelConfig = z.object({ state: maybe(printable), tunnels: z.array(entry).nullish() });
