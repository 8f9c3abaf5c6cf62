import type { WireShare } from "../api/types";
import { failed, FrontdoorError, seconds, troubleOf } from "../errors";
import { writesPerSecond } from "../http/pace";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import { firstOf, keyed } from "./changes";
import { isThere, sharesOf } from "./holders";
import type { Made } from "./lifecycle";
import { isNameDerived, type Notes, notesOf, withOwnName } from "./notes";
import { isDerivedBeside } from "./origin";
import type { ShareLifecycle } from "./share";
import type { ShareInputs, ShareOutputs } from "./share-inputs";
import { type Held, partsOf, setOutputs, type ShareSetInputs, type ShareSetOutputs } from "./share-set-inputs";
import { holdersOf, oneOfEachCircle } from "./share-set-ports";

/** What has come of a share: what the state is to hold of it, and why that is not as declared. */
interface End {
  held?: Held | undefined;
  error?: Error | undefined;
}

type Wanted = ShareInputs & Notes;

const longMs = 10_000;
/** Ports that nobody's services have by convention (RFC 6335, section 6). */
const dynamicPorts = { first: 49_152, last: 65_535 };

/**
 * One create or update of a set: what each share needs is done by itself, all at the same time, but that one that needs the port
 * of another waits until that one has left it. Whatever fails, the others go on. What the set no longer has is not deleted here.
 */
export class SetUpdate {
  private readonly wanted: Map<string, Wanted>;
  private holders = new Map<string, string>();
  private inTheWay = new Set<string>();
  private inCircles = new Set<string>();
  /** What is gone, and has to be made anew. */
  private readonly replaced = new Set<string>();
  private readonly ends = new Map<string, Promise<End>>();
  private readonly leftPorts = new Map<string, Promise<End>>();
  private readonly until: Until;
  private readonly frontDoor;
  private shown: Promise<WireShare[]> | undefined;
  private taken: Promise<Set<number>> | undefined;
  private readyCount = 0;
  private reportedMs = -Infinity;

  constructor(
    private readonly service: Service,
    private readonly share: ShareLifecycle,
    private readonly before: Map<string, Held>,
    private readonly inputs: ShareSetInputs,
    private readonly asked: Until,
  ) {
    // Nothing is unknown any more.
    this.wanted = partsOf(inputs) as Map<string, Wanted>;
    this.frontDoor = service.frontDoor(inputs.frontdoorId);
    this.until = {
      ...asked,
      report: () => {
        this.report();
      },
    };
  }

  /** All that is in the state after it, and what is not as declared. */
  async run(): Promise<Omit<Made<ShareSetOutputs>, "id">> {
    const keys = [...new Set([...this.wanted.keys(), ...this.before.keys()])];
    const needed = await Promise.all(keys.map((key) => this.isWriteNeeded(key)));
    // What stays is the set's, whatever comes of its update.
    for (const [key, { id }] of this.before)
      if (this.wanted.has(key) && !this.replaced.has(key)) this.frontDoor.shares.claims.hold(id);
    await this.orderPorts();
    this.tellBeforehand(needed.filter(Boolean).length);
    const doubtful = this.before.size === 0 ? await this.obstructed() : [];
    const first = await this.endsOf(doubtful);
    const isStuck = first.some(([, { held }]) => held === undefined);
    const ends = isStuck ? first : await this.endsOf(keys);
    const held = ends.flatMap(([key, { held, error }]): [string, Held][] =>
      held && (this.wanted.has(key) || error) ? [[key, held]] : [],
    );
    const outputs = setOutputs(this.inputs, new Map(held));
    const wrong = ends.flatMap(([key, { error }]): [string, Error][] => (error ? [[key, error]] : []));
    return wrong.length > 0 ? { outputs, unfinished: this.unfinished(wrong) } : { outputs };
  }

  private endsOf(keys: string[]): Promise<[string, End][]> {
    return Promise.all(keys.map(async (key): Promise<[string, End]> => [key, await this.end(key)]));
  }

  /**
   * Keys of a new set that do not adopt, and whose port is that of a share which may be this stack's own, as its name tells. Where one
   * of them can't be made nothing else of the set is begun: with `--replace` it is the old set that has those ports, and that goes only
   * once the new one is whole.
   */
  private async obstructed(): Promise<string[]> {
    const { ipsecTunnelId } = this.inputs;
    const { calls, claims } = this.frontDoor.shares;
    const { entries } = await calls.list([["ipsecTunnelId", ipsecTunnelId]], this.until).catch(() => ({ entries: [] }));
    const there = entries.filter((share) => share.ipsecTunnelId === ipsecTunnelId && isThere(share));
    const byPort = new Map(there.map((share) => [share.ingressPort, share.name]));
    return [...this.wanted].flatMap(([key, { adopt, ingressPort, name }]) => {
      const other = adopt === undefined ? byPort.get(ingressPort) : undefined;
      const isOwn = other !== undefined && (other === name || isDerivedBeside(claims.originOf(name) ?? "", other));
      return isOwn ? [key] : [];
    });
  }

  private async isWriteNeeded(key: string): Promise<boolean> {
    const [held, wanted] = [this.before.get(key), this.wanted.get(key)];
    if (!held || !wanted) return wanted !== undefined;
    const { id, outputs } = held;
    const diff = await this.share.diff(id, outputs, withOwnName(outputs, wanted), this.until, wanted.name);
    if (diff.replaces.length > 0) this.replaced.add(key);
    if (!diff.changes) this.ends.set(key, Promise.resolve({ held }));
    return diff.changes;
  }

  /** Finds out which shares wait for which: one that is adopted leaves the port it is shown on, as one of the set leaves its own. */
  private async orderPorts(): Promise<void> {
    const adopters = new Map(
      [...this.wanted].flatMap(([key, { adopt }]) =>
        adopt === undefined || this.before.has(key) ? [] : [[adopt, key]],
      ),
    );
    // Whatever comes of it, the program has them: with --continue-on-error the engine goes on to delete.
    for (const id of adopters.keys()) this.frontDoor.shares.claims.hold(id);
    const shown = adopters.size > 0 ? await this.sharesShown() : [];
    const held = [...this.before].map(([key, { id, outputs }]) => ({ ...outputs, id, key }));
    const adopted = shown.flatMap((share) => {
      const key = adopters.get(share.id);
      return key === undefined ? [] : [{ ...share, key }];
    });
    this.holders = holdersOf([...held, ...adopted], this.wanted);
    this.inTheWay = new Set(this.holders.values());
    this.inCircles = oneOfEachCircle(this.holders);
  }

  private end(key: string): Promise<End> {
    const known = this.ends.get(key) ?? this.work(key).finally(() => (this.readyCount += 1));
    this.ends.set(key, known);
    return known;
  }

  private async work(key: string): Promise<End> {
    const before = this.before.get(key);
    const wanted = this.wanted.get(key);
    if (!wanted) return this.inTheWay.has(key) ? this.left(key) : { held: before };
    const { held, error } = this.inCircles.has(key) ? await this.left(key) : { held: before };
    if (error) return { held, error };
    const holder = this.holders.get(key);
    if (holder !== undefined && (await this.left(holder)).error !== undefined)
      return { held, error: failed(`port ${wanted.ingressPort} is still that of ${keyed("shares", holder)}`) };
    return held ? this.updated(key, held, wanted) : this.created(wanted);
  }

  /** When a share has left its port: one of each circle goes to a free port for as long, and so does what is not wanted any more. */
  private left(key: string): Promise<End> {
    if (this.wanted.has(key) && !this.inCircles.has(key)) return this.end(key);
    const known = this.leftPorts.get(key) ?? this.toFreePort(key);
    this.leftPorts.set(key, known);
    return known;
  }

  private async toFreePort(key: string): Promise<End> {
    const [held, wanted] = [this.before.get(key), this.wanted.get(key)];
    try {
      const isOut = (share: WireShare) => share.id === held?.id && share.ingressPort !== held.outputs.ingressPort;
      if ((await this.sharesShown()).some(isOut)) return { held };
      const taken = await (this.taken ??= this.portsTaken());
      const { first, last } = dynamicPorts;
      // Another set may look for one at the same time.
      let port = first + Math.floor(this.frontDoor.shares.clock.random() * (last - first + 1));
      while (taken.has(port)) port = port > 1 ? port - 1 : last;
      taken.add(port);
      if (!held) return wanted ? await this.created({ ...wanted, ingressPort: port }) : {};
      const { id, outputs } = held;
      const made = await this.share.toPort(id, outputs, port, this.until);
      // What is gone is in nobody's way.
      return isThere(made.outputs) ? this.made(made, outputs) : {};
    } catch (error) {
      return { held, error: error as Error };
    }
  }

  private async portsTaken(): Promise<Set<number>> {
    const own = [...[...this.before.values()].map(({ outputs }) => outputs), ...this.wanted.values()];
    return new Set([...(await this.sharesShown()), ...own].map(({ ingressPort }) => ingressPort));
  }

  private sharesShown(): Promise<WireShare[]> {
    return (this.shown ??= sharesOf(this.frontDoor, this.inputs.ipsecTunnelId, this.until));
  }

  private async created(wanted: Wanted): Promise<End> {
    try {
      return this.made(await this.share.create(wanted, isNameDerived(wanted), this.until), wanted);
    } catch (error) {
      return { error: error as Error };
    }
  }

  private async updated(key: string, held: Held, asked: Wanted): Promise<End> {
    const { id, outputs } = held;
    const wanted = withOwnName(outputs, asked);
    try {
      if (!this.replaced.has(key)) return this.made(await this.share.update(id, outputs, wanted, this.until), asked);
      await this.share.delete(id, outputs, this.until);
    } catch (error) {
      return { held, error: error as Error };
    }
    return this.created(asked);
  }

  private made({ id, outputs, unfinished }: Made<ShareOutputs>, wanted: { name: string } & Notes): End {
    return { held: { id, outputs: { ...outputs, ...notesOf(outputs, wanted) } }, error: unfinished };
  }

  private tellBeforehand(writes: number): void {
    const { requestsPerSecond } = this.service.config;
    const sendingMs = (writes / writesPerSecond(requestsPerSecond)) * 1000;
    if (sendingMs < longMs) return;
    this.service.say(
      `${this.label}: ${writes} shares to write, ${requestsPerSecond} requests a second: about ${seconds(sendingMs)} and what the service takes`,
    );
  }

  /** How many are done, once a second at the most: each wait tells of its looks. */
  private report(): void {
    const now = this.service.clock.now();
    if (now - this.reportedMs < 1_000) return;
    this.reportedMs = now;
    this.asked.report?.(
      `${this.readyCount} of ${this.ends.size} shares done after ${seconds(now - (this.asked.startedMs ?? now))}`,
    );
  }

  private unfinished(wrong: [string, Error][]): FrontdoorError {
    const told = firstOf(wrong.map(([key, { message }]) => `${keyed("shares", key)}: ${message}`));
    const of = `${wrong.length} of ${Math.max(this.wanted.size, wrong.length)} shares are not as declared`;
    const next = 'what is done is kept: run "pulumi up" again, it does the rest';
    const isLate = wrong.some(([, error]) => troubleOf(error)?.kind === "timed-out");
    return new FrontdoorError(`${this.label}: ${of}: ${told.join("; ")}; ${next}`, {
      kind: isLate ? "timed-out" : "failed",
    });
  }

  private get label(): string {
    return `IPsec share set "${this.inputs.name}"`;
  }
}
