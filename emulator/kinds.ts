import type { Definition } from "./resource";
import { shares } from "./shares";
import { tunnels } from "./tunnels";

/** Each kind of resource. Its path, words, table, faults and reset follow from this list. */
export const kinds = { tunnel: tunnels, share: shares };

export type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as Kind[];

/** The stored fields of a kind. */
export type FieldsOf<Name extends Kind> = (typeof kinds)[Name] extends Definition<infer Fields> ? Fields : never;
