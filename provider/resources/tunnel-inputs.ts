import * as z from "zod";
import { networkOf } from "../addresses";
import type { WireTunnel } from "../api/types";
import type { TunnelArgs } from "./args";
import type { Shape } from "./check";
import * as fields from "./fields";
import { type Planned, UNKNOWN } from "./lifecycle";
import type { TunnelConfig } from "./tunnel-details";

/** What each input has to be; a new one does not compile without. */
export const tunnelShape = {
  peerPublicIp: fields.publicIpv4,
  peerCidr: fields.network,
  name: fields.tunnelName.optional(),
  locationId: fields.label("a location id").optional(),
  nlbPrivateIp: fields.privateIpv4.optional(),
  frontdoorId: fields.id("a front door id").optional(),
  storeSampleConfig: z.boolean("must be true or false").optional(),
  adopt: fields.id("the id of an existing tunnel").optional(),
} satisfies Shape<TunnelArgs>;

/** What check has made of it: name and front door are there. */
export type TunnelInputs = TunnelArgs & { name: string; frontdoorId: string };

/** What the state keeps (contract: Resources). */
export interface TunnelOutputs {
  name: string;
  frontdoorId: string;
  locationId?: string;
  status: string;
  peerPublicIp: string;
  peerCidr: string;
  nlbPrivateIp?: string;
  nlbDnsName?: string;
  vpnConnectionId?: string;
  tunnelConfig?: TunnelConfig;
  sampleConfig?: string;
  /** Optional inputs that the user has set; undefined in states of versions that did not note it. */
  __set?: (typeof optional)[number][];
}

/** Optional inputs whose values are outputs too, or told by them. */
const optional = ["locationId", "nlbPrivateIp", "storeSampleConfig"] as const;

/** What the state notes of optional inputs; `storeSampleConfig` where it is not the default. */
export const setBy = (inputs: TunnelInputs): TunnelOutputs["__set"] =>
  optional.filter((key) => inputs[key] !== undefined && inputs[key] !== true);

/** The inputs that the state's outputs stand for; undefined where it does not tell which were set. */
export function inputsOf(outputs: TunnelOutputs): Partial<TunnelInputs> | undefined {
  const { name, frontdoorId, peerPublicIp, peerCidr, __set: set } = outputs;
  if (!set) return undefined;
  const values = { ...outputs, storeSampleConfig: false };
  return {
    ...{ name, frontdoorId, peerPublicIp, peerCidr },
    ...Object.fromEntries(set.map((key) => [key, values[key]])),
  };
}

/** What every tunnel is asked for with, in canonical form. */
export function required(from: object): unknown[] {
  const { name, peerPublicIp, peerCidr } = from as TunnelInputs;
  return [name, peerPublicIp, networkOf(peerCidr) ?? peerCidr];
}

const onChange = {
  peerPublicIp: "replace",
  peerCidr: "replace",
  name: "replace",
  locationId: "replace",
  nlbPrivateIp: "replace",
  frontdoorId: "replace",
  storeSampleConfig: "update",
  adopt: "ignore",
} as const satisfies Record<keyof TunnelArgs, "replace" | "update" | "ignore">;

const isReplacing = (key: keyof typeof onChange): key is Exclude<typeof key, "storeSampleConfig" | "adopt"> =>
  onChange[key] === "replace";

/** The inputs in which a tunnel and a program differ, by what a change of each does. */
export function changedInputs(olds: TunnelOutputs, news: Planned<TunnelInputs>) {
  const changed = (Object.keys(onChange) as (keyof typeof onChange)[]).filter((key) => differs(key, olds, news));
  return { changed, replaces: changed.filter(isReplacing) };
}

/** True where the state notes that the user had it otherwise with the sample configuration. */
export const isOtherwiseStored = (
  { __set: set }: TunnelOutputs,
  { storeSampleConfig }: Planned<TunnelInputs>,
): boolean => set !== undefined && set.includes("storeSampleConfig") !== (storeSampleConfig === false);

function differs(key: keyof typeof onChange, olds: TunnelOutputs, news: Planned<TunnelInputs>): boolean {
  const value = news[key];
  if (key === "adopt") return false;
  if (key === "storeSampleConfig") return (value !== false) !== (olds.sampleConfig !== undefined);
  // An input that is left out is not managed: what the tunnel has stays.
  if (value === undefined) return false;
  return key === "peerCidr" && value !== UNKNOWN
    ? networkOf(String(value)) !== networkOf(olds.peerCidr)
    : value !== olds[key];
}

/**
 * What the state keeps of what the service shows; the details of a deployed tunnel come with other reads. Not every answer tells
 * the two fields that can't change while the tunnel stands: then what was known of them holds.
 */
export function outputsOf(
  { id: _id, ...fields }: WireTunnel,
  {
    frontdoorId,
    locationId,
    nlbPrivateIp,
    __set,
  }: Pick<TunnelOutputs, "frontdoorId" | "locationId" | "nlbPrivateIp" | "__set">,
): TunnelOutputs {
  return {
    frontdoorId,
    ...fields,
    locationId: fields.locationId ?? locationId,
    nlbPrivateIp: fields.nlbPrivateIp ?? nlbPrivateIp,
    __set,
  };
}
