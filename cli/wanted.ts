export const wanted = ["tunnels", "shares"] as const;
/** The lists that there are. */
export type Wanted = (typeof wanted)[number];
