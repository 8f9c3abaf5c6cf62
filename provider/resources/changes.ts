import type { Change } from "./lifecycle";

/** How each property differs between the inputs of the state and those of the program, and whether that replaces the resource. */
export function changesByProperty(olds: object, news: object, replaces: readonly string[]): Record<string, Change> {
  const [before, after] = [new Map(entriesOf(olds)), new Map(entriesOf(news))];
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  );
  return Object.fromEntries(
    [...new Set([...differing, ...replaces])].map((key) => {
      const change = before.has(key) === after.has(key) ? "update" : before.has(key) ? "delete" : "add";
      return [key, replaces.includes(key) ? `${change}-replace` : change];
    }),
  );
}

/** What is not given is not there; notes are not the user's. */
const entriesOf = (props: object) =>
  Object.entries(props).filter(([key, value]) => value !== undefined && !key.startsWith("__"));
