import type { Entry } from "../entry";

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
    meaning: "The front door does not have the resource that `adopt` names, or it is being deleted.",
    cause: "The id is of another front door or kind, or someone deleted the resource.",
    remedies: ["Correct the id in `adopt`.", "Remove `adopt` to create a new resource."],
  },
  {
    code: "adopt-differs",
    meaning: "The tunnel that `adopt` names differs from the program.",
    cause: "A tunnel can only be replaced, so the provider cannot change it to the values of the program.",
    remedies: [
      "Set the arguments in the message to the values of the tunnel.",
      "Remove `adopt` to create a new tunnel.",
    ],
  },
  {
    code: "import-id",
    meaning: "The id of an import has the wrong form.",
    cause:
      "The id is `<id>`. For a set, it is `tunnel/<tunnelId>` or `tunnel/<tunnelId>/<pattern>`. For another front door, `<frontdoorId>/` comes first.",
    remedies: ["Correct the id.", "Let `frontdoor import` write the ids."],
  },
];
