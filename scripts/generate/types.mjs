import { comment, generatedFrom } from "./classes.mjs";
import { typeOf } from "./resources.mjs";
import { isMaybe } from "./schema.mjs";

// The types of provider/fields/types.ts.

const member = (name, type, isOptional) =>
  `readonly ${name}${isOptional ? "?" : ""}: ${type}${isOptional ? " | undefined" : ""};\n`;
const interfaceOf = (name, doc, members) => `${comment(doc)}export interface ${name} {\n${members.join("")}}\n\n`;
const idMember = comment("Assigned by Frontdoor.") + member("id", "string");
const isOptional = ({ whenOmitted }) => ["cleared", "unchanged"].includes(whenOmitted);

/** Programs read only the shares of a set. */
const setTypes = ({ each }) =>
  interfaceOf("SetShare", "The outputs of each share in a set.", [
    idMember,
    ...each.outputs.map((field) => comment(field.doc) + member(field.name, typeOf(field), isMaybe(field))),
  ]);

/** The types of an entry of Frontdoor, and of the filters of a list. */
const entryTypes = ({ noun, small, visible }) => [
  interfaceOf(`Wire${noun}`, `An IPsec ${small} in Frontdoor's lists and responses to a get.`, [
    idMember,
    ...visible.map((field) => comment(field.doc) + member(field.name, typeOf(field), field.visible !== "always")),
  ]),
  interfaceOf(
    `${noun}Filters`,
    `The filters of a list of ${small}s. An entry must have the value, or one of the values, of each given property.`,
    [
      comment("Assigned by Frontdoor.") + member("id", "string | string[]", true),
      ...visible.map((field) => comment(field.doc) + member(field.name, `${typeOf(field)} | ${typeOf(field)}[]`, true)),
    ],
  ),
];

const stateMembers =
  comment("Optional arguments that the program gives. Undefined from an import until the first update.") +
  member("__set", "string[]", true) +
  comment("The wall-clock time from which a reading is the truth, in milliseconds. Unset if it is one already.") +
  member("__settlesAt", "number", true);

const resourceTypes = ({ noun, argumentFields, outputs, visible, ...resource }) => [
  interfaceOf(
    `${noun}Inputs`,
    "The arguments after check: in one spelling, with defaults.",
    argumentFields.map((field) => member(field.name, typeOf(field), isOptional(field))),
  ),
  ...(visible.length > 0 ? entryTypes({ ...resource, noun, visible }) : []),
  interfaceOf(`${noun}Outputs`, "The outputs in the state.", [
    ...outputs.map((field) => {
      const isAlwaysSet =
        field.visible === "always" || (field.visible === "in state" && field.isArgument && !isOptional(field));
      return member(field.name, typeOf(field), !isAlwaysSet);
    }),
    ...(argumentFields.some(isOptional) ? [stateMembers] : []),
  ]),
];

/** The types of the fields of a tunnel configuration. */
export const connectionTypes = { text: "string", texts: "string[]", number: "number", numbers: "number[]" };

/** Any field of a tunnel configuration can be missing. */
const connectionType = (name, doc, fields) =>
  interfaceOf(
    name,
    doc,
    fields.map(([field, row]) => `${comment(row.doc)}readonly ${field}?: ${connectionTypes[row.type]};\n`),
  );

const union = (names) => names.map((name) => JSON.stringify(name)).join(" | ");

/** Returns the source of provider/fields/types.ts. `stableFields` are those of a tunnel configuration that do not change by themselves. */
export const fieldTypes = (resources, entryFields, stableFields) =>
  [
    generatedFrom("the tables in this folder"),
    "// Types alone, without zod's: what users' compilers read must not depend on how they are set.\n\n",
    comment("The resources of this package, by the name of their class."),
    `export type ResourceType = ${union(resources.map(({ title }) => title))};\n\n`,
    connectionType(
      "TunnelConfigEntry",
      "The present details of one connection of a tunnel.",
      Object.entries(entryFields),
    ),
    connectionType(
      "TunnelConfig",
      "The details of a VPN connection that do not change by themselves.",
      Object.entries(stableFields),
    ),
    ...resources.flatMap((resource) => (resource.each ? [setTypes(resource)] : resourceTypes(resource))),
  ].join("");
