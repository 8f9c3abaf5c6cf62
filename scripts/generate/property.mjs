/** In alphabetical order, as Pulumi's own tools write schemas. */
export const byName = (entries) => Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));

const ref = (type) => ({ $ref: `#/types/frontdoor:index:${type}` });
const map = (additionalProperties) => ({ type: "object", additionalProperties });
const refs = { TunnelConfig: ref("TunnelConfig"), "Record<string, string>": map({ type: "string" }) };
/** Whole numbers, all of them. */
const types = { number: "integer" };

/** The type of a row of provider/fields, as the schema spells it; each of a set's shares is given as one thing and shown as another. */
export function ofType({ is, type }, ofEach = "SetShare") {
  const own = is?.type ?? type.replace(" | undefined", "");
  if (own === "record") return map(ref(ofEach));
  return own in refs ? refs[own] : { type: types[own] ?? own };
}

/** Whether an output can be missing. */
export const isMaybe = ({ visible, whenOmitted, type = "" }) =>
  visible === "maybe" || (visible === "in state" && whenOmitted === "unchanged") || type.includes("undefined");
