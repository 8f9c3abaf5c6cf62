import type { Entry } from "../entry";

export const previewing: readonly Entry[] = [
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
];
