// What the printers in languages/ have in common. A program is a list of statements, as examples.mjs has them.

export const capital = (name) => name[0].toUpperCase() + name.slice(1);
export const snake = (name) => name.replace(/[A-Z]/g, "_$&").toLowerCase();
export const quoted = (value) => JSON.stringify(value);
export const indent = (text, by) => text.replace(/^(?=.)/gm, by);

/** The statements of one kind: `make`, `call` or `output`. */
export const those = (program, kind) => program.filter((statement) => kind in statement);

/** Whether this is the name of a resource, and not of a function's result. */
export const madeIn = (program, as) => those(program, "make").some((statement) => statement.as === as);

/**
 * Prints a value: a property of something by `of`, a list of printed values by `list`, a text, number or boolean by `plain`, and many
 * of one type of the schema by `byKey`, which is given the type and pairs of a key and what the one has.
 */
export const valued = ({ of, list, byKey, plain = quoted }) => {
  const print = (value) => {
    if (Array.isArray(value)) return list(value.map(print), value);
    if (value.byKey) return byKey(value.each, Object.entries(value.byKey));
    return value.of ? of(...value.of) : plain(value);
  };
  return print;
};

export const members = (given, print) => Object.entries(given).map(([name, value]) => print(name, value));

/** The types of which a program has many by their keys. */
export const eachIn = (program) => [
  ...new Set(
    those(program, "make").flatMap(({ with: all }) =>
      Object.values(all).flatMap(({ byKey, each }) => (byKey ? each : [])),
    ),
  ),
];

/** What comes before the outputs, in order. */
export const body = (program, make, call) =>
  program
    .filter((statement) => !("output" in statement))
    .map((statement) => ("make" in statement ? make(statement) : call(statement)))
    .join("\n");
