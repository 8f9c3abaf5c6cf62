import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../harness/folder";

/** Where what is shown to users is said. */
const folders = ["provider", "sdk", "cli", "policy"];

/** Texts that only describe: of the tables of fields, settings, functions and policies, and of the command line. */
const described = ["doc", "more", "failsWhere"];
const describedOfPolicies = ["description", "reason", "fix", "unknowns", "remedy", "title", "says"];
const describing = ["option", "argument", "description", "addHelpText", "addOption", "summary", "Option", "describe"];

/** Words that are looked up, what is written into programs, shells and pages, and what is data of a policy. */
const unshown = [
  ...["cli/import/words.ts", "cli/import/names.ts", "cli/import/program.ts"],
  ...["cli/examples.ts", "cli/completion/scripts.ts"],
  ...["policy/pages.ts", "policy/samples.ts", "policy/controls.ts", "policy/keys.ts"],
];

export interface Message {
  at: string;
  /** With `…` where something is filled in. */
  text: string;
}

const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file)),
);

const textOf = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
};

/** Whether it is said of something that the program holds, and to nobody. */
function isDescription(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isVariableDeclaration(parent)) return /Doc$|^examples$|^explained$|[lL]ines$/.test(parent.name.getText());
  if (ts.isPropertyAssignment(parent)) {
    if (parent.name === node) return !node.getSourceFile().fileName.startsWith("provider/");
    const isOfPolicy = node.getSourceFile().fileName.startsWith("policy/");
    const names = isOfPolicy ? describedOfPolicies : described;
    return names.includes(parent.name.getText()) || isDescriptionOf(parent);
  }
  return isDescriptionOf(parent);
}

function isDescriptionOf(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return node.expression.text === "examples";
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return describing.includes(node.expression.name.text);
  return ts.isNewExpression(node) && describing.includes(node.expression.getText());
}

/** Without what differs by where it stands: what is filled in at its ends, and the marks that join it to others. */
export const core = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/…+/g, "…")
    .replace(/^[\s…:;,.()"]+|[\s…:;,.()"]+$/g, "");

/** At least three words, in a row somewhere: anything shorter is a name, or a word that others are made of. */
const isSaid = (text: string) => /\p{L}{2,}["’'`)]? ["(]?\p{L}+/u.test(text) && text.split(/\s+/).length >= 3;

/** Every text that the sources can show, whole or as a part of a message. */
export function messages(): Message[] {
  return sources
    .filter((file) => !unshown.includes(file) && !file.startsWith("cli/import/programs/"))
    .flatMap((file) => {
      const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
      const found: Message[] = [];
      const visit = (node: ts.Node): void => {
        const text = textOf(node);
        if (text !== undefined && isSaid(core(text)) && !isDescription(node)) {
          const { line } = source.getLineAndCharacterOfPosition(node.getStart());
          found.push({ at: `${file}:${line + 1}`, text: core(text) });
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
}
