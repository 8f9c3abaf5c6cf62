// Times that the fleet file, the workflow and the workers share. The workflow imports this file, so it has no imports of Node's.

export const timeoutKey = "frontdoor:requestTimeout";
/** Not below the provider's own default. */
const defaultTimeoutSeconds = 40;

/** Returns how long a create of a stack can take effect after its engine was lost: the request itself, and 12 s until lists show it. */
export const settleSeconds = ({ config }: { config: Record<string, string> }): number =>
  Math.ceil(Number(config[timeoutKey] ?? defaultTimeoutSeconds)) + 12;

/** Parts of `lostAfterSeconds` without an answer of Temporal's: after the first an engine is ended in order, after the last it is killed. */
export const interruptFraction = 0.5;
export const killFraction = 0.75;

/** Returns the id of a fleet's runs, so that only one of them runs at a time. It is also the name of the fleet's task queue. */
export const runId = (fleet: string): string => `frontdoor-fleet/${fleet}`;
