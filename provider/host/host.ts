import { type Config, warningsOf } from "../config";
import { has, type Table } from "../fields/field";
import type { ResourceType } from "../fields/types";
import { openPool } from "../http/send";
import { type Common, type Declaration, type OperationOptions, Resource } from "../lifecycle/lifecycle";
import { openService, type Service } from "../operations/service";
import { resources } from "../resources";
import { recordFiles, recordFolder, sayOnce } from "../run/files";
import { systemClock } from "../time";
import type { ResourceLines } from "./engine";
import { decoded, type Properties } from "./values";

/** One operation on a resource. */
export interface Step {
  type: ResourceType;
  /** Empty if the protocol does not tell: then the engine shows no lines beside the resource. */
  urn: string;
  /** Empty before a create. */
  id: string;
  /** The outputs in the state. An import has none, and a `get` can have a few. */
  state: Properties;
  inputs: Properties;
  /** The inputs in the state. Undefined if the protocol does not tell. */
  oldInputs?: Properties | undefined;
  /** The timeout that the program sets. */
  seconds?: number | undefined;
  /** True for a create or an update in a preview. */
  isPreview?: boolean;
}

/** The resources of one service, for both of Pulumi's protocols. */
export class Host {
  private readonly resources: Record<ResourceType, Resource<Common, Common>>;
  /** The URNs of the resources that the program declares. A refresh also compares, but checks nothing and shows no lines. */
  private readonly declared = new Set<string>();

  constructor(
    readonly service: Service,
    private readonly lines?: ResourceLines,
  ) {
    const resourceOf = ({ lifecycle }: (typeof resources)[ResourceType]) => new Resource(lifecycle(service), service);
    const made = Object.entries(resources).map(([type, each]) => [type, resourceOf(each)] as const);
    this.resources = Object.fromEntries(made) as typeof this.resources;
  }

  /** Decodes properties as the engine sends them. No message shows the secret ones from then on. */
  decoded(props: object | undefined): Properties {
    const properties = decoded(props);
    for (const name of properties.secrets) this.service.secrets.addAll(properties.values[name]);
    return properties;
  }

  check({ type, urn }: Pick<Step, "type" | "urn">, declaration: Declaration) {
    const { requestLine, ...checked } = this.resources[type].check(declaration);
    if (urn !== "") this.declared.add(urn);
    if (requestLine !== undefined) void this.lines?.show(urn, requestLine);
    return checked;
  }

  async diff({ type, urn, id, state, inputs, oldInputs }: Step) {
    const diff = await this.resources[type].diff(id, state.values, inputs.values, oldInputs?.values);
    if (diff.requestLine !== undefined && this.declared.has(urn)) await this.lines?.show(urn, diff.requestLine);
    return diff;
  }

  async create(step: Step) {
    const [resource, { values }] = [this.resources[step.type], step.inputs];
    return step.isPreview
      ? { id: "", outputs: resource.preview(values) }
      : resource.create(values, this.operationOf(step));
  }

  /** Returns undefined if the resource is gone. */
  async read({ type, id, state: { values } }: Step) {
    const isRefresh = isState(resources[type].fields, values);
    const seen = await this.resources[type].read(id, isRefresh ? values : undefined);
    return seen && { ...seen, isRefresh };
  }

  async update(step: Step) {
    const [resource, { id, state, inputs }] = [this.resources[step.type], step];
    return step.isPreview
      ? { id, outputs: resource.preview(inputs.values, state.values) }
      : resource.update(id, state.values, inputs.values, this.operationOf(step));
  }

  async delete(step: Step): Promise<void> {
    await this.resources[step.type].delete(step.id, step.state.values, this.operationOf(step));
  }

  private operationOf({ urn, seconds }: Step): OperationOptions {
    const report = (line: string) => {
      if (urn !== "") this.lines?.showProgress(urn, line);
    };
    return { timeoutSeconds: seconds, report };
  }
}

/** True for a state, which has a status if the resource has one. */
const isState = (fields: Table, values: object): boolean =>
  Object.keys(values).length > 0 && has(values, "status") === has(fields, "status");

/** Opens the resources with this machine's clock, network and creation records. */
export function openHost(config: Config, say: (line: string) => void, lines: ResourceLines): Host {
  for (const line of warningsOf(config)) say(line);
  const records = recordFiles(recordFolder(config.baseUrl, process.env), sayOnce(say));
  const transport = openPool(config.requestTimeoutMs);
  return new Host(openService({ config, clock: systemClock, transport, say, records }), lines);
}
