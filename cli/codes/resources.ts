import type { Entry } from "./entry";

export const previewing: readonly Entry[] = [
  {
    code: "invalid-input",
    meaning: "The value of an argument isn't valid.",
    cause: "The message lists the values that are. Nothing was sent.",
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
    cause: "The service allows one tunnel for each location.",
    remedies: [
      "Give one of them another location.",
      "If your service allows both, set `frontdoor:oneTunnelPerLocation` to `false`.",
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
    cause: "Each share waits for the port of the next one.",
    remedies: ["Give one share a free `ingressPort` in a separate `pulumi up`, then the port that you want."],
  },
  {
    code: "no-report",
    meaning: "The command wrote no report of policy violations.",
    cause: "The input has no engine events, or the run ended before all policies were checked.",
    remedies: ["Set `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true` and add `--json`.", "Fix the error in the message."],
  },
];

export const creating: readonly Entry[] = [
  {
    code: "identical-exists",
    meaning: "An identical resource exists that this create did not make.",
    cause: "Someone else, or a run whose creation records are lost, created it.",
    remedies: [
      "If it is yours, set `adopt` to its id.",
      "Or use another name.",
      "For a replacement, set `deleteBeforeReplace`.",
    ],
  },
  {
    code: "resume-refused",
    meaning: "An interrupted run created the resource, and your configuration does not let this run resume it.",
    cause: "`frontdoor:takeOver` is `never`.",
    remedies: ["Set `adopt` to the id in the message, in the arguments.", "Set `frontdoor:takeOver` to `interrupted`."],
  },
  {
    code: "resumed",
    meaning: "The create resumed a resource that an interrupted run of this stack had created.",
    cause: "A creation record names the resource.",
    remedies: ["Do nothing: this is a notice."],
  },
  {
    code: "adopted",
    meaning: "The create adopted an identical resource.",
    cause: "`frontdoor:takeOver` is `alike`.",
    remedies: [
      "Do nothing if the resource belongs to this stack.",
      "Otherwise run `pulumi state delete` for the resource, and set `frontdoor:takeOver` to `interrupted`.",
    ],
  },
  {
    code: "shown-differently",
    meaning: "The service shows an argument in another spelling than your program.",
    cause: "The service changes the spelling, for example to lower case.",
    remedies: ["Do nothing. If the value means something else, run `pulumi up` with the right one."],
  },
  {
    code: "not-shown",
    meaning: "The service accepted the create, but does not show the resource.",
    cause: "The answer held no id, and the resource was in no list before the deadline.",
    remedies: ["Run `pulumi up` again: the provider reads the service before it sends another create."],
  },
  {
    code: "create-pending",
    meaning: "The create of an interrupted run can still take effect.",
    cause: "A create can take effect until `requestTimeout` plus 12 s after it was sent.",
    remedies: ["Run `pulumi up` again in a minute.", "Raise a shorter `customTimeouts.create`."],
  },
  {
    code: "foreign-answer",
    meaning: "The service answered a create with another resource.",
    cause: "The service, or a gateway, mixed up two answers.",
    remedies: [
      "Run `pulumi up` again: the provider finds your resource by its name.",
      "After `pulumi destroy`, delete it at the service.",
    ],
  },
  {
    code: "stale-creation-record",
    meaning: "An interrupted run created a resource that the program no longer declares.",
    cause: "The program has changed since that run.",
    remedies: ["Delete the resource at the service if nobody uses it.", "Declare it again, with `adopt` and its id."],
  },
  {
    code: "port-in-use",
    meaning: "Another share uses this port of the tunnel.",
    cause: "A tunnel has one listener on each port.",
    remedies: [
      "Choose another `ingressPort`.",
      "Move the other share first, in a separate `pulumi up`.",
      "For the same share: `adopt`, or an alias after a rename.",
    ],
  },
  {
    code: "place-taken",
    meaning: "Another tunnel occupies the location.",
    cause: "The service allows one tunnel for each location.",
    remedies: [
      "Choose another `locationId`, or run the message's command.",
      "If the tunnel is yours, use `adopt`, or an alias.",
      "For a replacement, set `deleteBeforeReplace: true`.",
    ],
  },
  {
    code: "retained-tunnel",
    meaning: "A tunnel with `retainOnDelete` cannot be replaced at its location.",
    cause: "The old tunnel would stay there.",
    remedies: [
      "Undo the change.",
      "Give the tunnel another `locationId` in the same edit.",
      "Remove `retainOnDelete`, run `pulumi up`, and then make the change.",
    ],
  },
  {
    code: "not-replaced",
    meaning: "The run continues with the existing resource instead of creating another one.",
    cause: "An earlier run failed in the middle of a replacement, and the program again declares what exists.",
    remedies: ["Do nothing: this is a notice."],
  },
  {
    code: "location-open",
    meaning: "Two tunnels of the program name no location on one front door.",
    cause: "The service chooses the locations, and allows one tunnel for each. It can refuse the second tunnel.",
    remedies: ["Give each tunnel a `locationId` of its own."],
  },
  {
    code: "pending-delete",
    meaning: "The new share needs the name or the port of the previous one, whose delete has not ended.",
    cause: "The delete failed, timed out or was not started in this run.",
    remedies: ["Run `pulumi up` again.", "Raise `customTimeouts.delete` of the previous resource."],
  },
  {
    code: "deadline",
    meaning: "The deadline passed before the service had finished.",
    cause: "The service needs longer than `customTimeouts` allows. The resource is in the state.",
    remedies: ["Run `pulumi up` again to resume the wait.", "Raise `customTimeouts`."],
  },
  {
    code: "share-error",
    meaning: "The service reports ERROR for the share.",
    cause: "Often its target, environment or location is wrong.",
    remedies: ["Check the arguments of the share.", "Run `pulumi up` again: the service then tries again."],
  },
  {
    code: "share-gone",
    meaning: "Someone else deleted the share.",
    cause: "The service shows it as DELETING, or no longer shows it.",
    remedies: ["Run `pulumi up --refresh` to create the share again."],
  },
  {
    code: "share-incomplete",
    meaning: "The service accepted the share, but did not finish it.",
    cause: "The run was interrupted, or a later request failed. The share is in the state.",
    remedies: ["Run `pulumi up` again to continue from there."],
  },
  {
    code: "tunnel-error",
    meaning: "The service reports that the tunnel has failed or is being deleted.",
    cause: "The service could not set up the tunnel, or someone else deleted it.",
    remedies: ["Check the arguments of the tunnel.", "Run `pulumi up` again to replace the tunnel."],
  },
  {
    code: "tunnel-incomplete",
    meaning: "The service accepted the tunnel, but did not finish it.",
    cause: "The run was interrupted, or a later request failed. The tunnel is in the state.",
    remedies: ["Run `pulumi up` again to continue from there."],
  },
  {
    code: "connection-down",
    meaning: "The tunnel stays, but its VPN connection was not UP before the deadline.",
    cause: "The remote device hasn't set it up.",
    remedies: [
      "Compare the device with the sample configuration, and run `pulumi up` again.",
      "Raise `customTimeouts.create`.",
    ],
  },
  {
    code: "tunnel-ended",
    meaning: "The tunnel failed or was deleted, so its connection cannot be UP.",
    cause: "The service reports ERROR or a delete, or has no such tunnel.",
    remedies: ["Run `pulumi up --refresh`: it replaces a tunnel of this program.", "Otherwise correct `tunnelId`."],
  },
  {
    code: "tunnel-differs",
    meaning: "The tunnel that the service shows differs from the program.",
    cause: "The service or someone else gave it other values during the create.",
    remedies: ["Run `pulumi up` again to replace the tunnel."],
  },
];

export const updating: readonly Entry[] = [
  {
    code: "tunnel-missing",
    meaning: "The tunnel of the share does not exist, or is being deleted.",
    cause: "The id is mistyped, or the tunnel was deleted outside Pulumi.",
    remedies: [
      "Correct `ipsecTunnelId`. `frontdoor tunnels` lists the ids.",
      "Run `pulumi up --refresh` for the whole program.",
    ],
  },
  {
    code: "set-incomplete",
    meaning: "Some shares of a set have failed.",
    cause: "The log above has the reasons of up to ten. The state has the other shares.",
    remedies: ["Correct the shares that the log names, and run the command again."],
  },
  {
    code: "replacement-needed",
    meaning: "A change of a tunnel needs a replacement, but the command only updates.",
    cause: "`pulumi do --stateless … patch` sends every change as an update, which tunnels don't have.",
    remedies: ["Make the change in a program, and run `pulumi up`."],
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

export const deleting: readonly Entry[] = [
  {
    code: "tunnel-in-use",
    meaning: "Shares still use the tunnel.",
    cause: "The service deletes a tunnel only without shares.",
    remedies: [
      "Delete the shares in the message, or move them.",
      "If an interrupted run created them, run `pulumi up` with the tunnel unchanged.",
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

export const importing: readonly Entry[] = [
  {
    code: "import-dynamic",
    meaning: "The default import of this package cannot import a resource.",
    cause: "Pulumi imports only into plugins, and the default import is a dynamic provider.",
    remedies: [
      "Remove the option `import`, and set `adopt` to the id in the arguments.",
      "Use the plugin: `pulumi-frontdoor/plugin`.",
    ],
  },
  {
    code: "adopt-missing",
    meaning: "The front door doesn't have the resource that `adopt` names, or is deleting it.",
    cause: "The id is of another front door or kind, or someone deleted the resource.",
    remedies: ["Correct the id in `adopt`.", "Remove `adopt` to create a resource."],
  },
  {
    code: "adopt-differs",
    meaning: "The tunnel that `adopt` names differs from the program.",
    cause: "A tunnel can only be replaced, not updated.",
    remedies: ["Set the arguments in the message to the tunnel's values.", "Remove `adopt` to create a tunnel."],
  },
  {
    code: "import-id",
    meaning: "The id of an import has the wrong form.",
    cause:
      "The id is `<id>`. For a set, it is `tunnel/<tunnelId>`. For another front door, `<frontdoorId>/` comes first.",
    remedies: ["Correct the id.", "Let `frontdoor import` write the ids."],
  },
];

export const reading: readonly Entry[] = [
  {
    code: "not-found",
    meaning: "The front door does not have a resource with this id.",
    cause: "The id is wrong, of another front door, or of a deleted resource.",
    remedies: ["Correct the id.", "Run `frontdoor tunnels` or `frontdoor shares` to list the ids."],
  },
  {
    code: "not-one-match",
    meaning: "The front door has no resource of this name, or several.",
    cause: "A name finds a resource only if exactly one resource has the name.",
    remedies: ["Correct the name.", "Give an id instead of the name."],
  },
  {
    code: "front-door-id",
    meaning: "The front door's id contains a character that ids don't have.",
    cause: "It comes from an import or the state.",
    remedies: [
      "Write the id of the import as `<frontdoorId>/<id>`.",
      "Correct the state with `pulumi stack export` and `pulumi stack import`.",
    ],
  },
  {
    code: "list-too-long",
    meaning: "A list of the service does not end.",
    cause: "The address leads to another server, or a gateway changes the pages.",
    remedies: ["Check `frontdoor:baseUrl`."],
  },
  {
    code: "list-contradicts-itself",
    meaning: "A list of the service has fewer entries than its total says.",
    cause: "The service counts entries that it does not show, or a gateway answers each page with the same entries.",
    remedies: ["Run the command again.", "Check `frontdoor:baseUrl`."],
  },
  {
    code: "list-too-slow",
    meaning: "A list did not end before the deadline.",
    cause: "The service has many entries, or answers slowly.",
    remedies: ["Try again later.", "For a resource, raise `customTimeouts`.", "Raise `frontdoor:requestsPerSecond`."],
  },
  {
    code: "closed",
    meaning: "A call came after the provider had closed its connection to the service.",
    cause: "The run was ending.",
    remedies: ["Run the command again."],
  },
];
