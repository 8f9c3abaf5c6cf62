import { byName, ofType } from "./property.mjs";

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
      ["id", text("Assigned by the service.")],
      ["frontdoorId", text("Id of its front door.")],
      ...visible.map((field) => [field.name, { description: field.doc, ...ofType(field) }]),
    ],
    ["id", "frontdoorId", ...visible.filter((field) => field.visible === "always").map((field) => field.name)],
    `The present values of an IPsec ${small}.`,
  );

const metrics = { $ref: "pulumi.json#/Any", description: "The service's answer, in any form of JSON." };
const connection = {
  state: text("State of the whole VPN connection, such as `available`."),
  tunnels: listOf({ $ref: "#/types/frontdoor:index:TunnelConfigEntry" }),
};
const sampleConfig = {
  ...text("The configuration, with the pre-shared key. It is a secret only as an output."),
  secret: true,
};

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
      getTunnelConfig: [[id(small)], ["id"], object(Object.entries(connection), ["tunnels"])],
      getSampleConfig: [[id(small)], ["id"], object([["sampleConfig", sampleConfig]], ["sampleConfig"])],
    }),
  };
};

export const entryTypes = (resources) => resources.map((of) => [`frontdoor:index:${of.noun}`, entry(of)]);

/** `describe` gives what is said of a function by its name. */
export const functionsOf = (resources, describe) =>
  byName(
    resources.flatMap((of) =>
      Object.entries(functionsOn(of)).map(([called, [args, required, outputs]]) => [
        `frontdoor:index:${called}`,
        { description: describe(called), inputs: object([frontdoorId, ...args], required), outputs },
      ]),
    ),
  );
