import type { FleetStack } from "./fleet.ts";

export const timeoutKey = "frontdoor:requestTimeout";
/** Not below the provider's own default. */
const defaultTimeoutSeconds = 40;

/** Returns how long a create of a stack can take effect after its engine was lost: the request itself, and 12 s until lists show it. */
export const settleSeconds = ({ config }: Pick<FleetStack, "config">): number =>
  Math.ceil(Number(config[timeoutKey] ?? defaultTimeoutSeconds)) + 12;
