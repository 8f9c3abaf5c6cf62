/** Whether a message names this id. */
export const mentions = (text: string, id: string) => new RegExp(`${id}(?![\\w-])`).test(text);

/** The id that a message offers for `adopt`. */
export const offered = (text: string): string | undefined => /set adopt: "([^"]+)"/.exec(text)?.[1];
