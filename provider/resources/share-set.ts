import { pick, type Planned, UNKNOWN } from "../fields/field";
import { failed } from "../errors";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import type { Checked, Declaration, Diff, Lifecycle, Made, Timeouts } from "./lifecycle";
import { withOwnName } from "./notes";
import { setOriginOf } from "./origin";
import { tellOutlivedIn } from "./outlived";
import { ShareLifecycle } from "./share";
import { rules } from "./share-inputs";
import { checkedSet } from "./share-set-check";
import { diffSet, refuseKnownCycle } from "./share-set-diff";
import { foundBy, importedSet } from "./share-set-import";
import {
  type Held,
  heldOf,
  ofSet,
  type Part,
  partOf,
  partsOf,
  setLabel,
  setOutputs,
  type ShareSetInputs,
  type ShareSetOutputs,
} from "./share-set-inputs";
import { SetUpdate } from "./share-set-update";

/** Many shares of one tunnel as one resource. Each works as a single share does; all are sent, polled and kept together. */
export class ShareSetLifecycle implements Lifecycle<ShareSetInputs, ShareSetOutputs> {
  private readonly share: ShareLifecycle;

  constructor(private readonly service: Service) {
    this.share = new ShareLifecycle(service);
  }

  /** Those of a share, and the time in which the ceiling lets one write and one read of each be sent. */
  timeoutsOf({ shares }: Planned<ShareSetInputs> | ShareSetOutputs): Timeouts {
    const count = shares === UNKNOWN ? 0 : Object.keys(shares).length;
    const sendingSeconds = Math.ceil((2 * count) / this.service.config.requestsPerSecond);
    const { create, update, delete: remove } = this.share.timeoutsOf();
    return { create: create + sendingSeconds, update: update + sendingSeconds, delete: remove + sendingSeconds };
  }

  check(declared: Declaration): Checked<ShareSetInputs> {
    return checkedSet((each) => this.share.check(each), declared);
  }

  async diff(_id: string, olds: ShareSetOutputs, news: Planned<ShareSetInputs>, until: Until): Promise<Diff> {
    // A refresh compares, too, before the program has said anything.
    if (this.originOf(news) !== undefined) refuseKnownCycle(olds, news);
    await this.tellOutlived(news, until);
    return diffSet(this.share, this.service, olds, news, until);
  }

  knownOutputs(inputs: Planned<ShareSetInputs>, olds?: ShareSetOutputs): Planned<ShareSetOutputs> {
    const parts = partsOf(inputs);
    const known = { ...inputs, ...(inputs.nlbDnsName !== undefined && { endpoints: UNKNOWN }), status: "DEPLOYED" };
    if (parts === undefined) return { ...known, shares: UNKNOWN, ids: UNKNOWN } as Planned<ShareSetOutputs>;
    const held = olds && heldOf(olds);
    const shares = [...parts].map(([key, part]): [string, unknown] => {
      const old = held?.get(key);
      const id = old?.id ?? UNKNOWN;
      return [
        key,
        part === UNKNOWN ? part : { ...rules.knownOutputs(withOwnName(old?.outputs ?? {}, part), old?.outputs), id },
      ];
    });
    const ids = [...parts.keys()].map((key): [string, unknown] => [key, held?.get(key)?.id ?? UNKNOWN]);
    return { ...known, shares: Object.fromEntries(shares), ids: Object.fromEntries(ids) } as Planned<ShareSetOutputs>;
  }

  async create(inputs: ShareSetInputs, _isNameDerived: boolean, until: Until): Promise<Made<ShareSetOutputs>> {
    const made = await this.updated(new Map(), inputs, until);
    await this.tellOutlived(inputs, until);
    if (Object.keys(made.outputs.ids).length === 0 && made.unfinished) throw made.unfinished;
    return { id: inputs.name, ...made };
  }

  imported(id: string): { id: string; olds: ShareSetOutputs } {
    return importedSet(id, this.service.config.frontdoorId);
  }

  async read(_id: string, olds: ShareSetOutputs, until: Until): Promise<ShareSetOutputs | undefined> {
    const known =
      olds.__pattern === undefined ? heldOf(olds) : await foundBy(olds.__pattern, olds, this.service, until);
    const seen = await Promise.all(
      [...known].map(async ([key, { id, outputs }]): Promise<[string, Held][]> => {
        const now = await this.share.read(id, outputs, until);
        return now ? [[key, { id, outputs: { ...outputs, ...now } }]] : [];
      }),
    );
    const held = new Map(seen.flat());
    return held.size > 0 ? setOutputs(olds, held) : undefined;
  }

  async update(id: string, olds: ShareSetOutputs, news: ShareSetInputs, until: Until): Promise<Made<ShareSetOutputs>> {
    return { id, ...(await this.updated(heldOf(olds), news, until)) };
  }

  inputsOf(outputs: ShareSetOutputs): object {
    const shares = [...heldOf(outputs)].map(([key, held]) => [key, partOf(held)] as const);
    return { ...pick(outputs, [...ofSet, "name"]), shares: Object.fromEntries(shares) };
  }

  async delete(_id: string, olds: ShareSetOutputs, until: Until): Promise<void> {
    const { share, tell } = this.sharesOfOneAnswer();
    const held = [...heldOf(olds).values()];
    const ends = await Promise.allSettled(held.map(({ id, outputs }) => share.delete(id, outputs, until)));
    const [first, ...more] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
    // Then the state goes on to hold all of them.
    if (first)
      throw more.length === 0 ? first : failed(`${first.message}; and ${more.length} more of the set were not deleted`);
    tell();
  }

  /** By which resource a set is, as far as the name of one of its shares is known. */
  private originOf({ frontdoorId, shares }: Planned<ShareSetInputs>): string | undefined {
    if (frontdoorId === UNKNOWN || shares === UNKNOWN) return undefined;
    const { claims } = this.service.frontDoor(frontdoorId).shares;
    for (const part of Object.values<Planned<Part> | typeof UNKNOWN>(shares)) {
      const origin = part === UNKNOWN || typeof part.name !== "string" ? undefined : claims.originOf(part.name);
      if (origin !== undefined) return setOriginOf(origin);
    }
    return undefined;
  }

  private async updated(before: Map<string, Held>, inputs: ShareSetInputs, until: Until) {
    const { share, tell } = this.sharesOfOneAnswer();
    const made = await new SetUpdate(this.service, share, before, inputs, until).run();
    tell();
    return made;
  }

  /** Reports shares that an interrupted run began under keys that the program has removed. */
  private async tellOutlived(set: Planned<ShareSetInputs>, until: Until): Promise<void> {
    const parts = partsOf(set);
    if (parts === undefined || set.frontdoorId === UNKNOWN) return;
    const setOrigin = this.originOf(set);
    if (setOrigin !== undefined)
      await tellOutlivedIn(
        this.service.frontDoor(set.frontdoorId).shares,
        setLabel(set),
        setOrigin,
        new Set(parts.keys()),
        this.service,
        until,
      );
  }

  /** Returns a lifecycle of shares that reports all of them to the engine in one answer. */
  private sharesOfOneAnswer(): { share: ShareLifecycle; tell: () => void } {
    const tells: (() => void)[] = [];
    const share = new ShareLifecycle(this.service, (tell) => tells.push(tell));
    const tell = () => {
      for (const each of tells) each();
    };
    return { share, tell };
  }
}
