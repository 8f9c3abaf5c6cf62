import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/environment.mjs";

// The names that only the owner of the repository can publish. The owner stands in package.json, in the address of the archives.

const { pulumi } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [, owner] = /([^/]+)\/pulumi-frontdoor\//.exec(pulumi.server);

/** The module of the Go SDK. */
export const goModule = `github.com/${owner}/pulumi-frontdoor/sdk/go`;

/** The group of the Java SDK. A part of a Java package has no hyphen. */
export const javaGroup = `io.github.${owner.toLowerCase().replaceAll("-", "_")}`;

// The programs that the schema shows, each said once: they are printed in every language that Pulumi documents.
// A statement makes a resource, calls a function or names an output; `{ of: ["tunnel", "id"] }` is that property of what is called so.

const tunnel = {
  make: "IpsecTunnel",
  as: "tunnel",
  named: "customer-a-dc1",
  with: { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16" },
};
const idOfTunnel = { of: ["tunnel", "id"] };
const share = {
  make: "IpsecShare",
  as: "web",
  named: "web",
  with: { ipsecTunnelId: idOfTunnel, envZId: "ijcrWb-ZOq", target: "intranet.corp.example:443", ingressPort: 443 },
};
const site = {
  make: "IpsecSite",
  as: "site",
  named: "customer-a-dc1",
  with: {
    ...tunnel.with,
    envZId: "ijcrWb-ZOq",
    shares: {
      each: "SiteShare",
      byKey: {
        intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
        database: { target: "10.8.0.15:5432", ingressPort: 5432, envZId: "mPq7Rt-XyK" },
      },
    },
  },
};
const set = {
  make: "IpsecShareSet",
  as: "services",
  named: "services",
  with: {
    ipsecTunnelId: idOfTunnel,
    nlbDnsName: { of: ["tunnel", "nlbDnsName"] },
    envZId: "ijcrWb-ZOq",
    shares: {
      each: "SetShare",
      byKey: {
        intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
        database: { target: "10.8.0.15:5432", ingressPort: 5432, envZId: "mPq7Rt-XyK" },
      },
    },
  },
};
const connection = {
  make: "IpsecTunnelConnection",
  as: "connection",
  named: "customer-a-dc1-up",
  with: { tunnelId: idOfTunnel },
};
const outputs = (as, ...names) => names.map((name) => ({ output: name, is: { of: [as, name] } }));
const read = (call, as, given, ...names) => [{ call, as, with: given }, ...outputs(as, ...names)];

export const examples = {
  IpsecSite: {
    "A remote site and its applications": [site, ...outputs("site", "endpoints", "sampleConfig")],
  },
  IpsecTunnel: {
    "A tunnel to a remote site": [tunnel, ...outputs("tunnel", "nlbDnsName", "sampleConfig")],
    "Adopt an existing tunnel": [{ ...tunnel, with: { ...tunnel.with, adopt: "tnl-1" } }],
  },
  IpsecShare: {
    "An application published on a tunnel": [tunnel, share, ...outputs("tunnel", "nlbDnsName")],
  },
  IpsecShareSet: {
    "Many applications of one tunnel": [tunnel, set, ...outputs("services", "endpoints", "ids")],
  },
  IpsecTunnelConnection: {
    "A tunnel whose connection is waited for": [tunnel, connection, ...outputs("connection", "outsideIpAddress")],
  },
  getTunnel: { "By name": read("getTunnel", "branch", { name: "customer-a-dc1" }, "nlbDnsName") },
  getShare: { "By id": read("getShare", "web", { id: "shr-1" }, "target") },
  getTunnels: {
    "Tunnels that are not ready": read(
      "getTunnels",
      "found",
      { status: ["NEW", "ERROR"], sort: "name,asc" },
      "tunnels",
    ),
  },
  getShares: {
    "Shares of one tunnel": [tunnel, ...read("getShares", "found", { ipsecTunnelId: [idOfTunnel] }, "shares")],
  },
  getTunnelConfig: {
    "The connection of a tunnel": [tunnel, ...read("getTunnelConfig", "live", { id: idOfTunnel }, "state")],
  },
  getTunnelMetrics: { "Metrics of a day": read("getTunnelMetrics", "day", { id: "tnl-1", window: "1d" }, "metrics") },
  getShareMetrics: {
    "Metrics of a quarter of an hour": read("getShareMetrics", "recent", { id: "shr-1", duration: "15m" }, "metrics"),
  },
  getSampleConfig: {
    "For the remote site": [tunnel, ...read("getSampleConfig", "sample", { id: idOfTunnel }, "sampleConfig")],
  },
  getPreSharedKey: {
    "The key of a tunnel": [tunnel, ...read("getPreSharedKey", "key", { id: idOfTunnel }, "preSharedKey")],
  },
};

/** A printer for every language that Pulumi documents, by the names that its documentation knows. */
const languages = { typescript, python, csharp, go, java, yaml };

/** An example in one language, as text. */
const printed = (language, program) => `${languages[language](program).join("\n")}\n`;

const called = { python: "Python", go: "Go", csharp: "C#", java: "Java", yaml: "YAML" };

/** An example for a page, folded, in every language but TypeScript, which the page shows. */
export const folded = (program) =>
  Object.entries(called).map(
    ([language, name]) =>
      `<details>\n<summary>${name}</summary>\n\n<!-- run by tests/package/schema.all.test.ts -->\n\n\`\`\`${language}\n${printed(language, program)}\`\`\`\n\n</details>`,
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

/** A site reads the keys of its shares itself, so they cannot be an output. */
const mapsOfGo = { SetShare: "frontdoor.SetShareMap", SiteShare: "map[string]frontdoor.SiteShareInput" };

function go(program) {
  const kinds = { string: "String", number: "Int", boolean: "Bool" };
  const value = valued({
    of: (as, name) =>
      !madeIn(program, as) ? `${as}.${capital(name)}()` : `${as}.${name === "id" ? "ID()" : capital(name)}`,
    list: (items, [first]) => `pulumi.${kinds[first.of ? "string" : typeof first]}Array{${items.join(", ")}}`,
    byKey: (type, all) =>
      `${mapsOfGo[type]}{\n${all.map(([key, each]) => `\t\t${quoted(key)}: &frontdoor.${type}Args{${members(each, (name, one) => `${capital(name)}: ${value(one)}`).join(", ")}},\n`).join("")}\t}`,
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
    `\t"${goModule}/frontdoor"`,
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
    ...eachIn(program).flatMap((type) => [`${javaGroup}.frontdoor.inputs.${type}Args`, "java.util.Map"]),
    ...those(program, "call").flatMap(({ call }) => [
      `${javaGroup}.frontdoor.FrontdoorFunctions`,
      `${javaGroup}.frontdoor.inputs.${capital(call)}Args`,
    ]),
    ...those(program, "make").flatMap(({ make }) => [
      `${javaGroup}.frontdoor.${make}`,
      `${javaGroup}.frontdoor.${make}Args`,
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
const ofOneResult = new Set(["getTunnelMetrics", "getShareMetrics", "getSampleConfig", "getPreSharedKey"]);

function typescript(program) {
  const single = new Set(those(program, "call").flatMap(({ call, as }) => (ofOneResult.has(call) ? as : [])));
  const value = valued({
    of: (as, name) => (single.has(as) ? as : `${as}.${name}`),
    list: (items) => `[${items.join(", ")}]`,
    byKey: (_type, all) =>
      `{\n${all.map(([key, each]) => `        ${key}: { ${members(each, (name, one) => `${name}: ${value(one)}`).join(", ")} },\n`).join("")}    }`,
  });
  const given = (all) => `{\n${members(all, (name, each) => `    ${name}: ${value(each)},\n`).join("")}}`;
  const nameOf = (call) => (["getSampleConfig", "getPreSharedKey"].includes(call) ? call : `${call}Output`);
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

// What the printers have in common. A program is a list of statements.

const capital = (name) => name[0].toUpperCase() + name.slice(1);
const snake = (name) => name.replace(/[A-Z]/g, "_$&").toLowerCase();
const quoted = (value) => JSON.stringify(value);
const indent = (text, by) => text.replace(/^(?=.)/gm, by);

/** The statements of one kind: `make`, `call` or `output`. */
const those = (program, kind) => program.filter((statement) => kind in statement);

/** Whether this is the name of a resource, and not of a function's result. */
const madeIn = (program, as) => those(program, "make").some((statement) => statement.as === as);

/**
 * Prints a value: a property of something by `of`, a list of printed values by `list`, a text, number or boolean by `plain`, and many
 * of one type of the schema by `byKey`, which is given the type and pairs of a key and what the one has.
 */
const valued = ({ of, list, byKey, plain = quoted }) => {
  const print = (value) => {
    if (Array.isArray(value)) return list(value.map(print), value);
    if (value.byKey) return byKey(value.each, Object.entries(value.byKey));
    return value.of ? of(...value.of) : plain(value);
  };
  return print;
};

const members = (given, print) => Object.entries(given).map(([name, value]) => print(name, value));

/** The types of which a program has many by their keys. */
const eachIn = (program) => [
  ...new Set(
    those(program, "make").flatMap(({ with: all }) =>
      Object.values(all).flatMap(({ byKey, each }) => (byKey ? each : [])),
    ),
  ),
];

/** What comes before the outputs, in order. */
const body = (program, make, call) =>
  program
    .filter((statement) => !("output" in statement))
    .map((statement) => ("make" in statement ? make(statement) : call(statement)))
    .join("\n");
