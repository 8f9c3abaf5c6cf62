/** What `frontdoor explain` and docs/troubleshooting.md say of one code. */
export interface Entry {
  code: string;
  /** One sentence: the situation. */
  meaning: string;
  /** One or two sentences. */
  cause: string;
  /** One to three, the most likely first. */
  remedies: readonly string[];
}

/** Every code, by what the user was doing. */
export const catalogue: readonly { doing: string; entries: readonly Entry[] }[] = [
  {
    doing: "Configuring",
    entries: [
      {
        code: "configured-twice",
        meaning: "A plugin process got a second, different configuration.",
        cause:
          "Pulumi configures each plugin process once. Another process of this machine tried to configure it again.",
        remedies: ["Run the command again."],
      },
      {
        code: "other-user",
        meaning: "A process of another user called the plugin.",
        cause: "The plugin answers only the user who started it. Some sandboxes hide who opened a connection.",
        remedies: ["Run Pulumi as the user who starts the plugin.", "Use the dynamic provider, the default import."],
      },
      {
        code: "records-not-kept",
        meaning: "The provider cannot write creation records; the run goes on without them.",
        cause: "The folder of the records is read-only, full or not yours.",
        remedies: [
          "Set `FRONTDOOR_STATE_DIR` to a folder that you can write to.",
          "Adopt what an interrupted run has created.",
        ],
      },
      {
        code: "unsafe-state-folder",
        meaning: "The provider keeps no creation records, because another user could change them.",
        cause: "The folder is a symbolic link, belongs to another user, or other users can write to it.",
        remedies: [
          "Set `FRONTDOOR_STATE_DIR` to a folder that only you can write to.",
          "Run `chmod go-w` on the folder if it is yours.",
        ],
      },
      {
        code: "proxy-invalid",
        meaning: "The environment names a proxy whose address is invalid.",
        cause: "`HTTPS_PROXY` or `HTTP_PROXY` holds no URL, or a URL with a protocol that is not supported.",
        remedies: ["Set `HTTPS_PROXY` and `HTTP_PROXY` to http or https addresses.", "Remove the two variables."],
      },
    ],
  },
  {
    doing: "Previewing",
    entries: [
      {
        code: "unknown-input",
        meaning: "The program gives an argument that the resource does not have.",
        cause: "The name is misspelt, and no compiler checked its type.",
        remedies: ["Use one of the arguments that the message lists."],
      },
      {
        code: "id-twice",
        meaning: "Two resources of the program have the same id.",
        cause: "Both adopt it, both were imported, or one adopts the resource of the other.",
        remedies: ["Remove one of the two from the program.", "Remove `adopt` from one of the two."],
      },
      {
        code: "name-twice",
        meaning: "Two resources of one kind have the same name on one front door.",
        cause: "After an interrupted run the provider could not tell the two apart.",
        remedies: ["Give the newer resource another name: a live tunnel is replaced if you rename it."],
      },
      {
        code: "port-cycle",
        meaning: "Shares of a set exchange their ports in a cycle.",
        cause: "A tunnel has one listener on each port, so each share waits for the next one.",
        remedies: ["Give one share a free `ingressPort` in a separate `pulumi up`, then the port that you want."],
      },
    ],
  },
  {
    doing: "Creating",
    entries: [
      {
        code: "identical-exists",
        meaning: "An identical resource exists, and this stack has no record of creating it.",
        cause: "Another stack or person created it, or an earlier run did on a machine that kept no creation records.",
        remedies: [
          "If the resource is yours, set `adopt` to its id.",
          "To create a second one, give it another name.",
          "On machines that keep no files, see `frontdoor:takeOver`.",
        ],
      },
      {
        code: "resume-refused",
        meaning: "An interrupted run created the resource, and the configuration forbids to resume it.",
        cause: "`frontdoor:takeOver` is `never`.",
        remedies: ["Set `adopt` to the id in the message.", "Set `frontdoor:takeOver` to `interrupted`."],
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
        remedies: ["Do nothing if the resource is yours.", "Otherwise set `frontdoor:takeOver` to `interrupted`."],
      },
      {
        code: "not-shown",
        meaning: "The service accepted the create, but does not show the resource.",
        cause: "The answer held no id, and the resource was in no list before the deadline.",
        remedies: ["Run `pulumi up` again: it polls before it creates."],
      },
      {
        code: "stale-creation-record",
        meaning: "An interrupted run created a resource that the program no longer declares.",
        cause: "The program has changed since that run. The resource can be used by others now.",
        remedies: ["Delete the resource at the service.", "Declare the resource again, with `adopt` and its id."],
      },
      {
        code: "port-in-use",
        meaning: "Another share already uses this port of the tunnel.",
        cause: "A tunnel has one listener on each port.",
        remedies: [
          "Choose another `ingressPort`.",
          "If the other share is in the program, move or remove it in a separate `pulumi up`.",
          "If the other share is yours, set `adopt` to its id. For a replacement, set `deleteBeforeReplace: true`.",
        ],
      },
      {
        code: "place-taken",
        meaning: "Another tunnel occupies the location.",
        cause: "The service allows one tunnel for each front door and location.",
        remedies: [
          "Choose another `locationId`.",
          "If the other tunnel is in the program, move or remove it in a separate `pulumi up`.",
          "If the other tunnel is yours, set `adopt` to its id. After a rename, use an alias (`aliases`).",
        ],
      },
      {
        code: "pending-delete",
        meaning: "The previous resource has the name or the place, and its delete has not ended.",
        cause: "The delete failed, timed out or was not started in this run.",
        remedies: ["Run `pulumi up` again.", "Raise `customTimeouts.delete` of the previous resource."],
      },
      {
        code: "deadline",
        meaning: "The deadline passed before the service had finished.",
        cause: "The service needs longer than `customTimeouts` allows. The resource is in the state.",
        remedies: ["Run `pulumi up` again: it resumes the wait.", "Raise `customTimeouts`."],
      },
      {
        code: "share-error",
        meaning: "The service reports ERROR for the share.",
        cause: "The service could not set up the share. Often its target, its environment or its location is wrong.",
        remedies: ["Check the arguments of the share.", "Run `pulumi up` again: it sends the share again."],
      },
      {
        code: "share-gone",
        meaning: "Someone else deleted the share during the wait.",
        cause: "The service shows it as DELETING, or no longer shows it.",
        remedies: ["Run `pulumi up` again: it creates the share again."],
      },
      {
        code: "share-incomplete",
        meaning: "The service accepted the share, but did not finish it.",
        cause: "The run was interrupted, or a later request failed. The share is in the state.",
        remedies: ["Run `pulumi up` again: it continues from there."],
      },
      {
        code: "tunnel-error",
        meaning: "The service reports that the tunnel has failed or is being deleted.",
        cause: "The service could not set up the tunnel, or someone else deleted it.",
        remedies: ["Check the arguments of the tunnel.", "Run `pulumi up` again: it replaces the tunnel."],
      },
      {
        code: "tunnel-incomplete",
        meaning: "The service accepted the tunnel, but did not finish it.",
        cause: "The run was interrupted, or a later request failed. The tunnel is in the state.",
        remedies: ["Run `pulumi up` again: it continues from there."],
      },
      {
        code: "tunnel-differs",
        meaning: "The tunnel that the service shows differs from the program.",
        cause: "The service or someone else gave it other values during the create.",
        remedies: ["Run `pulumi up` again: it replaces the tunnel."],
      },
    ],
  },
  {
    doing: "Updating",
    entries: [
      {
        code: "tunnel-missing",
        meaning: "The tunnel of the share no longer exists, or is being deleted.",
        cause: "Someone deleted the tunnel outside Pulumi, or `--target` left its replacement out.",
        remedies: ["Run `pulumi up --refresh` for the whole program."],
      },
      {
        code: "set-incomplete",
        meaning: "Some shares of a set are not as declared.",
        cause: "The message gives the reason of each one. The state has what was done.",
        remedies: ["Correct what the reasons name.", "Run `pulumi up` again: it does the rest."],
      },
      {
        code: "retained",
        meaning: "The share of a removed key stays at the service.",
        cause: "The key had `retain: true`.",
        remedies: ["Do nothing: this is a notice.", "To delete the share, delete it at the service."],
      },
      {
        code: "not-proved-gone",
        meaning: "The service does not show the resource, and has not proved that it is gone.",
        cause: 'A read answered "not found", but the list did not confirm it.',
        remedies: ["Try again later.", "Run `frontdoor doctor` if it stays."],
      },
    ],
  },
  {
    doing: "Deleting",
    entries: [
      {
        code: "tunnel-in-use",
        meaning: "Shares still use the tunnel.",
        cause:
          "The service deletes a tunnel only when no share uses it. A share that no state of yours holds can be another team's.",
        remedies: [
          "Delete the shares that the message names, or move them to another tunnel.",
          "If an interrupted run may have created them, run `pulumi up` with the tunnel unchanged.",
        ],
      },
      {
        code: "deleted-with-tunnel",
        meaning: "The provider deleted a share of this stack with its tunnel.",
        cause: "An interrupted run created the share, and no state holds it.",
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
        meaning: "The resource stays, because another resource of the program has it now.",
        cause: "You renamed or moved the resource, and the new one owns it.",
        remedies: ["Do nothing: this is a notice."],
      },
    ],
  },
  {
    doing: "Importing and adopting",
    entries: [
      {
        code: "adopt-missing",
        meaning: "The front door does not have the resource that `adopt` names, or it is being deleted.",
        cause: "The id is of another front door or kind, or someone deleted the resource.",
        remedies: ["Correct `adopt`.", "Remove `adopt` to create a new resource."],
      },
      {
        code: "adopt-differs",
        meaning: "The tunnel that `adopt` names differs from the program.",
        cause: "A tunnel can only be replaced, so the provider cannot change it to the values of the program.",
        remedies: [
          "Give the arguments in the message the values of the tunnel.",
          "Remove `adopt` to create a new tunnel.",
        ],
      },
      {
        code: "import-id",
        meaning: "The id of an import has the wrong form.",
        cause: "A resource is `<id>` or `<frontdoorId>/<id>`. A set is `tunnel/<tunnelId>`.",
        remedies: ["Correct the id.", "Let `frontdoor import` write the ids."],
      },
    ],
  },
  {
    doing: "Reading",
    entries: [
      {
        code: "front-door-id",
        meaning: "The id of the front door has characters that an id cannot have.",
        cause: "The program, or the state, holds something that cannot be part of an address.",
        remedies: [
          "Correct `frontdoorId`.",
          "Correct an id in a state with `pulumi stack export` and `pulumi stack import`.",
        ],
      },
      {
        code: "list-too-long",
        meaning: "A list of the service does not end.",
        cause: "The address leads to another server, or a gateway changes the pages.",
        remedies: ["Check `frontdoor:baseUrl`."],
      },
      {
        code: "list-too-slow",
        meaning: "A list did not end before the deadline.",
        cause: "The service has many entries, or answers slowly.",
        remedies: ["Raise `customTimeouts`.", "Raise `frontdoor:requestsPerSecond`."],
      },
      {
        code: "closed",
        meaning: "A call came after the provider had closed the service.",
        cause: "The run was ending.",
        remedies: ["Run the command again."],
      },
    ],
  },
  {
    doing: "Using the command line",
    entries: [
      {
        code: "key-not-printed",
        meaning: "The command did not print the sample configuration.",
        cause: "The sample configuration holds the pre-shared key. Terminals and CI logs keep what they show.",
        remedies: ["Name a file with `--out FILE`.", "Use `--out -` to print it."],
      },
      {
        code: "not-a-plain-file",
        meaning: "The command did not write to a symbolic link, a folder or a device.",
        cause: "Another user can make a link that leads to a file of yours.",
        remedies: ["Name a plain file."],
      },
      {
        code: "other-front-door",
        meaning: "The dashboard got a request for another front door.",
        cause: "A dashboard shows one front door only.",
        remedies: ["Run `frontdoor dashboard` again with `--frontdoor-id`."],
      },
    ],
  },
  {
    doing: "Running a fleet",
    entries: [
      {
        code: "backend-address",
        meaning: "The fleet file holds a back end's address that can hold secrets.",
        cause: "Temporal keeps the fleet file.",
        remedies: ["Write `env:NAME` or `file:PATH` instead of the address."],
      },
      {
        code: "payload-not-encrypted",
        meaning: "Temporal holds a payload that is not encrypted.",
        cause: "A run or schedule was started without `FRONTDOOR_FLEET_KEY`.",
        remedies: ["Cancel the runs and remove the schedules that were started without the key."],
      },
      {
        code: "temporal-plain-text",
        meaning: "The connection to Temporal would not be encrypted.",
        cause: "Temporal is on another machine, and TLS is off.",
        remedies: ["Set `TEMPORAL_TLS=true`."],
      },
      {
        code: "worker-program",
        meaning: "The program of a stack is outside the worker's folder.",
        cause: "A worker runs only programs below its `--root`.",
        remedies: ["Move the program below the worker's `--root`."],
      },
      {
        code: "worker-project",
        meaning: "The project has the name of the provider's settings.",
        cause: "The name `frontdoor` in `Pulumi.yaml` mixes the project's settings with those of the provider.",
        remedies: ["Rename the project in `Pulumi.yaml`."],
      },
      {
        code: "worker-backend",
        meaning: "The worker does not allow the back end of the fleet.",
        cause: "A worker uses only the back ends of `--allow-backend`.",
        remedies: ["Start the worker with `--allow-backend` and the address."],
      },
      {
        code: "worker-secret",
        meaning: "The worker does not allow a reference to a secret.",
        cause: "A worker reads only the variables and files of `--allow-secret`.",
        remedies: ["Start the worker with `--allow-secret` and the reference."],
      },
      {
        code: "worker-url",
        meaning: "The worker does not allow an address of the stack.",
        cause: "A worker sends credentials only to the addresses of `--allow-url`.",
        remedies: ["Start the worker with `--allow-url` and the address."],
      },
    ],
  },
];
