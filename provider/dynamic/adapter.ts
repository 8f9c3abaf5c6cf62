import type { dynamic } from "@pulumi/pulumi";
import { failed, FrontdoorError } from "../errors";
import { pick, type Planned } from "../fields/field";
import type { Lifecycle, Made } from "../resources/lifecycle";
import type { Notes } from "../resources/notes";
import { Resource, secretOutputsWith } from "../resources/resource";
import { ShareLifecycle } from "../resources/share";
import { ShareSetLifecycle } from "../resources/share-set";
import { TunnelLifecycle } from "../resources/tunnel";
import type { Service } from "../service";
import { secretMark, spelled, unknownText, unspelled } from "../engine/encoding";
import { serviceOfProcess, type Settings } from "./process";
import { type Timed, timeoutSeconds } from "./timeouts";

/** Inputs of this host's that no user sees; besides them the core's notes. */
interface Hidden extends Timed {
  __provider?: string;
  /** Organization and URN. Known to check alone: no state keeps it. */
  __origin?: string;
  /** Names of inputs whose values are secrets: the host is not told otherwise. */
  __secrets?: string[];
}

type Props = Record<string, unknown> & Hidden;

const hidden: string[] = [
  "__provider",
  "__origin",
  "__secrets",
  "__timeouts",
  "__timeoutSeconds",
] satisfies (keyof Hidden)[];

/** Pulumi's dynamic-provider calls in, a resource's out. */
export class Host<Inputs extends { name: string }, Outputs extends { name: string }>
  implements dynamic.ResourceProvider
{
  private resource: Resource<Inputs, Outputs> | undefined;
  /** Inputs in the state, as the last check was told them: diff is not. */
  private readonly oldInputs = new Map<string, Props>();
  private misconfigured = failed("the engine has not configured the provider");

  constructor(
    private readonly lifecycleOn: (service: Service) => Lifecycle<Inputs, Outputs>,
    private readonly serviceOf: (settings: Settings) => Service = serviceOfProcess,
  ) {}

  /** Finishes before it first awaits: the engine calls other methods without waiting for it, and never calls it again. */
  // eslint-disable-next-line @typescript-eslint/require-await
  async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    try {
      const service = this.serviceOf((key) => config.get(key));
      this.resource = new Resource(this.lifecycleOn(service), service);
    } catch (error) {
      this.misconfigured = error as FrontdoorError;
    }
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async check(olds: Props, news: Props): Promise<dynamic.CheckResult> {
    if (!this.resource) return { inputs: news, failures: [{ property: "", reason: this.misconfigured.message }] };
    const { __origin: origin, __secrets: secrets = [] } = news;
    const { inputs, failures, moved } = this.resource.check({ news: this.decoded(news), olds, origin, secrets });
    if (Object.keys(olds).length > 0) this.oldInputs.set(placeOf(inputs), olds);
    const secret = [...(moved ?? []), ...secretOutputsWith(secrets)];
    return { inputs: encoded({ ...inputs, ...kept(news) }, secret), failures };
  }

  async diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    const inputs = this.decoded(news) as Planned<Inputs> & Notes;
    const oldInputs = this.oldInputs.get(placeOf(news));
    const diff = await this.ready.diff(id, this.decoded(olds) as Outputs, inputs, oldInputs && this.decoded(oldInputs));
    const { replaces, deleteBeforeReplace, isOfInputs, properties } = diff;
    // What the plugin has served is written once more, without a request that changes anything: this host needs its text in the state.
    const changes = diff.changes || (news.__provider !== undefined && olds.__provider === undefined);
    // Left open, it makes the engine compare inputs: it can't be told otherwise which differ, as it has to know for replaceOnChanges.
    // Hosts of older versions of Pulumi's do not keep the inputs that a refresh reads: then they differ in nothing.
    const isLeftOpen = isOfInputs && Object.keys(properties).length > 0;
    return isLeftOpen ? { deleteBeforeReplace } : { changes, replaces, deleteBeforeReplace };
  }

  async create(props: Props): Promise<dynamic.CreateResult> {
    const made = await this.ready.create(this.decoded(props) as Inputs, {
      timeoutSeconds: timeoutSeconds(props, "create"),
    });
    return { id: made.id, outs: finished(made, props) };
  }

  async read(id: string, props: Props): Promise<dynamic.ReadResult> {
    const seen = await this.ready.read(id, this.decoded(props) as Outputs);
    if (!seen) return {};
    const { outputs, inputs } = seen;
    return {
      ...{ id, props: encoded({ ...outputs, ...kept(props) }, secretOutputsWith(props.__secrets)) },
      ...(inputs && { inputs: encoded({ ...inputs, ...kept(props) }) }),
    };
  }

  async update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult> {
    const [before, inputs] = [this.decoded(olds) as Outputs, this.decoded(news) as Inputs];
    return {
      outs: finished(
        await this.ready.update(id, before, inputs, { timeoutSeconds: timeoutSeconds(news, "update") }),
        news,
      ),
    };
  }

  async delete(id: string, props: Props): Promise<void> {
    await this.ready.delete(id, this.decoded(props) as Outputs, { timeoutSeconds: timeoutSeconds(props, "delete") });
  }

  private get ready(): Resource<Inputs, Outputs> {
    if (this.resource) return this.resource;
    throw this.misconfigured;
  }

  /** The core's properties among those that the engine gives; of what is secret among them the core takes note. */
  private decoded(props: Props): Record<string, unknown> {
    for (const key of props.__secrets ?? []) this.ready.keepSecret(props[key]);
    return Object.fromEntries(
      Object.entries(props)
        .filter(([key]) => !hidden.includes(key))
        .map(([key, value]) => [key, unspelled(value)]),
    );
  }
}

/** By name and front door a resource is told from the others of its kind. */
const placeOf = (props: object) => JSON.stringify(pick(props, ["frontdoorId", "name"]));

/** Properties as the engine reads them, secret ones marked. */
function encoded(props: object, secrets = secretOutputsWith()): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(spelled(props) as object).map(([key, value]: [string, unknown]) =>
      value !== unknownText && secrets.includes(key) ? [key, { ...secretMark, value }] : [key, value],
    ),
  );
}

/** Inputs of this host's that the state keeps as they are. */
const kept = ({ __timeouts, __secrets = [] }: Hidden) => ({
  __timeouts,
  __secrets: __secrets.length > 0 ? __secrets : undefined,
});

/** The outputs; for what exists but is not ready, the error by which the engine keeps it as partly created. */
function finished<Outputs extends object>({ id, outputs, unfinished: error }: Made<Outputs>, props: Props) {
  const outs = encoded({ ...outputs, ...kept(props) }, secretOutputsWith(props.__secrets));
  if (!error) return outs;
  const { __provider } = props;
  throw Object.assign(error, { id, properties: { ...outs, __provider }, reasons: [error.message] });
}

/** The dynamic provider of IPsec tunnels. */
export const tunnel = () => new Host((service) => new TunnelLifecycle(service));

/** The dynamic provider of IPsec shares. */
export const share = () => new Host((service) => new ShareLifecycle(service));

/** The dynamic provider of sets of IPsec shares. */
export const shareSet = () => new Host((service) => new ShareSetLifecycle(service));
