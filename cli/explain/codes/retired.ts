/** The codes of messages that are no longer sent. A code never gets another meaning. */
export const retired: readonly string[] = [
  "deleted-with-tunnel",
  "emulator-selected",
  "foreign-answer",
  "front-door-empty",
  "impact-outside-window",
  "impact-too-long",
  "no-series",
  "other-user",
  "settings-differ",
  "shown-differently",
  "stale-creation-record",
  "watch-running",
  "watch-state-unusable",
  "webhook-failed",
  "webhook-secret-missing",
];
