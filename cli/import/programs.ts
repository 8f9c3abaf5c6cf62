import { camelCase, type Declared, kinds, quoted, snakeCase, type Value } from "./plan";

const pythonText = (value: Value): string => {
  if (typeof value === "object") return `${snakeCase(value.tunnel)}.id`;
  return typeof value === "number" ? String(value) : quoted(value);
};

const pythonStatement = ({ kind, name, args }: Declared): string => {
  const variable = kind === "tunnel" ? `${snakeCase(name)} = ` : "";
  const given = args.map(([key, value]) => `    ${snakeCase(key)}=${pythonText(value)},`);
  const lines = [`${variable}frontdoor.${kinds[kind].className}(`, `    ${quoted(name)},`, ...given];
  return [...lines, "    opts=pulumi.ResourceOptions(protect=True),", ")"].join("\n");
};

/** Returns a Python program that declares the resources. */
function python(declared: Declared[], about: string[]): string {
  const comment = about.map((line) => `# ${line}`).join("\n");
  const imports = "import pulumi\nimport pulumi_frontdoor as frontdoor";
  return `${[comment, imports, ...declared.map(pythonStatement)].join("\n\n")}\n`;
}

const textOf = (value: Value): string => {
  if (typeof value === "object") return `${camelCase(value.tunnel)}.id`;
  return typeof value === "number" ? String(value) : quoted(value);
};

const statement = ({ kind, name, args }: Declared): string => {
  // Nothing refers to a share, so it needs no variable.
  const variable = kind === "tunnel" ? `const ${camelCase(name)} = ` : "";
  const given = args.map(([key, value]) => `    ${key}: ${textOf(value)},`);
  const lines = [`${variable}new ${kinds[kind].className}(`, `  ${quoted(name)},`, "  {", ...given, "  },"];
  return [...lines, "  { protect: true },", ");"].join("\n");
};

/** Returns a TypeScript program that declares the resources. */
function typescript(declared: Declared[], about: string[]): string {
  const classes = [...new Set(declared.map(({ kind }) => kinds[kind].className))].sort();
  const comment = about.map((line) => `// ${line}`).join("\n");
  const imports = classes.length === 0 ? [] : [`import { ${classes.join(", ")} } from "pulumi-frontdoor/plugin";`];
  return `${[comment, ...imports, ...declared.map(statement)].join("\n\n")}\n`;
}

const yamlText = (value: Value): string => {
  if (typeof value === "object") return `\${${value.tunnel}.id}`;
  // In a text, "${" begins an expression.
  return typeof value === "number" ? String(value) : quoted(value.replace(/\$(?=\{)/g, "$$$$"));
};

const entry = ({ kind, name, args }: Declared): string => {
  const given = args.map(([key, value]) => `      ${key}: ${yamlText(value)}`);
  const lines = [`  ${name}:`, `    type: ${kinds[kind].type}`, "    properties:", ...given];
  return [...lines, "    options:", "      protect: true"].join("\n");
};

/** The resources as a YAML program: the file `Main.yaml` beside a `Pulumi.yaml`, or a part of that. */
function yaml(declared: Declared[], about: string[]): string {
  const comment = about.map((line) => `# ${line}`);
  const resources = declared.length === 0 ? ["resources: {}"] : ["resources:", ...declared.map(entry)];
  return `${[...comment, ...resources].join("\n")}\n`;
}

type Program = (declared: Declared[], about: string[]) => string;

const programs: Record<Language, Program> = { ts: typescript, python, yaml };

const about = [
  'Written by "frontdoor import". All resources are protected, as after "pulumi import".',
  'Remove "protect" from a resource before you delete or replace it.',
];

/** Returns a whole program that declares these resources. It holds no secret. */
export const programOf = (language: Language, declared: Declared[]): string => programs[language](declared, about);

/** The languages of the programs. */
export type Language = "ts" | "python" | "yaml";
