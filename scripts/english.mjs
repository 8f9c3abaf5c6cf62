import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import wordCount from "textlint-rule-en-max-word-count";
import terms from "textlint-rule-prh";
import ts from "typescript";
import { parse, stringify } from "yaml";

// Checks the English of everything that a person reads: the pages, the doc comments and texts of the sources, and the plugin's schema.
// `node scripts/english.mjs [file...]` checks these files, or all of them.

const root = join(import.meta.dirname, "..");
const sourceFolders = ["provider", "sdk", "cli", "policy", "emulator", "fleet/src"];
const schema = "provider/plugin/schema.json";

const under = (folder, pattern) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => pattern.test(file));

/** A text with the line of the source for each of its lines. `isForUsers` is false for comments and for pages for contributors. */
function documentOf(pieces, isForUsers = true) {
  const lines = pieces.flatMap(({ text, line }) => [
    ...text.split("\n").map((each, at) => ({ text: each, line: line + at })),
    { text: "", line },
  ]);
  const text = lines.map((each) => each.text.trim()).join("\n");
  return { text, lineAt: (line) => lines[line - 1]?.line ?? line, isForUsers };
}

const isWordList = (text) => !/[.,:;`]/.test(text) && text.split(" ").length > 40;
const isProse = (text) =>
  /[A-Za-z'’,]+ [A-Za-z'’,`]+ [a-z'’,`]+ \S/.test(text) && !text.includes("$(") && !isWordList(text);

/** The words of a string expression: `x` stands for each value that is put in. */
function wordsOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `\`x\`${literal.text}`).join("");
  const isSum = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
  if (!isSum) return undefined;
  const sides = [wordsOf(node.left), wordsOf(node.right)];
  return sides.some((side) => side === undefined) ? undefined : sides.join("");
}

/** The doc comments, or else the texts, of a source, each with its line. */
function piecesOf(file, code, isComments) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const pieces = [];
  const seen = new Set();
  const visit = (node) => {
    for (const comment of isComments ? (node.jsDoc ?? []) : []) {
      if (seen.has(comment.pos)) continue;
      seen.add(comment.pos);
      const text = comment
        .getText()
        .replace(/^\/\*\*|\*\/$/g, "")
        .replace(/^[ \t]*\* ?/gm, "");
      pieces.push({ text, line: lineOf(comment.getStart()) });
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const words = wordsOf(node);
    if (words === undefined) ts.forEachChild(node, visit);
    else if (!isComments && isProse(words))
      pieces.push({ text: words.replaceAll("\n", "\n\n"), line: lineOf(node.getStart()) });
  };
  visit(source);
  return pieces;
}

/** The descriptions in the plugin's schema, without their code. */
const descriptionsOf = (json) =>
  [...json.matchAll(/^\s*"description": (".*"),?$/gm)].flatMap(({ 1: quoted, index }) => {
    const line = json.slice(0, index + 1).split("\n").length;
    const paragraphs = JSON.parse(quoted)
      .replace(/```[^]*?```/g, "")
      .split("\n");
    return paragraphs.map((text) => ({ text, line }));
  });

const isForContributors = (file) => /^(CONTRIBUTING|docs\/(how-it-works|dependencies|decisions\/.*))\.md$/.test(file);

function documentsIn(file) {
  const text = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md")) return [{ text, lineAt: (line) => line, isForUsers: !isForContributors(file) }];
  // The head of a template is for readers, and the rest for a device.
  if (file.endsWith(".conf")) {
    const head = text.split("\n\n")[0].split("\n");
    return [documentOf(head.map((line, index) => ({ text: line.slice(2), line: index + 1 })))];
  }
  if (file.endsWith(".json")) return [documentOf(descriptionsOf(text))];
  if (text.startsWith("// Generated from")) return [];
  return [true, false].map((isComments) => documentOf(piecesOf(file, text, isComments), !isComments));
}

const kernel = new TextlintKernel();
const plugins = [{ pluginId: "markdown", plugin: markdown.default ?? markdown }];

const { rules: listed } = parse(readFileSync(join(root, "scripts/english-terms.yml"), "utf8"));

/** The rules of textlint. Those `for: users` hold only in what users read. */
function rulesFor(isForUsers) {
  const chosen = listed
    .filter((each) => isForUsers || each.for !== "users")
    .map(({ expected, pattern }) => ({ expected, pattern }));
  const ruleContents = [stringify({ version: 1, rules: chosen })];
  return [
    { ruleId: "terms", rule: terms.default ?? terms, options: { ruleContents } },
    { ruleId: "words", rule: wordCount.default ?? wordCount, options: { max: 40 } },
  ];
}
const rules = { true: rulesFor(true), false: rulesFor(false) };

const given = process.argv.slice(2);
const files =
  given.length > 0
    ? given.map((file) => relative(root, resolve(file)))
    : [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "fleet/README.md",
        ...under("docs", /\.md$/),
        ...under("fleet/docs", /\.md$/),
        ...under("cli/devices", /\.conf$/),
        ...sourceFolders.flatMap((each) => under(each, /(?<!\.d)\.[jt]s$/)),
        schema,
      ];

let total = 0;
for (const file of files) {
  for (const { text, lineAt, isForUsers } of documentsIn(file)) {
    const options = { filePath: join(root, file), ext: ".md", plugins, rules: rules[isForUsers] };
    const { messages } = await kernel.lintText(text, options);
    total += messages.length;
    for (const { line, message, ruleId } of messages) console.log(`${file}:${lineAt(line)}: ${message} (${ruleId})`);
  }
}
if (total > 0) console.error(`${total} places break the writing rules (CONTRIBUTING.md)`);
process.exitCode = total > 0 ? 1 : 0;
