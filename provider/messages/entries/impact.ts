import type { Entry } from "../entry";

export const impact: readonly Entry[] = [
  {
    code: "impact-not-understood",
    meaning: "`frontdoor impact` does not understand the preview, so it says nothing about interruptions.",
    cause:
      "The input is empty, cut short or no JSON of `pulumi preview`, the preview failed, or another version of Pulumi wrote it.",
    remedies: [
      "Give it the whole output of `pulumi preview --json --show-replacement-steps`, without `--refresh`.",
      "Use the command of the package that the program has.",
    ],
  },
  {
    code: "impact-refused",
    meaning: "The service will refuse a share of the change, because another share still has its port.",
    cause:
      "Pulumi deletes what leaves the program after it has created what is new, and a key with `retain: true` leaves its share at the service.",
    remedies: [
      "If it is the same share under a new name, give the resource an alias, or the key `adopt`.",
      "Otherwise free the port in a separate `pulumi up` first.",
    ],
  },
  {
    code: "impact-too-large",
    meaning: "The change interrupts, moves or removes more tunnels and shares than `--max-interrupted` allows.",
    cause: "Each write of a share recreates the share, and a tunnel can only be replaced.",
    remedies: [
      "Split the change into smaller ones.",
      'For a tunnel, first move its shares to a second tunnel. The how-to "Replace a tunnel" shows the steps.',
      "Raise the limit.",
    ],
  },
  {
    code: "impact-too-long",
    meaning: "The interruptions of the change may take longer than `--max-minutes` allows.",
    cause:
      "The command assumes the longest known duration of each step. It counts from the first interruption to the last.",
    remedies: [
      "Split the change into smaller ones.",
      "Raise the limit.",
      "Give durations of your service with `--share-seconds` and `--tunnel-minutes`.",
    ],
  },
  {
    code: "impact-outside-window",
    meaning: "A run that begins now may interrupt outside of the hours in `--window`.",
    cause: "The window is closed, or too little of it is left for the longest durations.",
    remedies: [
      "Run the command within the window, and early enough.",
      "Give durations of your service with `--share-seconds` and `--tunnel-minutes`.",
    ],
  },
];
