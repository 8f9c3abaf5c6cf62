import type { Entry } from "../entry";

export const creating: readonly Entry[] = [
  {
    code: "identical-exists",
    meaning: "An identical resource exists, and this create did not make it.",
    cause:
      "Another stack or person created it, or an earlier run did on a machine that kept no creation records. Or `pulumi up --replace` creates a resource before it deletes the same one.",
    remedies: [
      "If the resource belongs to this stack, set `adopt` to its id in the arguments.",
      "To create a second one, give it another name. On machines that keep no files, see `frontdoor:takeOver` in the reference of the settings.",
      "For a replacement, set `deleteBeforeReplace: true` in the options.",
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
    meaning: "The service shows an argument in another spelling than the one in which your program gives it.",
    cause: "The service changes the spelling of the value, for example to lower case.",
    remedies: [
      "Do nothing: this is a notice. The provider compares your program with what it sent.",
      "If the value means something else, somebody changed it during the run. Run `pulumi up` with the value that you want.",
    ],
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
    cause:
      "The deadline passed before the provider could tell. A create can take effect until `requestTimeout` plus 12 s after it was sent.",
    remedies: ["Run `pulumi up` again in a minute.", "Raise `customTimeouts.create` if it is shorter than that."],
  },
  {
    code: "foreign-answer",
    meaning: "The service answered a create with another resource than the one that was sent.",
    cause: "The service, or a gateway before it, mixed up two answers.",
    remedies: [
      "Run `pulumi up` again: the provider finds your resource by its name and required fields.",
      "After `pulumi destroy`, delete the resource of this name at the service if nobody uses it.",
    ],
  },
  {
    code: "stale-creation-record",
    meaning: "An interrupted run created a resource that the program no longer declares.",
    cause: "The program has changed since that run. Others may be using the resource by now.",
    remedies: [
      "Delete the resource at the service if nobody uses it.",
      "Declare the resource again, with `adopt` and its id.",
    ],
  },
  {
    code: "port-in-use",
    meaning: "Another share already uses this port of the tunnel.",
    cause: "A tunnel has one listener on each port.",
    remedies: [
      "Choose another `ingressPort`.",
      "If the other share is in the program, first move it in a separate `pulumi up`.",
      "If the other share is yours, set `adopt` to its id. After a rename, use an alias (`aliases`). For a replacement, set `deleteBeforeReplace: true`.",
    ],
  },
  {
    code: "place-taken",
    meaning: "Another tunnel occupies the location.",
    cause: "The service allows one tunnel for each front door and location.",
    remedies: [
      "Choose another `locationId`. Each tunnel of a front door needs one of its own.",
      "If the other tunnel is yours, set `adopt` to its id. After a rename, use an alias (`aliases`).",
      "For a replacement, set `deleteBeforeReplace: true`. If the tunnel has `retainOnDelete`, see `retained-tunnel`.",
    ],
  },
  {
    code: "retained-tunnel",
    meaning: "A tunnel with `retainOnDelete` cannot be replaced at its location.",
    cause: "The old tunnel would stay at the location, and the service allows one tunnel for each location.",
    remedies: [
      "Undo the change.",
      "Give the tunnel another `locationId` in the same edit: the new tunnel is created there, and the old one stays.",
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
    meaning:
      "The new resource needs the name, the port or the location of the previous one, whose delete has not ended.",
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
    cause: "The service could not set up the share. Often its target, its environment or its location is wrong.",
    remedies: [
      "Check the arguments of the share.",
      "Run `pulumi up` again: it updates the share, and the service tries again.",
    ],
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
    meaning: "The VPN connection of the tunnel was not UP before the deadline.",
    cause: "The remote site's device has not set up the connection. The message says what the service last reported.",
    remedies: [
      "Check the VPN device of the remote site against the sample configuration, and run `pulumi up` again.",
      "Raise `customTimeouts.create` if the device needs longer.",
      "Let the connection depend on the resource that configures the device (`dependsOn`).",
    ],
  },
  {
    code: "tunnel-ended",
    meaning: "The tunnel failed or was deleted, so its connection cannot be UP.",
    cause: "The service reports ERROR or a delete, or it has no tunnel of this id.",
    remedies: [
      "Run `pulumi up --refresh`: it replaces a tunnel of this program.",
      "If another stack has the tunnel, correct `tunnelId`.",
    ],
  },
  {
    code: "tunnel-differs",
    meaning: "The tunnel that the service shows differs from the program.",
    cause: "The service or someone else gave it other values during the create.",
    remedies: ["Run `pulumi up` again to replace the tunnel."],
  },
];
