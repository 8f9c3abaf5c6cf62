import { readsOf } from "../../../provider/functions/reads";
import type { Send } from "../../../provider/http/send";
import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

interface Body {
  content?: Record<string, unknown>[];
}

/** List entries have only these fields. */
const showing =
  (...fields: string[]) =>
  (send: Send): Send =>
  async (request) => {
    const answer = await send(request);
    const { content, ...rest } = (answer.text.startsWith("{") ? JSON.parse(answer.text) : {}) as Body;
    if (!content) return answer;
    const shown = content.map((entry) =>
      Object.fromEntries(Object.entries(entry).filter(([key]) => fields.includes(key))),
    );
    return { ...answer, text: JSON.stringify({ ...rest, content: shown }) };
  };

describe("where list entries show only a few fields", () => {
  let world: World;
  const start = async (wrap: (send: Send) => Send) => {
    world = await openWorld({ provisionMs: 0 }, wrap);
    world.emulator.seedTunnel({ id: "tnl-1" });
  };
  const create = (change = {}) =>
    world.shares.create({ ...shareInputs("tnl-1"), ...change }, derived, world.within(900));
  afterEach(() => world.close());

  it.each([[["id", "name", "status"]], [["id", "status"]]])(
    "a share that a run has left is found by %j",
    async (fields) => {
      await start(showing(...fields));
      await world.interrupted(create);
      const [{ id } = { id: "" }] = world.emulator.shares();
      expect(await create()).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
      expect(world.writes()).toEqual([]);
    },
  );

  it("one is read by its name", async () => {
    await start(showing("id", "name", "status"));
    const { id } = world.emulator.seedShare(shareInputs("tnl-1"));
    expect(await readsOf(world.service).getShare({ name: "web" })).toMatchObject({ id, target: "web.internal:443" });
    const tunnel = world.emulator.seedTunnel({ ...tunnelInputs, name: "branch", locationId: "loc-2" });
    expect(await readsOf(world.service).getTunnel({ name: "branch" })).toMatchObject({ id: tunnel.id });
  });
});
