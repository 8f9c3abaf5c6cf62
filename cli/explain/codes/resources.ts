import type { Entry } from "./entry";

export const previewing: readonly Entry[] = [
  {
    code: "invalid-input",
    says: "… must be …. Nothing was sent.",
    meaning: "The value of an argument isn't valid.",
    cause: "The message says which values are valid. Nothing was sent.",
    remedies: ["Correct the argument that the message names."],
  },
  {
    code: "changed-by-policy",
    says: "a policy changes …, and Pulumi loses that in a replacement.",
    meaning: "A policy changes an argument of a resource that Pulumi replaces.",
    cause: "Pulumi asks no policy again for a replacement, so the new resource would lack the change.",
    remedies: ["Write the policy's value into the program."],
  },
  {
    code: "name-missing",
    says: "must be given, because pulumi:autonaming is disabled.",
    meaning: "The resource has no name.",
    cause: "`pulumi:autonaming` disables derived names.",
    remedies: ["Set `name`."],
  },
  {
    code: "port-twice",
    says: "is also the port of ….",
    meaning: "Two shares have the same `ingressPort`.",
    cause: "The provider assumes that a tunnel takes one share per port. Frontdoor would refuse the second one.",
    remedies: ["Give one of the two shares another `ingressPort`."],
  },
  {
    code: "place-twice",
    says: 'is also the location of tunnel "…".',
    meaning: "Two tunnels have the same front door and `locationId`.",
    cause: "According to Frontdoor's specification, a location takes one tunnel of a front door.",
    remedies: [
      [
        "the tunnels belong to two sites",
        "give one of them another `locationId`. If that tunnel is deployed, it is replaced, with a new key",
      ],
      [
        "`npx pulumi-frontdoor verify` has shown that a location takes more tunnels",
        "set `frontdoor:oneTunnelPerLocation` to `false`",
      ],
    ],
  },
  {
    code: "tunnel-not-published",
    says: 'Stack … In the program of that stack, export publishedTunnel(tunnel), and run "pulumi up" there.',
    meaning: "The other stack does not publish a tunnel.",
    cause: "`tunnelFrom` found no tunnel in that output.",
    remedies: ["Export `publishedTunnel(tunnel)` there, and run `pulumi up`."],
  },
  {
    code: "unknown-input",
    says: "is not an argument of ….",
    meaning: "The resource has no such argument.",
    cause: "The name is misspelled.",
    remedies: ["Use the argument that the message names."],
  },
  {
    code: "id-twice",
    says: '… is the id of two resources of the program, "…" and "…".',
    meaning: "Two resources of the program manage the same id.",
    cause: "Both adopt or import it, or one adopts an id that the other manages.",
    remedies: [
      ["you renamed a resource and left the old one in the program", "remove one of the two"],
      ["both have `adopt`", "remove the wrong `adopt`"],
    ],
  },
  {
    code: "name-twice",
    says: 'resources "…" and "…" have the same name "…" on front door ….',
    meaning: "Two resources of a kind have the same name on one front door.",
    cause:
      "One has the `name` of the other: a resource that has got another logical name by an alias or `formerly` keeps its name. Interrupted creates are resumed by name.",
    remedies: ["Set another `name` for the newer one. A new name replaces a deployed tunnel."],
  },
  {
    code: "port-cycle",
    says: "…: … swap ports in a circle.",
    meaning: "Shares in a set swap ports in a circle.",
    cause: "Each share waits for the port of the next one.",
    remedies: ["Move one share to a free `ingressPort`, and run `pulumi up`. Then move it to the port that you want."],
  },
  {
    code: "no-report",
    says: "…. No report was written.",
    meaning: "The command wrote no report of policy violations.",
    cause: "The input has no events, or the run ended early.",
    remedies: [
      [
        "the preview ran without events",
        "set `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true`, and add `--json` to the preview",
      ],
      ["the preview ended with an error", "correct that error first"],
    ],
  },
];

export const creating: readonly Entry[] = [
  {
    code: "identical-exists",
    says: "…; if no other stack manages it, set `adopt: …`",
    meaning: "An identical resource exists, or one with this derived name, and this run didn't create it.",
    cause:
      "The provider cannot know who created it: an interrupted run whose record is missing, another stack, a person, or this stack under another logical name. So it created nothing.",
    remedies: [
      [
        "a run of this stack was killed",
        "wait 82 s, run `pulumi up --refresh`, and if it stops again, set `adopt` to the id in the message",
      ],
      [
        "you renamed the resource, or reverted a rename",
        "add `aliases` with the old logical name (for a key of a site's `shares`: `formerly`)",
      ],
      ["another stack manages it, for example after `pulumi state move`", "set another `name`"],
      [
        "nobody manages it",
        "set `adopt` to its id. For many identical ones, run `FRONTDOOR_TAKE_OVER=alike pulumi up` once",
      ],
    ],
  },
  {
    code: "creates-left",
    says: "frontdoor: an earlier run was interrupted while it created ….",
    meaning: "An interrupted run created a resource, and nothing manages it.",
    cause: "The edit was reverted, or another machine has created the resource anew.",
    remedies: [
      [
        "the resource is not needed",
        "delete it in Frontdoor. Then remove the creation record that `npx pulumi-frontdoor doctor` names",
      ],
      [
        "the resource is needed",
        "declare it with `adopt` and its id. Then remove the creation record that `npx pulumi-frontdoor doctor` names",
      ],
    ],
  },
  {
    code: "replace-order",
    says: "…: Pulumi creates the replacement first, but … still has its name.",
    meaning: "Pulumi creates the replacement before it deletes the old resource.",
    cause:
      "With `--replace`, `pulumi state taint`, `replacementTrigger` or `replaceWith`, Pulumi asks no provider for the order.",
    remedies: [
      ["you renamed the resource without an alias", "run `pulumi up` again without `FRONTDOOR_TAKE_OVER`"],
      ["you want to rebuild a tunnel", "set another `rotation` instead of `--replace`"],
      ["you need `--replace` or the like", "set the option `deleteBeforeReplace: true`"],
    ],
  },
  {
    code: "resume-refused",
    says: "…: an interrupted run may have created …, but its record is more than a day old, and another stack may use it.",
    meaning: "An interrupted run created the resource, and this run must not resume it.",
    cause: "The creation record is older than a day. Since then, another stack can have adopted the resource.",
    remedies: [
      ["no other stack uses the resource", "set `adopt` to its id"],
      ["another stack uses it", "set another `name`"],
    ],
  },
  {
    code: "resumed",
    says: "…: an interrupted run created …, and this run resumed that create.",
    meaning: "The run resumed a create of an interrupted run of this stack.",
    cause: "A creation record names it.",
    remedies: [
      ["Pulumi warns of pending operations", "run `pulumi refresh --clear-pending-creates`"],
      ["it does not", "do nothing: this is a notice"],
    ],
  },
  {
    code: "adopted",
    says: "…: adopted the identical resource …, because `FRONTDOOR_TAKE_OVER` is `alike`.",
    meaning: "The create adopted an identical resource.",
    cause: "`FRONTDOOR_TAKE_OVER` was `alike`.",
    remedies: [
      ["the resource belongs to this stack", "do nothing: this is a notice"],
      ["it belongs to another stack", "run `pulumi state delete` for it, and leave out `FRONTDOOR_TAKE_OVER`"],
    ],
  },
  {
    code: "value-differs",
    says: "… `…` … instead of …",
    meaning: "Frontdoor shows a different value.",
    cause: "Frontdoor or someone else changed it.",
    remedies: [
      ["it is a share, and the program is right", "run `pulumi up`, which sends the program's value again"],
      ["Frontdoor's value is right", "write it into the program, and run `pulumi up`"],
      ["it is a tunnel, and the program is right", "set another `rotation`, which rebuilds the tunnel with a new key"],
    ],
  },
  {
    code: "tunnel-config-unread",
    says: "…. The tunnel is ready, but its output `…` is not updated.",
    meaning: "The tunnel is ready, but `tunnelConfig` or `sampleConfig` could not be read again.",
    cause: "The token has no access to it, or Frontdoor returns errors.",
    remedies: [
      [
        "the account has no access to `tunnel-config` or `sample-config`",
        "give it access, or set `storeSampleConfig: false`",
      ],
      ["Frontdoor returned an error", "run `pulumi refresh` later"],
    ],
  },
  {
    code: "not-shown",
    says: "…: Frontdoor accepted the create, but does not show the resource.",
    meaning: "Frontdoor accepted the create, but does not show the resource.",
    cause: "Neither the response nor a list showed its id in time.",
    remedies: [
      ["`npx pulumi-frontdoor tunnels` or `shares` shows it", "set `adopt` to its id"],
      ["they do not show it", "run `pulumi up` again"],
    ],
  },
  {
    code: "create-pending",
    says: "…: an earlier create or delete may still go through, and Frontdoor does not show its end yet.",
    meaning: "An earlier create or delete may still go through.",
    cause: "An interrupted create can show until `requestTimeout` plus 42 s have passed.",
    remedies: [
      ["you ran `pulumi up` soon after an interrupted run", "wait a minute, and run it again"],
      ["`customTimeouts.create` is shorter than `requestTimeout` plus 42 s", "raise it"],
    ],
  },
  {
    code: "settings-reset",
    says: "…: Frontdoor refuses a property in the PUT that the provider does not know and only sends back.",
    meaning: "A PUT may have reset settings of Frontdoor's console.",
    cause: "The provider doesn't know these settings and sends them back, but Frontdoor refused one of them.",
    remedies: ["Check the settings that the message names in Frontdoor."],
  },
  {
    code: "changed-outside",
    says: "…: changed outside Pulumi: ….",
    meaning: "The update overwrote a value that is not in the state.",
    cause: "Somebody changed it outside Pulumi, or the read was old.",
    remedies: [
      ["the program is right", "do nothing: this is a notice"],
      ["the other value is right", "write it into the program, and run `pulumi up`"],
    ],
  },
  {
    code: "port-in-use",
    says: "…: share … has port … of tunnel ….",
    meaning: "Another share uses this port of the tunnel.",
    cause:
      "A tunnel takes one share per port. The share that has the port belongs to this program, to an earlier name of this resource, to another stack, or to nobody.",
    remedies: [
      ["you renamed the resource or its key", "add `aliases` (for a key of a site's `shares`: `formerly`)"],
      ["the same edit frees the port", "free it first, in a `pulumi up` of its own"],
      ["no state has the other share, and it is yours", "set `adopt` to its id"],
      ["another application needs the port", "choose another `ingressPort`"],
    ],
  },
  {
    code: "place-taken",
    says: "…: location … is occupied by tunnel ….",
    meaning: "Another tunnel occupies the location.",
    cause: "According to Frontdoor's specification, a location takes one tunnel of a front door.",
    remedies: [
      ["you renamed the tunnel or its site", "add `aliases`"],
      ["the same edit frees the location", "free it first, in a `pulumi up` of its own"],
      ["no state has the other tunnel, and it is yours", "set `adopt` to its id"],
      ["another site needs the location", "choose another `locationId`"],
    ],
  },
  {
    code: "retained-tunnel",
    says: "…: a tunnel with `retainOnDelete` cannot be replaced at its location, because the old one stays there.",
    meaning: "A tunnel with `retainOnDelete` cannot be replaced at its location.",
    cause: "The old tunnel would stay there.",
    remedies: [
      ["the tunnel need not change", "undo the change"],
      ["the new tunnel can be at another location", "change `locationId` in the same edit"],
      ["the old tunnel need not stay", "remove `retainOnDelete`, and run `pulumi up` before the change"],
    ],
  },
  {
    code: "peer-not-public",
    says: "…: `peerPublicIp` is not a public address, so the internet does not reach the device.",
    meaning: "The `peerPublicIp` of a tunnel isn't a public address (a warning).",
    cause: "The internet does not reach it.",
    remedies: [
      ["the device is behind a NAT", "set the public address of the NAT"],
      ["it is a lab or a private peering", "do nothing: this is a warning"],
    ],
  },
  {
    code: "tunnel-replaced",
    says: "is …, a tunnel that this edit replaces.",
    meaning: "A resource keeps the id of a tunnel that the edit replaces.",
    cause: "The property is in `ignoreChanges`, or the id is a text.",
    remedies: [
      ["the property is in `ignoreChanges`", "remove it from there"],
      ["the program has the id as a text", "use the `id` of the tunnel's resource"],
    ],
  },
  {
    code: "location-open",
    says: 'IPsec tunnels "…" and "…" of front door … have no `locationId`.',
    meaning: "Two tunnels of one front door have no `locationId`.",
    cause:
      "Frontdoor chooses a location for each. According to its specification, a location takes one tunnel, so it can refuse the second.",
    remedies: [
      ["the tunnels are new", "set a different `locationId` for each"],
      [
        "one is deployed",
        "set the `locationId` that `npx pulumi-frontdoor tunnels` shows for it. Any other value replaces it",
      ],
    ],
  },
  {
    code: "pending-delete",
    says: "…: the previous resource … still has the name or the port: ….",
    meaning: "The new resource needs the name, port or location of an old one, which is still being deleted.",
    cause: "The delete failed, timed out or hasn't started.",
    remedies: [
      ["the delete has not ended", "run `pulumi up` again"],
      ["the delete times out again", "raise `customTimeouts.delete` of the old resource"],
    ],
  },
  {
    code: "deadline",
    says: "…. The resource is in the state. … Run `pulumi up` again to resume the wait.",
    meaning: "The deadline passed before Frontdoor had finished.",
    cause: "The operation took longer than `customTimeouts` allows. The resource is in the state.",
    remedies: [
      [
        "Frontdoor is slow",
        "run `pulumi up` again: it continues to wait. If this happens often, raise `customTimeouts`",
      ],
      [
        "a share stays NEW in two runs",
        "remove it from the program, run `pulumi up`, add it again, and run `pulumi up`",
      ],
      ["a resource stays DELETING in two runs", "ask NetFoundry to remove it"],
    ],
  },
  {
    code: "share-error",
    says: "…. The resource is in the state. … `pulumi up` again to …",
    meaning: "Frontdoor reports ERROR for the share.",
    cause: "Often its target, environment or location is wrong.",
    remedies: [
      ["the status is SUSPENDED", "first ask NetFoundry"],
      [
        "a run has reported the ERROR",
        "check target, environment and location of the share, and run `pulumi up`: the provider sends the share again",
      ],
      ["no run has reported it", "do the same with `pulumi up --refresh`"],
    ],
  },
  {
    code: "not-ready",
    says: 'Frontdoor shows it as …: the next "pulumi preview" says if "pulumi up" waits, sends the share again or replaces the tunnel',
    meaning: "A refresh found a resource that isn't DEPLOYED.",
    cause: "A run was interrupted, Frontdoor reports a failure, or someone else is changing the resource.",
    remedies: ["Run `pulumi preview`. It shows what `pulumi up` will do about the resource. Then run `pulumi up`."],
  },
  {
    code: "share-gone",
    says: "…. The resource is in the state. Run `pulumi up --refresh` to create the … again.",
    meaning: "Someone else deleted the share.",
    cause: "Frontdoor shows it as DELETING, or no longer shows it.",
    remedies: ["Run `pulumi up --refresh`: it creates the share again, and its tunnel if that is gone too."],
  },
  {
    code: "share-incomplete",
    says: "…. The resource is in the state. … `pulumi up` again to …",
    meaning: "Frontdoor accepted the share, but did not finish it.",
    cause: "The run was interrupted, or a request failed. The share is in the state.",
    remedies: ["Run `pulumi up` again: it continues."],
  },
  {
    code: "tunnel-error",
    says: "… The tunnel is in the state. …",
    meaning: "The tunnel never worked and has failed, or is being deleted.",
    cause: "Frontdoor could not deploy it, or someone deleted it.",
    remedies: [
      ["an argument is wrong", "correct it, and run `pulumi up`"],
      ["a run has reported the failure", "run `pulumi up`, which replaces a tunnel that has never worked"],
      ["no run has reported it", "run `pulumi up --refresh`"],
    ],
  },
  {
    code: "tunnel-failed",
    says: "…. It was not changed.",
    meaning: "The tunnel has worked, and Frontdoor shows a failed status now.",
    cause: "Frontdoor failed or suspended it. Pulumi replaces such a tunnel only for an edit.",
    remedies: [
      ["the status is SUSPENDED, or you do not know why it failed", "ask NetFoundry"],
      ["you want a new tunnel, with a new key and a new address", "set another `rotation`, and run `pulumi up`"],
    ],
  },
  {
    code: "tunnel-incomplete",
    says: "…. The resource is in the state. … `pulumi up` again to …",
    meaning: "Frontdoor accepted the tunnel, but did not finish it.",
    cause: "The run was interrupted, or a request failed. The tunnel is in the state.",
    remedies: ["Run `pulumi up` again: it continues."],
  },
  {
    code: "connection-down",
    says: "… On the device, check that UDP 500 and ESP pass …",
    meaning: "The tunnel stays, but its VPN connection was not UP by the deadline.",
    cause: "The device isn't set up, or a firewall drops UDP 500, UDP 4500 or ESP.",
    remedies: [
      ["the site's administrator has not set up the device", "wait for that, and run `pulumi up` again"],
      ["the device is set up", 'follow the page "A tunnel is DOWN", and run `pulumi up` again'],
      ["the device needs longer", "raise `customTimeouts.create`"],
    ],
  },
  {
    code: "tunnel-ended",
    says: "…: …, so its connection cannot be UP.",
    meaning: "The tunnel failed or is gone, so its connection cannot be UP.",
    cause: "Frontdoor reports it failed, deleted or missing.",
    remedies: [
      ["the tunnel is gone", "run `pulumi up --refresh`, which creates it again"],
      ["the tunnel has failed", "ask NetFoundry, or set another `rotation` to rebuild it"],
      ["`tunnelId` names another tunnel", "correct it"],
    ],
  },
  {
    code: "tunnel-differs",
    says: "…. The resource is in the state. … `pulumi up` again to … replace the tunnel.",
    meaning: "The tunnel in Frontdoor differs from the program.",
    cause: "An interrupted run created it with other arguments.",
    remedies: ["Run `pulumi up` again: it replaces the tunnel."],
  },
];

export const updating: readonly Entry[] = [
  {
    code: "tunnel-missing",
    says: "…. The share was not ….",
    meaning: "The tunnel of the share does not exist, or is being deleted.",
    cause: "The id is mistyped, or the tunnel was deleted outside Pulumi.",
    remedies: [
      ["the id is mistyped", "correct `ipsecTunnelId`. `npx pulumi-frontdoor tunnels` lists the ids"],
      ["the program declares the tunnel", "run `pulumi up --refresh`, without `--target`"],
      ["another stack declares the tunnel", "run `pulumi up` there, and then here"],
    ],
  },
  {
    code: "set-incomplete",
    says: "… retry the failed shares. / The whole set stays in the state.",
    meaning: "Some shares of a set have failed.",
    cause: "The log has the reasons. After a failed delete, the whole set stays in the state.",
    remedies: [
      ["a reason in the log names an argument", "correct it, and run the command again"],
      ["a port is taken", "choose another port, or set `adopt` on that key"],
      ["a delete has failed", "run the command again. Until then, the whole set stays in the state"],
    ],
  },
  {
    code: "keys-differ",
    says: "…: the program has other keys than the import, so these shares would be deleted and created again.",
    meaning: "The program has other keys than the imported share set.",
    cause: "An import takes the shares' names as keys. Other keys are new shares.",
    remedies: [
      ["you want the keys of the program", "on each key, set `adopt` to the id in the message, and run `pulumi up`"],
      ["you want the names of the shares as keys", "use the imported keys in the program"],
    ],
  },
  {
    code: "replacement-needed",
    says: "…: changing … replaces the resource, and this command can only update it.",
    meaning: "The change replaces a tunnel, but the command only updates.",
    cause: "`pulumi do --stateless … patch` can only update, and Frontdoor can't update a tunnel.",
    remedies: ["Change it in a program, and run `pulumi up`."],
  },
  {
    code: "retained",
    says: "… stays in Frontdoor, because it had `retain: true`.",
    meaning: "The share of a removed key of a set or a site stays in Frontdoor.",
    cause: "The share had `retain: true`.",
    remedies: [
      ["the share should stay", "do nothing: this is a notice"],
      ["it should go", "delete it in Frontdoor"],
    ],
  },
  {
    code: "not-proved-gone",
    says: '…: Frontdoor answers "not found", but its lists do not confirm that the resource is gone.',
    meaning: 'Frontdoor says "not found", but its lists do not confirm that the resource is gone.',
    cause: "Its responses contradict each other.",
    remedies: [
      ["it happens once", "try again later"],
      ["it happens again", "run `npx pulumi-frontdoor doctor`"],
    ],
  },
];

export const deleting: readonly Entry[] = [
  {
    code: "tunnel-in-use",
    says: "…: these IPsec shares still use the tunnel: ….",
    meaning: "Shares still use the tunnel.",
    cause: "Frontdoor deletes only a tunnel that no share uses. These shares are not of this program.",
    remedies: [
      ["only the location changes", "run `pulumi up` in the stack of the shares first"],
      ["an interrupted run created them", "undo your change, and run `pulumi up`"],
      ["another stack or a person has made them", "move or delete them there"],
    ],
  },
  {
    code: "not-deleted",
    says: "…: the delete has not finished: ….",
    meaning: "Frontdoor has not deleted the resource.",
    cause: "It reports ERROR, or the deadline passed.",
    remedies: [
      ["the deadline has passed", "run the command again"],
      ["deletes often take longer", "raise `customTimeouts.delete`, and run `pulumi up` before you delete"],
      ["the resource stays DELETING in two runs", "ask NetFoundry to remove it"],
    ],
  },
  {
    code: "not-deleted-owned",
    says: "…: not deleted in Frontdoor, because another resource of the program has this id now.",
    meaning: "The resource stays, because another resource of the program has its id now.",
    cause: "You renamed or moved it.",
    remedies: ["Do nothing: this is a notice."],
  },
];

export const importing: readonly Entry[] = [
  {
    code: "import-dynamic",
    says: '…"…": the default import of this package cannot import a resource.',
    meaning: "The dynamic provider cannot import a resource.",
    cause: "Pulumi imports only into plugins.",
    remedies: [
      ["you use `pulumi-frontdoor`", "remove the option `import`, and set the argument `adopt` to the id"],
      ["you need `pulumi import`", "change to the plugin, `pulumi-frontdoor/plugin`"],
    ],
  },
  {
    code: "adopt-leaving",
    says: "… would be deleted with its tunnel, which this edit replaces.",
    meaning: "The resource adopts a share that the same edit deletes with its tunnel.",
    cause: "Pulumi deletes the tunnel's shares before it sees what adopts one.",
    remedies: ["First adopt the share in a separate `pulumi up`."],
  },
  {
    code: "adopt-missing",
    says: "… is not a resource of this kind: Frontdoor shows it without ….",
    meaning: "The front door doesn't have the resource that `adopt` names, or is deleting it.",
    cause: "The id is from another front door or kind, or was deleted, for example by `pulumi destroy`.",
    remedies: [
      ["the resource was deleted, for example by `pulumi destroy`", "remove `adopt`: then Pulumi creates the resource"],
      ["the id is of another front door, or of another kind", "correct the id in `adopt`"],
    ],
  },
  {
    code: "adopt-differs-from-state",
    says: "…: the state has …, and `adopt` names ….",
    meaning: "`adopt` was changed or added, and the state already has another id for the resource.",
    cause: "In its place, Pulumi would delete the resource in the state, or change it into a copy of the other one.",
    remedies: [
      ["you want to keep the id in the state", "remove `adopt`"],
      [
        "you want the id that `adopt` names",
        "follow the guide: Pulumi forgets the resource and the shares on it, and they stay in Frontdoor",
      ],
    ],
  },
  {
    code: "adopt-differs",
    says: "…: … differs from the program in …, and Frontdoor cannot change a tunnel.",
    meaning: "The tunnel of `adopt` differs from the program.",
    cause: "A tunnel can only be replaced, not updated.",
    remedies: [
      ["the tunnel is right", "set the arguments in the message to the tunnel's values"],
      ["the program is right", "remove `adopt`, and Pulumi creates another tunnel"],
    ],
  },
  {
    code: "import-id",
    says: "… has too many parts for an id.",
    meaning: "The id of the import isn't valid.",
    cause: "It isn't `<id>`, or `tunnel/<tunnelId>` for a set. For another front door, put `<frontdoorId>/` before it.",
    remedies: [
      ["you wrote the id by hand", "correct it"],
      ["you import many resources", "let `npx pulumi-frontdoor import` write the ids"],
    ],
  },
];

export const reading: readonly Entry[] = [
  {
    code: "not-found",
    says: "…: front door … has no resource of this kind with this id.",
    meaning: "The front door has no resource with this id, or is deleting it.",
    cause: "The id or front door is wrong, or somebody deleted it.",
    remedies: [
      ["the id is mistyped, or of another front door", "correct it: `npx pulumi-frontdoor tunnels` lists the ids"],
      ["somebody deleted the resource", "run `pulumi up --refresh`"],
    ],
  },
  {
    code: "not-one-match",
    says: "… resources with this name: ….",
    meaning: "No resource, or more than one, has this name.",
    cause: "Names need not be unique in Frontdoor.",
    remedies: [
      ["the name is wrong", "correct it"],
      ["several resources have the name", "use an id"],
    ],
  },
  {
    code: "key-not-found",
    says: "…: The program got no pre-shared key, ….",
    meaning: "`getPreSharedKey` returned no key.",
    cause: "The sample configuration has no key, several, or only a masked one. Frontdoor chooses its format.",
    remedies: [
      [
        "the sample configuration has no key, or several",
        "use `getSampleConfig`, and write the whole text into the vault",
      ],
      ["the key is masked", "ask NetFoundry for it"],
    ],
  },
  {
    code: "front-door-id",
    says: "frontdoorId must be 1 to 128 letters, digits or characters of `._:~-`.",
    meaning: "The front door's id contains an invalid character.",
    cause: "It comes from an import or the state.",
    remedies: [
      ["you import", "write the id as `<frontdoorId>/<id>`"],
      ["the state has it", "correct the state with `pulumi stack export` and `pulumi stack import`"],
    ],
  },
  {
    code: "seen-elsewhere",
    says: "…: … does not show it, and it was last seen at ….",
    meaning: "A resource was last seen at another URL, and is absent here.",
    cause: "The URL or the token leads to another Frontdoor, or Frontdoor has moved. The resource stays in the state.",
    remedies: [
      ["the URL or the token is wrong", "correct it, and run `pulumi up --refresh=false`"],
      ["Frontdoor has moved, and the resource is gone", "run `pulumi state delete <URN>`, and then `pulumi up`"],
    ],
  },
  {
    code: "list-too-long",
    says: "…: Frontdoor's list does not end, so the provider stopped reading.",
    meaning: "A list in Frontdoor does not end.",
    cause: "The URL leads to another server, or a gateway changes the pages.",
    remedies: ["Check `frontdoor:baseUrl`."],
  },
  {
    code: "list-contradicts-itself",
    says: "GET …: Frontdoor's pages show … of … entries, twice.",
    meaning: "A list was inconsistent twice, so entries may be missing.",
    cause: "Its total is wrong, an entry has no id, or it changes all the time.",
    remedies: [
      ["it happens once", "run the command again"],
      ["it happens again", "report it to NetFoundry"],
    ],
  },
  {
    code: "list-too-slow",
    says: "…: the list did not end before the deadline, so the provider stopped reading.",
    meaning: "A list did not end before the deadline.",
    cause: "It has many entries, or Frontdoor is slow.",
    remedies: [
      ["Frontdoor is slow now", "try again later"],
      [
        "the front door has thousands of entries",
        "raise `frontdoor:requestsPerSecond`, and for a resource `customTimeouts`",
      ],
    ],
  },
  {
    code: "closed",
    says: "The run was ending, and the provider had closed its connection.",
    meaning: "A call came after the provider had closed its connection.",
    cause: "Pulumi asked for something while the run was ending.",
    remedies: ["Run the command again."],
  },
];
