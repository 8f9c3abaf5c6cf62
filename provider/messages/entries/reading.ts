import type { Entry } from "../entry";

export const reading: readonly Entry[] = [
  {
    code: "not-found",
    meaning: "The front door does not have a resource with this id.",
    cause: "The id is wrong, of another front door, or of a deleted resource.",
    remedies: ["Correct the id.", "Run `frontdoor tunnels` or `frontdoor shares` to list the ids."],
  },
  {
    code: "not-one-match",
    meaning: "The front door has no resource of this name, or several.",
    cause: "A name finds a resource only if exactly one resource has the name.",
    remedies: ["Correct the name.", "Give an id instead of the name."],
  },
  {
    code: "front-door-id",
    meaning: "The id of the front door has characters that an id cannot have.",
    cause: "The id of an import, or the state, holds something that cannot be part of an address.",
    remedies: [
      "Write the id of the import as `<frontdoorId>/<id>`.",
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
    code: "list-contradicts-itself",
    meaning: "A list of the service has fewer entries than its total says.",
    cause: "The service counts entries that it does not show, or a gateway answers each page with the same entries.",
    remedies: ["Run the command again.", "Check `frontdoor:baseUrl`."],
  },
  {
    code: "list-too-slow",
    meaning: "A list did not end before the deadline.",
    cause: "The service has many entries, or answers slowly.",
    remedies: ["Try again later.", "For a resource, raise `customTimeouts`.", "Raise `frontdoor:requestsPerSecond`."],
  },
  {
    code: "closed",
    meaning: "A call came after the provider had closed its connection to the service.",
    cause: "The run was ending.",
    remedies: ["Run the command again."],
  },
];
