import { type Declared, kinds, type Value } from "../declared";
import { camelCase, quoted } from "../words";

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
export function typescript(declared: Declared[], about: string[]): string {
  const classes = [...new Set(declared.map(({ kind }) => kinds[kind].className))].sort();
  const comment = about.map((line) => `// ${line}`).join("\n");
  const imports = classes.length === 0 ? [] : [`import { ${classes.join(", ")} } from "pulumi-frontdoor/plugin";`];
  return `${[comment, ...imports, ...declared.map(statement)].join("\n\n")}\n`;
}
