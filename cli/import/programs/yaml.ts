import { type Declared, kinds, type Value } from "../declared";
import { quoted } from "../words";

const textOf = (value: Value): string => {
  if (typeof value === "object") return `\${${value.tunnel}.id}`;
  // In a text, "${" begins an expression.
  return typeof value === "number" ? String(value) : quoted(value.replace(/\$(?=\{)/g, "$$$$"));
};

const entry = ({ kind, name, args }: Declared): string => {
  const given = args.map(([key, value]) => `      ${key}: ${textOf(value)}`);
  const lines = [`  ${name}:`, `    type: ${kinds[kind].type}`, "    properties:", ...given];
  return [...lines, "    options:", "      protect: true"].join("\n");
};

/** The resources as a YAML program: the file `Main.yaml` beside a `Pulumi.yaml`, or a part of that. */
export function yaml(declared: Declared[], about: string[]): string {
  const comment = about.map((line) => `# ${line}`);
  const resources = declared.length === 0 ? ["resources: {}"] : ["resources:", ...declared.map(entry)];
  return `${[...comment, ...resources].join("\n")}\n`;
}
