/** In alphabetical order, as Pulumi's own tools write schemas. */
export const byName = (entries) => Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));

const refs = { TunnelConfig: "#/types/frontdoor:index:TunnelConfig" };
/** Whole numbers, all of them. */
const types = { number: "integer" };

/** The type of a row of provider/fields, as the schema spells it. */
export function ofType({ is, type }) {
  const own = is?.type ?? type.replace(" | undefined", "");
  return own in refs ? { $ref: refs[own] } : { type: types[own] ?? own };
}
