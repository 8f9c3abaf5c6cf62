import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript/lib/typescript.js";
import { root } from "../harness/folder";

const inRoot = readdirSync(root);
const inFolder = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));

/** Every page that users read, by its path from the repository's root. */
export const pages = [...inRoot, ...inFolder("docs"), "fleet/README.md", ...inFolder("fleet/docs")].filter(
  (page) => page.endsWith(".md") && page !== "CHANGELOG.md",
);

export const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

export interface Block {
  /** What stands before it: `from`, a file that it is cut from, or `run by`, a test that runs it. */
  mark: { how: string; file: string } | undefined;
  language: string;
  title: string | undefined;
  code: string;
}

const fenced = /(?:<!-- (from|run by) ([^\s#]+)\S* -->\n\n)?^```(?!mermaid)(\w+)(?: title="([^"]+)")?\n([^]*?)^```$/gm;

/** The blocks of code on a page; drawings, whose fences name no language or Mermaid, are none. */
export function blocksOf(page: string): Block[] {
  return [...textOf(page).matchAll(fenced)].map(([, how, file, language = "", title, code = ""]) => ({
    ...{ language, title, code },
    mark: how === undefined || file === undefined ? undefined : { how, file },
  }));
}

interface Described {
  description?: string;
}

export interface Schema {
  resources: Record<string, Described & Record<string, object>>;
  functions: Record<string, Described>;
  types: Record<string, object>;
  language: Record<string, Record<string, unknown>>;
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

/** What the compiler says of programs, in a project that is strict. */
export function typeErrorsIn(files: string[], target = ts.ScriptTarget.ES2022): string[] {
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target },
    ...{ module: ts.ModuleKind.Node20, moduleDetection: ts.ModuleDetectionKind.Force, types: ["node", "jest"] },
    typeRoots: [join(root, "node_modules/@types")],
    paths: { "pulumi-frontdoor/plugin": [join(root, "sdk/plugin/index.ts")] },
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram(files, options));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
