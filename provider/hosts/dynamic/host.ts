import type { dynamic } from "@pulumi/pulumi";
import { connect, runEnded, say, type Service } from "../../service";
import { systemClock, type Until } from "../../time/clock";
import { type Config, readConfig } from "../../config";
import { FrontdoorError } from "../../errors";
import { type Lifecycle, type Made, type Planned, type Timeouts, UNKNOWN } from "../../resources/lifecycle";
import { ShareLifecycle } from "../../resources/share";
import { TunnelLifecycle } from "../../resources/tunnel";
import { onRunEnd, untilOrphaned } from "./orphan";
import { hushed, noteSecrets, withoutSecretsIn, withoutSecretValue } from "./secret-inputs";
import { hearTimeouts, timeoutMs } from "./timeouts";
import { Waves } from "./waves";

/** How the engine spells a value that is not known before the run. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How the engine spells a secret: with it an output is encrypted whatever the program says. */
const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secretOutputs = ["sampleConfig"];
const secret = (value: unknown) => ({ ...secretMark, value });

const longestAnswerMs = 60_000;
const longestReadMs = 900_000;

/** Inputs of ours that no user sees. */
interface Hidden {
  __provider?: string;
  /** Organization and URN. Known to check alone: no state keeps it. */
  __origin?: string;
  /** The custom timeouts, which this host is not told otherwise. */
  __timeouts?: Partial<Record<keyof Timeouts, string>>;
  /** The environment is given as `envId` and as `envZId`. Known to check alone. */
  __bothSpellings?: boolean;
  /** Names of inputs whose values are secrets: the host is not told otherwise. */
  __secrets?: string[];
  /** Names inputs that the program did not give: `name` where it was derived. */
  __defaults?: string[];
  /** The derived name of what was adopted and kept its own. */
  __derivedName?: string;
}

type Props = Record<string, unknown> & Hidden;

/** Of tunnels and shares together, as the engine counts them. */
const waves = new Waves(systemClock, say);

/** Pulumi's dynamic-provider calls in, a lifecycle's out. */
export class Host<Inputs extends object, Outputs extends object> implements dynamic.ResourceProvider {
  private lifecycle: Lifecycle<Inputs, Outputs> | undefined;
  private misconfigured: FrontdoorError | undefined;

  constructor(
    private readonly open: (service: Service) => Lifecycle<Inputs, Outputs>,
    private readonly reach: (config: Config) => Service = connect,
  ) {}

  /** Finishes before it first awaits: the engine calls other methods without waiting for it, and never calls it again. */
  // eslint-disable-next-line @typescript-eslint/require-await
  async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    untilOrphaned();
    onRunEnd(runEnded);
    hearTimeouts();
    try {
      this.lifecycle = this.open(this.reach(readConfig((key) => config.get(key), process.env)));
    } catch (error) {
      this.misconfigured = error as FrontdoorError;
    }
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async check(olds: Props, news: Props): Promise<dynamic.CheckResult> {
    if (this.misconfigured) return { inputs: news, failures: [{ property: "", reason: this.misconfigured.message }] };
    noteSecrets(news);
    const given = inOneSpelling(news, olds);
    const declared = { news: planned(given), olds, origin: news.__origin };
    const { inputs, failures, isNameDerived } = this.ready.check(declared);
    const hidden = { ...hiddenOf(news), __defaults: isNameDerived ? ["name"] : undefined };
    // The engine knows secrets by their keys: a value under another one than the program's is marked.
    const isMoved = given["envId"] != null && given["envId"] !== unknownText && "envZId" in inputs;
    const environment = isMoved ? { envZId: secret(inputs.envZId) } : {};
    return {
      inputs: encoded({ ...inputs, ...environment, ...hidden }),
      failures: failures.map((failure) => withoutSecretValue(failure, news)),
    };
  }

  async diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    const inputs = planned(withAdoptedName(olds, news)) as Planned<Inputs>;
    const until = this.from(longestAnswerMs);
    const asked = this.ready.diff(id, olds as Outputs, inputs, until, news["name"]);
    const { isOfInputs, ...diff } = await hushed([olds, news], asked);
    // Left open, it makes the engine compare inputs: it can't be told otherwise which differ, as it has to know for replaceOnChanges.
    return isOfInputs ? { deleteBeforeReplace: diff.deleteBeforeReplace } : diff;
  }

  async create(props: Props): Promise<dynamic.CreateResult> {
    const isDerived = isNameDerived(props);
    const until = this.until(props, "create");
    const made = await waves.during(() =>
      hushed([props], this.ready.create(props as unknown as Inputs, isDerived, until)),
    );
    return { id: made.id, outs: finished(made, props, props) };
  }

  async read(id: string, props: Props): Promise<dynamic.ReadResult> {
    const outputs = await hushed([props], this.ready.read(id, props as Outputs, this.from(longestReadMs)));
    if (!outputs) return {};
    const { __defaults, __derivedName } = props;
    const hidden = { ...hiddenOf(props), __defaults };
    const inputs = this.ready.inputsOf(outputs);
    const named = __derivedName === undefined ? {} : { name: __derivedName };
    return {
      ...{ id, props: encoded({ ...outputs, ...hidden, __derivedName }) },
      ...(inputs && { inputs: encoded({ ...inputs, ...named, ...hidden }) }),
    };
  }

  async update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult> {
    const inputs = withAdoptedName(olds, news) as unknown as Inputs;
    const until = this.until(news, "update");
    const made = await waves.during(() => hushed([olds, news], this.ready.update(id, olds as Outputs, inputs, until)));
    return { outs: finished(made, news, isNameDerived(news) ? olds : {}) };
  }

  async delete(id: string, props: Props): Promise<void> {
    const until = this.until(props, "delete");
    await waves.during(() => hushed([props], this.ready.delete(id, props as Outputs, until)));
  }

  private get ready(): Lifecycle<Inputs, Outputs> {
    if (this.lifecycle) return this.lifecycle;
    throw this.misconfigured ?? new FrontdoorError("the engine has not configured the provider", { kind: "failed" });
  }

  private until(props: Hidden, operation: keyof Timeouts): Until {
    return this.from(timeoutMs(props, operation) ?? this.ready.timeouts[operation] * 1000);
  }

  private from(ms: number): Until {
    const startedMs = systemClock.now();
    return { startedMs, deadlineMs: startedMs + ms, signal: untilOrphaned() };
  }
}

const isNameDerived = ({ __defaults }: Hidden) => __defaults?.includes("name") ?? false;

/** Where the two spellings of the environment no longer agree, ignoreChanges names one of them: what is in the state is meant. */
function inOneSpelling(news: Props, olds: Props): Props {
  if (!news.__bothSpellings) return news;
  const { envId, ...rest } = news;
  return envId === rest["envZId"] ? rest : { ...rest, envZId: olds["envZId"] };
}

/** What was adopted without a name being given keeps its own, which the state notes. */
const withAdoptedName = (olds: Props, news: Props): Props =>
  isNameDerived(news) && isNameDerived(olds) ? { ...news, name: olds["name"] ?? news["name"] } : news;

const planned = (props: Props) =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, value === unknownText ? UNKNOWN : value]));

/** Properties as the host can carry them: none undefined, unknown ones in the engine's spelling, secret ones marked. */
function encoded(props: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(props)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]: [string, unknown]) => {
        if (value === UNKNOWN) return [key, unknownText];
        return [key, secretOutputs.includes(key) ? secret(value) : value];
      }),
  );
}

/** The outputs; for what exists but is not ready, the error by which the engine keeps it as partly created. */
function finished<Outputs extends object>(
  { id, outputs, unfinished }: Made<Outputs>,
  props: Props,
  { __defaults }: Hidden,
) {
  const hidden = { ...hiddenOf(props), __defaults, __derivedName: derivedNameBeside(outputs, props) };
  const outs = encoded({ ...outputs, ...hidden });
  if (!unfinished) return outs;
  const { __provider } = props;
  const error = withoutSecretsIn(unfinished);
  throw Object.assign(error, { id, properties: { ...outs, __provider }, reasons: [error.message] });
}

const derivedNameBeside = ({ name }: { name?: unknown }, props: Props) =>
  isNameDerived(props) && name !== props["name"] ? (props["name"] as string) : undefined;

/** Inputs of ours that the state keeps as they are. */
const hiddenOf = ({ __timeouts, __secrets }: Hidden) => ({
  __timeouts,
  __secrets: __secrets && __secrets.length > 0 ? __secrets : undefined,
});

/** The dynamic provider of IPsec tunnels. */
export const tunnel = () => new Host((service) => new TunnelLifecycle(service));

/** The dynamic provider of IPsec shares. */
export const share = () => new Host((service) => new ShareLifecycle(service));
