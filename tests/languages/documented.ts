import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";

interface Described {
  description?: string;
}

export interface Schema {
  resources: Record<string, Described & Record<string, object>>;
  functions: Record<string, Described>;
  types: Record<string, object>;
}

export const schemaFile = join(root, "provider/plugin/schema.json");
export const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as Schema;

/** The examples of one language in the schema's descriptions, as `IpsecTunnel1`; the same for every language. */
export function examplesIn(language: string): Record<string, string> {
  const all = Object.entries({ ...schema.resources, ...schema.functions });
  return Object.fromEntries(
    all.flatMap(([token, { description = "" }]) =>
      [...description.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map((match, index) => [
        `${token.split(":").at(-1) ?? ""}${index + 1}`,
        match[1] ?? "",
      ]),
    ),
  );
}
