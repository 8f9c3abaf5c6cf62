import { type Declared, kinds } from "./declared";

/** The required part of a file for `pulumi import --file`. */
export interface ImportFile {
  resources: { type: string; name: string; id: string }[];
}

/**
 * Returns the file for `pulumi import --file`. It has no name table and no parents, because no resource here has another one as parent or
 * provider. It has no `properties`, because they would drop inputs that the provider reads.
 */
export const importFile = (declared: Declared[]): ImportFile => ({
  resources: declared.map(({ kind, name, importId }) => ({ type: kinds[kind].type, name, id: importId })),
});
