import type { Entry } from "./entry";

export const commandLine: readonly Entry[] = [
  {
    code: "unknown-code",
    meaning: "`frontdoor explain` doesn't know the code.",
    cause: "It is misspelt, or from another version.",
    remedies: ["Use a code that `frontdoor explain` lists."],
  },
  {
    code: "key-not-printed",
    meaning: "The command did not print the configuration.",
    cause: "It contains the pre-shared key, and terminals and CI logs keep what they show.",
    remedies: ["Name a file with `--out FILE`.", "Use `--out -` to print it."],
  },
  {
    code: "tunnel-config-missing",
    meaning: "`frontdoor device-config` found no tunnel configuration.",
    cause: "The service has no VPN connection yet, or does not show it.",
    remedies: ["Try again once `frontdoor tunnel` shows a connection."],
  },
  {
    code: "device-value-refused",
    meaning: "`frontdoor device-config` did not write a value.",
    cause: "It has an unexpected form, or the device could misread the key.",
    remedies: [
      "Use the values of `frontdoor sample-config`.",
      "For a key, choose `--device strongswan` or `fortigate`.",
    ],
  },
  {
    code: "device-no-common",
    meaning: "The device's template and the service have no common algorithm or IKE version.",
    cause: "Templates use IKEv2 and the device's algorithms.",
    remedies: ["Choose another `--device`.", "Use the values of `frontdoor sample-config`."],
  },
  {
    code: "not-a-plain-file",
    meaning: "The command did not write to a link, folder or device.",
    cause: "Another user's link could lead to a file of yours.",
    remedies: ["Name a plain file."],
  },
  {
    code: "other-front-door",
    meaning: "The dashboard got a request for another front door.",
    cause: "A dashboard shows only one.",
    remedies: ["Run `frontdoor dashboard` again with `--frontdoor-id`."],
  },
  {
    code: "wrong-usage",
    meaning: "The command has no such option, argument or value.",
    cause: "It is misspelt, or a required one is missing.",
    remedies: ["See `--help`."],
  },
  {
    code: "invalid-option",
    meaning: "The value of an option isn't valid.",
    cause: "It isn't one of those that the message lists.",
    remedies: ["Use one of them."],
  },
  {
    code: "options-conflict",
    meaning: "Two options exclude each other, or one needs the other.",
    cause: "The message names both.",
    remedies: ["Change them as the message says."],
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
    remedies: ["Fix the problem in the message.", "Give `--token-file`."],
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
    cause: "It fits a tunnel and a share, or several stack resources.",
    remedies: ["Give one of the ids in the message.", "For `frontdoor metrics`, add `--kind`."],
  },
  {
    code: "no-series",
    meaning: "The metrics have no time series to plot.",
    cause: "The specification leaves their shape open, and this answer has no series.",
    remedies: ["Use `--json` to see the answer."],
  },
  {
    code: "not-a-terminal",
    meaning: "`--watch` redraws a list, but standard output isn't a terminal.",
    cause: "The output goes to a file or program, or `--json` is set.",
    remedies: ["Use `frontdoor watch`."],
  },
  {
    code: "still-changing",
    meaning: "Tunnels or shares were still changing after `--for`.",
    cause: "The service hasn't finished an operation.",
    remedies: ["Use a longer `--for`."],
  },
  {
    code: "status-error",
    meaning: "Tunnels or shares have the status ERROR.",
    cause: "The service failed to deploy them. The state may not show that yet.",
    remedies: ["Run `pulumi up --refresh`: it replaces tunnels and sends shares again."],
  },
  {
    code: "config-not-current",
    meaning: "The `--diff` file differs from the sample configuration.",
    cause: "The tunnel was replaced, its key changed, or someone edited the file.",
    remedies: ["Write it with `--out` and `--force`, and load it on the device."],
  },
  {
    code: "import-incomplete",
    meaning: "`frontdoor import` left out some tunnels or shares.",
    cause: "They share a name, or have a value that the provider refuses.",
    remedies: ["Read the printed reasons.", "Import them to another stack with `--filter`."],
  },
  {
    code: "problems-found",
    meaning: "`frontdoor doctor` found problems.",
    cause: "Each line that begins with `wrong` names one.",
    remedies: ["Follow the remedy in the line."],
  },
  {
    code: "node-version",
    meaning: "The Node on PATH is missing or too old.",
    cause: "The engine and this command run with it.",
    remedies: ["Put the message's version first on PATH."],
  },
  {
    code: "engine-version",
    meaning: "The Pulumi on PATH is missing or too old.",
    cause: "The package needs a newer engine.",
    remedies: ["Put the message's version on PATH."],
  },
  {
    code: "plugin-version",
    meaning: "The plugin and the package have different versions.",
    cause: "An older plugin is on PATH, or Pulumi has installed one.",
    remedies: [
      "Put the package's `dist/plugin` first on PATH.",
      "Run `pulumi plugin rm resource frontdoor <version>`.",
    ],
  },
  {
    code: "emulator-options",
    meaning: "The emulator has no such option or value.",
    cause: "It is misspelt.",
    remedies: ["See `frontdoor emulator --help`."],
  },
  {
    code: "emulator-failed",
    meaning: "The emulator cannot start.",
    cause: "Another one uses the port or data file, or the file isn't readable.",
    remedies: ["End the other emulator.", "Choose another `--port` or `--data`."],
  },
  {
    code: "port-not-free",
    meaning: "The dashboard or `frontdoor watch --serve` cannot use its port.",
    cause: "Another program uses it, or you lack permission.",
    remedies: ["Choose another `--port` or `--serve`."],
  },
  {
    code: "internal-error",
    meaning: "The command has a defect.",
    cause: "It did not expect this error.",
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
    meaning: "`frontdoor ids` found no front door.",
    cause: "The service refused the lists, or they are empty for these credentials.",
    remedies: ["Follow the notes of the command.", "Run `frontdoor doctor` to check the credentials."],
  },
  {
    code: "not-confirmed",
    meaning: "`frontdoor verify --write` wrote nothing.",
    cause: "You did not agree.",
    remedies: ["Run it again, and answer y.", "Omit `--write` to read only."],
  },
  {
    code: "verify-ended",
    meaning: "`frontdoor verify` ended before all checks.",
    cause: "The service refused a request that all checks need, or did not answer.",
    remedies: ["Run `frontdoor doctor`.", "With `--write`, name an environment with `--env-zid`.", "Try again later."],
  },
  {
    code: "verify-left",
    meaning: "`frontdoor verify` could not remove all that it created.",
    cause: "The service refused the deletes, or didn't answer in time.",
    remedies: ["Run the command again: it offers to remove the rest.", "Delete what is named `verify-…`."],
  },
  {
    code: "verify-unusable",
    meaning: "The service differs in a way that breaks the provider.",
    cause: "The message names the rows.",
    remedies: ["Attach the file of `frontdoor verify --report FILE` to an issue."],
  },
];

export const alerts: readonly Entry[] = [
  {
    code: "webhook-secret-missing",
    meaning: "`frontdoor watch --webhook` has no secret.",
    cause: "The secret signs each alert.",
    remedies: ["Set `FRONTDOOR_WEBHOOK_SECRET` to a long random text, and give it to the receiver."],
  },
  {
    code: "webhook-failed",
    meaning: "The receiver did not accept an alert.",
    cause: "It is down, or answered without a 2xx status.",
    remedies: ["Check it. The command keeps the alert and tries again."],
  },
  {
    code: "watch-running",
    meaning: "Another `frontdoor watch` already sends these alerts.",
    cause: "It has the same state folder, front door and webhook.",
    remedies: ["End the other process.", "Omit `--webhook`.", "Use another webhook, or another `FRONTDOOR_STATE_DIR`."],
  },
  {
    code: "watch-state-unusable",
    meaning: "`frontdoor watch` cannot use the file of its alerts.",
    cause: "It is broken, the folder is full, or others can change it.",
    remedies: ["Set `FRONTDOOR_STATE_DIR` to a folder of your own.", "Remove the file: alerts then repeat."],
  },
];

export const impact: readonly Entry[] = [
  {
    code: "impact-not-understood",
    meaning: "`frontdoor impact` doesn't understand the preview.",
    cause: "The input is empty, cut short, or of a failed preview.",
    remedies: [
      "Give it all output of `pulumi preview --json --show-replacement-steps`.",
      "Use the command from the program's package.",
    ],
  },
  {
    code: "impact-refused",
    meaning: "The service will refuse a share whose port another one still has.",
    cause: "Pulumi deletes last, and `retain: true` keeps a share.",
    remedies: ["For the same share, use an alias or `adopt`.", "Free the port in a separate `pulumi up` first."],
  },
  {
    code: "impact-too-large",
    meaning: "The change interrupts more than `--max-interrupted` allows.",
    cause: "Each update recreates a share, and tunnels are replaced.",
    remedies: ["Split the change.", "First move the shares to a second tunnel.", "Raise the limit."],
  },
  {
    code: "impact-too-long",
    meaning: "The interruptions may take longer than `--max-minutes` allows.",
    cause: "`impact` adds the longest known durations.",
    remedies: ["Split the change, or raise the limit.", "Give your durations: `--share-seconds`, `--tunnel-minutes`."],
  },
  {
    code: "impact-outside-window",
    meaning: "A run started now may interrupt services outside `--window`.",
    cause: "The window is closed, or too short for the longest durations.",
    remedies: ["Run it earlier in the window.", "Give your durations: `--share-seconds`, `--tunnel-minutes`."],
  },
];
