import type { Named } from "../api/types";
import type { Planned, Table } from "../fields/field";
import type { Known, Rules } from "../fields/rules";
import type { FrontDoor, Kind, Service } from "../service";
import type { Until } from "../time/clock";
import { failed } from "../errors";
import { persist } from "../time/persist";
import { pauseAfter } from "../time/ticks";
import { checkedBy, saysTwice } from "./check";
import { isPast } from "./create";
import { isThere } from "./holders";
import type { Checked, Declaration, Diff, Lifecycle, Made, Timeouts } from "./lifecycle";
import { tellOutlived } from "./outlived";
import { skipsDelete, type Subject } from "./writes";

/** What diff answers, and whether what the state holds is the program's and right as it is. */
export interface Comparison extends Diff {
  isRight: boolean;
}

/**
 * What is the same for tunnels and shares: what a state shows has no record any more, what exists and is right is held, a create is
 * told, and what this run holds is not deleted.
 */
export abstract class Managed<
  Inputs extends { name: string; frontdoorId: string; adopt?: string | undefined },
  Outputs extends Known & { name: string; status: string },
  Wire extends Named,
> implements Lifecycle<Inputs, Outputs> {
  protected abstract readonly timeouts: Timeouts;
  protected abstract readonly type: string;
  /** What messages call it. */
  protected abstract readonly what: string;
  protected abstract readonly table: Table;
  protected abstract readonly rules: Rules<Outputs>;

  /** The engine is told of what is made or gone as soon as that is answered; what is part of another resource, by that one's answer. */
  constructor(
    protected readonly service: Service,
    private readonly answered: (tell: () => void) => void = (tell) => {
      tell();
    },
  ) {}

  abstract compared(
    id: string,
    olds: Outputs,
    news: Planned<Inputs>,
    until: Until,
    checkedName: unknown,
  ): Promise<Comparison>;
  abstract read(id: string, olds: Outputs, until: Until): Promise<Outputs | undefined>;
  abstract update(id: string, olds: Outputs, news: Inputs, until: Until): Promise<Made<Outputs>>;
  protected abstract kindOf(frontDoor: FrontDoor): Kind<Wire>;
  protected abstract subject(id: string, olds: Outputs): Subject<Wire>;
  protected abstract created(inputs: Inputs, isNameDerived: boolean, until: Until): Promise<Made<Outputs>>;
  /** Why what exists can't be made this resource's, where that is by what it is. */
  protected abstract differs(live: Wire, inputs: Inputs): string | undefined;
  /** Makes what exists this resource's. */
  protected abstract takenUp(live: Wire, inputs: Inputs, until: Until): Promise<Made<Outputs>>;
  protected abstract remove(id: string, olds: Outputs, until: Until): Promise<void>;

  check(declared: Declaration): Checked<Inputs> {
    return checkedBy(this.table, this.type, declared, this.service, (door) => this.kindOf(door));
  }

  async diff(
    id: string,
    olds: Outputs,
    news: Planned<Inputs>,
    until: Until,
    checkedName: unknown = news.name,
  ): Promise<Diff> {
    const { isRight, ...diff } = await this.compared(id, olds, news, until, checkedName);
    if (isRight) await this.foundRight(id, olds, until);
    return diff;
  }

  async create(inputs: Inputs, isNameDerived: boolean, until: Until): Promise<Made<Outputs>> {
    const made =
      (await this.adopted(inputs, isNameDerived, until)) ?? (await this.created(inputs, isNameDerived, until));
    const { name, adopt } = inputs;
    const kind = this.kind(inputs);
    const needed = adopt === made.id ? { name, id: adopt } : { name };
    await tellOutlived(kind, `${this.what} "${name}"`, kind.claims.originOf(name), needed, this.service, until);
    this.answered(() => {
      kind.creates.told(name);
    });
    return made;
  }

  knownOutputs(inputs: Planned<Inputs>, olds?: Outputs): Planned<Outputs> {
    return this.rules.knownOutputs(inputs, olds);
  }

  timeoutsOf(): Timeouts {
    return this.timeouts;
  }

  imported(id: string): { id: string; olds: Outputs } {
    const [ownId = "", frontdoorId = this.service.config.frontdoorId ?? "", ...more] = id.split("/").reverse();
    if (more.length > 0) throw failed(`${id}: an id is <id> or <frontdoorId>/<id>; nothing was sent`);
    return { id: ownId, olds: this.rules.blank(frontdoorId) };
  }

  inputsOf(outputs: Outputs): object | undefined {
    return this.rules.inputsOf(outputs);
  }

  async delete(id: string, olds: Outputs, until: Until): Promise<void> {
    if (skipsDelete(this.subject(id, olds), this.service)) return;
    await this.remove(id, olds, until);
    const { creates, deletes } = this.kind(olds);
    creates.forget(olds.name, id);
    this.answered(() => {
      deletes.told(id);
    });
  }

  protected kind({ frontdoorId }: { frontdoorId: string }): Kind<Wire> {
    return this.kindOf(this.service.frontDoor(frontdoorId));
  }

  /** Its kind; the record of its create goes, as the state holds it. */
  protected kindInState(id: string, olds: Outputs): Kind<Wire> {
    const kind = this.kind(olds);
    kind.creates.forget(olds.name, id);
    return kind;
  }

  /** The state holds it under the resource of this origin. @throws FrontdoorError `failed` where another one of the program is the same. */
  protected refuseTwice(id: string, olds: Outputs, origin: string | undefined): void {
    const other = origin === undefined ? undefined : this.kind(olds).claims.declareAs(id, origin);
    if (origin === undefined || other === undefined) return;
    throw failed(`${this.what} ${saysTwice(id, other, origin)}`);
  }

  /** What the state holds is as declared, and goes on as it is. */
  async foundRight(id: string, olds: Outputs, until: Until): Promise<void> {
    this.kind(olds).claims.noteFound(id, this.rules.inputsOf(olds));
    await this.kept(id, olds, until);
  }

  /** What the state holds is this resource's, and goes on as it is or is updated: nothing else that was begun for it is needed. */
  protected async kept(id: string, olds: Outputs, until: Until): Promise<void> {
    const kind = this.kindInState(id, olds);
    kind.claims.hold(id);
    const { label } = this.subject(id, olds);
    await tellOutlived(kind, label, kind.claims.originInState(id), { name: olds.name, id }, this.service, until);
  }

  /**
   * What the state holds; where a delete of it was sent of which the state does not know how it ended, with the status of now: it is
   * looked at until it shows that it goes, or until nothing of that delete can still come, and the record goes with that.
   */
  protected async asOfNow(id: string, olds: Outputs, until: Until): Promise<Outputs> {
    const { deletes, calls, clock } = this.kind(olds);
    const sentAtMs = deletes.sentAtMs(id);
    if (sentAtMs === undefined) return olds;
    const status = await persist(
      clock,
      until,
      ({ error, waitedMs }) => (error ? undefined : pauseAfter(waitedMs, clock.random())),
      async () => {
        const isOver = isPast(sentAtMs, this.service);
        const live = await calls.get(id, until);
        if (!live || !isThere(live)) return live?.status ?? "DELETED";
        if (!isOver) return undefined;
        deletes.forget(id);
        return live.status;
      },
    );
    return { ...olds, status: status ?? olds.status };
  }

  /**
   * The existing resource a program wants to take over. Undefined where there is none, nor any need: `adopt` can stay in a program
   * long after what it was for was replaced. @throws FrontdoorError where it is not there, going or another one.
   */
  private async adopted(inputs: Inputs, isNameDerived: boolean, until: Until): Promise<Made<Outputs> | undefined> {
    const { adopt, name, frontdoorId } = inputs;
    if (adopt === undefined) return undefined;
    const { calls, claims, creates } = this.kind(inputs);
    // Whatever comes of it here, the program has it: with --continue-on-error the engine goes on to delete.
    claims.hold(adopt);
    const live = await calls.get(adopt, until);
    // An interrupted run of this resource has replaced what it had adopted, and began another one.
    const isBegun = creates.find(name, claims.originOf(name) ?? "") !== undefined;
    if ((claims.isKnown(name) || isBegun) && !(live && isThere(live))) return undefined;
    const own = live && isNameDerived ? { ...inputs, name: live.name } : inputs;
    const why =
      !live || live.status === "DELETED"
        ? `front door ${frontdoorId} has none of this id`
        : live.status === "DELETING"
          ? "it is being deleted"
          : this.differs(live, own);
    if (!live || why !== undefined) {
      const next = "nothing was changed: change the program, or leave adopt out to create a new one";
      throw failed(`${this.what} ${adopt}: not adopted: ${why ?? ""}; ${next}`);
    }
    creates.forget(live.name, live.id);
    return this.takenUp(live, own, until);
  }
}
