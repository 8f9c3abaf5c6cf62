import { setTimeout as sleep } from "node:timers/promises";
import { Stack } from "../../harness/stack";
import { manyShares } from "../../engine/many";

const isListOrGet = ({ method, path }: { method: string; path: string }) =>
  method === "GET" && path.startsWith("/ipsec-shares");

describe("a share that a refresh does not see", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1" });
    expect(await stack.up({ shares: manyShares(1) })).toMatchObject({ code: 0 });
  });
  afterAll(() => stack.close());

  it("stays in the state where a replica that lags behind does not show it for two seconds", async () => {
    const before = stack.kept();
    let sinceMs: number | undefined;
    stack.emulator.faults.onRequest({
      match: (exchange) => isListOrGet(exchange) && Date.now() - (sinceMs ??= Date.now()) < 2_000,
      times: Infinity,
      action: (_work, { path }) =>
        Promise.resolve(
          path === "/ipsec-shares"
            ? Response.json({ content: [], totalElements: 0, totalPages: 0 })
            : Response.json({ error: "not_found", message: "IPsec share was not found" }, { status: 404 }),
        ),
    });

    const run = await stack.refresh();
    stack.emulator.faults.clear();

    expect(run).toMatchObject({ code: 0, steps: [] });
    expect(stack.kept()).toEqual(before);
  });

  it("leaves the state where it is gone", async () => {
    stack.emulator.removeShare(stack.id("share-0"));
    expect(await stack.refresh()).toMatchObject({ code: 0, steps: ["delete share-0"] });
  });
});

describe("deletes where lists leave out what is DELETING", () => {
  let stack: Stack;
  afterAll(() => stack.close());

  it("are done when each share is gone, however soon another one is", async () => {
    stack = await Stack.open({ deletedShownAs: "404" });
    stack.emulator.seedTunnel({ id: "tnl-1" });
    expect(await stack.up({ shares: manyShares(8) }, "--parallel", "16")).toMatchObject({ code: 0 });
    const slow = ["share-3", "share-4"].map((name) => stack.id(name));
    const { faults, settings } = stack.emulator;
    const isSlow = (path: string) => slow.some((id) => path.endsWith(`/${id}`));
    // All are answered together, those that take long first.
    let left = 8;
    const opened = new AbortController();
    const pass = async () => {
      left -= 1;
      if (left === 0) opened.abort();
      else await sleep(60_000, undefined, opened).catch(() => undefined);
    };
    faults.onRequest({
      match: ({ method, path }) => {
        if (method === "DELETE") settings.teardownMs = isSlow(path) ? 25_000 : 0;
        return method === "DELETE";
      },
      times: Infinity,
      action: async (work, { path }) => {
        const answer = await work();
        await pass();
        if (!isSlow(path)) await sleep(2);
        return answer;
      },
    });
    faults.onRequest({
      match: ({ method, path }) => method === "GET" && path === "/ipsec-shares",
      times: Infinity,
      action: async (work) => {
        const { content } = (await (await work()).json()) as { content: { status: string }[] };
        const shown = content.filter(({ status }) => status !== "DELETING");
        return Response.json({ content: shown, totalElements: shown.length });
      },
    });

    expect(await stack.destroy()).toMatchObject({ code: 0 });

    expect(stack.emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
    expect(stack.kept()).toEqual({});
  });
});

describe("what is gone and shows no more than that", () => {
  let stack: Stack;
  afterAll(() => stack.close());

  it.each(["DELETING", "DELETED"])("is seen to be gone: fields are null from %s on", async (from) => {
    stack = await Stack.open({ teardownMs: 1_500 });
    stack.emulator.seedTunnel({ id: "tnl-1" });
    const bare = (entry: Record<string, unknown>) =>
      entry["status"] === from || entry["status"] === "DELETED"
        ? {
            ...Object.fromEntries(Object.keys(entry).map((key) => [key, null])),
            id: entry["id"],
            status: entry["status"],
          }
        : entry;
    stack.emulator.faults.onRequest({
      match: isListOrGet,
      times: Infinity,
      action: async (work) => {
        const answer = await work();
        const body = (await answer.json()) as Record<string, unknown> & { content?: Record<string, unknown>[] };
        const { content } = body;
        return Response.json(content ? { ...body, content: content.map(bare) } : bare(body), { status: answer.status });
      },
    });
    const [one, two] = Object.entries(manyShares(2));
    if (!one || !two) throw new Error("two shares");
    expect(await stack.up({ shares: Object.fromEntries([one, two]) })).toMatchObject({ code: 0 });

    expect(await stack.up({ shares: Object.fromEntries([one]) })).toMatchObject({ code: 0, steps: ["delete share-1"] });
    stack.emulator.setStatus(stack.id("share-0"), "DELETED");
    expect(await stack.refresh()).toMatchObject({ code: 0, steps: ["delete share-0"] });
    await stack.close();
  });
});
