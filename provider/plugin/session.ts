import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { checkConfig, type Config } from "../config";
import type { ResourceLines } from "../engine/progress";
import { failed } from "../errors";
import { notConfigured } from "../messages/messages";
import type { Notes } from "../resources/notes";
import { type Common, Resource } from "../resources/resource";
import { shareLifecycle } from "../resources/share/share";
import { shareSetLifecycle } from "../resources/share-set/share-set";
import { tunnelLifecycle } from "../resources/tunnel/tunnel";
import { tunnelConnectionLifecycle } from "../resources/tunnel-connection/tunnel-connection";
import type { Service } from "../service";
import { isSame, settingsOf } from "./configuration";
import { typeOf } from "./requests";
import { decoded, type Properties } from "./values";

/** A resource of any type. The core checks its properties. */
type AnyResource = Resource<Common, Common>;

/** Properties of any type of resource, and the names of those that are secret. */
export interface Props {
  values: Record<string, unknown> & Common & Notes;
  secrets: string[];
}

/** The parts of its process that the adapter uses. */
export interface Process extends ResourceLines {
  open: (config: Config) => Service;
  environment: NodeJS.ProcessEnv;
}

/** The one configuration that a plugin process ever has, and the resources of its service. */
export class Session {
  private settings: Properties | undefined;
  private resources: Record<string, AnyResource> = {};
  /** The URNs of the resources that the program declares. A refresh also compares, but checks nothing. */
  readonly declared = new Set<string>();

  constructor(readonly process: Process) {}

  /** Opens the service of these settings. @throws FrontdoorError `failed` if they are wrong, or differ from those of the first call. */
  configure(settings: Properties): void {
    if (this.settings && !isSame(this.settings, settings)) throw failed(configuredTwice);
    if (this.settings) return;
    const checked = checkConfig(settingsOf(settings.values), this.process.environment);
    if (!("config" in checked)) throw failed(checked.problems.map(({ problem }) => problem).join(" "));
    const service = this.process.open(checked.config);
    this.resources = {
      "frontdoor:index:IpsecTunnel": new Resource(tunnelLifecycle(service), service),
      "frontdoor:index:IpsecShare": new Resource(shareLifecycle(service), service),
      "frontdoor:index:IpsecShareSet": new Resource(shareSetLifecycle(service), service),
      "frontdoor:index:IpsecTunnelConnection": new Resource(tunnelConnectionLifecycle(service), service),
    };
    this.settings = settings;
  }

  /** True if the front door of the configuration is a secret: then it is one in the state also. */
  get isFrontdoorSecret(): boolean {
    return this.settings?.secrets.includes("frontdoorId") ?? false;
  }

  resource(urn: string): AnyResource {
    const resource = this.resources[typeOf(urn)];
    if (resource) return resource;
    if (!this.settings) throw failed(notConfigured);
    throw failed(
      `The frontdoor plugin has no resource type ${typeOf(urn)}. This resource was not changed. Install the plugin of the version that the program uses. [unknown-type]`,
    );
  }
}

/** Returns the properties that the engine sends. No message shows the secret ones from then on. */
export function propsOf(resource: AnyResource, struct: Struct | undefined): Props {
  const properties = decoded(struct);
  for (const name of properties.secrets) resource.keepSecret(properties.values[name]);
  return properties as Props;
}

const configuredTwice =
  "frontdoor: this provider process already has another configuration. This one was not used. Run the command again. [configured-twice]";
