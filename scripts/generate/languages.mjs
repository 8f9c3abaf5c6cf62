import { body, capital, eachIn, indent, madeIn, members, quoted, snake, those, valued } from "./examples.mjs";

/** A printer for every language that Pulumi documents, by the names that its documentation knows. */
const languages = { typescript, python, csharp, go, java, yaml };

/** An example in one language, as text. */
const printed = (language, program) => `${languages[language](program).join("\n")}\n`;

const called = { python: "Python", go: "Go", csharp: "C#", java: "Java", yaml: "YAML" };

/** An example for a page, folded, in every language but TypeScript. */
export const folded = (program) =>
  Object.entries(called).map(
    ([language, name]) =>
      `<details>\n<summary>${name}</summary>\n\n<!-- run by tests/package/schema.test.ts -->\n\n\`\`\`${language}\n${printed(language, program)}\`\`\`\n\n</details>`,
  );

/** Examples by their titles, as Pulumi's documentation and its SDK generators read them in a description. */
export const documented = (examples) =>
  [
    "{{% examples %}}",
    "## Example Usage",
    ...Object.entries(examples).flatMap(([title, program]) => [
      "{{% example %}}",
      `### ${title}`,
      "",
      "<!--Start PulumiCodeChooser -->",
      ...Object.keys(languages).map((language) => `\`\`\`${language}\n${printed(language, program)}\`\`\``),
      "<!--End PulumiCodeChooser -->",
      "{{% /example %}}",
    ]),
    "{{% /examples %}}",
  ].join("\n");

function csharp(program) {
  const value = valued({
    of: (as, name) =>
      madeIn(program, as) ? `${as}.${capital(name)}` : `${as}.Apply(result => result.${capital(name)})`,
    list: (items) => `new[] { ${items.join(", ")} }`,
    byKey: (type, all) =>
      `\n    {\n${all.map(([key, each]) => `        { ${quoted(key)}, new Frontdoor.Inputs.${type}Args { ${members(each, (name, one) => `${capital(name)} = ${value(one)}`).join(", ")} } },\n`).join("")}    }`,
  });
  const given = (all) =>
    `\n{\n${members(all, (name, each) => `    ${capital(name)} = ${value(each)},\n`.replace(" = \n", " =\n")).join("")}}`;
  const exports = those(program, "output").map(({ output, is }) => `    [${quoted(output)}] = ${value(is)},`);
  return [
    "using System.Collections.Generic;",
    "using Pulumi;",
    "using Frontdoor = Pulumi.Frontdoor;",
    "",
    "return await Deployment.RunAsync(() =>",
    "{",
    indent(
      body(
        program,
        ({ make, as, named, with: all }) => `var ${as} = new Frontdoor.${make}(${quoted(named)}, new()${given(all)});`,
        ({ call, as, with: all }) => `var ${as} = Frontdoor.${capital(call)}.Invoke(new()${given(all)});`,
      ),
      "    ",
    ),
    "",
    indent(["return new Dictionary<string, object?>", "{", ...exports, "};"].join("\n"), "    "),
    "});",
  ];
}

function go(program) {
  const kinds = { string: "String", number: "Int", boolean: "Bool" };
  const value = valued({
    of: (as, name) =>
      !madeIn(program, as) ? `${as}.${capital(name)}()` : `${as}.${name === "id" ? "ID()" : capital(name)}`,
    list: (items, [first]) => `pulumi.${kinds[first.of ? "string" : typeof first]}Array{${items.join(", ")}}`,
    byKey: (type, all) =>
      `frontdoor.${type}Map{\n${all.map(([key, each]) => `\t\t${quoted(key)}: &frontdoor.${type}Args{${members(each, (name, one) => `${capital(name)}: ${value(one)}`).join(", ")}},\n`).join("")}\t}`,
    plain: (each) => `pulumi.${kinds[typeof each]}(${quoted(each)})`,
  });
  const used = new Set(program.flatMap((each) => JSON.stringify(each).match(/(?<="of":\[")\w+/g) ?? []));
  const given = (all) => {
    // As gofmt has it: what takes several lines stands out of the column.
    const isInColumn = (each) => !each.byKey;
    const width = Math.max(...Object.keys(all).map((name) => (isInColumn(all[name]) ? name.length : 0))) + 1;
    const start = (name, each) => `${capital(name)}:`.padEnd(isInColumn(each) ? width : 0);
    return members(all, (name, each) => `\t${start(name, each)} ${value(each)},\n`).join("");
  };
  const [first] = those(program, "make");
  const make = (statement) => {
    const { make: type, as, named, with: all } = statement;
    const made = `frontdoor.New${type}(ctx, ${quoted(named)}, &frontdoor.${type}Args{\n${given(all)}})`;
    const left = used.has(as) ? `${as}, err :=` : statement === first ? "_, err :=" : "_, err =";
    return `${left} ${made}\nif err != nil {\n\treturn err\n}`;
  };
  const call = ({ call: name, as, with: all }) =>
    `${as} := frontdoor.${capital(name)}Output(ctx, frontdoor.${capital(name)}OutputArgs{\n${given(all)}})`;
  const exports = those(program, "output").map(({ output, is }) => `ctx.Export(${quoted(output)}, ${value(is)})`);
  const text = body(program, make, call);
  return [
    "package main",
    "",
    "import (",
    '\t"github.com/pulumi-frontdoor/sdk/go/frontdoor"',
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    ")",
    "",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    indent([text, ...exports, "return nil"].join("\n"), "\t\t"),
    "\t})",
    "}",
  ];
}

function java(program) {
  const value = valued({
    of: (as, name) => (madeIn(program, as) ? `${as}.${name}()` : `${as}.applyValue(result -> result.${name}())`),
    list: (items) => items.join(", "),
    byKey: (type, all) =>
      `Map.of(\n${all.map(([key, each]) => `        ${quoted(key)}, ${type}Args.builder()${members(each, (name, one) => `.${name}(${value(one)})`).join("")}.build()`).join(",\n")})`,
  });
  // A list of outputs has to be one output.
  const argument = (each) => (Array.isArray(each) && each[0].of ? `Output.all(${value(each)})` : value(each));
  const given = (type, all) =>
    `${type}.builder()\n${members(all, (name, each) => `    .${name}(${argument(each)})\n`).join("")}    .build()`;
  const imports = [
    "com.pulumi.Pulumi",
    ...(JSON.stringify(program).includes('[{"of"') ? ["com.pulumi.core.Output"] : []),
    ...eachIn(program).flatMap((type) => [`com.pulumi.frontdoor.inputs.${type}Args`, "java.util.Map"]),
    ...those(program, "call").flatMap(({ call }) => [
      "com.pulumi.frontdoor.FrontdoorFunctions",
      `com.pulumi.frontdoor.inputs.${capital(call)}Args`,
    ]),
    ...those(program, "make").flatMap(({ make }) => [
      `com.pulumi.frontdoor.${make}`,
      `com.pulumi.frontdoor.${make}Args`,
    ]),
  ];
  const exports = those(program, "output").map(({ output, is }) => `ctx.export(${quoted(output)}, ${value(is)});`);
  const text = body(
    program,
    ({ make, as, named, with: all }) => `var ${as} = new ${make}(${quoted(named)}, ${given(`${make}Args`, all)});`,
    ({ call, as, with: all }) => `var ${as} = FrontdoorFunctions.${call}(${given(`${capital(call)}Args`, all)});`,
  );
  return [
    ...imports.sort().map((each) => `import ${each};`),
    "",
    "public class App {",
    "    public static void main(String[] args) {",
    "        Pulumi.run(ctx -> {",
    indent([text, ...exports].join("\n"), "            "),
    "        });",
    "    }",
    "}",
  ];
}

function python(program) {
  const value = valued({
    of: (as, name) => `${as}.${snake(name)}`,
    list: (items) => `[${items.join(", ")}]`,
    byKey: (type, all) =>
      `{\n${all.map(([key, each]) => `        ${quoted(key)}: frontdoor.${type}Args(${members(each, (name, one) => `${snake(name)}=${value(one)}`).join(", ")}),\n`).join("")}    }`,
    plain: (each) => (typeof each === "boolean" ? capital(String(each)) : quoted(each)),
  });
  const given = (all) => members(all, (name, each) => `    ${snake(name)}=${value(each)}`).join(",\n");
  return [
    "import pulumi",
    "import pulumi_frontdoor as frontdoor",
    "",
    body(
      program,
      ({ make, as, named, with: all }) => `${as} = frontdoor.${make}(${quoted(named)},\n${given(all)})`,
      ({ call, as, with: all }) => `${as} = frontdoor.${snake(call)}_output(\n${given(all)})`,
    ),
    ...those(program, "output").map(({ output, is }) => `pulumi.export(${quoted(output)}, ${value(is)})`),
  ];
}

/** Functions of one result, which TypeScript programs get as it is, and others as a property. */
const ofOneResult = new Set(["getTunnelMetrics", "getShareMetrics", "getSampleConfig"]);

function typescript(program) {
  const single = new Set(those(program, "call").flatMap(({ call, as }) => (ofOneResult.has(call) ? as : [])));
  const value = valued({
    of: (as, name) => (single.has(as) ? as : `${as}.${name}`),
    list: (items) => `[${items.join(", ")}]`,
    byKey: (_type, all) =>
      `{\n${all.map(([key, each]) => `        ${key}: { ${members(each, (name, one) => `${name}: ${value(one)}`).join(", ")} },\n`).join("")}    }`,
  });
  const given = (all) => `{\n${members(all, (name, each) => `    ${name}: ${value(each)},\n`).join("")}}`;
  const nameOf = (call) => (call === "getSampleConfig" ? call : `${call}Output`);
  return [
    'import * as frontdoor from "pulumi-frontdoor/plugin";',
    "",
    body(
      program,
      ({ make, as, named, with: all }) => `const ${as} = new frontdoor.${make}(${quoted(named)}, ${given(all)});`,
      ({ call, as, with: all }) => `const ${as} = frontdoor.${nameOf(call)}(${given(all)});`,
    ),
    ...those(program, "output").map(({ output, is }) => `export const ${output} = ${value(is)};`),
  ];
}

function yaml(program) {
  const value = valued({
    of: (as, name) => `\${${as}.${name}}`,
    // A brace would begin a map there.
    list: (items) => `[${items.map((each) => (each.includes("{") ? quoted(each) : each)).join(", ")}]`,
    byKey: (_type, all) =>
      all
        .map(
          ([key, each]) =>
            `\n        ${key}:\n${members(each, (name, one) => `          ${name}: ${value(one)}`).join("\n")}`,
        )
        .join(""),
    plain: (each) => (typeof each === "string" && /[:,]/.test(each) ? quoted(each) : String(each)),
  });
  const given = (all, by) => members(all, (name, each) => `${by}${name}: ${value(each)}`.replace(/: \n/, ":\n"));
  const section = (title, lines) => (lines.length === 0 ? [] : [`${title}:`, ...lines]);
  return [
    ...section(
      "resources",
      those(program, "make").flatMap(({ make, as, named, with: all }) => [
        `  ${as}:`,
        `    type: frontdoor:${make}`,
        ...(as === named ? [] : [`    name: ${named}`]),
        "    properties:",
        ...given(all, "      "),
      ]),
    ),
    ...section(
      "variables",
      those(program, "call").flatMap(({ call, as, with: all }) => [
        `  ${as}:`,
        "    fn::invoke:",
        `      function: frontdoor:${call}`,
        "      arguments:",
        ...given(all, "        "),
      ]),
    ),
    ...section(
      "outputs",
      those(program, "output").map(({ output, is }) => `  ${output}: ${value(is)}`),
    ),
  ];
}
