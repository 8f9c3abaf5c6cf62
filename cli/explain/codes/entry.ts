/** What to do, or what to do under a condition: `["the id is mistyped", "correct it"]`. */
export type Remedy = string | readonly [condition: string, action: string];

/** The text of one code for `pulumi-frontdoor explain` and the pages of troubleshooting. */
export interface Entry {
  code: string;
  /** The words by which a message is recognized, with `…` for each value. Undefined if its messages have no words in common. */
  says?: string;
  /** One sentence: the situation. */
  meaning: string;
  /** Why it happens, in one to three sentences. */
  cause: string;
  /** One to four, the most likely first. */
  remedies: readonly Remedy[];
}

/** Returns a remedy as one sentence. */
export const remedyText = (remedy: Remedy): string =>
  typeof remedy === "string" ? remedy : `If ${remedy[0]}, ${remedy[1]}.`;
