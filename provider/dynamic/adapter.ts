import type { dynamic } from "@pulumi/pulumi";
import type { ReadSetting } from "../config";
import { type ResourceLines, silent } from "../engine/engine";
import { failed, type FrontdoorError } from "../errors";
import { type Planned, UNKNOWN, valueOf } from "../fields/field";
import {
  type Common,
  type Notes,
  type OperationOptions,
  type Outcome,
  Resource,
  secretOutputsWith,
} from "../lifecycle/lifecycle";
import { notConfigured } from "../messages";
import { resources } from "../resources";
import { durationSeconds } from "../time";
import { decoded, encoded, encodedOutputs, lines, type Props, serviceOfProcess, storedInputs } from "./process";

/** Translates the calls of Pulumi's process for dynamic providers, for one kind of resource. */
export class DynamicAdapter<Inputs extends Common, Outputs extends Common> implements dynamic.ResourceProvider {
  private opened: Resource<Inputs, Outputs> | FrontdoorError = failed(notConfigured);
  /** The values that the engine sends only to check: the inputs in the state, if there are any, and the URN. */
  private readonly checked = new Map<string, { oldInputs: Props | undefined; urn: string }>();

  constructor(
    /** Opens the resource with these settings. @throws FrontdoorError if they are wrong. */
    private readonly open: (settings: ReadSetting) => Resource<Inputs, Outputs>,
    private readonly lines: ResourceLines = silent,
  ) {}

  /**
   * Ends before it first awaits: Pulumi's process calls this once, and makes other calls without waiting for it. Never throws: check tells
   * what is wrong with the settings.
   */
  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    try {
      this.opened = this.open((key) => config.get(key));
    } catch (error) {
      this.opened = error as FrontdoorError;
    }
    return Promise.resolve();
  }

  /** @throws FrontdoorError if the settings are wrong. */
  private get resource(): Resource<Inputs, Outputs> {
    if (this.opened instanceof Error) throw this.opened;
    return this.opened;
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async check(olds: Props, news: Props): Promise<dynamic.CheckResult> {
    if (this.opened instanceof Error)
      return { inputs: news, failures: [{ property: "", reason: this.opened.message }] };
    const resource = this.opened;
    const { __origin, __tunnel: tunnel, __retained: isRetained = false, __secrets: secrets = [] } = news;
    const declared = {
      news: decoded(resource, news),
      olds,
      origin: __origin,
      tunnel,
      isRetained,
      secrets,
    };
    const { inputs, failures, aliased = [], requestLine } = resource.check(declared);
    const urn = urnIn(__origin);
    const oldInputs = Object.keys(olds).length > 0 ? olds : undefined;
    this.checked.set(identityOf(inputs, olds), { oldInputs, urn });
    if (requestLine !== undefined) void this.lines.show(urn, requestLine);
    const secretInputs = [...aliased, ...secretOutputsWith(secrets)];
    return { inputs: encoded({ ...inputs, ...storedInputs(news) }, secretInputs), failures };
  }

  async diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    const { resource } = this;
    const inputs = decoded(resource, news) as Planned<Inputs> & Notes;
    const outputs = decoded(resource, olds) as Outputs;
    const checked = this.checked.get(identityOf(inputs, outputs));
    const stored = checked?.oldInputs;
    const diff = await resource.diff(id, outputs, inputs, stored && decoded(resource, stored));
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
    const { resource } = this;
    const made = await resource.create(decoded(resource, props) as Inputs, this.operationOf(props, "create"));
    return { id: made.id, outs: outputsOrError(made, props) };
  }

  async read(id: string, props: Props): Promise<dynamic.ReadResult> {
    const { resource } = this;
    // A `get` sends only the id, and the text by which Pulumi finds this package.
    const stored = decoded(resource, props);
    const seen = await resource.read(id, Object.keys(stored).length > 0 ? (stored as Outputs) : undefined);
    if (!seen) return {};
    const inputs = seen.inputs && encoded({ ...seen.inputs, ...storedInputs(props) });
    return { id: seen.id, props: encodedOutputs(seen.outputs, props), ...(inputs && { inputs }) };
  }

  async update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult> {
    const { resource } = this;
    const [outputs, inputs] = [decoded(resource, olds) as Outputs, decoded(resource, news) as Inputs];
    return { outs: outputsOrError(await resource.update(id, outputs, inputs, this.operationOf(news, "update")), news) };
  }

  async delete(id: string, props: Props): Promise<void> {
    const { resource } = this;
    await resource.delete(id, decoded(resource, props) as Outputs, this.operationOf(props, "delete"));
  }

  private operationOf(props: Props, kind: "create" | "update" | "delete"): OperationOptions {
    const urn = this.checked.get(identityOf(props))?.urn;
    const report = (line: string) => {
      if (urn) this.lines.showProgress(urn, line);
    };
    return { timeoutSeconds: durationSeconds(props.__timeouts?.[kind]), report };
  }
}

const urnIn = (origin = "") => origin.slice(origin.indexOf("urn:"));

/**
 * Name and front door tell a resource from the others of its kind; a connection has its tunnel's id instead of a name. A value that is
 * not known yet counts as the one in the state.
 */
const identityOf = (props: object, olds: object = {}) =>
  JSON.stringify(
    ["frontdoorId", "name", "tunnelId"].map((key) => valueOf(valueOf(props, key) === UNKNOWN ? olds : props, key)),
  );

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
    const open = (settings: ReadSetting): Resource<Common, Common> => {
      const service = serviceOfProcess(settings);
      return new Resource(lifecycle(service), service);
    };
    const name = type.replace(/^Ipsec(.)/, (_, first: string) => first.toLowerCase());
    return [name, () => new DynamicAdapter(open, lines)];
  }),
);
