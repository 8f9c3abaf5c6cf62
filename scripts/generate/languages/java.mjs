import { body, capital, eachIn, indent, madeIn, members, quoted, those, valued } from "../program.mjs";

export function java(program) {
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
