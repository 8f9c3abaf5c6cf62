import { type Declared, kinds } from "./declared";

/** What `pulumi import --file` reads, of what it needs. */
export interface ImportFile {
  resources: { type: string; name: string; id: string }[];
}

/**
 * The file for `pulumi import --file`. A name table and parents would only say where another resource is the parent or the provider,
 * and `properties` would take inputs away from those that the provider reads: without any of these the state has what the program gives.
 */
export const importFile = (declared: Declared[]): ImportFile => ({
  resources: declared.map(({ kind, name, importId }) => ({ type: kinds[kind].type, name, id: importId })),
});
