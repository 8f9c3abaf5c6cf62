import { type IdState, type LedgerEvent, ledgerTable } from "../../../provider/ledger/ledger";

const states: IdState[] = ["unknown", "owned", "moving", "leaving"];

/** A cell says the next state, and the answer after a comma; "-" stays in its state. */
// prettier-ignore
const table: [LedgerEvent, string, string, string, string][] = [
  // event                unknown            owned           moving          leaving
  ["unchanged",            "owned",           "-",            "-",            "-"],
  ["update begins",        "owned",           "-",            "-",            "-"],
  ["acquired",             "owned",           "-",            "owned",        "owned"],
  ["replaced",             "leaving",         "leaving",      "leaving",      "-"],
  ["tunnel unknown", "leaving, replace", "-, unchanged", "-, unchanged", "-, replace"],
  ["moved",                "moving",           "-",            "-",            "-"],
  ["deleted",              "leaving, delete", "-, skip",      "leaving, delete", "-, delete"],
  ["tunnel deleted",       "-, refuse",       "-, refuse",    "-, wait",      "-, wait"],
  ["port needed",         "-, refuse",       "-, refuse",    "-, wait",      "-, wait"],
];
const cells = table.flatMap(([event, ...row]) => states.map((state, at) => [event, state, row[at] ?? ""] as const));

it.each(cells)("%s × %s → %s", (event, state, cell) => {
  const [next = "", answer = "none"] = cell.split(", ");
  expect(ledgerTable[event][state]).toEqual({ next: next === "-" ? state : next, answer });
});

it("has no other events", () => {
  expect(Object.keys(ledgerTable)).toEqual(table.map(([event]) => event));
});
