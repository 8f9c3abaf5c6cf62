import { type Declared, Register, type Work } from "../../provider/run/register";
import { VirtualClock } from "../harness/virtual-clock";

// The order in which Pulumi calls, as the register hears of it, and what it answers.

const second = 1_000;

/** A run, with the registers of the tunnels and of the shares of one front door. */
function openRun() {
  const clock = new VirtualClock(() => undefined);
  const register = new Register(clock);
  return { clock, tunnels: register.beside(), shares: register.beside(), works: new Map<string, Work>() };
}
type Run = ReturnType<typeof openRun>;
type Kind = "tunnels" | "shares";

/** A call in words, what it does, and what the register answers. */
type Step = [call: string, does: (run: Run) => unknown, answer?: unknown];
/** A history: its steps, one after the other. A promise is awaited at once, except that of a wait. */
type History = [says: string, steps: Step[]];

const declared = (origin: string, more: Partial<Declared> = {}): Declared => ({
  ...{ origin, name: origin, isInState: false, hasUnknownTunnel: false, isRetained: false, isAnywhere: false },
  ...more,
});
const check = (kind: Kind, origin: string, more: Partial<Declared> = {}, ...conflicts: object[]): Step => [
  `check of ${origin}`,
  (run) => run[kind].declares(declared(origin, more)),
  conflicts,
];
const diff = (
  kind: Kind,
  origin: string | undefined,
  id: string,
  verdict: Parameters<Register["compared"]>[2],
  other?: string,
): Step => [`diff of ${id}: ${verdict.what}`, (run) => run[kind].compared(origin, id, verdict), other];
const asked = (id: string, tunnelId: string, isSeen: boolean, answer: string): Step => [
  `diff of ${id}, whose tunnel is unknown${isSeen ? " since check" : ""}`,
  ({ shares, tunnels }) =>
    shares.fateWithTunnel(id, { tunnelId, isSeen }, { tunnels, isReplacing: tunnels.isReplacing }),
  answer,
];
const begin = (kind: Kind, id: string, what: "update" | "delete"): Step => [
  `${what} of ${id} begins`,
  (run) => void run.works.set(id, run[kind].begins(id, what)),
];
const end = (id: string, error?: string): Step => [
  `it ends${error === undefined ? "" : `: ${error}`}`,
  (run) => run.works.get(id)?.ends(error === undefined ? undefined : new Error(error)),
];
const created = (kind: Kind, origin: string, id: string): Step => [
  `create of ${origin} gets ${id}`,
  (run) => {
    run[kind].created(origin, id);
  },
];
const kept = (kind: Kind, id: string): Step => [
  `${id} is kept`,
  (run) => {
    run[kind].keeps(id);
  },
];
const pause = (seconds: number): Step => [`${seconds} s later`, ({ clock }) => clock.sleep(seconds * second)];
const fate = (kind: Kind, id: string, is: string): Step => [`fate of ${id}`, (run) => run[kind].fateOf(id), is];
const leaving = (place: { name: string; tunnelId?: string; ingressPort?: number }, ...ids: string[]): Step => [
  `who leaves ${JSON.stringify(place)}`,
  ({ shares }) => shares.pendingAt(place),
  ids,
];
const justFreed = (place: Parameters<Register["isJustFreed"]>[0], is: boolean): Step => [
  `is ${JSON.stringify(place)} just freed`,
  ({ shares }) => shares.isJustFreed(place),
  is,
];

const port = (tunnelId: string, ingressPort: number) => ({ tunnelId, ingressPort });
const web = { name: "web", ...port("tnl-1", 443) };

const replacedTunnel: Step[] = [
  check("tunnels", "hq", { isInState: true }),
  diff("tunnels", "hq", "tnl-1", { what: "replace", place: { locationId: "loc-1" }, order: "delete first" }),
];

const histories: History[] = [
  [
    "a tunnel that is deleted first takes its share with it, whose name is free once its delete has ended",
    [
      ...replacedTunnel,
      asked("shr-1", "tnl-1", false, "goes"),
      diff("shares", undefined, "shr-1", { what: "replace", place: web, goesWithTunnel: true }),
      leaving({ name: "web" }, "shr-1"),
      begin("shares", "shr-1", "delete"),
      end("shr-1"),
      ["does the share go with its tunnel", ({ shares }) => shares.id("shr-1").goesWithTunnel, true],
      justFreed(port("tnl-1", 443), true),
      pause(31),
      justFreed(port("tnl-1", 443), false),
    ],
  ],
  [
    "a share that the program has put on the new tunnel goes if its tunnel is deleted first",
    [...replacedTunnel, asked("shr-1", "tnl-1", true, "goes")],
  ],
  [
    "a tunnel that is created first gives its share to the new one",
    [
      check("tunnels", "hq", { isInState: true }),
      diff("tunnels", "hq", "tnl-1", { what: "replace", place: {}, order: "create first" }),
      check("shares", "web", { isInState: true, hasUnknownTunnel: true }),
      asked("shr-1", "tnl-1", true, "moves"),
    ],
  ],
  [
    "a share that moves to another tunnel before its own is replaced is not taken",
    [
      check("shares", "web", { isInState: true, ...port("tnl-2", 443) }),
      diff("shares", "web", "shr-1", { what: "moves", place: web }),
      ...replacedTunnel,
      asked("shr-1", "tnl-1", false, "stays"),
      begin("shares", "shr-1", "update"),
      fate("shares", "shr-1", "moves"),
      end("shr-1"),
      fate("shares", "shr-1", "stays"),
      justFreed({ id: "shr-1" }, true),
    ],
  ],
  [
    "a share that the program confirms stays",
    [kept("shares", "shr-1"), ...replacedTunnel, asked("shr-1", "tnl-1", false, "stays")],
  ],
  [
    "a share on another tunnel than the replaced one stays",
    [...replacedTunnel, asked("shr-2", "tnl-2", false, "stays")],
  ],
  ["without a program, as in a refresh, a share goes with an unknown tunnel", [asked("shr-1", "tnl-1", false, "goes")]],
  [
    "an id that is renamed without an alias and adopted is not deleted under its old name",
    [
      check("shares", "new", { adopt: "shr-1" }),
      kept("shares", "shr-1"),
      diff("shares", undefined, "shr-1", { what: "same", place: {} }),
      fate("shares", "shr-1", "stays"),
    ],
  ],
  [
    "what is deleted, and then kept after all, stays",
    [
      diff("shares", undefined, "shr-1", { what: "replace", place: web }),
      kept("shares", "shr-1"),
      fate("shares", "shr-1", "stays"),
      leaving({ name: "web" }),
    ],
  ],
  [
    "two resources cannot have one name, port, location or id",
    [
      check("shares", "a", { name: "x", ...port("tnl-1", 443), adopt: "shr-9" }),
      check(
        "shares",
        "b",
        { name: "x", ...port("tnl-1", 443), adopt: "shr-9" },
        ...["name", "port", "id"].map((what) => ({ what, other: "a" })),
      ),
      check("shares", "a", { name: "x", ...port("tnl-1", 443), adopt: "shr-9" }),
      check("shares", "c", { name: "y", ...port("tnl-2", 443) }),
      diff("shares", "c", "shr-9", { what: "same", place: {} }, "a"),
      check("tunnels", "hq", { locationId: "loc-1" }),
      check("tunnels", "hub", { locationId: "LOC-1" }, { what: "location", other: "hq" }),
    ],
  ],
  [
    "the second check of a replacement, without the state, still counts as in the state",
    [
      check("shares", "web", { isInState: true }),
      check("shares", "web"),
      ["is it in the state", ({ shares }) => shares.named("web")?.isInState, true],
    ],
  ],
  [
    "a create that an error hook repeats gets the id of the first one, until that is deleted",
    [
      check("shares", "web"),
      created("shares", "web", "shr-1"),
      ["id of the create", ({ shares }) => shares.createdFor("web"), "shr-1"],
      begin("shares", "shr-1", "delete"),
      end("shr-1"),
      ["id of the create", ({ shares }) => shares.createdFor("web"), undefined],
    ],
  ],
  [
    "a move that has failed frees its port only once a hook has repeated it",
    [
      check("shares", "web", { isInState: true }),
      diff("shares", "web", "shr-1", { what: "moves", place: web }),
      begin("shares", "shr-1", "update"),
      end("shr-1", "422"),
      justFreed({ id: "shr-1" }, false),
      begin("shares", "shr-1", "update"),
      end("shr-1"),
      justFreed({ id: "shr-1" }, true),
    ],
  ],
  [
    "an update that moves nothing frees nothing",
    [begin("shares", "shr-1", "update"), end("shr-1"), justFreed({ id: "shr-1" }, false)],
  ],
];

it.each(histories)("%s", async (_says, steps) => {
  const run = openRun();
  for (const [call, does, answer] of steps) expect([call, await does(run)]).toEqual([call, answer]);
});

describe("a wait for the place of a share that moves", () => {
  const moving = () => {
    const run = openRun();
    for (const id of ["shr-1", "shr-2"]) run.shares.compared(undefined, id, { what: "moves", place: {} });
    const until = { deadlineMs: 900 * second };
    const waits = async (id: string, by?: string) => {
      const error = await run.shares.awaitFreed(id, until, by);
      return [error?.message, run.clock.now() / second];
    };
    return { ...run, waits };
  };

  it.each([undefined, "422"])("ends with that move: %s", async (failure) => {
    const { shares, clock, waits } = moving();
    const waited = waits("shr-1");
    await clock.sleep(20 * second);
    const work = shares.begins("shr-1", "update");
    await clock.sleep(100 * second);
    work.ends(failure === undefined ? undefined : new Error(failure));
    expect(await waited).toEqual([failure, 120]);
  });

  it("ends after 30 s if Pulumi has not begun the move", async () => {
    expect(await moving().waits("shr-1")).toEqual(["Pulumi has not started its change or delete", 30]);
  });

  it("ends at once if that share waits for this one", async () => {
    const { waits } = moving();
    const first = waits("shr-1", "shr-2");
    expect(await waits("shr-2", "shr-1")).toEqual(["the two changes wait for each other", 0]);
    expect(await first).toEqual(["Pulumi has not started its change or delete", 30]);
  });

  it("goes on until the delete if the move becomes one", async () => {
    const { shares, clock, waits } = moving();
    const waited = waits("shr-1");
    const work = shares.begins("shr-1", "delete");
    await clock.sleep(60 * second);
    work.ends();
    expect(await waited).toEqual([undefined, 60]);
  });

  it("needs no time if nothing leaves", async () => {
    expect(await moving().waits("shr-3")).toEqual([undefined, 0]);
  });
});
