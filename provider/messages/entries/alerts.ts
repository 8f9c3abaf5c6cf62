import type { Entry } from "../entry";

export const alerts: readonly Entry[] = [
  {
    code: "webhook-secret-missing",
    meaning: "`frontdoor watch --webhook` has no secret.",
    cause: "The secret signs each alert, so that the receiver can trust it.",
    remedies: ["Set `FRONTDOOR_WEBHOOK_SECRET` to a long random text that the receiver also knows."],
  },
  {
    code: "webhook-failed",
    meaning: "The receiver of the alerts did not take an alert.",
    cause: "The receiver is away, or it answered with another status than 2xx.",
    remedies: ["Check the receiver. The command keeps the alert and tries again."],
  },
  {
    code: "watch-running",
    meaning: "Another `frontdoor watch` already sends these alerts.",
    cause: "Two commands with the same state folder, front door and webhook would send each alert twice.",
    remedies: ["End the other process.", "Omit `--webhook`.", "Use another webhook, or another `FRONTDOOR_STATE_DIR`."],
  },
  {
    code: "watch-state-unusable",
    meaning: "`frontdoor watch` cannot use the file of its alerts.",
    cause: "The file is broken, the folder is full, or another user can change it. The message holds the reason.",
    remedies: [
      "Set `FRONTDOOR_STATE_DIR` to a folder that only you can write to.",
      "Remove the file in the message: the command then repeats the alerts for each connection that is DOWN and each resource in ERROR.",
    ],
  },
];
