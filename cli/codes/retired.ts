/** The codes of messages that are no longer sent. A code never gets another meaning. */
export const retired: readonly string[] = ["other-user", "settings-differ"];
