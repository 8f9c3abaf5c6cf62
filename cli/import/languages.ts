/** The languages of the programs. */
export const languages = ["ts", "python", "yaml"] as const;

export type Language = (typeof languages)[number];
