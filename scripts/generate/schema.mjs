import { documented, examples, goModule, javaGroup } from "./examples.mjs";

// The plugin's schema, in Pulumi's format: what the engine, SDK generators and documentation know of the package.

/** What is said of a resource or function, and its examples. */
const withExamples = (doc, of) => (examples[of] ? `${doc}\n\n${documented(examples[of])}` : doc);

const isReplaced = ({ onChange }) => ["delete first", "create first"].includes(onChange);

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
const inputs = (field, hover, effect = onChange(field)) => {
  const input = { description: hover(field), ...ofType(field), ...effect };
  const other = { ...input, description: `Another spelling of \`${field.name}\`. Give only one of the two.` };
  return [[field.name, input], ...(field.alias ? [[field.alias, other]] : [])];
};

const isRequired = ({ whenOmitted, alias }) => whenOmitted === "refused" && !alias;
const names = (fields) => fields.map(({ name }) => name);

const resourceOf = ({ title, argumentFields, outputs, doc, hover }) => ({
  description: withExamples(doc, title),
  properties: byName(
    outputs.map((field) => [
      field.name,
      { description: field.doc, ...ofType(field, "Share"), ...isSecret(field), ...onChange(field) },
    ]),
  ),
  required: names(outputs.filter((field) => !isMaybe(field))),
  inputProperties: byName(argumentFields.flatMap((field) => inputs(field, hover))),
  requiredInputs: names(argumentFields.filter(isRequired)),
  // The same resources as the dynamic classes made them: no replacement for those who move over.
  aliases: [{ type: `pulumi-nodejs:dynamic/frontdoor:${title}` }],
});

/** What a program gives for each of many in one resource. */
const eachType = ({ noun, argumentFields, hover }) => [
  `frontdoor:index:${noun}`,
  {
    description: "A share of a set. The set gives the defaults of `envZId` (or `envId`) and `locationId`.",
    type: "object",
    properties: byName(argumentFields.flatMap((field) => inputs(field, hover))),
    required: names(argumentFields.filter(isRequired)),
  },
];

/** The comment of a member of the SDK: the first one of this name after the heading. */
function commentOf(source, heading, member) {
  const [, text = ""] = source.split(heading);
  const [, comment = ""] = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\n *readonly ${member}\\??:`).exec(text) ?? [];
  if (comment === "") throw new Error(`sdk/any-site.ts has no comment for ${member} of ${heading}`);
  return comment.replace(/\s*\n\s*\*?\s*|^\s+|\s+$/g, " ").trim();
}

/** What the SDK reads itself, so a program cannot give an output for it. */
const plain = (type, description) => ({ description, ...type, plain: true });

/** An application of a site, and the place that it comes from. */
const siteTypes = ({ IpsecShare }, site) => {
  const own = IpsecShare.argumentFields.filter(({ name }) => !["ipsecTunnelId", "frontdoorId"].includes(name));
  const comment = (member) => commentOf(site.source, "export type SiteShareArgs", member);
  const former = {
    oneOf: [
      { type: "string", plain: true },
      { ...ref("FormerPlace"), plain: true },
    ],
  };
  return [
    [
      "frontdoor:index:SiteShare",
      object(
        [
          ...own.flatMap((field) => inputs(field, IpsecShare.hover)),
          ["retain", { type: "boolean", description: comment("retain") }],
          ["envZId", { type: "string", description: comment("envZId") }],
          ["protect", plain({ type: "boolean" }, comment("protect"))],
          ["formerly", plain(former, comment("formerly"))],
        ],
        names(own.filter(isRequired)),
        "An application of a site. The site sets its tunnel and front door.",
      ),
    ],
    [
      "frontdoor:index:FormerPlace",
      object(
        [
          ["site", { type: "string", description: comment("site") }],
          ["key", plain({ type: "string" }, comment("key"))],
        ],
        ["key", "site"],
        "A key of another site.",
      ),
    ],
  ];
};

/** IpsecSite as a component: the plugin registers its children. */
const componentOf = ({ IpsecTunnel }, site) => {
  const args = "export interface IpsecSiteArgs";
  const comment = (member, heading = args) => commentOf(site.source, heading, member);
  const outputs = {
    ...{ tunnelId: { type: "string" }, nlbDnsName: { type: "string" }, vpnConnectionId: { type: "string" } },
    // Its value comes as a secret. `secret` here would give the SDKs of Java and C# an option that their components don't have.
    ...{ sampleConfig: { type: "string" } },
    ...{ endpoints: map({ type: "string" }), shareIds: map({ type: "string" }) },
  };
  const shares = plain(map(ref("SiteShare")), comment("shares"));
  return {
    isComponent: true,
    description: withExamples(site.doc, "IpsecSite"),
    properties: byName(
      Object.entries(outputs).map(([name, type]) => [
        name,
        { description: comment(name, "export abstract class AnySite"), ...type },
      ]),
    ),
    required: Object.keys(outputs)
      .filter((name) => name !== "sampleConfig")
      .sort(),
    inputProperties: byName([
      // A component itself is never replaced.
      ...IpsecTunnel.argumentFields.flatMap((field) => inputs(field, IpsecTunnel.hover, {})),
      ["shares", shares],
      ["envZId", { type: "string", description: comment("envZId") }],
      ["asSet", plain({ type: "boolean" }, comment("asSet"))],
    ]),
    requiredInputs: [...names(IpsecTunnel.argumentFields.filter(isRequired)), "shares"],
  };
};

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

const languages = {
  // The programs that `pulumi import` and `pulumi convert` write use the classes of the installed package.
  nodejs: { packageName: "pulumi-frontdoor/plugin", respectSchemaVersion: true },
  python: { packageName: "pulumi_frontdoor", pyproject: { enabled: true }, respectSchemaVersion: true },
  go: {
    importBasePath: `${goModule}/frontdoor`,
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { packageReferences: { Pulumi: "3.*" }, respectSchemaVersion: true },
  java: { basePackage: javaGroup, buildFiles: "gradle", dependencies: { "com.pulumi:pulumi": "1.16.0" } },
};

/**
 * Returns the schema. `tables` are the sources of scripts/generate.mjs, `manifest` is package.json, and `functionDoc` returns the
 * description of a function.
 */
export function schemaOf({ manifest, resources, functionDoc, tables, site }) {
  const { version, description, keywords, license, homepage, repository, pulumi } = manifest;
  const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, "");
  const { settingDocs, environmentName, credentialKeys, entryFields, volatileFields, functionTable } = tables;
  // What functions read.
  const single = resources.filter(({ noun }) => `get${noun}` in functionTable);
  const sets = resources.filter(({ each }) => each);
  const byTitle = Object.fromEntries(resources.map((of) => [of.title, of]));
  // An SDK would put what it reads into the provider's inputs, and so into the state: no place for secrets, nor for half of some credentials.
  const providerInputs = settings(settingDocs, environmentName, (name) => !credentialKeys.includes(name));
  return {
    ...{ name: "frontdoor", displayName: "Front door", version, description, keywords, license },
    publisher: "pulumi-frontdoor",
    homepage,
    repository: repositoryUrl,
    logoUrl: `${repositoryUrl}/raw/main/docs/images/logo.svg`,
    pluginDownloadURL: pulumi.server,
    meta: { supportPack: true },
    language: languages,
    config: { variables: settings(settingDocs, environmentName, () => true) },
    types: byName([
      [
        "frontdoor:index:TunnelConfig",
        connection("The details of a VPN connection that do not change by themselves.", entryFields, volatileFields),
      ],
      ["frontdoor:index:TunnelConfigEntry", connection("The present details of a VPN connection.", entryFields)],
      ...entryTypes(single),
      ...sets.map(({ each }) => eachType(each)),
      ...siteTypes(byTitle, site),
    ]),
    provider: {
      description: "A front door and the credentials for it.",
      inputProperties: providerInputs,
    },
    resources: byName([
      ...resources.map((of) => [`frontdoor:index:${of.title}`, resourceOf(of)]),
      ["frontdoor:index:IpsecSite", componentOf(byTitle, site)],
    ]),
    functions: functionsOf(single, (called) => withExamples(functionDoc(called), called)),
  };
}

// The functions of the plugin's schema, and the types of what they answer.

const text = (description) => ({ type: "string", description });
const listOf = (items) => ({ type: "array", items });
const object = (properties, required, description) => ({
  ...(description && { description }),
  type: "object",
  properties: byName(properties),
  ...(required && { required }),
});

const frontdoorId = ["frontdoorId", text("Front door to read from. Default: `frontdoor:frontdoorId`.")];
const id = (small) => ["id", text(`Id of the ${small}.`)];
const name = (small) => [
  "name",
  text(`Name of the ${small}, if you give no id. Exactly one ${small} must have this name.`),
];
const sort = ["sort", text("Property and order of the list, such as `name,asc` or `name,desc`.")];
const span = {
  Tunnel: ["window", text("Time span of the metrics: `30m`, `1h` (default), `1d` or `7d`.")],
  Share: ["duration", text("Time span of the metrics, such as `15m` or `1h`.")],
};

/** Every property that the service shows, as a list of values of which one has to match. */
const filters = ({ visible }) =>
  [{ name: "id", type: "string" }, ...visible].map((field) => [
    field.name,
    { ...listOf(ofType(field)), description: `Returns only entries whose \`${field.name}\` is one of these values.` },
  ]);

/** A resource as the service shows it. */
const entry = ({ small, visible }) =>
  object(
    [
      ["id", text("Assigned by Frontdoor.")],
      ["frontdoorId", text("Id of its front door.")],
      ...visible.map((field) => [field.name, { description: field.doc, ...ofType(field) }]),
    ],
    ["id", "frontdoorId", ...visible.filter((field) => field.visible === "always").map((field) => field.name)],
    `The present values of an IPsec ${small}.`,
  );

const metrics = { $ref: "pulumi.json#/Any", description: "Frontdoor's response, in any form of JSON." };
const connectionStatus = {
  state: text("State of the whole VPN connection, such as `available`."),
  tunnels: listOf({ $ref: "#/types/frontdoor:index:TunnelConfigEntry" }),
};
const sampleConfig = {
  ...text("The configuration, with the pre-shared key. It is a secret only as an output."),
  secret: true,
};

const preSharedKey = { ...text("The key. It is a secret only as an output."), secret: true };

/** Arguments besides `frontdoorId`, those of them that are required, and results with those that are always there. */
const functionsOn = (of) => {
  const { noun, small, title } = of;
  const list = `${small}s`;
  return {
    [`get${noun}`]: [[id(small), name(small)], [], entry(of)],
    [`get${noun}s`]: [
      [...filters(of), sort],
      [],
      object([[list, listOf({ $ref: `#/types/frontdoor:index:${noun}` })]], [list]),
    ],
    [`get${noun}Metrics`]: [[id(small), span[noun]], ["id"], object([["metrics", metrics]], ["metrics"])],
    ...(title === "IpsecTunnel" && {
      getTunnelConfig: [[id(small)], ["id"], object(Object.entries(connectionStatus), ["tunnels"])],
      getSampleConfig: [[id(small)], ["id"], object([["sampleConfig", sampleConfig]], ["sampleConfig"])],
      getPreSharedKey: [[id(small)], ["id"], object([["preSharedKey", preSharedKey]], ["preSharedKey"])],
    }),
  };
};

const entryTypes = (resources) => resources.map((of) => [`frontdoor:index:${of.noun}`, entry(of)]);

/** `describe` gives what is said of a function by its name. */
const functionsOf = (resources, describe) =>
  byName(
    resources.flatMap((of) =>
      Object.entries(functionsOn(of)).map(([called, [args, required, outputs]]) => [
        `frontdoor:index:${called}`,
        { description: describe(called), inputs: object([frontdoorId, ...args], required), outputs },
      ]),
    ),
  );

/** In alphabetical order, as Pulumi's own tools write schemas. */
const byName = (entries) => Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));

const ref = (type) => ({ $ref: `#/types/frontdoor:index:${type}` });
const map = (additionalProperties) => ({ type: "object", additionalProperties });
const refs = { TunnelConfig: ref("TunnelConfig"), "Record<string, string>": map({ type: "string" }) };
/** Whole numbers, all of them. */
const types = { number: "integer" };

/** The type of a row of provider/fields, as the schema spells it; in a set, the types of a share's arguments and outputs differ. */
function ofType({ is, type }, ofEach = "SetShare") {
  const own = is?.type ?? type.replace(" | undefined", "");
  if (own === "record") return map(ref(ofEach));
  if (own === "union") return { oneOf: [{ type: "string" }, { type: "number" }] };
  return own in refs ? refs[own] : { type: types[own] ?? own };
}

/** Whether an output can be missing. */
export const isMaybe = ({ visible, whenOmitted, type = "" }) =>
  visible === "maybe" || (visible === "in state" && whenOmitted === "unchanged") || type.includes("undefined");

const typeOf = ({ type = "string", values }) => values?.map((value) => JSON.stringify(value)).join(" | ") ?? type;

/** The settings of provider/config.ts in TypeScript: the arguments of the plugin's Provider, all names, and the secret ones. */
export const providerArgs = (
  docs,
  environmentName,
) => `// Generated from provider/config.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Provider: the settings, without \`frontdoor:\`. Omitted arguments come from the environment. */
export interface ProviderArgs {
${Object.entries(docs)
  .map(
    ([name, row]) => `/** ${row.doc} Environment: \`${environmentName(name)}\`. */
${name}?: pulumi.Input<${typeOf(row)} | undefined>;
`,
  )
  .join("")}}

/** The names of the settings, without \`frontdoor:\`. */
export const settingNames = ${JSON.stringify(Object.keys(docs))};

/** The names of the secret settings. */
export const secretSettings = ${JSON.stringify(Object.keys(docs).filter((name) => docs[name].isSecret))};
`;
