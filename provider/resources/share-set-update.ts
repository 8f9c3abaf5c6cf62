import { failed, FrontdoorError, troubleOf } from "../errors";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import { firstOf, keyed } from "./changes";
import { sharesOf } from "./holders";
import type { Made } from "./lifecycle";
import { isNameDerived, type Notes, notesOf, withOwnName } from "./notes";
import type { ShareLifecycle } from "./share";
import type { ShareInputs, ShareOutputs } from "./share-inputs";
import {
  type Held,
  partsOf,
  type Retaining,
  setLabel,
  setOutputs,
  type ShareSetInputs,
  type ShareSetOutputs,
} from "./share-set-inputs";
import { adoptersIn, holdersOf, keysOnOwnPorts, placesOf, refuseCycle } from "./share-set-ports";
import { SetProgress } from "./share-set-progress";

/** The end of work on one share: its next state, and the reason if it is not as declared. */
interface End {
  held?: Held | undefined;
  error?: Error | undefined;
}

type Wanted = ShareInputs & Retaining & Notes;

/**
 * One create or update of a set. Each share is written by itself, all at the same time; a share that needs the port of another waits
 * until that one has left it. If one fails, the others go on. Shares of removed keys are deleted last, once all others are written, or
 * before the share that needs their port.
 */
export class SetUpdate {
  private readonly wanted: Map<string, Wanted>;
  private holders = new Map<string, string>();
  /** Keys whose share is gone, so that another one is created. */
  private readonly replaced = new Set<string>();
  private readonly ends = new Map<string, Promise<End>>();
  private readonly until: Until;
  private readonly frontDoor;
  private hasFailed = false;
  private readonly progress: SetProgress;

  constructor(
    private readonly service: Service,
    private readonly share: ShareLifecycle,
    private readonly before: Map<string, Held>,
    private readonly inputs: ShareSetInputs,
    asked: Until,
  ) {
    // Nothing is unknown any more.
    this.wanted = partsOf(inputs) as Map<string, Wanted>;
    this.frontDoor = service.frontDoor(inputs.frontdoorId);
    this.progress = new SetProgress(service, setLabel(inputs), asked);
    this.until = {
      ...asked,
      report: () => {
        this.progress.report(this.ends.size);
      },
    };
  }

  /** Returns the next state of the set, and the reasons if it is not as declared. @throws FrontdoorError of ports in a cycle. */
  async run(): Promise<Omit<Made<ShareSetOutputs>, "id">> {
    const keys = [...new Set([...this.wanted.keys(), ...this.before.keys()])];
    const needed = await Promise.all(keys.map((key) => this.isWriteNeeded(key)));
    // A share whose key stays is the set's, even if its update fails.
    for (const [key, { id }] of this.before)
      if (this.wanted.has(key) && !this.replaced.has(key)) this.frontDoor.shares.claims.hold(id);
    await this.orderPorts();
    this.progress.tellBeforehand(needed.filter(Boolean).length);
    const written = await this.writtenEnds();
    this.hasFailed = written.some(([, { error }]) => error !== undefined);
    const ends = [...written, ...(await this.endsOf(keys.filter((key) => !this.wanted.has(key))))];
    const held = ends.flatMap(([key, { held }]): [string, Held][] => (held ? [[key, this.retaining(key, held)]] : []));
    const outputs = setOutputs(this.inputs, new Map(held));
    const wrong = ends.flatMap(([key, { error }]): [string, Error][] => (error ? [[key, error]] : []));
    return wrong.length > 0 ? { outputs, unfinished: this.unfinished(wrong) } : { outputs };
  }

  /** With `--replace` a new set is created beside the old one. If a port is still the old one's, nothing else of the new set begins. */
  private async writtenEnds(): Promise<[string, End][]> {
    if (this.before.size === 0) {
      const { ipsecTunnelId } = this.inputs;
      const doubtful = await keysOnOwnPorts(this.frontDoor, this.wanted, ipsecTunnelId, this.until);
      const first = await this.endsOf(doubtful);
      if (first.some(([, { held }]) => held === undefined)) return first;
    }
    return this.endsOf([...this.wanted.keys()]);
  }

  private endsOf(keys: string[]): Promise<[string, End][]> {
    return Promise.all(keys.map(async (key): Promise<[string, End]> => [key, await this.end(key)]));
  }

  /** Notes `retain` of the program. A removed key keeps the note of the state. */
  private retaining(key: string, held: Held): Held {
    const wanted = this.wanted.get(key);
    if (!wanted) return held;
    const __retain = wanted.retain === true ? wanted.retain : undefined;
    return { ...held, outputs: { ...held.outputs, __retain } };
  }

  private async isWriteNeeded(key: string): Promise<boolean> {
    const [held, wanted] = [this.before.get(key), this.wanted.get(key)];
    if (!held || !wanted) return true;
    const { id, outputs } = held;
    const diff = await this.share.diff(id, outputs, withOwnName(outputs, wanted), this.until, wanted.name);
    if (diff.replaces.length > 0) this.replaced.add(key);
    if (!diff.changes) this.ends.set(key, Promise.resolve({ held }));
    return diff.changes;
  }

  /** Finds out which shares wait for which: a share to adopt leaves the port it is shown on, as a share of the set leaves its own. */
  private async orderPorts(): Promise<void> {
    const adopters = adoptersIn(this.wanted, this.before);
    // Whatever comes of it, the program has them: with --continue-on-error the engine goes on to delete.
    for (const id of adopters.keys()) this.frontDoor.shares.claims.hold(id);
    const shown = adopters.size > 0 ? await sharesOf(this.frontDoor, this.inputs.ipsecTunnelId, this.until) : [];
    const adopted = shown.flatMap((share) => {
      const key = adopters.get(share.id);
      return key === undefined ? [] : [{ ...share, key }];
    });
    this.holders = holdersOf([...placesOf(this.before, adopters), ...adopted], this.wanted);
    refuseCycle(setLabel(this.inputs), this.holders);
  }

  private end(key: string): Promise<End> {
    const known = this.ends.get(key) ?? this.work(key).finally(() => (this.progress.doneCount += 1));
    this.ends.set(key, known);
    return known;
  }

  private async work(key: string): Promise<End> {
    const before = this.before.get(key);
    const wanted = this.wanted.get(key);
    if (!wanted) return before ? this.removed(key, before) : {};
    const holder = this.holders.get(key);
    if (holder !== undefined && (await this.end(holder)).error !== undefined)
      return { held: before, error: failed(`port ${wanted.ingressPort} is still that of ${keyed("shares", holder)}`) };
    return before ? this.updated(key, before, wanted) : this.created(wanted);
  }

  /** Deletes the share of a removed key, unless it stays at the service. After a failed write nothing more is deleted. */
  private async removed(key: string, held: Held): Promise<End> {
    const { id, outputs } = held;
    const { claims } = this.frontDoor.shares;
    // A reverted edit: the share's own resource is still in the state, and its diff may come later.
    const isOther = !claims.isHeldInRun(id) && (claims.isDeclaredId(id) || claims.isKnown(outputs.name));
    const why = outputs.__retain ? "its key was set to retain it" : isOther && "another resource of the program has it";
    if (why) {
      this.service.say(`${setLabel(this.inputs)}: ${keyed("shares", key)} (${id}) stays at the service: ${why}`);
      return {};
    }
    if (this.hasFailed && !claims.isHeldInRun(id)) return { held };
    try {
      await this.share.delete(id, outputs, this.until);
      return {};
    } catch (error) {
      return { held, error: error as Error };
    }
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

  private unfinished(wrong: [string, Error][]): FrontdoorError {
    const told = firstOf(wrong.map(([key, { message }]) => `${keyed("shares", key)}: ${message}`));
    const of = `${wrong.length} of ${Math.max(this.wanted.size, wrong.length)} shares are not as declared`;
    const next = 'what is done is kept: run "pulumi up" again, it does the rest';
    const isLate = wrong.some(([, error]) => troubleOf(error)?.kind === "timed-out");
    return new FrontdoorError(`${setLabel(this.inputs)}: ${of}: ${told.join("; ")}; ${next}`, {
      kind: isLate ? "timed-out" : "failed",
    });
  }
}
