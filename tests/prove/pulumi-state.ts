import { type Entry, heldIn } from "../harness/state";
import { Secret } from "../model/adapter";
import { type Kind, typeTokens } from "../model/program";
import type { Kept } from "../model/state";

const dynamic = "pulumi-nodejs:dynamic/frontdoor:";
const plugin = "frontdoor:index:";

/** Translates a URN or type to the plugin's. Programs and checks use those of the dynamic provider. */
export const asPlugin = (urn: string): string => urn.replaceAll(dynamic, plugin);
const asDynamic = (urn: string) => urn.replaceAll(plugin, dynamic);

/** The resources in a state of Pulumi, in the form of the model's state. */
export function keptIn(text: string): Kept[] {
  const { entries } = heldIn(text);
  return entries.filter((each) => !each.pendingReplacement).map((entry) => keptOf(entry, entries));
}

function keptOf(entry: Entry, entries: readonly Entry[]): Kept {
  const { id, inputs, outputs, initErrors = [] } = entry;
  const urn = asDynamic(entry.urn);
  const tunnel = entries.find((each) => each.id === inputs["ipsecTunnelId"] && each.urn.includes("IpsecTunnel::"));
  return {
    ...{ urn, id, kind: kindOf(urn), inputs: plainOf(inputs), outputs: plainOf(outputs) },
    ...{ isPartial: initErrors.length > 0, on: tunnel && asDynamic(tunnel.urn) },
    ...(entry.delete && { delete: true }),
  };
}

const kindOf = (urn: string): Kind => {
  const [found = "shares"] = (Object.keys(typeTokens) as Kind[]).filter((kind) =>
    urn.includes(`${typeTokens[kind]}::`),
  );
  return found;
};

const plainOf = (props: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, isSecret(value) ? new Secret("") : value]));

const isSecret = (value: unknown) => typeof value === "object" && value !== null && "ciphertext" in value;
