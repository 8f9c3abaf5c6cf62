import { isDeepStrictEqual } from "node:util";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type InvokeRequest, InvokeResponse, type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { checkConfig, type Config, configKeys, secretKeys, strangeSetting } from "../config";
import type { ResourceLines } from "../engine/engine";
import { failed } from "../errors";
import { UNKNOWN } from "../fields/field";
import { ReadCache, type Reads, readsOf } from "../functions/functions";
import { functionTable } from "../functions/table";
import { type Common, type Notes, Resource } from "../lifecycle/lifecycle";
import { notConfigured } from "../messages";
import type { Service } from "../operations/service";
import { resources } from "../resources";
import { decoded, encoded, type Properties, typeOf } from "./server";

/** A resource of any type. The core checks its properties. */
type AnyResource = Resource<Common, Common>;

/** Properties of any type of resource, and the names of those that are secret. */
interface Props {
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
    this.resources = Object.fromEntries(
      Object.entries(resources).map(([type, { lifecycle }]) => [
        `frontdoor:index:${type}`,
        new Resource(lifecycle(service), service),
      ]),
    );
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

/** Settings that the engine itself adds. */
const ofEngine = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** Returns a function that returns a setting as text; undefined if the setting is not given, or not known yet. SDKs also send numbers and booleans. */
const settingsOf =
  (values: Record<string, unknown>) =>
  (key: string): string | undefined => {
    const value = values[key];
    return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
  };

/** True if both have the same values, and the same ones are secret. */
const isSame = (one: Properties, other: Properties): boolean =>
  isDeepStrictEqual([one.values, new Set(one.secrets)], [other.values, new Set(other.secrets)]);

/** Refuses bad settings, each by its name. A setting that is unknown at preview passes. */
export function checkedConfiguration(
  request: messages.CheckRequest,
  environment: NodeJS.ProcessEnv,
): messages.CheckResponse {
  const { values, secrets } = decoded(request.getNews());
  const names = Object.keys(values).filter((name) => !ofEngine.includes(name));
  const strange = names
    .filter((name) => !configKeys.includes(name))
    .map((property) => ({ property, problem: strangeSetting(property) }));
  const checked = checkConfig(settingsOf(values), environment);
  const known = names.filter((name) => values[name] !== UNKNOWN);
  // With unknown settings, a setting that seems to be missing may be one of them.
  const isCertain = ({ property }: { property: string }) => known.length === names.length || known.includes(property);
  const wrong = "config" in checked ? [] : checked.problems.filter(isCertain);
  const marked = [...secrets, ...secretKeys];
  const failures = [...strange, ...wrong].map(({ property, problem }) => {
    // The engine shows the value of the property that a failure names.
    if (marked.includes(property)) return new messages.CheckFailure().setReason(`${property} (a secret): ${problem}`);
    // This value can be the file's content.
    if (property === "credentialsFile") return new messages.CheckFailure().setReason(problem);
    return new messages.CheckFailure().setProperty(property).setReason(problem);
  });
  return new messages.CheckResponse().setInputs(encoded(values, marked)).setFailuresList(failures);
}

/** Never replaces the provider: each resource says whether another front door replaces it. */
export function diffOfConfiguration(request: messages.DiffRequest): messages.DiffResponse {
  const { values: olds } = decoded(request.getOldInputs() ?? request.getOlds());
  const { values: news } = decoded(request.getNews());
  const changed = configKeys.filter((key) => olds[key] !== news[key]);
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList(changed)
    .setHasdetaileddiff(true);
  for (const key of changed)
    response
      .getDetaileddiffMap()
      .set(key, new messages.PropertyDiff().setKind(messages.PropertyDiff.Kind.UPDATE).setInputdiff(true));
  return response;
}

const isFunction = (name: string): name is keyof Reads => name in functionTable;

/** Translates the engine's calls of a provider plugin that only read: functions and lists. */
export class Functions {
  private readonly reads: Reads;
  private readonly cache: ReadCache;

  constructor(private readonly service: Service) {
    this.reads = readsOf(service);
    this.cache = new ReadCache(this.reads);
  }

  async invoke(request: InvokeRequest): Promise<InvokeResponse> {
    const token = request.getTok();
    const name = token.replace("frontdoor:index:", "");
    if (!isFunction(name))
      throw failed(
        `The frontdoor plugin has no function ${token}. Nothing was sent. Use one of: ${Object.keys(functionTable).join(", ")}. [unknown-type]`,
      );
    const answer = await this.service.secrets.cleaned(this.cache.read(name, this.args(request.getArgs())));
    const { property } = functionTable[name];
    const result = property === undefined ? (answer as object) : { [property]: answer };
    return new InvokeResponse().setReturn(encoded(result, ["sampleConfig"]));
  }

  /** Forgets every result: a write may have changed it. */
  forget(): void {
    this.cache.forget();
  }

  /** Lists ids that can be imported, in pages if the request has a limit. */
  async *list(request: ListRequest): AsyncGenerator<ListResponse> {
    const found = await this.service.secrets.cleaned(this.all(request.getToken(), this.args(request.getQuery())));
    const from = Number(request.getContinuationToken());
    const limit = request.getLimit() > 0 ? request.getLimit() : found.length;
    for (const { id, name, frontdoorId } of found.slice(from, from + limit)) {
      const isConfigured = frontdoorId === this.service.config.frontdoorId;
      const result = new ListResponse.Result().setId(isConfigured ? id : `${frontdoorId}/${id}`).setName(name);
      yield new ListResponse().setResult(result);
    }
    if (from + limit >= found.length) return;
    const next = new ListResponse.Continuation().setContinuationToken(String(from + limit));
    yield new ListResponse().setContinuation(next);
  }

  /** Returns the arguments. No message shows the secret ones from then on. */
  private args(struct: Parameters<typeof decoded>[0]): object {
    const { values, secrets } = decoded(struct);
    for (const name of secrets) this.service.secrets.addAll(values[name]);
    return values;
  }

  private async all(token: string, query: object): Promise<{ id: string; name: string; frontdoorId: string }[]> {
    if (token === "frontdoor:index:IpsecTunnel") return (await this.reads.getTunnels(query)).tunnels;
    if (token === "frontdoor:index:IpsecShare") return (await this.reads.getShares(query)).shares;
    throw failed(
      `The frontdoor plugin has no resource type ${token} to list. Nothing was sent. Install the plugin of the version that the program uses. [unknown-type]`,
    );
  }
}
