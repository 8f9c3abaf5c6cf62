/** Parts of `lostAfterSeconds` without an answer of Temporal's: after the first an engine is ended in order, after the last it is killed. */
export const firstPart = 0.5;
export const lastPart = 0.75;
