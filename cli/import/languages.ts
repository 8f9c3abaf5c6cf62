/** What programs are written in. */
export const languages = ["ts", "python", "yaml"] as const;

export type Language = (typeof languages)[number];
