import { DefaultFailureConverter } from "@temporalio/common";

/** Moves the messages of failures to a place where the codec also encrypts them. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
