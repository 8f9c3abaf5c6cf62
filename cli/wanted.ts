export const wanted = ["tunnels", "shares"] as const;
/** The names of the lists. */
export type Wanted = (typeof wanted)[number];
