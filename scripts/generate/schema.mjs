import { examples } from "./examples.mjs";
import { entryTypes, functionsOf } from "./schema-functions.mjs";
import { documented } from "./languages/index.mjs";
import { byName, isMaybe, ofType } from "./property.mjs";

// The plugin's schema, in Pulumi's format: what the engine, SDK generators and documentation know of the package.

/** What is said of a resource or function, and its examples. */
const withExamples = (doc, of) => `${doc}\n\n${documented(examples[of])}`;

const isReplaced = ({ onChange }) => onChange === "replace" || onChange === "move";

/**
 * The engine replaces on every change that the plugin tells of a property with `replaceOnChanges`. Where an argument can be left out, one
 * that newly names the value it has is a change without a replacement: the documentation alone says that another value replaces.
 */
const onChange = (field) =>
  isReplaced(field) && {
    ...(field.whenOmitted !== "unchanged" && { replaceOnChanges: true }),
    willReplaceOnChanges: true,
  };

const isSecret = ({ name }) => name === "sampleConfig" && { secret: true };

/** An argument; one with another spelling of its name gives two. */
const inputs = (field, hover) => {
  const input = { description: hover(field), ...ofType(field), ...onChange(field) };
  const other = { ...input, description: `Another spelling of \`${field.name}\`. Give only one of the two.` };
  return [[field.name, input], ...(field.alias ? [[field.alias, other]] : [])];
};

const isRequired = ({ whenOmitted, alias }) => whenOmitted === "refused" && !alias;
const names = (fields) => fields.map(({ name }) => name);

const resourceOf = ({ title, given, outputs, said, hover }) => ({
  description: withExamples(said, title),
  properties: byName(
    outputs.map((field) => [
      field.name,
      { description: field.doc, ...ofType(field, "Share"), ...isSecret(field), ...onChange(field) },
    ]),
  ),
  required: names(outputs.filter((field) => !isMaybe(field))),
  inputProperties: byName(given.flatMap((field) => inputs(field, hover))),
  requiredInputs: names(given.filter(isRequired)),
  // The same resources as the dynamic classes made them: no replacement for those who move over.
  aliases: [{ type: `pulumi-nodejs:dynamic/frontdoor:${title}` }],
});

/** What a program gives for each of many in one resource. */
const eachType = ({ noun, given, hover }) => [
  `frontdoor:index:${noun}`,
  {
    description: "A share of a set. The set gives the defaults of `envZId` (or `envId`) and `locationId`.",
    type: "object",
    properties: byName(given.flatMap((field) => inputs(field, hover))),
    required: names(given.filter(isRequired)),
  },
];

/** Settings, with the environment variable that each is also read from: by SDKs only where `isRead` says so, else by the plugin alone. */
const settings = (docs, environmentName, isRead) =>
  byName(
    Object.entries(docs).map(([name, { doc, type = "string", isSecret: secret }]) => {
      const variable = environmentName(name);
      const description = `${doc} Environment: \`${variable}\`.`;
      const read = isRead(name) && { defaultInfo: { environment: [variable] } };
      return [name, { type, description, ...(secret && { secret }), ...read }];
    }),
  );

const connectionTypes = {
  text: { type: "string" },
  texts: { type: "array", items: { type: "string" } },
  number: { type: "integer" },
  numbers: { type: "array", items: { type: "integer" } },
};

const connection = (description, fields, left = []) => ({
  type: "object",
  description,
  properties: byName(
    Object.entries(fields)
      .filter(([name]) => !left.includes(name))
      .map(([name, { type, doc }]) => [name, { ...connectionTypes[type], description: doc }]),
  ),
});

const languages = (version) => ({
  nodejs: {
    // The classes that users import are in pulumi-frontdoor/plugin; this SDK is for programs that `pulumi import` and such write.
    packageName: "pulumi-frontdoor-plugin",
    packageDescription: `Generated SDK of the frontdoor plugin ${version}`,
    dependencies: { "@pulumi/pulumi": "^3.142.0" },
    respectSchemaVersion: true,
  },
  python: { packageName: "pulumi_frontdoor", pyproject: { enabled: true }, respectSchemaVersion: true },
  go: {
    importBasePath: "github.com/pulumi-frontdoor/sdk/go/frontdoor",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { packageReferences: { Pulumi: "3.*" }, respectSchemaVersion: true },
});

/**
 * `tables` are the modules of the sources that say it all, `manifest` is package.json, `resources` are as scripts/generate.mjs has them,
 * with `said` for what is said of each, and `saidOf` says it of functions.
 */
export function schemaOf({ manifest, resources, saidOf, tables }) {
  const { version, description, keywords, license } = manifest;
  const { settingDocs, environmentName, credentialKeys, entryFields, movingFields } = tables;
  // What the service has entries of.
  const single = resources.filter(({ visible }) => visible.length > 0);
  const sets = resources.filter(({ each }) => each);
  // An SDK would put what it reads into the provider's inputs, and so into the state: no place for secrets, nor for half of some credentials.
  const given = settings(settingDocs, environmentName, (name) => !credentialKeys.includes(name));
  return {
    ...{ name: "frontdoor", displayName: "Front door", version, description, keywords, license },
    publisher: "pulumi-frontdoor",
    meta: { supportPack: true },
    language: languages(version),
    config: { variables: settings(settingDocs, environmentName, () => true) },
    types: byName([
      [
        "frontdoor:index:TunnelConfig",
        connection("The details of a VPN connection that do not change by themselves.", entryFields, movingFields),
      ],
      ["frontdoor:index:TunnelConfigEntry", connection("The present details of a VPN connection.", entryFields)],
      ...entryTypes(single),
      ...sets.map(({ each }) => eachType(each)),
    ]),
    provider: {
      description: "A front door service and the credentials for it.",
      inputProperties: given,
    },
    resources: byName(resources.map((of) => [`frontdoor:index:${of.title}`, resourceOf(of)])),
    functions: functionsOf(single, (called) => withExamples(saidOf(called), called)),
  };
}
