import type { Checked } from "../../provider/lifecycle/lifecycle";
import type { ShareSetInputs } from "../../provider/resources/share-set-inputs";
import { ResourceEngine, chosen, openWorld, tunnelInputs, type World } from "./world";

export type Shares = Record<string, object>;
export type Declared = Record<string, unknown> & { shares: Shares };

const originOf = (name: string) => `organization::urn:pulumi:test::office::frontdoor:index:IpsecShareSet::${name}`;

/** A set as a program declares it. */
export const declaredOn = (ipsecTunnelId: string, shares: Shares, more: object = {}): Declared => ({
  ipsecTunnelId,
  envZId: "env-1",
  ...more,
  shares,
});

/** A share of it. */
export const port = (ingressPort: number, more: object = {}) => ({
  target: `host-${ingressPort}.internal:443`,
  ingressPort,
  ...more,
});

/** What check says of a set. */
export const checkedIn = (world: World, news: Declared, olds: object = {}, name = "services") =>
  world.sets.check({
    news,
    olds: olds as Record<string, unknown>,
    origin: originOf(name),
  }) as Checked<ShareSetInputs> & {
    inputs: ShareSetInputs;
  };

/** A world with a tunnel. */
export async function openWithTunnel(...settings: Parameters<typeof openWorld>): Promise<[World, string]> {
  const world = await openWorld(...settings);
  const { id } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
  world.calls();
  return [world, id];
}

/** What a program does with the set "services" from one run to the next. */
class Stack {
  private readonly engine = new ResourceEngine(({ sets }: World) => sets);

  constructor(private readonly world: World) {}

  /** What came of it: the writes in the order sent, or what is not as declared. */
  async up(news: Declared): Promise<{ writes: string[]; error?: string | undefined }> {
    this.world.nextRun();
    this.world.calls();
    const checked = (olds: object) => {
      const { inputs, failures } = checkedIn(this.world, news, olds);
      expect(failures).toEqual([]);
      return inputs;
    };
    const made = await this.engine.up(this.world, checked, 900);
    this.world.emulator.clock.advance(60_000);
    return { writes: this.world.writes(), error: made.unfinished?.message };
  }

  async refresh(): Promise<void> {
    this.world.nextRun();
    const { id, inputs, outputs } = this.made;
    const read = await this.world.sets.read(id, outputs, this.world.within(900));
    this.engine.state = read && { id, inputs, outputs: read };
  }

  get outputs() {
    return this.made.outputs;
  }

  get exists() {
    return this.engine.state !== undefined;
  }

  private get made() {
    const { state } = this.engine;
    if (!state) throw new Error("there is no set");
    return state;
  }
}

/** The words of tests about the set "services" on the tunnel of the world that is open. */
export const programOf = (opened: () => [World, string]) => ({
  declared: (shares: Shares, more: object = {}): Declared => declaredOn(opened()[1], shares, more),
  check: (news: Declared, olds: object = {}) => checkedIn(opened()[0], news, olds),
  stack: () => new Stack(opened()[0]),
  live: () => portsIn(opened()[0]),
});

/** Writes by method and id, in order of the alphabet. */
export const kinds = (writes: string[]) =>
  writes.map((line) => line.replace(/ \{.*/, "").replace(/ \/ipsec-shares/, "")).sort();

/** Ports of what is there, by name. */
const portsIn = ({ emulator }: World) =>
  Object.fromEntries(
    emulator.shares().flatMap((each) => (each.status === "DELETED" ? [] : [[each.name, each.ingressPort]])),
  );
