import { DefaultFailureConverter } from "@temporalio/common";

/** Puts messages of failures where the codec encrypts them, too. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
