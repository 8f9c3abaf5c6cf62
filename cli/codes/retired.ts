/** The codes of messages that are no longer sent. A code never gets another meaning. */
export const retired: readonly string[] = [
  "deleted-with-tunnel",
  "emulator-selected",
  "foreign-answer",
  "front-door-empty",
  "other-user",
  "settings-differ",
  "shown-differently",
  "stale-creation-record",
];
