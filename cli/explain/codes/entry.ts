/** The text of one code for `pulumi-frontdoor explain` and the pages of troubleshooting. */
export interface Entry {
  code: string;
  /** One sentence: the situation. */
  meaning: string;
  /** One or two sentences. */
  cause: string;
  /** One to three, the most likely first. */
  remedies: readonly string[];
}
