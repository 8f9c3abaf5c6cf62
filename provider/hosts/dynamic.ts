import type { dynamic } from "@pulumi/pulumi";
import { connect, say, type Service } from "../api/service";
import { systemClock, type Until } from "../clock";
import { readConfig } from "../config";
import { FrontdoorError } from "../errors";
import { type Lifecycle, type Made, type Planned, type Timeouts, UNKNOWN } from "../resources/lifecycle";
import { ShareLifecycle } from "../resources/share";
import { TunnelLifecycle } from "../resources/tunnel";
import { untilOrphaned } from "./orphan";
import { durationMs } from "./timeouts";
import { Waves } from "./waves";

/** How the engine spells a value that is not known before the run. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How the engine spells a secret: with it an output is encrypted whatever the program says. */
const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secretOutputs = ["sampleConfig"];

/** Inputs of ours that no user sees: the provider's text and the custom timeouts, which this host is not told otherwise. */
interface Hidden {
  __provider?: string;
  __timeouts?: Partial<Record<keyof Timeouts, string>>;
  /** Names inputs that the program did not give: `name` where it was derived. */
  __defaults?: string[];
}

type Props = Record<string, unknown> & Hidden;

/** Of tunnels and shares together, as the engine counts them. */
const waves = new Waves(systemClock, say);

/** Pulumi's dynamic-provider calls in, a lifecycle's out. */
class Host<Inputs, Outputs extends object> implements dynamic.ResourceProvider {
  private lifecycle: Lifecycle<Inputs, Outputs> | undefined;
  private misconfigured: FrontdoorError | undefined;
  /**
   * Ids that the state keeps after this run: taken over, or found as they should be. The engine can hold such an id a second time,
   * to be deleted as what was replaced: with `--replace` the new one comes first, and takes over the old one. In a run nothing is
   * read or updated once it is kept: where it is all the same, another operation has begun.
   */
  private readonly keeps = new Set<string>();

  constructor(private readonly open: (service: Service) => Lifecycle<Inputs, Outputs>) {}

  /** Finishes before it first awaits: the engine calls other methods without waiting for it, and never calls it again. */
  // eslint-disable-next-line @typescript-eslint/require-await
  async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    untilOrphaned();
    try {
      this.lifecycle = this.open(connect(readConfig((key) => config.get(key), process.env)));
    } catch (error) {
      this.misconfigured = error as FrontdoorError;
    }
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async check(olds: Props, news: Props): Promise<dynamic.CheckResult> {
    if (this.misconfigured) return { inputs: news, failures: [{ property: "", reason: this.misconfigured.message }] };
    const given = planned(isNameDerived(news) ? withNameOf(olds, news) : news);
    const { inputs, failures } = this.ready.check(given);
    const { __timeouts, __defaults } = news;
    return { inputs: encoded({ ...inputs, __timeouts, __defaults }), failures };
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    const diff = this.ready.diff(olds as Outputs, planned(withAdoptedName(olds, news)) as Planned<Inputs>);
    if (!diff.changes) this.keeps.add(id);
    return diff;
  }

  async create(props: Props): Promise<dynamic.CreateResult> {
    const origin = { isNameDerived: isNameDerived(props), keeps: this.keeps };
    const made = await waves.during(() => this.ready.create(props as Inputs, origin, this.until(props, "create")));
    const isNameAdopted = isNameDerived(props) && props["adopt"] !== undefined;
    return { id: made.id, outs: finished(made, props, isNameAdopted ? props : {}) };
  }

  async read(id: string, props: Props): Promise<dynamic.ReadResult> {
    this.keeps.delete(id);
    const outputs = await this.ready.read(id, props as Outputs, this.until(props, "update"));
    if (!outputs) return {};
    const { __timeouts, __defaults } = props;
    return { id, props: encoded({ ...outputs, __timeouts, __defaults }) };
  }

  async update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult> {
    this.keeps.delete(id);
    const inputs = withAdoptedName(olds, news) as Inputs;
    const made = await waves.during(() => this.ready.update(id, olds as Outputs, inputs, this.until(news, "update")));
    return { outs: finished(made, news, isNameDerived(news) ? olds : {}) };
  }

  async delete(id: string, props: Props): Promise<void> {
    if (this.keeps.has(id)) {
      say(`${id}: not deleted, as what replaced it is the same; with deleteBeforeReplace it is made anew`);
      return;
    }
    await waves.during(() => this.ready.delete(id, props as Outputs, this.until(props, "delete")));
  }

  private get ready(): Lifecycle<Inputs, Outputs> {
    if (this.lifecycle) return this.lifecycle;
    throw this.misconfigured ?? new FrontdoorError("the engine has not configured the provider", { kind: "failed" });
  }

  private until({ __timeouts }: Hidden, operation: keyof Timeouts): Until {
    const ms = durationMs(__timeouts?.[operation]) ?? this.ready.timeouts[operation] * 1000;
    const startedMs = systemClock.now();
    return { startedMs, deadlineMs: startedMs + ms, signal: untilOrphaned() };
  }
}

const isNameDerived = ({ __defaults }: Hidden) => __defaults?.includes("name") ?? false;

/** A derived name names what is created; what exists keeps the name it was given, so that a renamed resource is no diff. */
const withNameOf = (olds: Props, news: Props): Props => ({ ...news, name: olds["name"] ?? news["name"] });

/** What was adopted without a name being given keeps its own, which the state notes. */
const withAdoptedName = (olds: Props, news: Props): Props =>
  isNameDerived(news) && isNameDerived(olds) ? withNameOf(olds, news) : news;

const planned = (props: Props) =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, value === unknownText ? UNKNOWN : value]));

/** Properties as the host can carry them: none undefined, unknown ones in the engine's spelling, secret ones marked. */
function encoded(props: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(props)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]: [string, unknown]) => {
        if (value === UNKNOWN) return [key, unknownText];
        return [key, secretOutputs.includes(key) ? { ...secretMark, value } : value];
      }),
  );
}

/** The outputs; for what exists but is not ready, the error by which the engine keeps it as partly created. */
function finished<Outputs extends object>(
  { id, outputs, unfinished }: Made<Outputs>,
  { __timeouts, __provider }: Hidden,
  { __defaults }: Hidden,
) {
  const outs = encoded({ ...outputs, __timeouts, __defaults });
  if (!unfinished) return outs;
  throw Object.assign(unfinished, { id, properties: { ...outs, __provider }, reasons: [unfinished.message] });
}

/** The dynamic provider of IPsec tunnels. */
export const tunnel = () => new Host((service) => new TunnelLifecycle(service));

/** The dynamic provider of IPsec shares. */
export const share = () => new Host((service) => new ShareLifecycle(service));
