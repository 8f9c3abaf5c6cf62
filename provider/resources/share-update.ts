import { mayHaveRun } from "../api/collection";
import type { WireShare } from "../api/types";
import { isBare } from "../api/wire";
import { isRefused } from "../errors";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import { explained } from "./holders";
import { judgeApplied, judgeHappened, judgeShown, consistencyMs } from "./judge";
import type { Made } from "./lifecycle";
import { changedFields, type ShareInputs, type ShareOutputs } from "./share-inputs";
import { deployedOutputs, shareSubject, unfinishedShare } from "./share-state";
import { isPlain, isWritten, type Plan, planUpdate } from "./share-write";
import { find, writeOnce } from "./writes";

/** One update of a share: what is left to write is found out, written once, and waited for until it has happened. */
export class ShareUpdate {
  private readonly kind;
  private readonly subject;

  constructor(
    private readonly service: Service,
    private readonly id: string,
    private readonly olds: ShareOutputs,
    private readonly news: ShareInputs,
    private readonly until: Until,
  ) {
    this.kind = service.frontDoor(news.frontdoorId).shares;
    this.subject = shareSubject(service, id, olds);
  }

  async run(): Promise<Made<ShareOutputs>> {
    const { kind, id, news, until } = this;
    const isPlainChange = isPlain(this.olds, news);
    const live = isPlainChange ? await this.shown() : await this.afterEcho();
    if (!isPlainChange && (!live || isBare(live))) return this.gone(live?.status);
    const { write, sign } = planUpdate(this.olds, live, news);
    const ended = write && (await this.write(write, sign));
    if (ended) return ended;
    const waited = await kind.inventory.wait(id, judgeApplied(sign), until, write && "update");
    if (waited.now === "done") return { id, outputs: await deployedOutputs(kind, waited.value, news, until) };
    // DEPLOYED here is the old one still showing: the next run has to go on waiting.
    const status = waited.last?.status ?? "NEW";
    return unfinishedShare(id, news, status === "DEPLOYED" ? "NEW" : status, waited);
  }

  /** What the service shows; that a killed run has made a plain change already a list alone does not tell, as it may lag behind. */
  private async shown(): Promise<WireShare | undefined> {
    const listed = await this.kind.inventory.entry(this.id, this.until);
    return listed && !isWritten(listed, this.olds, this.news) ? listed : this.kind.calls.get(this.id, this.until);
  }

  /** What the service shows once old values have had time to give way to those that an earlier run has written; undefined once it is gone. */
  private async afterEcho(): Promise<WireShare | undefined> {
    const { kind, id, olds, news, until } = this;
    const live = await find(this.subject, until);
    const isAsked = changedFields(olds, news).length === 0;
    if (!live || !isAsked || changedFields(live, news).length === 0) return live;
    const deadlineMs = Math.min(until.deadlineMs, kind.clock.now() + consistencyMs);
    const isShown = judgeShown<WireShare>((seen) => changedFields(seen, news).length === 0);
    const waited = await kind.inventory.wait(id, isShown, { ...until, deadlineMs });
    return waited.now === "done" ? waited.value : (waited.last ?? live);
  }

  /** What the write has come to where it is not known to be done. @throws FrontdoorError of a refusal. */
  private async write(
    { method, body }: NonNullable<Plan["write"]>,
    sign: Plan["sign"],
  ): Promise<Made<ShareOutputs> | undefined> {
    const { kind, id, olds, news, until } = this;
    const subject = { ...this.subject, tunnelIds: [olds.ipsecTunnelId, news.ipsecTunnelId] };
    try {
      await writeOnce(subject, () => kind.calls.write(method, id, body, until), judgeHappened(sign), until);
      return undefined;
    } catch (error) {
      if (isRefused(error, 404, 410) && !(await find(subject, until))) return this.gone();
      if (!mayHaveRun(error)) throw await explained(error, this.service.frontDoor(news.frontdoorId), news, id, until);
      return unfinishedShare(id, news, "NEW", { why: "failed", reason: (error as Error).message });
    }
  }

  private gone(status = "DELETED"): Made<ShareOutputs> {
    return unfinishedShare(this.id, this.news, status, { why: "failed", reason: "it no longer exists" });
  }
}
