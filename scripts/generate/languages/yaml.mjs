import { members, quoted, those, valued } from "../program.mjs";

export function yaml(program) {
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
