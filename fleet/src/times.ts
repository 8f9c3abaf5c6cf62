// Times that the fleet file, the workflow and the workers share. The workflow imports this file, so it has no imports of Node's.

export const timeoutKey = "frontdoor:requestTimeout";

/** Parts of `lostAfterSeconds` without an answer of Temporal's: after the first an engine is ended in order, after the last it is killed. */
export const interruptFraction = 0.5;
export const killFraction = 0.75;

/** Returns the id of a fleet's runs, so that only one of them runs at a time. It is also the name of the fleet's task queue. */
export const runId = (fleet: string): string => `frontdoor-fleet/${fleet}`;
