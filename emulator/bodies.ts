import { BlockList, isIPv4 } from "node:net";
import * as z from "zod";
import { invalid } from "./http";
import type { Settings } from "./settings";

/* The message of each check is the `<type>` that the spec's 400 names. */

export const text = z.string({ error: "string" }).min(1, { error: "string" });
export const ipv4 = text.refine(isIPv4, { error: "IPv4 address" });
export const cidr = text.refine(isCidr, { error: "IPv4 CIDR block" });
export const hostAndPort = text.refine(isHostAndPort, { error: "host:port" });

/** Spec: the name of a share. */
export const shareName = text
  .max(63, { error: "string of 1 to 63 characters" })
  .regex(/^[A-Za-z0-9-]+$/, { error: "string of letters, digits and hyphens" })
  .regex(/^[^-]/, { error: "string that does not start with a hyphen" })
  .regex(/[^-]$/, { error: "string that does not end with a hyphen" });

/** Accepts read-only fields, because clients send back whole resources. */
const readOnly = ["id", "frontdoorId", "status", "envId", "nlbDnsName", "vpnConnectionId"];

/** Returns the properties that the schema knows. A `locationId` of null is left out, or kept. @throws Refusal for a wrong one. */
export function readBody<Body>(
  settings: Settings,
  schema: z.ZodObject & z.ZodType<Body>,
  body: unknown,
  nullLocation: "drop" | "keep",
): Body {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid(settings, "body", "JSON object");
  }
  const { envId, ...rest } = body as Record<string, unknown>;
  const properties: Record<string, unknown> = rest;
  if ("envZId" in schema.shape && envId !== undefined) {
    if (properties["envZId"] !== undefined && properties["envZId"] !== envId && settings.bothEnvIds === "refused") {
      throw invalid(settings, "envId", "string equal to envZId");
    }
    properties["envZId"] ??= envId;
  }
  if (properties["locationId"] === null) {
    if (settings.nullLocation === "refused") throw invalid(settings, "locationId", "string");
    if (nullLocation === "drop") delete properties["locationId"];
  }
  const known = [...Object.keys(schema.shape), ...readOnly];
  const stray = Object.keys(properties).find((key) => !known.includes(key));
  if (stray !== undefined && settings.unknownProperty === "refused") throw invalid(settings, stray, "known property");
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(settings, String(issue?.path[0] ?? "body"), issue?.message ?? "JSON object");
}

function isCidr(value: string): boolean {
  const [, address = "", length = ""] = /^([0-9.]+)\/([0-9]|[12][0-9]|3[0-2])$/.exec(value) ?? [];
  return length !== "" && isIPv4(address);
}

export function hasHostBits(value: string): boolean {
  const [address = "", length = "32"] = value.split("/");
  const bits = address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
  return bits % 2 ** (32 - Number(length)) !== 0;
}

function isHostAndPort(value: string): boolean {
  const [, port = ""] = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})$/.exec(value) ?? [];
  return port !== "" && Number(port) >= 1 && Number(port) <= 65535;
}

/** Documentation ranges count as public, because examples use them. */
export const notPublic = new BlockList();
for (const [net, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  notPublic.addSubnet(net, length);
}
