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
  /** What a refresh keeps of the second text, where the first was kept before. */
  const refreshed = async (before: string, after: string) => {
    shows(before);
    const { id, outputs } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    expect(outputs.sampleConfig).toBe(before);
    shows(after);
    return (await world.tunnels.read(id, outputs, world.within(900)))?.sampleConfig;
  };
  const text = (key: string, stamp = "2026-03-01T10:00:00Z") =>
    `! Generated at ${stamp} for hq\ncrypto keyring\n pre-shared-key ${key}\n lifetime 28800\n`;

  const key = "1712345678";
  const timed = (stamp: string) => text(key, stamp);
  const keyAlone = (line: string) => `pre-shared-key:\n  ${line}\n`;

  it.each([
    ["its key of ten digits is rotated", text(key), text("1798765432")],
    ["its key of thirteen digits is rotated", text("1712345678123"), text("1798765432123")],
    ["its key that is a date is rotated", text("2026-03-01"), text("2026-04-02")],
    ["its key that is a time is rotated", text("10:11:12"), text("12:11:10")],
    ["its key that is a date and a time is rotated", text("2026-03-01T10:11:12Z"), text("2026-04-02T12:11:10Z")],
    ["a part of its key is a date", text("k3y2026-03-01T10:11:12Zabc"), text("k3y2026-04-02T10:11:12Zabc")],
    ["key and time stamp change together", text(key), text("1798765432", "2026-03-01T10:05:00Z")],
    ["a key alone on its line", keyAlone("2026-03-01T10:11:12Z"), keyAlone("2026-04-02T12:11:10Z")],
    ["a time stamp comes", "! hq\n", "! hq 2026-03-01T10:00:00Z\n"],
    ["a time stamp moves", "! hq 2026-03-01T10:00:00Z site a\n", "! hq site 2026-03-01T10:00:00Z a\n"],
    ["a time stamp is a day alone", "! made on 2026-03-01\n", "! made on 2026-03-02\n"],
    ["a time stamp is no time", "! hq 2026-13-41T10:00:00Z\n", "! hq 2026-14-42T10:00:00Z\n"],
  ])("is written to the state if it changes: %s", async (_what, before, after) => {
    expect(await refreshed(before, after)).toBe(after);
  });

  it.each([
    ["2026-03-01T10:00:00Z", "2026-03-01T10:05:07.123Z"],
    ["2026-03-01 10:00:00", "2026-03-01 10:05:07"],
    ["2026-03-01T10:00:00+01:00", "2026-11-01T10:05:07+02:00"],
    ["20260301T100000Z", "20260301T100507Z"],
    ["Sun, 01 Mar 2026 10:00:00 GMT", "Mon, 02 Mar 2026 10:05:07 GMT"],
    ["Sun Mar  1 10:00:00 UTC 2026", "Mon Mar  2 10:05:07 UTC 2026"],
  ])("stays as it is if only its time stamp changes: %s", async (before, after) => {
    expect(await refreshed(timed(before), timed(after))).toBe(timed(before));
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
