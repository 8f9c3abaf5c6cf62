import { body, members, quoted, those, valued } from "../program.mjs";

/** Functions of one result, which TypeScript programs get as it is, and others as a property. */
const ofOneResult = new Set(["getTunnelMetrics", "getShareMetrics", "getSampleConfig"]);

export function typescript(program) {
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
