// The resources of the package with their fields, as every generated file needs them.

const isRequired = ({ whenOmitted }) => whenOmitted === "refused";

/** The type of an argument or of an output. In a set, the shares of both differ: `shareType` is the type of one of them. */
export const typeOf = ({ is, type }, shareType = "SetShareArgs") =>
  is?.type === "record"
    ? `Record<string, ${shareType}>`
    : (is?.type.replace("union", "string | number") ?? type.replace(" | undefined", ""));

/** The effects of a change to an argument. */
export const changes = {
  "delete first": "replaces",
  "create first": "replaces (create first)",
  update: "updates",
  ignore: "nothing",
};

/** Returns the description of an argument, without the effect of a change. */
export const describe = ({ doc, more, alias, whenOmitted }) =>
  [
    doc,
    ...(alias
      ? [`${whenOmitted === "refused" ? "Required. " : ""}You can write it as \`${alias}\` instead, but not as both.`]
      : []),
    ...(more ? [more] : []),
    ...(whenOmitted === "cleared"
      ? ["If you remove this argument later, the provider removes its value from the resource."]
      : []),
  ].join(" ");

/** Returns the hover text of an argument: its description, and whether a change replaces the resource. */
function hoverText(field, resourceName) {
  const effect = changes[field.onChange];
  return effect.startsWith("replaces")
    ? `${describe(field)} A change ${effect.replace("replaces", `replaces the ${resourceName}`)}.`
    : describe(field);
}

/**
 * Returns a resource: `noun` as in `TunnelArgs`, `key` as in `tunnelOutputs`, `small` as in texts, its arguments with the required ones
 * first, its outputs, and the fields that Frontdoor's entries show.
 */
function resourceOf(noun, { fields: table, doc }, small = noun.replace(/(?<!^)[A-Z]/g, " $&").toLowerCase()) {
  const fields = Object.entries(table).map(([name, field]) => ({ name, isArgument: "is" in field, ...field }));
  const argumentFields = fields.filter(({ isArgument }) => isArgument);
  const outputs = fields.filter(({ visible }) => visible !== "nowhere");
  return {
    ...{ doc, noun, small, key: `${noun[0].toLowerCase()}${noun.slice(1)}` },
    ...{ file: small.replaceAll(" ", "-"), title: `Ipsec${noun}`, hover: (field) => hoverText(field, small) },
    argumentFields: [...argumentFields.filter(isRequired), ...argumentFields.filter((field) => !isRequired(field))],
    outputs,
    visible: outputs.filter(({ visible }) => visible !== "in state"),
  };
}

/** Returns all resources. A set also has `each`: the arguments of one share in it, and the outputs that the set shows of it. */
export function resourcesOf(listed) {
  const { outputs } = resourceOf("Share", listed.IpsecShare);
  return Object.entries(listed).map(([type, resource]) => ({
    ...resourceOf(type.replace(/^Ipsec/, ""), resource),
    ...(resource.each && { each: { ...resourceOf("SetShare", { fields: resource.each }, "share"), outputs } }),
  }));
}
