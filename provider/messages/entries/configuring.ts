import type { Entry } from "../entry";

export const configuring: readonly Entry[] = [
  {
    code: "configured-twice",
    meaning: "A plugin process got a second, different configuration.",
    cause: "Pulumi configures each plugin process once. Another process of this machine tried to configure it again.",
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
];
