import type { Entry } from "../entry";

export const previewing: readonly Entry[] = [
  {
    code: "invalid-input",
    meaning: "An argument has a value that it cannot have.",
    cause: "The message lists the right values. Nothing was sent.",
    remedies: ["Correct the argument."],
  },
  {
    code: "name-missing",
    meaning: "The resource has no name.",
    cause: "The stack's configuration disables derived names (`pulumi:autonaming`).",
    remedies: ["Give the resource a `name`."],
  },
  {
    code: "port-twice",
    meaning: "Two shares have the same `ingressPort`.",
    cause: "A tunnel has one listener on each port.",
    remedies: ["Give one of the shares another port."],
  },
  {
    code: "place-twice",
    meaning: "Two tunnels of the program have the same `locationId` on one front door.",
    cause: "The service allows one tunnel per front door and location.",
    remedies: [
      "Give one of the tunnels another location.",
      "If your service takes two tunnels at one location, set `frontdoor:oneTunnelPerLocation` to `false`: then this is a warning.",
    ],
  },
  {
    code: "tunnel-not-published",
    meaning: "The other stack does not publish a tunnel.",
    cause: "`tunnelFrom` found no output of this name, or the output is something else.",
    remedies: ["Export `publishedTunnel(tunnel)` in the other stack, and run `pulumi up` on it."],
  },
  {
    code: "unknown-input",
    meaning: "The program gives an argument that the resource does not have.",
    cause: "The name is misspelt, and no compiler checked its type.",
    remedies: ["Use the argument that the message names."],
  },
  {
    code: "id-twice",
    meaning: "Two resources of the program have the same id.",
    cause: "Both adopt it, both were imported, or one adopts the resource of the other.",
    remedies: ["Keep only one of the two in the program.", "Remove `adopt` from one of the two."],
  },
  {
    code: "name-twice",
    meaning: "Two resources of one kind have the same name on one front door.",
    cause: "After an interrupted run, the provider finds a resource by its name.",
    remedies: ["Give the newer resource another name. If you rename a live tunnel, it is replaced."],
  },
  {
    code: "port-cycle",
    meaning: "Shares of a set exchange their ports in a cycle.",
    cause: "A tunnel has one listener on each port, so each share waits for the next one.",
    remedies: ["Give one share a free `ingressPort` in a separate `pulumi up`, then the port that you want."],
  },
  {
    code: "no-report",
    meaning: "The command wrote no report of policy violations.",
    cause: "The input has no events of an engine, or the run failed or ended before all policies were checked.",
    remedies: [
      "Run the preview with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true` and `--json`.",
      "Fix the error in the message, and run the preview again.",
    ],
  },
];
