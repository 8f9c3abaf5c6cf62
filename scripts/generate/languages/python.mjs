import { body, capital, members, quoted, snake, those, valued } from "../program.mjs";

export function python(program) {
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
