import { Random } from "../../harness/random";
import type { Made } from "../../../provider/resources/lifecycle";
import type { ShareInputs } from "../../../provider/resources/share-inputs";
import { SetEngine } from "../resource-engine";
import { derived, shareInputs, type World } from "../world";
import { checkedIn, declaredOn, openWithTunnel, port, type Shares } from "./set-program";

const seeds = Array.from({ length: 8 }, (_, seed) => 2 * seed);
const singleOrigin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::single";

/** What a program declares: sets by name, and one single share. */
interface Edit {
  sets: Record<string, Shares>;
  single?: Partial<ShareInputs>;
}

/** An engine that does all steps of a run at the same time, and a service whose answers take as long as the seed draws. */
class Stack {
  private readonly sets = new Map<string, SetEngine>();
  /** Processes that have ended hear nothing any more. */
  private runs = 0;

  private constructor(
    readonly world: World,
    private readonly tunnelId: string,
    private readonly pauseMs: () => number,
  ) {}

  static async open(seed: number): Promise<Stack> {
    const random = new Random(seed);
    const pauseMs = () => random.next() * 400;
    let stack: Stack | undefined;
    const [world, tunnelId] = await openWithTunnel(
      random.next() < 0.5 ? { readLagMs: 2_000, listLagMs: 5_000 } : {},
      (send) => async (request) => {
        if (!stack) return send(request);
        const { runs } = stack;
        await stack.world.clock.sleep(pauseMs());
        const answer = runs === stack.runs ? await send(request) : undefined;
        await stack.world.clock.sleep(pauseMs());
        return answer && runs === stack.runs ? answer : new Promise<never>(() => undefined);
      },
    );
    return (stack = new Stack(world, tunnelId, pauseMs));
  }

  /** One run, killed after so many ms where that is given; gives what is not as declared. */
  async up({ sets, single }: Edit, killedAfterMs?: number): Promise<string[]> {
    const { world } = this;
    const troubles: string[] = [];
    const works = Object.entries(sets).map(([name, shares]) => {
      const engine = this.sets.get(name) ?? new SetEngine();
      this.sets.set(name, engine);
      const check = (olds: object) => checkedIn(world, declaredOn(this.tunnelId, shares), olds, name).inputs;
      return () => engine.up(world, check, 900);
    });
    const step = async (work: () => Promise<Made<object>>) => {
      await world.clock.sleep(this.pauseMs());
      await work().then(
        ({ unfinished }) => unfinished && troubles.push(unfinished.message),
        (error: unknown) => troubles.push((error as Error).message),
      );
    };
    const steps = [...works, ...(single ? [() => this.adopted(single)] : [])];
    const done = Promise.all(steps.map(step));
    await (killedAfterMs === undefined ? done : Promise.race([done, world.clock.sleep(killedAfterMs)]));
    this.runs += 1;
    world.nextRun(killedAfterMs === undefined ? "in order" : "killed");
    await world.clock.sleep(60_000);
    return troubles;
  }

  idOf(set: string, key: string): string {
    return this.sets.get(set)?.state?.outputs.ids[key] ?? "none";
  }

  /** By id, the ports of what is there. */
  get live(): Record<string, number> {
    return Object.fromEntries(
      this.world.emulator.shares().flatMap((each) => (each.status === "DELETED" ? [] : [[each.id, each.ingressPort]])),
    );
  }

  private adopted(declared: Partial<ShareInputs>): Promise<Made<object>> {
    const news = { ...shareInputs(this.tunnelId), ...declared };
    const { inputs } = this.world.shares.check({ news: { ...news }, origin: singleOrigin, olds: {} });
    return this.world.shares.create(inputs as ShareInputs, derived, this.world.within(900));
  }
}

describe.each(seeds)("shares that a set gives away, in the order of seed %d", (seed) => {
  let stack: Stack;
  const [a, b, c, d] = [port(80), port(443), port(22, { retain: true }), port(25, { retain: true })];
  const mail = { d, e: port(26) };

  beforeEach(async () => {
    stack = await Stack.open(seed);
    expect(await stack.up({ sets: { services: { a, b, c }, mail } })).toEqual([]);
  });
  afterEach(() => stack.world.close());

  /** Up to the second run, if a key and a single share may be in one another's way. */
  const ups = async (edit: Edit, most: number) => {
    const troubles = await stack.up(edit);
    expect(troubles.length > 0 && most > 1 ? await stack.up(edit) : troubles).toEqual([]);
    return Object.values(stack.live).sort((one, other) => one - other);
  };

  it.each([undefined, seed * 75])(
    "are where their new resource puts them, if their keys retain them: killed after %s ms",
    async (killedAfterMs) => {
      const id = stack.idOf("services", "c");
      const edit = { sets: { services: { a, b }, mail }, single: { adopt: id, ingressPort: 6001 } };
      if (killedAfterMs !== undefined) await stack.up(edit, killedAfterMs);
      expect(await ups(edit, 1)).toEqual([25, 26, 80, 443, 6001]);
      expect(stack.live).toMatchObject({ [id]: 6001 });
    },
  );

  it.each([undefined, seed * 75])("change sets with those of another: killed after %s ms", async (killedAfterMs) => {
    const [one, other] = [stack.idOf("services", "c"), stack.idOf("mail", "d")];
    const edit = {
      sets: {
        services: { a, b, n: port(25, { adopt: other }) },
        mail: { e: port(26), m: port(22, { adopt: one }) },
      },
    };
    if (killedAfterMs !== undefined) await stack.up(edit, killedAfterMs);
    expect(await ups(edit, 1)).toEqual([22, 25, 26, 80, 443]);
    expect(stack.live).toMatchObject({ [one]: 22, [other]: 25 });
  });
});
