import type { RequestEntry } from "../../emulator/request-log";

/**
 * Seconds from when the service had a share ready to when it was next asked for it, for every share of an `up`: how late a
 * provider sees it. Ids count up in the order of the POSTs.
 */
export function lags(requests: RequestEntry[], provisionSeconds: number): number[] {
  const inOrder = requests.toSorted((a, b) => a.at - b.at);
  const looks = inOrder.filter(({ method }) => method === "GET").map(({ at, ...asked }) => ({ at, ids: idsOf(asked) }));
  const ids = [...new Set(looks.flatMap((look) => [...look.ids]))].toSorted((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  const posts = inOrder.filter(({ method }) => method === "POST");
  if (ids.length !== posts.length) throw new Error(`${posts.length} shares made, ${ids.length} asked for by their ids`);
  return posts.map((post, n) => {
    const readyMs = post.at + provisionSeconds * 1000;
    const look = looks.find(({ at, ids: of }) => at >= readyMs && of.has(ids[n] ?? ""));
    return ((look?.at ?? NaN) - readyMs) / 1000;
  });
}

/** Those that a list's filter or a read's path names. */
const idsOf = ({ path, query }: Pick<RequestEntry, "path" | "query">): Set<string> => {
  const [, , id] = path.split("/");
  return new Set(id === undefined ? new URLSearchParams(query).getAll("id") : [id]);
};
