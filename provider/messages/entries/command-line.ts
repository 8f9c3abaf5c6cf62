import type { Entry } from "../entry";

export const commandLine: readonly Entry[] = [
  {
    code: "unknown-code",
    meaning: "`frontdoor explain` got a code that no message has.",
    cause: "The code is misspelt, or it is a code of another version.",
    remedies: ["Use one of the codes that `frontdoor explain` lists."],
  },
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
];
