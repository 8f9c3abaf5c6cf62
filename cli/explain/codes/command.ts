import { failedTunnelRule } from "../../../provider/messages";
import type { Entry } from "./entry";

export const commandLine: readonly Entry[] = [
  {
    code: "unknown-code",
    meaning: "`pulumi-frontdoor explain` doesn't know the code.",
    cause: "It is misspelled, or from another version.",
    remedies: ["Use a code that `npx pulumi-frontdoor explain` lists."],
  },
  {
    code: "key-not-printed",
    meaning: "The command did not print the configuration.",
    cause: "It contains the pre-shared key, and terminals and CI logs keep what they show.",
    remedies: ["Name a file with `--out FILE`.", "Use `--out -` to print it."],
  },
  {
    code: "tunnel-config-missing",
    meaning: "`pulumi-frontdoor device-config` found no tunnel configuration.",
    cause: "Frontdoor has no VPN connection yet, or does not show it.",
    remedies: ["Try again once `npx pulumi-frontdoor tunnel` shows a connection."],
  },
  {
    code: "device-value-refused",
    meaning: "`pulumi-frontdoor device-config` did not write a value.",
    cause: "It is in an unexpected format, or the device could misread the key.",
    remedies: [
      "Use the values of `npx pulumi-frontdoor sample-config`.",
      "For a key, choose a device that takes it, such as `strongswan`.",
    ],
  },
  {
    code: "device-no-common",
    meaning: "The device's template and Frontdoor have no common algorithm or IKE version.",
    cause: "Templates use IKEv2 and the device's algorithms.",
    remedies: ["Choose another `--device`.", "Use the values of `npx pulumi-frontdoor sample-config`."],
  },
  {
    code: "not-a-plain-file",
    meaning: "The command did not write to a link, folder or device.",
    cause: "A symbolic link made by another user could point at one of your files.",
    remedies: ["Name a plain file."],
  },
  {
    code: "other-front-door",
    meaning: "The dashboard got a request for another front door.",
    cause: "A dashboard shows only one.",
    remedies: ["Run `npx pulumi-frontdoor dashboard --frontdoor-id <id>`."],
  },
  {
    code: "wrong-usage",
    meaning: "The command has no such option, argument or value.",
    cause: "It is misspelled, or a required one is missing.",
    remedies: ["See `--help`."],
  },
  {
    code: "invalid-option",
    meaning: "The value of an option isn't valid.",
    cause: "The message says which values are valid.",
    remedies: ["Correct it."],
  },
  {
    code: "options-conflict",
    meaning: "Two options exclude each other, or one needs the other.",
    cause: "The command has both, or lacks one. The message names them.",
    remedies: ["Remove the option that the message names, or add the missing one."],
  },
  {
    code: "token-file-empty",
    meaning: "The `--token-file` is empty.",
    cause: "The program that writes it hasn't run, or has failed.",
    remedies: ["Write the token into it.", "Set `FRONTDOOR_TOKEN`, and omit `--token-file`."],
  },
  {
    code: "stack-file-invalid",
    meaning: "The `--stack-config` file isn't a stack configuration.",
    cause: "It isn't in the `Pulumi.<stack>.yaml` form.",
    remedies: ["Name the `Pulumi.<stack>.yaml` of your stack."],
  },
  {
    code: "yaml-invalid",
    meaning: "`Pulumi.yaml`, or the stack's configuration, is not YAML.",
    cause: "A quote is missing, for example, or the indentation is wrong.",
    remedies: ["Correct the line in the message.", "Name another file with `--stack-config`."],
  },
  {
    code: "stack-file-name",
    meaning: "The command cannot decrypt the secrets in the stack configuration.",
    cause: "Pulumi decrypts by stack name, which the command takes from the file name.",
    remedies: ["Rename the file to `Pulumi.<stack>.yaml`."],
  },
  {
    code: "stack-secrets-unreadable",
    meaning: "Pulumi cannot read the secrets in the stack configuration.",
    cause: "There is no `pulumi` on PATH, you aren't logged in, or the passphrase is wrong.",
    remedies: ["Fix the problem in the message.", "Use `--token-file`."],
  },
  {
    code: "file-unreadable",
    meaning: "The command cannot read a file.",
    cause: "It doesn't exist, or you may not read it. The message has the system's error.",
    remedies: ["Name a file that you can read."],
  },
  {
    code: "file-exists",
    meaning: "The command did not overwrite a file.",
    cause: "It exists, and `--force` is not set.",
    remedies: ["Name another file.", "Add `--force`."],
  },
  {
    code: "file-not-written",
    meaning: "The command cannot write a file.",
    cause: "Its folder doesn't exist, or you may not write there. The message has the system's error.",
    remedies: ["Name a writable file."],
  },
  {
    code: "ambiguous-name",
    meaning: "Several resources have this id or name.",
    cause: "A tunnel and a share have it, or several resources of the stack.",
    remedies: ["Use one of the ids in the message.", "For `npx pulumi-frontdoor metrics`, add `--kind`."],
  },
  {
    code: "not-a-terminal",
    meaning: "`--watch` redraws a list, but standard output isn't a terminal.",
    cause: "The output goes to a file or program, or `--json` is set.",
    remedies: ["Use `npx pulumi-frontdoor watch`."],
  },
  {
    code: "still-changing",
    meaning: "Tunnels or shares were still changing after `--for`.",
    cause: "Frontdoor hasn't finished an operation.",
    remedies: ["Use a longer `--for`."],
  },
  {
    code: "status-error",
    meaning: "Tunnels or shares are in ERROR, FAILED or SUSPENDED.",
    cause: "Frontdoor failed to deploy them, or suspended them.",
    remedies: ["For a share, run `pulumi up --refresh`: it sends the share again.", failedTunnelRule],
  },
  {
    code: "status-problems",
    meaning: "`pulumi-frontdoor status` found something failed or DOWN.",
    cause: "Its output names each.",
    remedies: [
      "For SUSPENDED, first ask NetFoundry.",
      "For a failed share, run `pulumi up --refresh`.",
      failedTunnelRule,
      'For DOWN, follow "A tunnel is DOWN".',
    ],
  },
  {
    code: "connections-not-read",
    meaning: "`pulumi-frontdoor status` could not read every connection, and ends with exit code 5.",
    cause:
      "The account lacks the right on `tunnel-config`, or Frontdoor did not answer. A connection that was not read can be DOWN.",
    remedies: [
      "Give the account the right to read `tunnel-config`.",
      "Follow the reason in each line that begins with UNREAD, and run the command again.",
    ],
  },
  {
    code: "config-not-current",
    meaning: "The `--diff` file differs from the sample configuration.",
    cause:
      "The tunnel was replaced, or someone edited the file. Or `device-config` wrote it: such a file always differs.",
    remedies: ["If `sample-config` wrote it, write it again with `--out` and `--force`, and load it."],
  },
  {
    code: "other-stack",
    meaning: "`pulumi-frontdoor import` found names like those that another stack of the project derives.",
    cause: "The wrong stack may be selected.",
    remedies: ["Select the right one with `pulumi stack select`.", "If no other stack manages them, go on."],
  },
  {
    code: "import-incomplete",
    meaning: "`pulumi-frontdoor import` left out some tunnels or shares.",
    cause: "They share a name, or have a value that the provider refuses.",
    remedies: ["Read the printed reasons.", "Import them to another stack with `--filter`."],
  },
  {
    code: "problems-found",
    meaning: "`pulumi-frontdoor doctor` found problems.",
    cause: "Each line that begins with `wrong` describes one.",
    remedies: ["Follow the remedy in the line."],
  },
  {
    code: "node-version",
    meaning: "Node is missing from PATH, or too old.",
    cause: "The provider and this command run with it.",
    remedies: ["Put the version shown first on PATH."],
  },
  {
    code: "engine-version",
    meaning: "Pulumi is missing from PATH, or too old.",
    cause: "The package needs a newer Pulumi CLI.",
    remedies: ["Put the version shown on PATH."],
  },
  {
    code: "plugin-version",
    meaning: "The plugin that Pulumi takes is not of the package's version, or missing.",
    cause: "`plugins.providers` of `Pulumi.yaml` names another folder, or an older plugin is first on PATH.",
    remedies: [
      "Run `npm install`, and correct the path in `plugins.providers`.",
      "Put the package's `dist/plugin` first on PATH.",
    ],
  },
  {
    code: "emulator-options",
    meaning: "The emulator has no such option or value.",
    cause: "It is misspelled.",
    remedies: ["See `npx pulumi-frontdoor emulator --help`."],
  },
  {
    code: "emulator-failed",
    meaning: "The emulator cannot start.",
    cause: "Another one uses the port or data file, or the file isn't readable.",
    remedies: ["End the other emulator.", "Choose another `--port` or `--data`."],
  },
  {
    code: "port-not-free",
    meaning: "The dashboard or `pulumi-frontdoor watch --serve` cannot use its port.",
    cause: "Another program uses it, or you lack permission.",
    remedies: ["Choose another `--port` or `--serve`."],
  },
  {
    code: "internal-error",
    meaning: "The command has a defect.",
    cause: "The error is not one that it handles.",
    remedies: ["Report the message."],
  },
  {
    code: "unsafe-data-file",
    meaning: "The emulator did not open its data file.",
    cause: "It is a link, a folder, or another user's.",
    remedies: ["Name a file in your own folder with `--data`."],
  },
  {
    code: "no-ids-found",
    meaning: "`pulumi-frontdoor ids` found no front door.",
    cause: "Frontdoor refused the lists, or they are empty for these credentials.",
    remedies: ["Follow the notes of the command.", "Run `npx pulumi-frontdoor doctor` to check the credentials."],
  },
  {
    code: "not-confirmed",
    meaning: "`pulumi-frontdoor verify --write` wrote nothing.",
    cause: "You did not agree.",
    remedies: ["Run it again, and answer y.", "Omit `--write` to read only."],
  },
  {
    code: "verify-ended",
    meaning: "`pulumi-frontdoor verify` ended before all checks.",
    cause: "Frontdoor refused a request that all checks need, or did not answer.",
    remedies: [
      "Run `npx pulumi-frontdoor doctor`.",
      "With `--write`, name an environment with `--env-zid`.",
      "Try again later.",
    ],
  },
  {
    code: "verify-left",
    meaning: "`pulumi-frontdoor verify` could not remove all that it created.",
    cause: "Frontdoor refused the deletes, or didn't answer in time.",
    remedies: ["Run the command again in an hour: it offers to remove the rest.", "Delete what is named `verify-…`."],
  },
  {
    code: "verify-unusable",
    meaning: "Frontdoor differs in a way that breaks the provider.",
    cause: "The message names the assumptions that do not hold.",
    remedies: ["Attach the file of `npx pulumi-frontdoor verify --report FILE` to an issue."],
  },
];

export const impact: readonly Entry[] = [
  {
    code: "impact-not-understood",
    meaning: "`pulumi-frontdoor impact` doesn't understand the preview.",
    cause: "It is empty, cut off, failed, used `--refresh`, or has an unknown type or new secret shares.",
    remedies: [
      "Use all the output of `pulumi preview --json --show-sames --show-replacement-steps`.",
      "Use the command from the program's package.",
    ],
  },
  {
    code: "impact-plan-differs",
    meaning: "The plan was not saved by the preview that `pulumi-frontdoor impact` got.",
    cause: "It is a plan of another stack, or of an earlier preview, or no plan.",
    remedies: [
      "Make both in one run: `pulumi preview --json --show-sames --show-replacement-steps --save-plan plan.json > preview.json`.",
    ],
  },
  {
    code: "impact-refused",
    meaning: "Frontdoor will refuse a share whose port is still taken.",
    cause: "Pulumi deletes the old share last, or `retain: true` keeps it.",
    remedies: ["For the same share, use an alias or `adopt`.", "Or free the port first."],
  },
  {
    code: "impact-too-large",
    meaning: "The change interrupts, moves or removes more than `--max-interrupted` allows.",
    cause: "Each update recreates a share, and tunnels are replaced.",
    remedies: ["Split the change.", "First move the shares to a second tunnel.", "Raise the limit."],
  },
];

export const fleet: readonly Entry[] = [
  {
    code: "backend-address",
    meaning: "The fleet file contains a backend URL, which can contain secrets.",
    cause: "Temporal keeps the fleet file.",
    remedies: ["Write `env:NAME` or `file:PATH` instead of the URL."],
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
    cause: "The project's settings would mix with those of the provider.",
    remedies: ["Rename the project in `Pulumi.yaml`."],
  },
  {
    code: "worker-fleet",
    meaning: "The stack belongs to another fleet than the worker.",
    cause: "A worker takes only stacks of the fleet that `--fleet` names.",
    remedies: ["Start a worker with `--fleet` and that fleet's name."],
  },
  {
    code: "worker-backend",
    meaning: "The worker does not allow the backend of the fleet.",
    cause: "A worker uses only its default backend and those of `--allow-backend`.",
    remedies: ["Start the worker with `--allow-backend` and the backend as it is written in the fleet file."],
  },
  {
    code: "worker-secret",
    meaning: "The worker does not allow a reference to a secret.",
    cause: "A worker reads only its default variables, and the variables and files of `--allow-secret`.",
    remedies: ["Start the worker with `--allow-secret` and the reference."],
  },
  {
    code: "worker-url",
    meaning: "The worker does not allow a URL that the stack sets.",
    cause: "A stack can set only the URLs of `--allow-url`.",
    remedies: ["Start the worker with `--allow-url` and the URL."],
  },
  {
    code: "fleet-file",
    meaning: "The fleet file has a mistake.",
    cause: "Each line of the message names a place in the file and its problem.",
    remedies: ["Correct the file.", "Name another file with `--file`."],
  },
  {
    code: "fleet-option",
    meaning: "An option of `frontdoor-fleet` is missing or unknown.",
    cause: "A stack, label or wave is misspelled, or `schedule` has no interval.",
    remedies: ["Use a name from `frontdoor-fleet plan`."],
  },
  {
    code: "fleet-busy",
    meaning: "Another run of this fleet is under way.",
    cause: "A fleet has only one active run.",
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
    cause: "No worker of this fleet is running, or none reaches Temporal.",
    remedies: ["Start a worker with `frontdoor-fleet worker --fleet NAME`."],
  },
  {
    code: "fleet-schedule",
    meaning: "The schedule and the fleet file are different.",
    cause:
      "A schedule keeps the fleet file of the day on which it was made, so it does not check stacks that were added later.",
    remedies: ["Run `frontdoor-fleet schedule` with `--every` again."],
  },
  {
    code: "temporal-unreachable",
    meaning: "Temporal does not answer at its address.",
    cause: "`TEMPORAL_ADDRESS` is wrong, or Temporal isn't running.",
    remedies: ["Check `TEMPORAL_ADDRESS`.", "Start Temporal."],
  },
  {
    code: "temporal-certificate",
    meaning: "One end of the connection to Temporal does not accept the certificate of the other end.",
    cause:
      "The authority of Temporal's certificate is unknown to this machine, or Temporal wants a client certificate.",
    remedies: [
      "If this machine doesn't trust Temporal's certificate, set `TEMPORAL_TLS_SERVER_CA_CERT_PATH` to the certificate of its authority.",
      "If Temporal refuses this machine's, set `TEMPORAL_TLS_CLIENT_CERT_PATH` and `TEMPORAL_TLS_CLIENT_KEY_PATH`.",
    ],
  },
  {
    code: "temporal-right",
    meaning: "Temporal does not allow what the command or the worker does.",
    cause: "The API key is wrong or has expired, or it lacks a right on the namespace.",
    remedies: [
      "Check `TEMPORAL_NAMESPACE` and `TEMPORAL_API_KEY`.",
      "Give the user the right to write to the namespace.",
    ],
  },
  {
    code: "fleet-key",
    meaning: "`FRONTDOOR_FLEET_KEY` is missing, not a valid key, or not the key that the run or its workers have.",
    cause: "The key is 32 bytes in base64, or `none` for a trial with Temporal on the same machine.",
    remedies: ["Set it to the output of `openssl rand -base64 32`, the same for all commands and workers."],
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
    meaning: "Pulumi failed without a message.",
    cause: "The process ended before it could print an error.",
    remedies: ["Run the same operation with `pulumi` on the worker."],
  },
];
