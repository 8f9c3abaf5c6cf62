import type { Entry } from "./entry";

export const commandLine: readonly Entry[] = [
  {
    code: "unknown-code",
    meaning: "`frontdoor explain` got a code that no message has.",
    cause: "The code is misspelt, or it is a code of another version.",
    remedies: ["Use one of the codes that `frontdoor explain` lists."],
  },
  {
    code: "key-not-printed",
    meaning: "The command did not print the sample configuration, or the configuration of a device.",
    cause: "The text holds the pre-shared key. Terminals and CI logs keep what they show.",
    remedies: ["Name a file with `--out FILE`.", "Use `--out -` to print it."],
  },
  {
    code: "tunnel-config-missing",
    meaning: "`frontdoor device-config` found no tunnel configuration.",
    cause: "The service has not set up the VPN connection yet, or does not show it.",
    remedies: ["Run `frontdoor tunnel`, and try again once it shows a connection."],
  },
  {
    code: "device-value-refused",
    meaning: "`frontdoor device-config` did not write a value.",
    cause: "The value has an unexpected form, or the device could misread the key.",
    remedies: [
      "Use the values of `frontdoor sample-config`.",
      "For a key, choose `--device strongswan` or `fortigate`.",
    ],
  },
  {
    code: "device-no-common",
    meaning: "The template of the device has no algorithm or IKE version that the service accepts.",
    cause: "The templates use IKEv2, and the algorithms that the device has.",
    remedies: ["Choose another `--device`.", "Set up the device by the values of `frontdoor sample-config`."],
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
  {
    code: "wrong-usage",
    meaning: "The command does not have this option, argument or value.",
    cause: "The option, the argument or the value is misspelt, or a required one is missing.",
    remedies: ["Run the command with `--help`, and use an option that the help lists."],
  },
  {
    code: "invalid-option",
    meaning: "The value of an option isn't valid.",
    cause: "The message names the option and lists the values that are.",
    remedies: ["Give the option one of the values in the message."],
  },
  {
    code: "options-conflict",
    meaning: "Two options exclude each other, or one needs the other.",
    cause: "The message names the two options.",
    remedies: ["Change the two options as the message says."],
  },
  {
    code: "token-file-empty",
    meaning: "The file of `--token-file` is empty.",
    cause: "The program that writes the token has not written it, or has failed.",
    remedies: ["Write the token into the file.", "Set `FRONTDOOR_TOKEN`, and omit `--token-file`."],
  },
  {
    code: "stack-file-invalid",
    meaning: "The file of `--stack-config` is no stack configuration.",
    cause: "The file has another form than `Pulumi.<stack>.yaml`.",
    remedies: ["Name the `Pulumi.<stack>.yaml` of your stack."],
  },
  {
    code: "yaml-invalid",
    meaning: "`Pulumi.yaml`, or the stack's configuration, is not YAML.",
    cause: "The line in the message has a mistake, such as a missing quote or a wrong indentation.",
    remedies: ["Correct the line.", "Name another file with `--stack-config`."],
  },
  {
    code: "stack-file-name",
    meaning: "The command cannot decrypt the secrets in the stack configuration.",
    cause: "Pulumi decrypts secrets by the name of the stack, and the command takes that name from the file's name.",
    remedies: ["Rename the file to `Pulumi.<stack>.yaml`."],
  },
  {
    code: "stack-secrets-unreadable",
    meaning: "Pulumi cannot read the secrets in the stack configuration.",
    cause: "There is no `pulumi` on PATH, you aren't logged in, or the passphrase is wrong.",
    remedies: ["Fix the problem in the message.", "Give `--token-file`."],
  },
  {
    code: "file-unreadable",
    meaning: "The command cannot read a file.",
    cause: "The file does not exist, or you may not read it. The message holds the error code of the system.",
    remedies: ["Name a file that you can read."],
  },
  {
    code: "file-exists",
    meaning: "The command did not overwrite a file.",
    cause: "The file exists, and `--force` is not set.",
    remedies: ["Name another file.", "Add `--force`."],
  },
  {
    code: "file-not-written",
    meaning: "The command cannot write a file.",
    cause: "The folder does not exist, or you may not write to it. The message holds the error code of the system.",
    remedies: ["Name a file that you can write to."],
  },
  {
    code: "ambiguous-name",
    meaning: "Several resources have the id or the name.",
    cause: "A tunnel and a share have it, or several resources of the selected stack.",
    remedies: ["Give one of the ids in the message.", "Add `--kind tunnel` or `--kind share` to `frontdoor metrics`."],
  },
  {
    code: "no-series",
    meaning: "The metrics hold no time series to plot.",
    cause: "The specification does not show the shape of the metrics, and the command finds no series in this answer.",
    remedies: ["Use `--json` to see the answer of the service."],
  },
  {
    code: "not-a-terminal",
    meaning: "`--watch` redraws a list, and standard output is no terminal.",
    cause: "The output goes to a file or another program, or `--json` is set.",
    remedies: ["Use `frontdoor watch`, which prints a line for each change."],
  },
  {
    code: "still-changing",
    meaning: "Tunnels or shares were still changing at the end of `--for`.",
    cause: "The service has not finished a create, an update or a delete.",
    remedies: ["Run `frontdoor watch` again with a longer `--for`."],
  },
  {
    code: "status-error",
    meaning: "Tunnels or shares have the status ERROR.",
    cause: "The service failed to deploy them.",
    remedies: [
      "Run `pulumi up --refresh`: it replaces the tunnel, or updates the share so that the service tries again.",
    ],
  },
  {
    code: "config-not-current",
    meaning: "The file of `--diff` differs from the sample configuration.",
    cause: "The tunnel was replaced, its key changed, or someone edited the file.",
    remedies: ["Write the file again with `--out` and `--force`, and load it on the device of the remote site."],
  },
  {
    code: "import-incomplete",
    meaning: "`frontdoor import` left out some tunnels or shares.",
    cause: "They share a name, or the provider refuses one of their values.",
    remedies: ["Read the printed reasons.", "Import them to another stack with `--filter`."],
  },
  {
    code: "problems-found",
    meaning: "`frontdoor doctor` found problems.",
    cause: "Each line of the output that begins with `wrong` names a problem.",
    remedies: ["Follow the remedy in each of these lines."],
  },
  {
    code: "node-version",
    meaning: "The Node on PATH is missing or too old.",
    cause: "The engine runs programs with the Node on PATH, and this command also runs with it.",
    remedies: ["Install the Node version in the message, and put it first on PATH."],
  },
  {
    code: "engine-version",
    meaning: "The Pulumi on PATH is missing or too old.",
    cause: "The package needs a newer engine.",
    remedies: ["Install the Pulumi version in the message, and put it on PATH."],
  },
  {
    code: "plugin-version",
    meaning: "The plugin and the package have different versions.",
    cause: "An older plugin is on PATH, or Pulumi has installed one.",
    remedies: [
      "Put `dist/plugin` of the package first on PATH.",
      "Run `pulumi plugin rm resource frontdoor <version>`.",
    ],
  },
  {
    code: "emulator-options",
    meaning: "The emulator does not have this option or value.",
    cause: "The option or the value is misspelt.",
    remedies: ["Use an option that `frontdoor emulator --help` lists."],
  },
  {
    code: "emulator-failed",
    meaning: "The emulator cannot start.",
    cause: "Another emulator uses the port or the data file, or the data file cannot be read.",
    remedies: ["End the other emulator.", "Choose another `--port` or `--data`."],
  },
  {
    code: "port-not-free",
    meaning: "The dashboard or `frontdoor watch --serve` cannot use its port.",
    cause: "Another program uses the port, or you may not use it.",
    remedies: ["Choose another `--port` or `--serve`."],
  },
  {
    code: "internal-error",
    meaning: "The command has failed because of a defect.",
    cause: "The command did not expect this error.",
    remedies: ["Report the message as a defect of this package."],
  },
  {
    code: "unsafe-data-file",
    meaning: "The emulator did not open its data file.",
    cause: "The file is a link, a folder, or a file of another user.",
    remedies: ["Name a file in your own folder with `--data`."],
  },
  {
    code: "no-ids-found",
    meaning: "`frontdoor ids` found no front door.",
    cause: "The service refused the lists of front doors, or they are empty for these credentials.",
    remedies: ["Follow the notes of the command.", "Run `frontdoor doctor` to check the credentials."],
  },
  {
    code: "not-confirmed",
    meaning: "`frontdoor verify --write` wrote nothing.",
    cause: "You did not agree to the question.",
    remedies: ["Run it again, and answer y.", "Omit `--write` to read only."],
  },
  {
    code: "verify-ended",
    meaning: "`frontdoor verify` ended before all checks.",
    cause: "The service refused a request that every other check needs, or did not answer.",
    remedies: ["Run `frontdoor doctor`.", "With `--write`, name an environment with `--env-zid`.", "Try again later."],
  },
  {
    code: "verify-left",
    meaning: "`frontdoor verify` could not remove all that it created.",
    cause: "The service refused the deletes, or didn't answer until the deadline.",
    remedies: [
      "Run the same command again. It offers to remove what is left.",
      "Delete the resources whose names begin with `verify-`.",
    ],
  },
  {
    code: "verify-unusable",
    meaning: "The service differs in a way that the provider cannot work with.",
    cause: "The rows in the message name the differences.",
    remedies: ["Attach a report to an issue. `frontdoor verify --report FILE` writes it."],
  },
];

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
    cause: "It is broken, the folder is full, or others can change it.",
    remedies: [
      "Set `FRONTDOOR_STATE_DIR` to a folder that only you can write to.",
      "Remove the file: alerts then repeat.",
    ],
  },
];

export const impact: readonly Entry[] = [
  {
    code: "impact-not-understood",
    meaning: "`frontdoor impact` doesn't understand the preview.",
    cause: "The input is empty, cut short, or of a failed preview.",
    remedies: [
      "Give it the whole output of `pulumi preview --json --show-replacement-steps`.",
      "Use the command of the program's package.",
    ],
  },
  {
    code: "impact-refused",
    meaning: "The service will refuse a share, because another one still has its port.",
    cause: "Pulumi deletes last, and `retain: true` keeps a share.",
    remedies: ["For the same share, use an alias or `adopt`.", "Free the port in a separate `pulumi up` first."],
  },
  {
    code: "impact-too-large",
    meaning: "The change interrupts more tunnels and shares than `--max-interrupted` allows.",
    cause: "Each write recreates a share, and a tunnel is replaced.",
    remedies: ["Split the change.", "First move the tunnel's shares to a second tunnel.", "Raise the limit."],
  },
  {
    code: "impact-too-long",
    meaning: "The interruptions of the change may take longer than `--max-minutes` allows.",
    cause: "The command adds the longest known durations.",
    remedies: [
      "Split the change, or raise the limit.",
      "Give your service's durations with `--share-seconds` and `--tunnel-minutes`.",
    ],
  },
  {
    code: "impact-outside-window",
    meaning: "A run that begins now may interrupt outside `--window`.",
    cause: "The window is closed, or too short for the longest durations.",
    remedies: [
      "Run the command earlier in the window.",
      "Give your service's durations with `--share-seconds` and `--tunnel-minutes`.",
    ],
  },
];

export const fleet: readonly Entry[] = [
  {
    code: "backend-address",
    meaning: "The fleet file names a back end by its address, which can contain secrets.",
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
    meaning: "The project is called `frontdoor`, which is also the prefix of the provider's settings.",
    cause: "The name `frontdoor` in `Pulumi.yaml` mixes the project's settings with those of the provider.",
    remedies: ["Rename the project in `Pulumi.yaml`."],
  },
  {
    code: "worker-backend",
    meaning: "The worker does not allow the back end of the fleet.",
    cause: "A worker uses only the back ends of `--allow-backend`.",
    remedies: ["Start the worker with `--allow-backend` and the back end as the fleet file names it."],
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
  {
    code: "fleet-file",
    meaning: "The fleet file has a mistake.",
    cause: "Each line of the message names a place in the file and its problem.",
    remedies: ["Correct the file.", "Name another file with `--file`."],
  },
  {
    code: "fleet-option",
    meaning: "An option of `frontdoor-fleet` names something that the fleet does not have.",
    cause: "A stack, a label, a wave or an interval is misspelt or missing.",
    remedies: ["Use a name from `frontdoor-fleet plan`."],
  },
  {
    code: "fleet-busy",
    meaning: "Another run of this fleet is under way.",
    cause: "Only one run of a fleet runs at a time.",
    remedies: ["Wait until `frontdoor-fleet status` shows its end.", "End it with `frontdoor-fleet cancel`."],
  },
  {
    code: "no-run",
    meaning: "No run of this fleet is under way.",
    cause: "The fleet has not run yet, or the last run has ended.",
    remedies: ["Start a run, for example with `frontdoor-fleet up`."],
  },
  {
    code: "no-worker",
    meaning: "A run is under way, but no worker answers.",
    cause: "No worker of the fleet's queue runs.",
    remedies: ["Start a worker with `frontdoor-fleet worker`."],
  },
  {
    code: "temporal-unreachable",
    meaning: "Temporal does not answer at its address.",
    cause: "`TEMPORAL_ADDRESS` is wrong, or Temporal does not run.",
    remedies: ["Check `TEMPORAL_ADDRESS`.", "Start Temporal."],
  },
  {
    code: "fleet-key",
    meaning: "`FRONTDOOR_FLEET_KEY` is not a valid key.",
    cause: "The key must be 32 bytes in base64.",
    remedies: ["Set it to the output of `openssl rand -base64 32`."],
  },
  {
    code: "worker-no-program",
    meaning: "The worker does not have the program of a stack.",
    cause: "The path of `program` has no folder with `Pulumi.yaml` below the worker's `--root`.",
    remedies: ["Correct `program` in the fleet file.", "Copy the program into a folder below the worker's `--root`."],
  },
  {
    code: "worker-secret-missing",
    meaning: "The worker cannot read the value of a reference.",
    cause: "The worker has no such variable or file, or cannot read the file.",
    remedies: ["Set the variable or write the file on the worker."],
  },
  {
    code: "engine-failed",
    meaning: "The engine failed without a message.",
    cause: "The engine ended before it could print an error.",
    remedies: ["Run the same operation with `pulumi` on the worker."],
  },
];
