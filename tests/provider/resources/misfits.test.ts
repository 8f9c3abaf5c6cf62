import type { Send } from "../../../provider/http/send";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

type Fields = Record<string, unknown>;

/** Shows each share, in lists and by id, as `change` makes it. */
const showing =
  (change: (share: Fields) => Fields): ((send: Send) => Send) =>
  (send) =>
  async (request) => {
    const answer = await send(request);
    if (request.method !== "GET" || !request.url.includes("/ipsec-shares") || !answer.text.startsWith("{"))
      return answer;
    const body = JSON.parse(answer.text) as Fields & { content?: Fields[] };
    const shown = body.content ? { ...body, content: body.content.map(change) } : change(body);
    return { ...answer, text: JSON.stringify(shown) };
  };

describe("an answer that misfits", () => {
  let world: World;
  const start = async (change: (share: Fields) => Fields) => {
    world = await openWorld({ provisionMs: 3_000 }, showing(change));
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  };
  const create = () => world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
  afterEach(() => world.close());

  it("in the same way each time ends a create after a few answers, and the state has the id", async () => {
    await start((share) => ({ ...share, ingressPort: "https" }));
    const { id, unfinished } = await create();
    expect(id).toBe("shr-1");
    expect(unfinished?.message).toMatch(/wrong or missing fields: ingressPort/);
    expect(world.clock.now()).toBeLessThan(30_000);
    expect(world.writes()).toHaveLength(1);
  });

  it("in the same way each time ends a refresh after a few answers", async () => {
    let isWrong = false;
    await start((share) => (isWrong ? { ...share, target: 7 } : share));
    const { id, outputs } = await create();
    isWrong = true;
    world.nextRun();
    const begunMs = world.clock.now();
    await expect(world.shares.read(id, outputs, world.within(900))).rejects.toThrow(
      /wrong or missing fields: target\. .*\[unusable-answer\]$/,
    );
    expect(world.clock.now() - begunMs).toBeLessThan(15_000);
  });

  it("for a while, or each time in another way, ends no wait", async () => {
    let answers = 0;
    await start((share) => (++answers < 13 ? { ...share, [(answers >> 1) % 2 ? "target" : "envZId"]: 7 } : share));
    expect((await create()).outputs.status).toBe("DEPLOYED");
  });

  it("only because a number is text is read", async () => {
    await start((share) => ({ ...share, ingressPort: String(share["ingressPort"]) }));
    const { id, outputs, unfinished } = await create();
    expect([outputs.ingressPort, outputs.status, unfinished]).toEqual([443, "DEPLOYED", undefined]);
    world.nextRun();
    expect(await world.shares.read(id, outputs, world.within(60))).toEqual(outputs);
    expect((await world.shareDiff(outputs, shareInputs("tnl-1"), id)).changes).toBe(false);
  });
});
