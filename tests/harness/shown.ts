import type { Emulator } from "../../emulator";

type Entry = Record<string, unknown>;

/** From now on, reads and lists, or lists alone, show each share or tunnel as `change` makes it. */
export function showEach(
  { faults }: Emulator,
  kind: "share" | "tunnel",
  change: (entry: Entry) => object,
  of: "reads and lists" | "lists" = "reads and lists",
): void {
  const list = `/ipsec-${kind}s`;
  faults.onRequest({
    match: ({ method, path }) =>
      method === "GET" && (path === list || (of !== "lists" && path.startsWith(list) && !path.endsWith("config"))),
    times: Infinity,
    async action(work) {
      const answer = await work();
      const shown = (await answer.json()) as Entry & { content?: Entry[] };
      if (!answer.ok) return Response.json(shown, { status: answer.status });
      return Response.json(shown.content ? { ...shown, content: shown.content.map(change) } : change(shown));
    },
  });
}
