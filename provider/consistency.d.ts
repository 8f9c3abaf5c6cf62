/**
 * Every number about the service's time. Two facts are assumed (docs/reference/assumptions.md), and `pulumi-frontdoor verify` measures them:
 * what a reading can lack, and how late a request can take effect. All else follows from them, or only saves requests.
 */
/** A read or a list can lag behind a write by this long. What this run has freed can show for so long. */
export declare const lagMs = 30000;
/** A request can take effect this long after its limit. */
export declare const lateEffectMs = 12000;
/** Returns how long after its send a request whose answer was lost can take effect, and a reading can lag behind that. */
export declare const settlesAfterMs: (requestTimeoutMs: number) => number;
/**
 * The status can change this long after the values of an accepted write show. So DEPLOYED counts only after this time if the service has
 * shown no other status since the write.
 */
export declare const statusLagMs = 3000;
/** Transient trouble may keep the details of a DEPLOYED tunnel from being read for this long. */
export declare const detailsMs = 300000;
/** An older creation record only names its resource in an error, because another stack can have adopted the resource. */
export declare const recordLastsMs: number;
/** A step that Pulumi has not started after this time waits for another step, or never starts because another step has failed. */
export declare const startsWithinMs = 30000;
/** The last poll of a wait begins at its deadline and has this long. */
export declare const lastPollMs = 2000;
/** The pause after a poll that ended no wait, for waits that begin then. */
export declare const tightestPauseMs = 500;
/** For so long, a wait for a new id asks lists only: most services show the id there by then. */
export declare const listsOnlyMs = 5000;
/** The time in which questions are gathered. Pulumi asks about parallel resources within some milliseconds. */
export declare const gatherMs = 20;
/** For so long, one list answers the questions of a refresh. An older one may lack entries that others have created. */
export declare const freshMs = 3000;
