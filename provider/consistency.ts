/**
 * Every number about the service's time. Two facts are assumed (docs/reference/assumptions.md), and `pulumi-frontdoor verify` measures them:
 * what a reading can lack, and how late a request can take effect. All else follows from them, or only saves requests.
 */

/** A read or a list can lag behind a write by this long. What this run has freed can show for so long. */
export const lagMs = 30_000;

/** A request can take effect this long after its limit. */
export const lateEffectMs = 12_000;

/** Returns how long after its send a request whose answer was lost can take effect, and a reading can lag behind that. */
export const settlesAfterMs = (requestTimeoutMs: number): number => requestTimeoutMs + lateEffectMs + lagMs;

/**
 * The status can change this long after the values of an accepted write show. So DEPLOYED counts only after this time if the service has
 * shown no other status since the write.
 */
export const statusLagMs = 3_000;

/** Transient trouble may keep the details of a DEPLOYED tunnel from being read for this long. */
export const detailsMs = 300_000;

/** An older creation record only names its resource in an error, because another stack can have adopted the resource. */
export const recordLastsMs = 24 * 3_600_000;

/** A step that Pulumi has not started after this time waits for another step, or never starts because another step has failed. */
export const startsWithinMs = 30_000;

// Requests that waits and questions share

/** The last poll of a wait begins at its deadline and has this long. */
export const lastPollMs = 2_000;

/** The pause after a poll that ended no wait, for waits that begin then. */
export const tightestPauseMs = 500;

/** For so long, a wait for a new id asks lists only: most services show the id there by then. */
export const listsOnlyMs = 5_000;

/** The time in which questions are gathered. Pulumi asks about parallel resources within some milliseconds. */
export const gatherMs = 20;

/** For so long, one list answers the questions of a refresh. An older one may lack entries that others have created. */
export const freshMs = 3_000;
