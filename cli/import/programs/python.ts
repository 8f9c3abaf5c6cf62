import { type Declared, kinds, type Value } from "../declared";
import { quoted, snakeCase } from "../words";

const textOf = (value: Value): string => {
  if (typeof value === "object") return `${snakeCase(value.tunnel)}.id`;
  return typeof value === "number" ? String(value) : quoted(value);
};

const statement = ({ kind, name, args }: Declared): string => {
  const variable = kind === "tunnel" ? `${snakeCase(name)} = ` : "";
  const given = args.map(([key, value]) => `    ${snakeCase(key)}=${textOf(value)},`);
  const lines = [`${variable}frontdoor.${kinds[kind].className}(`, `    ${quoted(name)},`, ...given];
  return [...lines, "    opts=pulumi.ResourceOptions(protect=True),", ")"].join("\n");
};

/** Returns a Python program that declares the resources. */
export function python(declared: Declared[], about: string[]): string {
  const comment = about.map((line) => `# ${line}`).join("\n");
  const imports = "import pulumi\nimport pulumi_frontdoor as frontdoor";
  return `${[comment, imports, ...declared.map(statement)].join("\n\n")}\n`;
}
