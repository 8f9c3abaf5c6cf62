import { body, capital, indent, madeIn, members, quoted, those, valued } from "../program.mjs";

export function go(program) {
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
