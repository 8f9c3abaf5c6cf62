import { body, capital, indent, madeIn, members, quoted, those, valued } from "../program.mjs";

export function csharp(program) {
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
