import type { dynamic } from "@pulumi/pulumi";
import { type ResourceLines, silent } from "../engine/engine";
import type { Planned } from "../fields/field";
import {
  type Common,
  type Notes,
  type OperationOptions,
  type Outcome,
  Resource,
  secretOutputsWith,
} from "../lifecycle/lifecycle";
import { resources } from "../resources";
import { durationSeconds } from "../time";
import {
  decoded,
  encoded,
  encodedOutputs,
  lines,
  type OpenResource,
  type Props,
  serviceOfProcess,
  Session,
  showingOnce,
  storedInputs,
} from "./process";

/** Translates the calls of Pulumi's process for dynamic providers, for one kind of resource. */
export class DynamicAdapter<Inputs extends Common, Outputs extends Common> implements dynamic.ResourceProvider {
  private readonly session: Session<Inputs, Outputs>;

  constructor(
    open: OpenResource<Inputs, Outputs>,
    private readonly lines: ResourceLines = silent,
  ) {
    this.session = new Session(open);
  }

  /** Ends before it first awaits: Pulumi's process calls this once, and makes other calls without waiting for it. */
  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.session.configure((key) => config.get(key));
    return Promise.resolve();
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async check(olds: Props, news: Props): Promise<dynamic.CheckResult> {
    const { problem } = this.session;
    if (problem !== undefined) return { inputs: news, failures: [{ property: "", reason: problem }] };
    const { resource } = this.session;
    const { __origin: origin, __tunnel: tunnel, __retained: isRetained = false, __secrets: secrets = [] } = news;
    const declared = { news: decoded(resource, news), olds, origin, tunnel, isRetained, secrets, isUp: news.__isUp };
    const { inputs, failures, aliased = [] } = resource.check(declared);
    this.session.remember(inputs, { olds, origin });
    const secretInputs = [...aliased, ...secretOutputsWith(secrets)];
    return { inputs: encoded({ ...inputs, ...storedInputs(news) }, secretInputs), failures };
  }

  async diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    const { resource } = this.session;
    const inputs = decoded(resource, news) as Planned<Inputs> & Notes;
    const checked = this.session.checkedOf(news);
    const stored = checked?.oldInputs;
    const diff = await resource.diff(
      id,
      decoded(resource, olds) as Outputs,
      inputs,
      stored && decoded(resource, stored),
    );
    const { replaces, deleteBeforeReplace, isOfInputs, properties, requestLine } = diff;
    if (checked?.urn && requestLine !== undefined) await this.lines.show(checked.urn, requestLine);
    // Without `changes`, the engine compares the inputs itself, which replaceOnChanges needs. The engine can see the change only if a
    // property differs. None differs after a refresh by an older version of Pulumi's process, which does not keep the inputs that it reads.
    if (isOfInputs && Object.keys(properties).length > 0) return { deleteBeforeReplace };
    // The state of a resource that the plugin created lacks `__provider`. An update adds it, and writes nothing to the service.
    const changes = diff.changes || (news.__provider !== undefined && olds.__provider === undefined);
    return { changes, replaces, deleteBeforeReplace };
  }

  async create(props: Props): Promise<dynamic.CreateResult> {
    const { resource } = this.session;
    const made = await resource.create(decoded(resource, props) as Inputs, this.operationOf(props, "create"));
    return { id: made.id, outs: outputsOrError(made, props) };
  }

  async read(id: string, props: Props): Promise<dynamic.ReadResult> {
    const { resource } = this.session;
    // A `get` sends only the id, and the text by which Pulumi finds this package.
    const stored = decoded(resource, props);
    const seen = await resource.read(id, Object.keys(stored).length > 0 ? (stored as Outputs) : undefined);
    if (!seen) return {};
    const inputs = seen.inputs && encoded({ ...seen.inputs, ...storedInputs(props) });
    return { id: seen.id, props: encodedOutputs(seen.outputs, props), ...(inputs && { inputs }) };
  }

  async update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult> {
    const { resource } = this.session;
    const [outputs, inputs] = [decoded(resource, olds) as Outputs, decoded(resource, news) as Inputs];
    return { outs: outputsOrError(await resource.update(id, outputs, inputs, this.operationOf(news, "update")), news) };
  }

  async delete(id: string, props: Props): Promise<void> {
    const { resource } = this.session;
    await resource.delete(id, decoded(resource, props) as Outputs, this.operationOf(props, "delete"));
  }

  private operationOf(props: Props, kind: "create" | "update" | "delete"): OperationOptions {
    const urn = this.session.checkedOf(props)?.urn;
    const report = (line: string) => {
      if (urn) this.lines.showProgress(urn, line);
    };
    return { timeoutSeconds: durationSeconds(props.__timeouts?.[kind]), report };
  }
}

/** Returns the outputs. @throws the error by which the engine keeps a resource that exists but is not ready. */
function outputsOrError({ id, outputs, unfinished: error }: Outcome<object>, props: Props) {
  const outs = encodedOutputs(outputs, props);
  if (!error) return outs;
  const { __provider } = props;
  throw Object.assign(error, { id, properties: { ...outs, __provider }, reasons: [error.message] });
}

/** The dynamic provider of each type of resource. The bundle exports each one by its name, which `__provider` has (sdk/dynamic.ts). */
export const handlers = Object.fromEntries(
  Object.entries(resources).map(([type, { lifecycle }]) => {
    const open: OpenResource<Common, Common> = (settings) => {
      const service = serviceOfProcess(settings);
      return new Resource(lifecycle(service), service);
    };
    const name = type.replace(/^Ipsec(.)/, (_, first: string) => first.toLowerCase());
    return [name, () => showingOnce(new DynamicAdapter(open, lines))];
  }),
);
