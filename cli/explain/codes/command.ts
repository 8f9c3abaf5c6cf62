import type { Entry } from "./entry";

export const commandLine: readonly Entry[] = [
  {
    code: "unknown-code",
    says: "… is not the code of a message.",
    meaning: "`pulumi-frontdoor explain` doesn't know the code.",
    cause: "It is misspelled, or from another version.",
    remedies: ["Use a code that `npx pulumi-frontdoor explain` lists."],
  },
  {
    code: "key-not-printed",
    says: "the … holds the pre-shared key, so it was not printed.",
    meaning: "The command did not print the configuration.",
    cause: "It contains the pre-shared key, and terminals and CI logs keep what they show.",
    remedies: [
      ["you want a file", "add `--out FILE`: only you can read it"],
      ["you want it on standard output", "add `--out -`"],
    ],
  },
  {
    code: "tunnel-config-missing",
    says: "…: Frontdoor has no tunnel configuration for it.",
    meaning: "`pulumi-frontdoor device-config` found no tunnel configuration.",
    cause: "Frontdoor has no VPN connection yet, or does not show it.",
    remedies: ["Try again once `npx pulumi-frontdoor tunnel` shows a connection."],
  },
  {
    code: "device-value-refused",
    says: "…: Frontdoor …. Nothing was written. Use npx pulumi-frontdoor sample-config instead.",
    meaning: "`pulumi-frontdoor device-config` did not write a value.",
    cause: "It is in an unexpected format, or the device could misread the key.",
    remedies: [
      ["another value is in an unexpected format", "use the values of `npx pulumi-frontdoor sample-config`"],
      ["the device could misread the key", "choose a device that takes it, such as `strongswan`"],
    ],
  },
  {
    code: "device-no-common",
    says: "…: Frontdoor …. Nothing was written. Use npx pulumi-frontdoor sample-config instead.",
    meaning: "The device's template and Frontdoor have no common algorithm or IKE version.",
    cause: "Templates use IKEv2 and the device's algorithms.",
    remedies: [
      ["the site has another device", "choose its `--device`"],
      ["it has not", "use the values of `npx pulumi-frontdoor sample-config`"],
    ],
  },
  {
    code: "not-a-plain-file",
    says: "… is a symbolic link, a folder or a device, so nothing was written.",
    meaning: "The command did not write to a link, folder or device.",
    cause: "A symbolic link made by another user could point at one of your files.",
    remedies: ["Name a plain file."],
  },
  {
    code: "other-front-door",
    says: "The dashboard shows one front door only, and this request names another one.",
    meaning: "The dashboard got a request for another front door.",
    cause: "A dashboard shows only one.",
    remedies: ["Run `npx pulumi-frontdoor dashboard --frontdoor-id <id>`."],
  },
  {
    code: "wrong-usage",
    meaning: "The command has no such option, argument or value.",
    cause: "It is misspelled, or a required one is missing.",
    remedies: ["Run the command with `--help`."],
  },
  {
    code: "invalid-option",
    meaning: "The value of an option isn't valid.",
    cause: "The message says which values are valid.",
    remedies: ["Correct it."],
  },
  {
    code: "options-conflict",
    says: "a tunnel and --all exclude each other.",
    meaning: "Two options exclude each other, or one needs the other.",
    cause: "The command has both, or lacks one. The message names them.",
    remedies: ["Remove the option that the message names, or add the missing one."],
  },
  {
    code: "token-file-empty",
    says: "… is empty. Write the token into it.",
    meaning: "The `--token-file` is empty.",
    cause: "The program that writes it hasn't run, or has failed.",
    remedies: [
      ["another program writes the file", "check that it has run"],
      ["you have the token in a variable", "set `FRONTDOOR_TOKEN`, and leave out `--token-file`"],
    ],
  },
  {
    code: "stack-file-invalid",
    says: "… isn't a stack configuration.",
    meaning: "The `--stack-config` file isn't a stack configuration.",
    cause: "It isn't in the `Pulumi.<stack>.yaml` form.",
    remedies: ["Name the `Pulumi.<stack>.yaml` of your stack."],
  },
  {
    code: "yaml-invalid",
    says: "… is not YAML (…).",
    meaning: "`Pulumi.yaml`, or the stack's configuration, is not YAML.",
    cause: "A quote is missing, for example, or the indentation is wrong.",
    remedies: [
      ["the file is yours", "correct the line in the message"],
      ["it is another file", "name the right one with `--stack-config`"],
    ],
  },
  {
    code: "stack-file-name",
    says: "… holds secrets, and pulumi needs the stack's name to decrypt them.",
    meaning: "The command cannot decrypt the secrets in the stack configuration.",
    cause: "Pulumi decrypts by stack name, which the command takes from the file name.",
    remedies: ["Rename the file to `Pulumi.<stack>.yaml`."],
  },
  {
    code: "stack-secrets-unreadable",
    says: "…: its secrets can't be read (…).",
    meaning: "Pulumi cannot read the secrets in the stack configuration.",
    cause: "There is no `pulumi` on PATH, you aren't logged in, or the passphrase is wrong.",
    remedies: [
      [
        "`pulumi` is not on `PATH`, you are not logged in, or the passphrase is wrong",
        "correct what the message names",
      ],
      ["Pulumi is not on this machine", "use `--token-file`"],
    ],
  },
  {
    code: "file-unreadable",
    says: "… can't be read (…).",
    meaning: "The command cannot read a file.",
    cause: "It doesn't exist, or you may not read it. The message has the system's error.",
    remedies: ["Name a file that you can read."],
  },
  {
    code: "file-exists",
    says: "… exists already.",
    meaning: "The command did not overwrite a file.",
    cause: "It exists, and `--force` is not set.",
    remedies: [
      ["you need the file", "name another one"],
      ["you do not", "add `--force`"],
    ],
  },
  {
    code: "file-not-written",
    says: "… can't be written (…).",
    meaning: "The command cannot write a file.",
    cause: "Its folder doesn't exist, or you may not write there. The message has the system's error.",
    remedies: ["Name a writable file."],
  },
  {
    code: "ambiguous-name",
    says: "… is a tunnel and a share.",
    meaning: "Several resources have this id or name.",
    cause: "A tunnel and a share have it, or several resources of the stack.",
    remedies: [
      ["you know the id", "use the id that the message names"],
      ["you use `npx pulumi-frontdoor metrics`", "add `--kind`"],
    ],
  },
  {
    code: "not-a-terminal",
    says: "--watch needs a terminal.",
    meaning: "`--watch` redraws a list, but standard output isn't a terminal.",
    cause: "The output goes to a file or program, or `--json` is set.",
    remedies: ["Use `npx pulumi-frontdoor watch`."],
  },
  {
    code: "still-changing",
    says: "these are still changing: ….",
    meaning: "Tunnels or shares were still changing after `--for`.",
    cause: "Frontdoor hasn't finished an operation.",
    remedies: ["Use a longer `--for`."],
  },
  {
    code: "status-error",
    says: "these have failed: ….",
    meaning: "Tunnels or shares are in ERROR, FAILED or SUSPENDED.",
    cause: "Frontdoor failed to deploy them, or suspended them.",
    remedies: [
      ["a share has failed", "run `pulumi up --refresh`: the provider sends the share again"],
      ["a tunnel has failed that never worked", "run `pulumi up --refresh`, which replaces it"],
      ["a tunnel has failed that has worked", "ask NetFoundry, or set another `rotation` to rebuild it"],
    ],
  },
  {
    code: "status-problems",
    says: "problems: ….",
    meaning: "`pulumi-frontdoor status` found something failed or DOWN.",
    cause: "Its output names each.",
    remedies: [
      ["a resource is SUSPENDED", "first ask NetFoundry"],
      ["a share has failed", "run `pulumi up --refresh`"],
      ["a tunnel has failed", "ask NetFoundry. To rebuild one that has worked, set another `rotation`"],
      ["a connection is DOWN", 'follow the page "A tunnel is DOWN"'],
    ],
  },
  {
    code: "connections-not-read",
    says: "…, so it is not known whether they are UP.",
    meaning: "`pulumi-frontdoor status` could not read every connection, and ends with exit code 5.",
    cause:
      "The account lacks the right on `tunnel-config`, or Frontdoor did not answer. A connection that was not read can be DOWN.",
    remedies: [
      ["the account lacks the right on `tunnel-config`", "give it that right"],
      ["a line that begins with UNREAD has another reason", "follow it, and run the command again"],
    ],
  },
  {
    code: "config-not-current",
    says: "… is not current: ….",
    meaning: "The `--diff` file differs from the sample configuration.",
    cause:
      "The tunnel was replaced, or someone edited the file. Or `device-config` wrote it: such a file always differs.",
    remedies: ["If `sample-config` wrote it, write it again with `--out` and `--force`, and load it."],
  },
  {
    code: "other-stack",
    says: "…: the … like another stack's of project ….",
    meaning: "`pulumi-frontdoor import` found names like those that another stack of the project derives.",
    cause: "The wrong stack may be selected.",
    remedies: [
      ["the wrong stack is selected", "select the right one with `pulumi stack select`"],
      ["no other stack manages the resources", "go on"],
    ],
  },
  {
    code: "import-incomplete",
    says: "the import leaves out ….",
    meaning: "`pulumi-frontdoor import` left out some tunnels or shares.",
    cause: "They share a name, or have a value that the provider refuses.",
    remedies: [
      ["two resources share a name", "import one of them into another stack, with `--filter`"],
      [
        "a resource has a value that the provider refuses",
        "read the printed reason, and change the value in Frontdoor",
      ],
    ],
  },
  {
    code: "problems-found",
    says: "problems with ….",
    meaning: "`pulumi-frontdoor doctor` found problems.",
    cause: "Each line that begins with `wrong` describes one.",
    remedies: ["Follow the remedy in the line."],
  },
  {
    code: "node-version",
    says: "Node … is too old for this command.",
    meaning: "Node is missing from PATH, or too old.",
    cause: "The provider and this command run with it.",
    remedies: ["Put the version shown first on PATH."],
  },
  {
    code: "engine-version",
    says: "install Pulumi … or later and put it on PATH: …",
    meaning: "Pulumi is missing from PATH, or too old.",
    cause: "The package needs a newer Pulumi CLI.",
    remedies: ["Put the version shown on PATH."],
  },
  {
    code: "plugin-version",
    says: "put dist/plugin of this package first on PATH",
    meaning: "The plugin that Pulumi takes is not of the package's version, or missing.",
    cause: "`plugins.providers` of `Pulumi.yaml` names another folder, or an older plugin is first on PATH.",
    remedies: [
      ["`plugins.providers` of `Pulumi.yaml` names another folder", "run `npm install`, and correct the path"],
      ["an older plugin is first on `PATH`", "put `dist/plugin` of the package before it"],
    ],
  },
  {
    code: "port-not-free",
    says: "the command can't use port … of … (…).",
    meaning: "The dashboard or `pulumi-frontdoor watch --serve` cannot use its port.",
    cause: "Another program uses it, or you lack permission.",
    remedies: ["Choose another `--port` or `--serve`."],
  },
  {
    code: "internal-error",
    says: "… This is a defect of the command. Report it with these lines.",
    meaning: "The command has a defect.",
    cause: "The error is not one that it handles.",
    remedies: ["Report the message."],
  },
  {
    code: "no-ids-found",
    says: "no front door was found.",
    meaning: "`pulumi-frontdoor ids` found no front door.",
    cause: "Frontdoor refused the lists, or they are empty for these credentials.",
    remedies: [
      ["Frontdoor refused a list", "follow the notes that the command printed"],
      ["the lists are empty", "run `npx pulumi-frontdoor doctor` to check the credentials"],
    ],
  },
];

export const trying: readonly Entry[] = [
  {
    code: "emulator-options",
    meaning: "The emulator has no such option or value.",
    cause: "It is misspelled.",
    remedies: ["Run `npx pulumi-frontdoor emulator --help`."],
  },
  {
    code: "emulator-failed",
    meaning: "The emulator cannot start.",
    cause: "Another one uses the port or data file, or the file isn't readable.",
    remedies: [
      ["another emulator runs", "end it, or choose another `--port`"],
      ["the data file is in use or unreadable", "choose another `--data`"],
    ],
  },
  {
    code: "unsafe-data-file",
    says: "…. The emulator did not start. Name a file in a folder of your own.",
    meaning: "The emulator did not open its data file.",
    cause: "It is a link, a folder, or another user's.",
    remedies: ["Name a file in your own folder with `--data`."],
  },
  {
    code: "not-confirmed",
    says: "nothing was written, because you did not agree.",
    meaning: "`pulumi-frontdoor verify --write` wrote nothing.",
    cause: "You did not agree.",
    remedies: [
      ["you want to write", "run the command again, and answer y"],
      ["you want to read only", "leave out `--write`"],
    ],
  },
  {
    code: "verify-ended",
    says: "…. Not every check ran.",
    meaning: "`pulumi-frontdoor verify` ended before all checks.",
    cause: "Frontdoor refused a request that all checks need, or did not answer.",
    remedies: [
      ["a basic request was refused", "run `npx pulumi-frontdoor doctor`"],
      ["`--write` found no environment", "name one with `--env-zid`"],
      ["Frontdoor did not answer", "try again later"],
    ],
  },
  {
    code: "verify-left",
    says: "… resources of this check could not be removed.",
    meaning: "`pulumi-frontdoor verify` could not remove all that it created.",
    cause: "Frontdoor refused the deletes, or didn't answer in time.",
    remedies: [
      ["you can wait", "run the command again in an hour: it offers to remove the rest"],
      ["you cannot", "delete what is named `verify-…` in Frontdoor"],
    ],
  },
  {
    code: "verify-unusable",
    says: "the provider can't work with this Frontdoor: ….",
    meaning: "Frontdoor differs in a way that breaks the provider.",
    cause: "The message names the assumptions that do not hold.",
    remedies: ["Attach the file of `npx pulumi-frontdoor verify --report FILE` to an issue."],
  },
];

export const impact: readonly Entry[] = [
  {
    code: "impact-not-understood",
    says: "The preview is not understood: ….",
    meaning: "`pulumi-frontdoor impact` doesn't understand the preview.",
    cause: "It is empty, cut off, failed, used `--refresh`, or has an unknown type or new secret shares.",
    remedies: [
      [
        "the preview is cut off or has failed",
        "run it again, and give the command all of its output: `pulumi preview --json --show-sames --show-replacement-steps`",
      ],
      ["the program uses another version of the package", "run the command of the program's package"],
    ],
  },
  {
    code: "impact-plan-differs",
    says: "… Save it with the preview: …",
    meaning: "The plan was not saved by the preview that `pulumi-frontdoor impact` got.",
    cause: "It is a plan of another stack, or of an earlier preview, or no plan.",
    remedies: [
      "Make both in one run: `pulumi preview --json --show-sames --show-replacement-steps --save-plan plan.json > preview.json`.",
    ],
  },
  {
    code: "impact-refused",
    says: "Frontdoor will refuse share …: share … still has … when `pulumi up` creates it.",
    meaning: "Frontdoor will refuse a share whose port is still taken.",
    cause: "Pulumi deletes the old share last, or `retain: true` keeps it.",
    remedies: [
      ["it is the same share under another name", "use an alias or `adopt`"],
      ["it is another share", "free the port first, in a `pulumi up` of its own"],
    ],
  },
  {
    code: "impact-too-large",
    says: "The change interrupts, moves or removes …, and the limit is ….",
    meaning: "The change interrupts, moves or removes more than `--max-interrupted` allows.",
    cause: "Each update recreates a share, and tunnels are replaced.",
    remedies: [
      ["the change can be split", "split it"],
      ["a tunnel is replaced", "first move its shares to a second tunnel"],
      ["the outage is agreed", "raise the limit"],
    ],
  },
];

export const fleet: readonly Entry[] = [
  {
    code: "backend-address",
    says: "this URL can contain secrets, and Temporal keeps the fleet file.",
    meaning: "The fleet file contains a backend URL, which can contain secrets.",
    cause: "Temporal keeps the fleet file.",
    remedies: ["Write `env:NAME` or `file:PATH` instead of the URL."],
  },
  {
    code: "payload-not-encrypted",
    says: "Temporal holds a payload that is not encrypted, although FRONTDOOR_FLEET_KEY is set.",
    meaning: "Temporal holds a payload that is not encrypted.",
    cause: "A run or schedule was started without `FRONTDOOR_FLEET_KEY`.",
    remedies: ["Cancel the runs and remove the schedules that were started without the key."],
  },
  {
    code: "temporal-plain-text",
    says: "Temporal at … is on another machine, and TLS is off.",
    meaning: "The connection to Temporal would not be encrypted.",
    cause: "Temporal is on another machine, and TLS is off.",
    remedies: ["Set `TEMPORAL_TLS=true`."],
  },
  {
    code: "worker-program",
    says: "…: this folder is outside the worker's folder.",
    meaning: "The program of a stack is outside the worker's folder.",
    cause: "A worker runs only programs below its `--root`.",
    remedies: ["Move the program below the worker's `--root`."],
  },
  {
    code: "worker-project",
    says: "The project is named frontdoor, and so are the provider's settings.",
    meaning: "The project is called `frontdoor`, which is also the prefix of the provider's settings.",
    cause: "The project's settings would mix with those of the provider.",
    remedies: ["Rename the project in `Pulumi.yaml`."],
  },
  {
    code: "worker-fleet",
    says: "This worker does not allow …. The stack was not touched. Start the worker with … --fleet ….",
    meaning: "The stack belongs to another fleet than the worker.",
    cause: "A worker takes only stacks of the fleet that `--fleet` names.",
    remedies: ["Start a worker with `--fleet` and that fleet's name."],
  },
  {
    code: "worker-backend",
    says: "This worker does not allow …. The stack was not touched. Start the worker with … --allow-backend ….",
    meaning: "The worker does not allow the backend of the fleet.",
    cause: "A worker uses only its default backend and those of `--allow-backend`.",
    remedies: ["Start the worker with `--allow-backend` and the backend as it is written in the fleet file."],
  },
  {
    code: "worker-secret",
    says: "This worker does not allow …. The stack was not touched. Start the worker with ….",
    meaning: "The worker does not allow a reference to a secret.",
    cause: "A worker reads only its default variables, and the variables and files of `--allow-secret`.",
    remedies: ["Start the worker with `--allow-secret` and the reference."],
  },
  {
    code: "worker-url",
    says: "This worker does not allow …. The stack was not touched. Start the worker with … --allow-url ….",
    meaning: "The worker does not allow a URL that the stack sets.",
    cause: "A stack can set only the URLs of `--allow-url`.",
    remedies: ["Start the worker with `--allow-url` and the URL."],
  },
  {
    code: "fleet-file",
    meaning: "The fleet file has a mistake.",
    cause: "Each line of the message names a place in the file and its problem.",
    remedies: [
      ["the file has a mistake", "correct each line that the message names"],
      ["it is another file", "name the right one with `--file`"],
    ],
  },
  {
    code: "fleet-option",
    meaning: "An option of `frontdoor-fleet` is missing or unknown.",
    cause: "A stack, label or wave is misspelled, or `schedule` has no interval.",
    remedies: ["Use a name from `frontdoor-fleet plan`."],
  },
  {
    code: "fleet-busy",
    says: "another run of this fleet is under way, so no run was started.",
    meaning: "Another run of this fleet is under way.",
    cause: "A fleet has only one active run.",
    remedies: [
      ["the run should end by itself", "wait until `frontdoor-fleet status` shows its end"],
      ["it should not go on", "end it with `frontdoor-fleet cancel`"],
    ],
  },
  {
    code: "no-run",
    says: "no run of this fleet is known, or the last run has ended.",
    meaning: "No run of this fleet is under way.",
    cause: "The fleet has not run yet, or the last run has ended.",
    remedies: ["Start a run, for example with `frontdoor-fleet up`."],
  },
  {
    code: "no-worker",
    says: "the run is under way, but no worker answers.",
    meaning: "A run is under way, but no worker answers.",
    cause: "No worker of this fleet is running, or none reaches Temporal.",
    remedies: ["Start a worker with `frontdoor-fleet worker --fleet NAME`."],
  },
  {
    code: "fleet-schedule",
    says: "The drift schedule has another fleet than the file, so it does not check the stacks of the file.",
    meaning: "The schedule and the fleet file are different.",
    cause:
      "A schedule keeps the fleet file of the day on which it was made, so it does not check stacks that were added later.",
    remedies: ["Run `frontdoor-fleet schedule` with `--every` again."],
  },
  {
    code: "temporal-unreachable",
    says: "Temporal at … can't be reached… (…).",
    meaning: "Temporal does not answer at its address.",
    cause: "`TEMPORAL_ADDRESS` is wrong, or Temporal isn't running.",
    remedies: [
      ["the address is wrong", "correct `TEMPORAL_ADDRESS`"],
      ["Temporal does not run", "start it"],
    ],
  },
  {
    code: "temporal-certificate",
    says: "Temporal at … has a certificate that this machine does not trust (…).",
    meaning: "One end of the connection to Temporal does not accept the certificate of the other end.",
    cause:
      "The authority of Temporal's certificate is unknown to this machine, or Temporal wants a client certificate.",
    remedies: [
      [
        "this machine does not trust Temporal's certificate",
        "set `TEMPORAL_TLS_SERVER_CA_CERT_PATH` to the certificate of its authority",
      ],
      ["Temporal refuses this machine's", "set `TEMPORAL_TLS_CLIENT_CERT_PATH` and `TEMPORAL_TLS_CLIENT_KEY_PATH`"],
    ],
  },
  {
    code: "temporal-right",
    says: "Temporal does not allow this (…).",
    meaning: "Temporal does not allow what the command or the worker does.",
    cause: "The API key is wrong or has expired, or it lacks a right on the namespace.",
    remedies: [
      ["the namespace or the key is wrong", "correct `TEMPORAL_NAMESPACE` and `TEMPORAL_API_KEY`"],
      ["the user lacks a right", "give it the right to write to the namespace"],
    ],
  },
  {
    code: "fleet-key",
    says: "the workers of this fleet have another FRONTDOOR_FLEET_KEY than this command, so they can't read the run.",
    meaning: "`FRONTDOOR_FLEET_KEY` is missing, not a valid key, or not the key that the run or its workers have.",
    cause: "The key is 32 bytes in base64, or `none` for a trial with Temporal on the same machine.",
    remedies: ["Set it to the output of `openssl rand -base64 32`, the same for all commands and workers."],
  },
  {
    code: "worker-no-program",
    says: "…: this worker has no Pulumi.yaml in this folder.",
    meaning: "The worker does not have the program of a stack.",
    cause: "The path of `program` has no folder with `Pulumi.yaml` below the worker's `--root`.",
    remedies: [
      ["the path is wrong", "correct `program` in the fleet file"],
      ["the worker lacks the program", "copy it into a folder below the worker's `--root`"],
    ],
  },
  {
    code: "worker-secret-missing",
    says: "…: this worker has no such …, or it is empty.",
    meaning: "The worker cannot read the value of a reference.",
    cause: "The worker has no such variable or file, or cannot read the file.",
    remedies: ["Set the variable or write the file on the worker."],
  },
  {
    code: "engine-failed",
    says: "Pulumi failed without a message.",
    meaning: "Pulumi failed without a message.",
    cause: "The process ended before it could print an error.",
    remedies: ["Run the same operation with `pulumi` on the worker."],
  },
];
