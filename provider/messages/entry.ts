/** What `frontdoor explain` and docs/troubleshooting.md say of one code. */
export interface Entry {
  code: string;
  /** One sentence: the situation. */
  meaning: string;
  /** One or two sentences. */
  cause: string;
  /** One to three, the most likely first. */
  remedies: readonly string[];
}
