import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as prettier from "prettier";
import ts from "typescript";
import { root } from "./setup/places.mjs";

/** The reference of one resource is made of the comments that editors show on hover. */
const resources = [
  { title: "IpsecTunnel", args: "TunnelArgs", file: "sdk/tunnel.ts" },
  { title: "IpsecShare", args: "ShareArgs", file: "sdk/share.ts" },
];

const parsed = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);

const said = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .map((comment) => ts.getTextOfJSDocComment(comment.comment) ?? "")
    .join(" ")
    .replace(/\s+/g, " ");

/** The named interface or class of a file. */
const declared = (source, name) => source.statements.find((statement) => statement.name?.text === name);

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const table = (headings, rows) => [row(headings), row(headings.map(() => "---")), ...rows.map(row)].join("\n");

function reference() {
  const args = parsed("provider/resources/args.ts");
  const sections = resources.map(({ title, args: name, file }) => {
    const source = parsed(file);
    const resource = declared(source, title);
    const inputs = declared(args, name).members.map((member) => [
      `\`${member.name.text}\``,
      member.type.getText(args).replace(/ \| undefined$/, ""),
      member.questionToken ? "" : "required",
      said(member),
    ]);
    const outputs = resource.members
      .filter((member) => ts.isPropertyDeclaration(member))
      .map((member) => [
        `\`${member.name.text}\``,
        member.type
          .getText(source)
          .replace(/^pulumi\.Output<(.*)>$/, "$1")
          .replace(/ \| undefined$/, ""),
        said(member),
      ]);
    return [
      `## ${title}`,
      said(resource),
      "### Arguments",
      table(["name", "type", "", "what it is"], inputs),
      "### Outputs",
      table(["name", "type", "what it is"], outputs),
    ].join("\n\n");
  });
  const head = "# Reference\n\nGenerated from the code by `npm run docs`; every argument takes a Pulumi input.";
  return `${[head, ...sections].join("\n\n")}\n`;
}

const path = join(root, "docs", "reference.md");
const text = await prettier.format(reference(), { ...(await prettier.resolveConfig(path)), parser: "markdown" });
if (!process.argv.includes("--check")) writeFileSync(path, text);
else if (readFileSync(path, "utf8") !== text) {
  console.error('docs/reference.md is not what the code says: run "npm run docs"');
  process.exitCode = 1;
}
