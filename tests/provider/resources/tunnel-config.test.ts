import { chosen, openWorld, tunnelInputs, type World } from "../world";

describe("sample configuration", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  const shows = (body: string) => {
    const headers = { "content-type": "text/plain" };
    world.emulator.faults.clear();
    world.emulator.faults.answerNext({ path: /sample-config$/, status: 200, headers, body, times: Infinity });
  };
  /** Returns the text that a refresh keeps, if the service shows the second one now. */
  const refreshed = async (before: string, after: string) => {
    shows(before);
    const { id, outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    expect(outputs.sampleConfig).toBe(before);
    shows(after);
    return (await world.tunnels.read(id, outputs, world.within(900)))?.sampleConfig;
  };
  it("is written to the state if it changes, even only in its time stamp", async () => {
    const made = (at: string) => `! Generated at ${at} for hq\n pre-shared-key 1712345678\n`;
    const [before, after] = [made("2026-03-01T10:00:00Z"), made("2026-03-01T10:05:07Z")];
    expect(await refreshed(before, after)).toBe(after);
  });
});

describe("tunnel configuration", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  it.each([
    [{}, 2],
    [{ state: "available", tunnels: [] }, 3],
    [{ tunnels: null }, 1],
  ])("is asked for again where %j lacks its entry", async (body, times) => {
    world.emulator.faults.answerNext({ path: /tunnel-config$/, status: 200, body, times });
    const { outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    expect(outputs.tunnelConfig).toHaveProperty("insideCidr");
  });

  it("is kept without its entry where the service goes on to show none", async () => {
    world.emulator.faults.answerNext({ path: /tunnel-config$/, status: 200, body: { tunnels: [] }, times: Infinity });
    const { outputs, unfinished } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    expect({ unfinished, tunnelConfig: outputs.tunnelConfig }).toEqual({ unfinished: undefined, tunnelConfig: {} });
  });
});
