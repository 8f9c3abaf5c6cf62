import type { Config } from "../config";
import { has } from "../fields/field";
import type { ResourceType } from "../fields/types";
import { openPool } from "../http/send";
import { type Common, Resource, type ResourceLines } from "../lifecycle/lifecycle";
import { openService, type Service } from "../run/service";
import { resources } from "../resources";
import { recordFiles, recordFolder, sayOnce } from "../run/files";
import { systemClock } from "../time";
import { decoded, type Properties, type Values } from "./values";

/** The resources of one service, for both of Pulumi's protocols. */
export class Host {
  readonly resources: Record<ResourceType, Resource<Common, Common>>;

  constructor(
    readonly service: Service,
    lines?: ResourceLines,
  ) {
    const made = Object.entries(resources).map(
      ([type, { lifecycle }]) => [type, new Resource(lifecycle(service), service, lines)] as const,
    );
    this.resources = Object.fromEntries(made) as typeof this.resources;
  }

  /** Decodes properties as the engine sends them. No message shows the secret ones from then on. */
  decoded(props: object | undefined): Properties {
    const properties = decoded(props);
    for (const name of properties.secrets) this.service.secrets.addAll(properties.values[name]);
    return properties;
  }
}

/**
 * Returns the state that a read gets; undefined if an import or a `get` sends none, or only some properties. A state has a status if the
 * resource has one.
 */
export function stateIn(type: ResourceType, { values }: Properties): Values | undefined {
  const isState = Object.keys(values).length > 0 && has(values, "status") === has(resources[type].fields, "status");
  return isState ? values : undefined;
}

/** Opens the resources with this machine's clock, network and creation records. */
export function openHost(config: Config, say: (line: string) => void, lines: ResourceLines): Host {
  if (config.warning !== undefined) say(config.warning);
  const records = recordFiles(recordFolder(config.baseUrl, process.env), sayOnce(say));
  const transport = openPool(config.requestTimeoutMs);
  return new Host(openService({ config, clock: systemClock, transport, say, records }), lines);
}
