import type { Entry } from "../entry";

export const updating: readonly Entry[] = [
  {
    code: "tunnel-missing",
    meaning: "The tunnel of the share does not exist, or is being deleted.",
    cause: "The id is mistyped, someone deleted the tunnel outside Pulumi, or `--target` left its replacement out.",
    remedies: [
      "Correct `ipsecTunnelId`. Run `frontdoor tunnels` to list the ids.",
      "If the program has the tunnel, run `pulumi up --refresh` for the whole program.",
    ],
  },
  {
    code: "set-incomplete",
    meaning: "Some shares of a set have failed.",
    cause:
      "The message has short reasons for two of the failed keys. The log above it has the full reasons for up to ten. The state has the other shares.",
    remedies: [
      "Run the command again to retry the failed shares.",
      "Read the reasons in the log, and correct the shares that they name.",
    ],
  },
  {
    code: "replacement-needed",
    meaning: "A change of a tunnel needs a replacement, but the command only updates.",
    cause: "`pulumi do --stateless … patch` sends every change as an update. The service cannot update a tunnel.",
    remedies: [
      "Make the change in a program, and run `pulumi up`.",
      "Or delete the tunnel and create a new one, if no share uses it.",
    ],
  },
  {
    code: "retained",
    meaning: "The share of a removed key stays at the service.",
    cause: "The key had `retain: true`.",
    remedies: ["Do nothing: this is a notice.", "To delete the share, delete it at the service."],
  },
  {
    code: "not-proved-gone",
    meaning: 'The service answers "not found", but its lists do not confirm that the resource is gone.',
    cause: "The answers of the service contradict each other.",
    remedies: ["Try again later.", "Run `frontdoor doctor` if it happens again."],
  },
];
