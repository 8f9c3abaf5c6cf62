import { failedTunnelRule } from "../../../provider/messages";
import type { Entry } from "./entry";

export const previewing: readonly Entry[] = [
  {
    code: "invalid-input",
    meaning: "The value of an argument isn't valid.",
    cause: "The message says which values are valid. Nothing was sent.",
    remedies: ["Correct the argument."],
  },
  {
    code: "changed-by-policy",
    meaning: "A policy changes an argument of a resource that Pulumi replaces.",
    cause: "Pulumi asks no policy again for a replacement, so the new resource would lack the change.",
    remedies: ["Write the policy's value into the program."],
  },
  {
    code: "name-missing",
    meaning: "The resource has no name.",
    cause: "`pulumi:autonaming` disables derived names.",
    remedies: ["Set `name`."],
  },
  {
    code: "port-twice",
    meaning: "Two shares have the same `ingressPort`.",
    cause: "The provider assumes that a tunnel takes one share per port.",
    remedies: ["Change one of them."],
  },
  {
    code: "place-twice",
    meaning: "Two tunnels have the same front door and `locationId`.",
    cause: "The specification allows one per location.",
    remedies: [
      "Change the location of one. A deployed tunnel is then replaced, with a new key.",
      "If your front door allows both, set `frontdoor:oneTunnelPerLocation` to `false`.",
    ],
  },
  {
    code: "tunnel-not-published",
    meaning: "The other stack does not publish a tunnel.",
    cause: "`tunnelFrom` found no tunnel in that output.",
    remedies: ["Export `publishedTunnel(tunnel)` there, and run `pulumi up`."],
  },
  {
    code: "unknown-input",
    meaning: "The resource has no such argument.",
    cause: "The name is misspelled.",
    remedies: ["Use the argument that the message names."],
  },
  {
    code: "id-twice",
    meaning: "Two resources of the program manage the same id.",
    cause: "Both adopt or import it, or one adopts an id that the other manages.",
    remedies: ["Keep one of these resources, or remove one `adopt`."],
  },
  {
    code: "name-twice",
    meaning: "Two resources of a kind have the same name on one front door.",
    cause:
      "One has the `name` of the other: a resource that has got another logical name by an alias or `formerly` keeps its name. Interrupted creates are resumed by name.",
    remedies: ["Set another `name` for the newer one. A new name replaces a deployed tunnel."],
  },
  {
    code: "port-cycle",
    meaning: "Shares in a set swap ports in a circle.",
    cause: "Each share waits for the port of the next one.",
    remedies: ["Move one to a free `ingressPort`, run `pulumi up`, then move it to the port that you want."],
  },
  {
    code: "no-report",
    meaning: "The command wrote no report of policy violations.",
    cause: "The input has no events, or the run ended early.",
    remedies: ["Set `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true` and add `--json`.", "Fix the error in the message."],
  },
];

export const creating: readonly Entry[] = [
  {
    code: "identical-exists",
    meaning: "An identical resource exists, or one with this derived name, and this run didn't create it.",
    cause: "Another run or someone else created it, or the resource was renamed without an alias.",
    remedies: [
      "If another stack manages it, for example after `pulumi state move`, set another `name`.",
      "After a killed run, wait 82 s, run `pulumi up --refresh`, and set `adopt` to the id that it names.",
      "After a rename, or its revert, add `aliases` (for a key of a site's `shares`, `formerly`).",
      "If no other stack manages it, set `adopt` (for many identical ones, `FRONTDOOR_TAKE_OVER=alike` once).",
    ],
  },
  {
    code: "creates-left",
    meaning: "An interrupted run created a resource, and nothing manages it.",
    cause: "The edit was reverted, or another machine has created the resource anew.",
    remedies: [
      "Delete the resource in Frontdoor, or set `adopt`.",
      "Then remove the creation record that `npx pulumi-frontdoor doctor` names.",
    ],
  },
  {
    code: "replace-order",
    meaning: "Pulumi creates the replacement before it deletes the old resource.",
    cause:
      "With `--replace`, `pulumi state taint`, `replacementTrigger` or `replaceWith`, Pulumi asks no provider for the order.",
    remedies: [
      "After a rename without an alias, run `pulumi up` again without `FRONTDOOR_TAKE_OVER`.",
      "For a tunnel, set another `rotation` instead.",
      "Otherwise set the option `deleteBeforeReplace: true`.",
    ],
  },
  {
    code: "resume-refused",
    meaning: "An interrupted run created the resource, and this run must not resume it.",
    cause: "The record is older than a day.",
    remedies: ["If no other stack uses it, set `adopt` to its id.", "Otherwise choose another name."],
  },
  {
    code: "resumed",
    meaning: "The run resumed a create of an interrupted run of this stack.",
    cause: "A creation record names it.",
    remedies: ["If Pulumi warns of pending operations, run `pulumi refresh --clear-pending-creates`."],
  },
  {
    code: "adopted",
    meaning: "The create adopted an identical resource.",
    cause: "`FRONTDOOR_TAKE_OVER` was `alike`.",
    remedies: [
      "Do nothing if the resource belongs to this stack.",
      "Otherwise run `pulumi state delete`, and omit `FRONTDOOR_TAKE_OVER`.",
    ],
  },
  {
    code: "value-differs",
    meaning: "Frontdoor shows a different value.",
    cause: "Frontdoor or someone else changed it.",
    remedies: [
      "A tunnel: write Frontdoor's value into the program, or set another `rotation`.",
      "A share: run `pulumi up`, which sends the program's value again. To keep Frontdoor's value, write it into the program first.",
    ],
  },
  {
    code: "tunnel-config-unread",
    meaning: "The tunnel is ready, but `tunnelConfig` or `sampleConfig` could not be read again.",
    cause: "The token has no access to it, or Frontdoor returns errors.",
    remedies: ["Give the token access.", "Run `pulumi refresh` to read it again."],
  },
  {
    code: "not-shown",
    meaning: "Frontdoor accepted the create, but does not show the resource.",
    cause: "Neither the response nor a list showed its id in time.",
    remedies: [
      "Look with `npx pulumi-frontdoor tunnels` or `shares`.",
      "If it is there, adopt it. Otherwise run `pulumi up` again.",
    ],
  },
  {
    code: "create-pending",
    meaning: "An earlier create or delete may still go through.",
    cause: "An interrupted create can show until `requestTimeout` plus 42 s have passed.",
    remedies: ["Run `pulumi up` again in a minute.", "If `customTimeouts.create` is shorter, raise it."],
  },
  {
    code: "settings-reset",
    meaning: "A PUT may have reset settings of Frontdoor's console.",
    cause: "The provider doesn't know these settings and sends them back, but Frontdoor refused one of them.",
    remedies: ["Check the settings that the message names in Frontdoor."],
  },
  {
    code: "changed-outside",
    meaning: "The update overwrote a value that is not in the state.",
    cause: "Somebody changed it outside Pulumi, or the read was old.",
    remedies: ["Do nothing: this is a notice.", "To keep that value, write it into the program."],
  },
  {
    code: "port-in-use",
    meaning: "Another share uses this port of the tunnel.",
    cause: "Frontdoor refused a second one.",
    remedies: [
      "Choose another port, or free this one in a separate run.",
      "After a rename in the program, add `aliases`.",
      "If no state has that share, set `adopt`.",
    ],
  },
  {
    code: "place-taken",
    meaning: "Another tunnel occupies the location.",
    cause: "The specification allows one per location.",
    remedies: [
      "Choose another location, or free this one in a separate run.",
      "After a rename in the program, add `aliases`.",
      "If no state has that tunnel, set `adopt`.",
    ],
  },
  {
    code: "retained-tunnel",
    meaning: "A tunnel with `retainOnDelete` cannot be replaced at its location.",
    cause: "The old tunnel would stay there.",
    remedies: [
      "Undo the change.",
      "Or change `locationId` in the same edit.",
      "Or remove `retainOnDelete`, and run `pulumi up` before the change.",
    ],
  },
  {
    code: "peer-not-public",
    meaning: "The `peerPublicIp` of a tunnel isn't a public address (a warning).",
    cause: "The internet does not reach it.",
    remedies: ["Set the device's public address, or its NAT's.", "In a lab or private peering, ignore it."],
  },
  {
    code: "tunnel-replaced",
    meaning: "A resource keeps the id of a tunnel that the edit replaces.",
    cause: "The property is in `ignoreChanges`, or the id is a text.",
    remedies: ["Remove the property from `ignoreChanges`.", "Or use the tunnel's `id`."],
  },
  {
    code: "location-open",
    meaning: "Two tunnels of one front door have no `locationId`.",
    cause: "The specification allows one per location.",
    remedies: [
      "Set a different `locationId` for each.",
      "For a deployed tunnel, set the one that `npx pulumi-frontdoor tunnels` shows: any other replaces it.",
    ],
  },
  {
    code: "pending-delete",
    meaning: "The new resource needs the name, port or location of an old one, which is still being deleted.",
    cause: "The delete failed, timed out or hasn't started.",
    remedies: ["Run `pulumi up` again.", "Raise the old resource's `customTimeouts.delete`."],
  },
  {
    code: "deadline",
    meaning: "The deadline passed before Frontdoor had finished.",
    cause: "The operation took longer than `customTimeouts` allows. The resource is in the state.",
    remedies: [
      "Run `pulumi up` again: it resumes the wait.",
      "Raise `customTimeouts`.",
      'If a share stays NEW in two runs, follow "Recover".',
    ],
  },
  {
    code: "share-error",
    meaning: "Frontdoor reports ERROR for the share.",
    cause: "Often its target, environment or location is wrong.",
    remedies: [
      "For SUSPENDED, first ask NetFoundry.",
      "Check its arguments, and run `pulumi up`: Frontdoor tries again.",
      "If no run reported the ERROR, add `--refresh`.",
    ],
  },
  {
    code: "not-ready",
    meaning: "A refresh found a resource that isn't DEPLOYED.",
    cause: "A run was interrupted, Frontdoor reports a failure, or someone else is changing the resource.",
    remedies: ["Run `pulumi preview`: it shows what `pulumi up` does about it.", "Run `pulumi up`."],
  },
  {
    code: "share-gone",
    meaning: "Someone else deleted the share.",
    cause: "Frontdoor shows it as DELETING, or no longer shows it.",
    remedies: ["Run `pulumi up --refresh`: it creates the share again, and its tunnel if that is gone too."],
  },
  {
    code: "share-incomplete",
    meaning: "Frontdoor accepted the share, but did not finish it.",
    cause: "The run was interrupted, or a request failed. The share is in the state.",
    remedies: ["Run `pulumi up` again: it continues."],
  },
  {
    code: "tunnel-error",
    meaning: "The tunnel never worked and has failed, or is being deleted.",
    cause: "Frontdoor could not deploy it, or someone deleted it.",
    remedies: ["Check its arguments.", failedTunnelRule, "If no run reported the failure, add `--refresh`."],
  },
  {
    code: "tunnel-failed",
    meaning: "The tunnel has worked, and Frontdoor shows a failed status now.",
    cause: "Frontdoor failed or suspended it. Pulumi replaces such a tunnel only for an edit.",
    remedies: ["Ask NetFoundry.", "To rebuild the tunnel with a new key and address, set another `rotation`."],
  },
  {
    code: "tunnel-incomplete",
    meaning: "Frontdoor accepted the tunnel, but did not finish it.",
    cause: "The run was interrupted, or a request failed. The tunnel is in the state.",
    remedies: ["Run `pulumi up` again: it continues."],
  },
  {
    code: "connection-down",
    meaning: "The tunnel stays, but its VPN connection was not UP by the deadline.",
    cause: "The device isn't set up, or a firewall drops UDP 500, UDP 4500 or ESP.",
    remedies: ['Follow "A tunnel is DOWN", then run `pulumi up` again.', "Raise `customTimeouts.create`."],
  },
  {
    code: "tunnel-ended",
    meaning: "The tunnel failed or is gone, so its connection cannot be UP.",
    cause: "Frontdoor reports it failed, deleted or missing.",
    remedies: [
      "Run `pulumi up --refresh`: it creates a tunnel that is gone, and leaves one that has worked as it is.",
      "Ask NetFoundry, or set another `rotation` to rebuild a tunnel that has failed.",
      "Otherwise correct `tunnelId`.",
    ],
  },
  {
    code: "tunnel-differs",
    meaning: "The tunnel in Frontdoor differs from the program.",
    cause: "An interrupted run created it with other arguments.",
    remedies: ["Run `pulumi up` again: it replaces the tunnel."],
  },
];

export const updating: readonly Entry[] = [
  {
    code: "tunnel-missing",
    meaning: "The tunnel of the share does not exist, or is being deleted.",
    cause: "The id is mistyped, or the tunnel was deleted outside Pulumi.",
    remedies: [
      "Correct `ipsecTunnelId`. `npx pulumi-frontdoor tunnels` lists the ids.",
      "Run `pulumi up --refresh`, without `--target`.",
      "If another stack declares the tunnel, run `pulumi up` there, and then here.",
    ],
  },
  {
    code: "set-incomplete",
    meaning: "Some shares of a set have failed.",
    cause: "The log has the reasons. After a failed delete, the whole set stays in the state.",
    remedies: [
      "Correct any wrong argument, and run the command again.",
      "For taken ports, use `adopt`, or other ports.",
    ],
  },
  {
    code: "keys-differ",
    meaning: "The program has other keys than the imported share set.",
    cause: "An import takes the shares' names as keys. Other keys are new shares.",
    remedies: ["On each key, set `adopt` to the id in the message.", "Or use the imported keys."],
  },
  {
    code: "replacement-needed",
    meaning: "The change replaces a tunnel, but the command only updates.",
    cause: "`pulumi do --stateless … patch` can only update, and Frontdoor can't update a tunnel.",
    remedies: ["Change it in a program, and run `pulumi up`."],
  },
  {
    code: "retained",
    meaning: "The share of a removed key of a set or a site stays in Frontdoor.",
    cause: "The share had `retain: true`.",
    remedies: ["Do nothing: this is a notice.", "To remove the share, delete it in Frontdoor."],
  },
  {
    code: "not-proved-gone",
    meaning: 'Frontdoor says "not found", but its lists do not confirm that the resource is gone.',
    cause: "Its responses contradict each other.",
    remedies: ["Try again later.", "Run `npx pulumi-frontdoor doctor` if it happens again."],
  },
];

export const deleting: readonly Entry[] = [
  {
    code: "tunnel-in-use",
    meaning: "Shares still use the tunnel.",
    cause: "Frontdoor deletes only unused tunnels.",
    remedies: [
      "If only the location changes, run `pulumi up` in their stack first.",
      "If an interrupted run created them, undo your change and run `pulumi up`.",
      "Otherwise move or delete them.",
    ],
  },
  {
    code: "not-deleted",
    meaning: "Frontdoor has not deleted the resource.",
    cause: "It reports ERROR, or the deadline passed.",
    remedies: [
      "Run the command again.",
      "Raise `customTimeouts.delete`, and run `pulumi up` before you delete.",
      "If it stays DELETING in two runs, ask NetFoundry to remove it.",
    ],
  },
  {
    code: "not-deleted-owned",
    meaning: "The resource stays, because another resource of the program has its id now.",
    cause: "You renamed or moved it.",
    remedies: ["Do nothing: this is a notice."],
  },
];

export const importing: readonly Entry[] = [
  {
    code: "import-dynamic",
    meaning: "The dynamic provider cannot import a resource.",
    cause: "Pulumi imports only into plugins.",
    remedies: [
      "Remove the option `import`, and set the argument `adopt` to the id.",
      "Use the plugin: `pulumi-frontdoor/plugin`.",
    ],
  },
  {
    code: "adopt-leaving",
    meaning: "The resource adopts a share that the same edit deletes with its tunnel.",
    cause: "Pulumi deletes the tunnel's shares before it sees what adopts one.",
    remedies: ["First adopt the share in a separate `pulumi up`."],
  },
  {
    code: "adopt-missing",
    meaning: "The front door doesn't have the resource that `adopt` names, or is deleting it.",
    cause: "The id is from another front door or kind, or was deleted, for example by `pulumi destroy`.",
    remedies: [
      "If it was deleted, remove `adopt`: then the resource is created.",
      "Otherwise correct the id in `adopt`.",
    ],
  },
  {
    code: "adopt-differs-from-state",
    meaning: "`adopt` was changed or added, and the state already has another id for the resource.",
    cause: "In its place, Pulumi would delete the resource in the state, or change it into a copy of the other one.",
    remedies: [
      "To keep the id in the state, remove `adopt`.",
      "To let it go, follow the guide: Pulumi forgets the resource and the shares on it, and they stay in Frontdoor.",
    ],
  },
  {
    code: "adopt-differs",
    meaning: "The tunnel of `adopt` differs from the program.",
    cause: "A tunnel can only be replaced, not updated.",
    remedies: ["Set the arguments in the message to the tunnel's values.", "Remove `adopt` to create a tunnel."],
  },
  {
    code: "import-id",
    meaning: "The id of the import isn't valid.",
    cause: "It isn't `<id>`, or `tunnel/<tunnelId>` for a set. For another front door, put `<frontdoorId>/` before it.",
    remedies: ["Correct the id.", "Let `npx pulumi-frontdoor import` write the ids."],
  },
];

export const reading: readonly Entry[] = [
  {
    code: "not-found",
    meaning: "The front door has no resource with this id, or is deleting it.",
    cause: "The id or front door is wrong, or somebody deleted it.",
    remedies: [
      "Correct the id: `npx pulumi-frontdoor tunnels` lists them.",
      "If it was deleted, run `pulumi up --refresh`.",
    ],
  },
  {
    code: "not-one-match",
    meaning: "No resource, or more than one, has this name.",
    cause: "Names need not be unique in Frontdoor.",
    remedies: ["Correct the name.", "Use an id instead."],
  },
  {
    code: "key-not-found",
    meaning: "`getPreSharedKey` returned no key.",
    cause: "The sample configuration has no key, several, or only a masked one. Frontdoor chooses its format.",
    remedies: [
      "Use `getSampleConfig`, and write the whole text to the vault.",
      "If the key is masked, ask NetFoundry for it.",
    ],
  },
  {
    code: "front-door-id",
    meaning: "The front door's id contains an invalid character.",
    cause: "It comes from an import or the state.",
    remedies: [
      "Write the id of the import as `<frontdoorId>/<id>`.",
      "Correct the state with `pulumi stack export` and `import`.",
    ],
  },
  {
    code: "seen-elsewhere",
    meaning: "A resource was last seen at another URL, and is absent here.",
    cause: "The URL is wrong, or Frontdoor has moved.",
    remedies: [
      "Set `frontdoor:baseUrl` back, and run `pulumi up --refresh=false`.",
      "After a move, run `pulumi state delete <URN>` for what is gone.",
    ],
  },
  {
    code: "list-too-long",
    meaning: "A list in Frontdoor does not end.",
    cause: "The URL leads to another server, or a gateway changes the pages.",
    remedies: ["Check `frontdoor:baseUrl`."],
  },
  {
    code: "list-contradicts-itself",
    meaning: "A list was inconsistent twice, so entries may be missing.",
    cause: "Its total is wrong, an entry has no id, or it changes all the time.",
    remedies: ["Run the command again.", "Report it to NetFoundry."],
  },
  {
    code: "list-too-slow",
    meaning: "A list did not end before the deadline.",
    cause: "It has many entries, or Frontdoor is slow.",
    remedies: ["Try again later.", "For a resource, raise `customTimeouts`.", "Raise `frontdoor:requestsPerSecond`."],
  },
  {
    code: "closed",
    meaning: "A call came after the provider had closed its connection.",
    cause: "The run was ending.",
    remedies: ["Run the command again."],
  },
];
