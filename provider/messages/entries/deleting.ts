import type { Entry } from "../entry";

export const deleting: readonly Entry[] = [
  {
    code: "tunnel-in-use",
    meaning: "Shares still use the tunnel.",
    cause:
      "The service deletes a tunnel only when no share uses it. A share that is in none of your states can belong to another team.",
    remedies: [
      "Delete the shares that the message names, or move them to another tunnel.",
      "If an interrupted run may have created them, run `pulumi up` with the tunnel unchanged.",
    ],
  },
  {
    code: "deleted-with-tunnel",
    meaning: "The provider deleted a share of this stack with its tunnel.",
    cause: "An interrupted run created the share, and the state does not have it.",
    remedies: ["Do nothing: if the program declares the share, the provider creates it on the new tunnel."],
  },
  {
    code: "not-deleted",
    meaning: "The service has not deleted the resource.",
    cause: "The service reports ERROR, or the deadline passed. The resource stays in the state.",
    remedies: ["Run the command again.", "Raise `customTimeouts.delete` with `pulumi up` before you delete."],
  },
  {
    code: "not-deleted-owned",
    meaning: "The resource stays at the service, because another resource of the program has its id now.",
    cause: "You renamed or moved the resource, and the new one owns it.",
    remedies: ["Do nothing: this is a notice."],
  },
];
