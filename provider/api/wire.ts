import * as z from "zod";
import { idPattern } from "../config";
import { FrontdoorError } from "../errors";
import {
  emptyOf,
  type Field,
  defined,
  inOneSpelling,
  isArgument,
  isVisible,
  type Table,
  typeOf,
} from "../fields/field";
import { shareFields } from "../fields/share";
import { tunnelFields } from "../fields/tunnel";
import { entryFields } from "../fields/tunnel-connection";
import type { TunnelConfigEntry, WireShare, WireTunnel } from "../fields/types";

export type { WireShare, WireTunnel } from "../fields/types";

/** The fields that tunnels and shares have in common. */
export interface Named {
  id: string;
  status: string;
  name: string;
}

interface WithStatus {
  status: string;
}

/** True if the resource exists and is not being deleted. */
export const isPresent = (seen: WithStatus | undefined): boolean =>
  seen !== undefined && seen.status !== "DELETED" && seen.status !== "DELETING";

/** True if the work on the resource has failed. The specification shows ERROR; the vendor's clients also know the others. */
export const isFailed = ({ status }: WithStatus): boolean => ["ERROR", "FAILED", "SUSPENDED"].includes(status);

/** True if the service is at work on the resource. An unknown status means work under way. */
export const isBusy = (seen: WithStatus): boolean => !isFailed(seen) && !["DEPLOYED", "DELETED"].includes(seen.status);

/** True if only a replacement helps: the service cannot bring such a tunnel back. */
export const hasEnded = (seen: WithStatus): boolean => isFailed(seen) || !isPresent(seen);

/** A field the service may leave out, null or empty while it has no value: all three read as undefined. */
const maybe = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => (value === "" ? undefined : (value ?? undefined)), schema.optional());

/** A whole number, which some services send as text. */
export const count = z.preprocess(
  (value) => (typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value),
  z.int(),
);

/** Reads a number as text, as some services send one. */
const textOf = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => (typeof value === "number" ? String(value) : value), schema);

export const wireId = textOf(z.string().regex(idPattern));

/** Returns the answer with its known fields only. `urlPlace` is the place of Frontdoor's URL. @throws FrontdoorError `unexpected-response` that names the wrong places. */
export function checked<T>(schema: z.ZodType<T>, body: unknown, label: string, urlPlace: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const paths = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "body"))];
  throw new FrontdoorError(
    `${label}: the response has wrong or missing fields: ${paths.slice(0, 5).join(", ")}. Check the URL in ${urlPlace}. [unusable-answer]`,
    { kind: "unexpected-response", status: 200, paths, isMisfit: true },
  );
}

const deleting = z.object({ id: wireId, name: z.string().catch(""), status: z.enum(["DELETING", "DELETED"]) });

/** A text of the service that is safe to print: each control, format and direction character becomes a space. */
const printable = z.string().transform((text) => text.replace(/\p{C}/gu, " "));

/** True if the service can choose the value, so it needs cleaning. A value that always comes from a program was checked there. */
const isOfService = (field: Field): boolean => !isArgument(field) || field.visible !== "always";

/** Returns the schema that reads a value of the service, which may show a number as text. */
function readerOf(field: Field): z.ZodType {
  const type = typeOf(field);
  if (type === "number") return count;
  return type === "boolean" ? z.boolean() : isOfService(field) ? printable : z.string();
}

/**
 * Returns the schema of an entry, with the fields of the table that the service shows and no others. An entry that is DELETING or DELETED
 * may lack any of them: they read as empty.
 */
export function entryOf<Wire>(table: Table): z.ZodType<Wire> {
  const shape: Record<string, z.ZodType> = { id: wireId };
  for (const [name, field] of Object.entries(table).filter(([, field]) => isVisible(field))) {
    const reader = name.endsWith("Id") ? textOf(readerOf(field)) : readerOf(field);
    shape[name] = field.visible === "always" ? reader : maybe(reader);
  }
  const whole = z.object(shape);
  return z.preprocess((entry) => {
    if (typeof entry !== "object" || entry === null) return entry;
    const { deleted, deletedAt } = entry as { deleted?: unknown; deletedAt?: unknown };
    // Some kinds of the vendor's API say so, whatever the status.
    const isDeleted = deleted === true || (typeof deletedAt === "string" && deletedAt !== "");
    const spelled = inOneSpelling(table, isDeleted ? { ...entry, status: "DELETED" } : entry);
    const bare = deleting.safeParse(spelled);
    return bare.success && !whole.safeParse(spelled).success ? { ...emptyOf(table), ...bare.data } : spelled;
  }, whole) as unknown as z.ZodType<Wire>;
}

/**
 * Properties that the service itself manages, beside those that begin with `_`. The list is exact: a setting such as `idleTime` or
 * `expiryDate` must not be taken for one of them, because a PUT without the setting resets it.
 */
const managed = [
  ...["id", "status", "state", "statusMessage", "links", "deleted"],
  ...["createdAt", "createdBy", "updatedAt", "updatedBy", "modifiedAt", "deletedAt"],
];

/** Returns what an entry shows beyond its table, and the service does not manage itself. People can have set it in the service's console. */
export function unknownIn(table: Table, entry: object): Record<string, unknown> {
  const known = Object.entries(table).flatMap(([name, field]) =>
    isArgument(field) && field.alias !== undefined ? [name, field.alias] : [name],
  );
  const isSetting = (name: string) => !name.startsWith("_") && ![...managed, ...known].includes(name);
  return Object.fromEntries(Object.entries(entry).filter(([name, value]) => value != null && isSetting(name)));
}

/** True if the entry shows little more than that it is DELETING or DELETED. */
export const isBare = (entry: { status: string }): boolean =>
  deleting.shape.status.safeParse(entry.status).success && Object.values(entry).includes("");

/** An IPsec share as list and get show it (spec: IPsec share). */
export const wireShare = entryOf<WireShare>(shareFields);

/** An IPsec tunnel as list and get show it (spec: IPsec tunnel). */
export const wireTunnel = entryOf<WireTunnel>(tunnelFields);

/** A word such as `psk` or `pre-shared key`, with the value after it. */
const keyWord =
  /\b(psk|pre-?shared[ _-]?keys?|shared[ _-]?secret|secret|password|key)(["']?(?:\s*[:=]\s*|\s+is\s+|\s+(?=["'])))("[^"]*"|'[^']*'|\S+)/gi;
/** A long word of letters and digits that is neither a UUID nor an id, address, time or name with dots, hyphens or colons. */
const random = /(?<![\w.:+/=-])(?=[\w+/=]*\d)(?=[\w+/=]*[a-z])(?=[\w+/=]*[A-Z])[\w+/=]{16,}(?![\w.:-])/g;

/** Removes what looks like a key from the service's words on a connection: no field that is not secret may have it. */
const withoutKeys = (text: string): string => text.replace(keyWord, "$1$2[secret]").replace(random, "[secret]");

/** The last word of a line that sets a pre-shared key, and the word after `isakmp key`. */
const keyLine = /^.*\bpre-?shared[ _-]?key\b.*?(\S+)[ \t]*$|\bisakmp key (?:0 )?(\S+)/gim;
const fewestInKey = 8;

/** Returns the words of a sample configuration that look like keys, for the redaction of messages. */
export function keysIn(sample: string): string[] {
  const found = [
    ...[...sample.matchAll(keyWord)].map(([, , , value = ""]) => value),
    ...[...sample.matchAll(keyLine)].map(([, last, word]) => last ?? word ?? ""),
    ...(sample.match(random) ?? []),
  ];
  return found.map((each) => each.replace(/^["']|["';,]+$/g, "")).filter(({ length }) => length >= fewestInKey);
}

/** Several texts, of which a service can send a single one bare. */
const texts = z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(printable));
const kinds = { text: printable, texts, number: count, numbers: z.array(count) };
const fields = Object.entries(entryFields).map(([name, { type }]) => [
  name,
  maybe<unknown>(name === "statusMessage" ? printable.transform(withoutKeys) : kinds[type]),
]);
/** One connection, with only the fields that have a value. */
const connection: z.ZodType<TunnelConfigEntry> = z
  .object(Object.fromEntries(fields))
  .transform((all) => defined<object>(all));

/** The tunnel configuration (spec: Tunnel configuration). */
export const wireTunnelConfig = z.object({
  state: maybe(printable.transform(withoutKeys)),
  tunnels: z.array(connection).nullish(),
});
