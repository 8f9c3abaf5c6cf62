import { keyOf } from "./changes.js";
import { connectionWord } from "./words.js";

const afterError = "Check the arguments, then run pulumi\u00a0up again. Details:";
const tunnelError = {
  word: "ERROR",
  thing: "tunnel",
  remedy: afterError,
  explain: "frontdoor explain tunnel-error",
};
const shareError = {
  word: "ERROR",
  thing: "share",
  remedy: afterError,
  explain: "frontdoor explain share-error",
};
const down = {
  word: "DOWN",
  thing: "connection",
  remedy: "Compare the IPsec device of the remote site with the sample configuration:",
  explain: "frontdoor sample-config",
};

/** Returns what is wrong with a tunnel or a share, and what to do; undefined if nothing is wrong. */
export function problemOf(kind, { status }, connection) {
  if (status === "ERROR") return kind === "tunnel" ? tunnelError : shareError;
  return status === "DEPLOYED" && connectionWord(connection) === "DOWN" ? down : undefined;
}

/** Returns the problems, each with the tunnels or shares that have it. */
export function problemsOf({ tunnels = [], shares = [], connections = {} }) {
  const all = [...tunnels.map((entry) => ["tunnel", entry]), ...shares.map((entry) => ["share", entry])].map(
    ([kind, entry]) => {
      const key = keyOf(kind, entry);
      return { key, name: entry.name, problem: problemOf(kind, entry, connections[key]) };
    },
  );
  const found = Map.groupBy(all, ({ problem }) => problem);
  return [tunnelError, shareError, down].flatMap((problem) =>
    found.has(problem) ? [{ ...problem, entries: found.get(problem) }] : [],
  );
}
