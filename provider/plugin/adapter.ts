import { isDeepStrictEqual } from "node:util";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { checkConfig, type Config, configKeys, secretKeys, strangeSetting } from "../config";
import type { ResourceLines } from "../engine/engine";
import { failed } from "../errors";
import { UNKNOWN } from "../fields/field";
import { type Common, type Declaration, type Notes, Resource, secretOutputsWith } from "../lifecycle/lifecycle";
import { notConfigured } from "../messages";
import type { Service } from "../operations/service";
import { resources } from "../resources";
import { Functions } from "./functions";
import {
  autonamingOf,
  checkResponse,
  decoded,
  diffResponse,
  encoded,
  operationOf,
  originOf,
  outputsOrError,
  outputsStruct,
  type Properties,
  readResponse,
  typeOf,
} from "./server";

/** A resource of any type. The core checks its properties. */
type AnyResource = Resource<Common, Common>;

/** The parts of its process that the adapter uses. */
interface Process extends ResourceLines {
  open: (config: Config) => Service;
  environment: NodeJS.ProcessEnv;
}

/** The service that a process has opened, with its resources and functions. */
interface Opened {
  settings: Properties;
  service: Service;
  resources: Map<string, AnyResource>;
  functions: Functions;
}

/** Translates the engine's calls of a provider plugin. A plugin process has only one configuration ever. */
export class PluginAdapter {
  /** Undefined until the engine has configured the provider. */
  opened: Opened | undefined;
  /** The URNs of the resources that the program declares. A refresh also compares, but checks nothing. */
  private readonly declared = new Set<string>();

  constructor(private readonly process: Process) {}

  /** Opens the service of these settings. @throws FrontdoorError `failed` if they are wrong, or differ from those of the first call. */
  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    const settings = decoded(request.getArgs());
    if (this.opened && !isSame(this.opened.settings, settings)) throw failed(configuredTwice);
    this.opened ??= this.open(settings, placesOf(request.getUrn()));
    const response = new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    return response.setSupportsAutonamingConfiguration(true);
  }

  private open(settings: Properties, placeOf: PlaceOf | undefined): Opened {
    const checked = checkConfig(settingsOf(settings.values), this.process.environment, placeOf);
    if (!("config" in checked)) throw failed(checked.problems.map(({ problem }) => problem).join(" "));
    const service = this.process.open(checked.config);
    const resourceOf = ({ lifecycle }: (typeof resources)[keyof typeof resources]) =>
      new Resource(lifecycle(service), service);
    const byType = Object.entries(resources).map(
      ([type, each]) => [`frontdoor:index:${type}`, resourceOf(each)] as const,
    );
    return { settings, service, resources: new Map<string, AnyResource>(byType), functions: new Functions(service) };
  }

  private resource(urn: string): AnyResource {
    if (!this.opened) throw failed(notConfigured);
    const resource = this.opened.resources.get(typeOf(urn));
    if (resource) return resource;
    throw failed(
      `The frontdoor plugin has no resource type ${typeOf(urn)}. This resource was not changed. Install the plugin of the version that the program uses. [unknown-type]`,
    );
  }

  check(request: messages.CheckRequest): messages.CheckResponse {
    const [urn, resource] = [request.getUrn(), this.resource(request.getUrn())];
    this.declared.add(urn);
    const { values: olds } = propsOf(resource, request.getOlds());
    const { values: news, secrets }: Properties = propsOf(resource, request.getNews());
    const declared = { news, olds, origin: originOf(urn), secrets, autonaming: autonamingOf(request) };
    const checked = resource.check({ ...declared, ...hiddenIn(request.getNews()) });
    const { inputs, failures, aliased = [], requestLine } = checked;
    if (requestLine !== undefined) void this.process.show(urn, requestLine);
    // The engine marks the alias as secret, not the name. It does not say which alias, so all aliased inputs become secret.
    const alsoSecret = secrets.some((name) => !(name in inputs)) ? aliased : [];
    // A front door that is a secret of the configuration is one in the state also.
    const isSecret = this.opened?.settings.secrets.includes("frontdoorId") && news["frontdoorId"] == null;
    const configured = isSecret ? ["frontdoorId"] : [];
    return checkResponse(inputs, [...secrets, ...alsoSecret, ...configured, ...secretOutputsWith(secrets)], failures);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const resource = this.resource(request.getUrn());
    const { values: oldInputs } = propsOf(resource, request.getOldInputs());
    const { values: olds } = propsOf(resource, request.getOlds());
    const { values: news } = propsOf(resource, request.getNews());
    const diff = await resource.diff(request.getId(), olds, news, request.hasOldInputs() ? oldInputs : undefined);
    const urn = request.getUrn();
    if (diff.requestLine !== undefined && this.declared.has(urn)) await this.process.show(urn, diff.requestLine);
    return diffResponse(diff);
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const resource = this.resource(request.getUrn());
    const { values, secrets } = propsOf(resource, request.getProperties());
    // gRPC keeps the request until it is answered, and the requests of thousands of shares are as large as all else.
    request.clearProperties();
    if (request.getPreview())
      return new messages.CreateResponse().setProperties(outputsStruct(resource.preview(values), secrets));
    const made = await resource.create(values, operationOf(request, this.process.showProgress));
    return new messages.CreateResponse().setId(made.id).setProperties(outputsOrError(made, secrets));
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const resource = this.resource(request.getUrn());
    const { values, secrets } = propsOf(resource, request.getProperties());
    // An import or a `get` sends only the id.
    const isRefresh = "status" in values || "tunnelId" in values;
    const seen = await resource.read(request.getId(), isRefresh ? values : undefined);
    if (!seen) return new messages.ReadResponse();
    const inputs = propsOf(resource, request.getInputs());
    return readResponse(seen, request, [...secrets, ...inputs.secrets], isRefresh);
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const resource = this.resource(request.getUrn());
    const { values: olds } = propsOf(resource, request.getOlds());
    const { values, secrets } = propsOf(resource, request.getNews());
    request.clearOlds();
    request.clearNews();
    request.clearOldInputs();
    if (request.getPreview())
      return new messages.UpdateResponse().setProperties(outputsStruct(resource.preview(values, olds), secrets));
    const operation = operationOf(request, this.process.showProgress);
    return new messages.UpdateResponse().setProperties(
      outputsOrError(await resource.update(request.getId(), olds, values, operation), secrets),
    );
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const resource = this.resource(request.getUrn());
    const { values } = propsOf(resource, request.getProperties());
    request.clearProperties();
    await resource.delete(request.getId(), values, operationOf(request, this.process.showProgress));
  }

  /** Returns the functions. @throws FrontdoorError `failed` if the engine has not configured the provider. */
  get functions(): Functions {
    if (this.opened) return this.opened.functions;
    throw failed(notConfigured);
  }
}

/** Returns the hidden inputs of check (`HiddenInputs`). */
function hiddenIn(struct: Struct | undefined): Pick<Declaration, "tunnel" | "isRetained"> {
  const hidden = struct?.getFieldsMap();
  return {
    tunnel: hidden?.get("__tunnel")?.getStringValue(),
    isRetained: hidden?.get("__retained")?.getBoolValue() ?? false,
  };
}

/** Properties of any type of resource, and the names of those that are secret. */
interface Props {
  values: Record<string, unknown> & Common & Notes;
  secrets: string[];
}

/** Returns the properties that the engine sends. No message shows the secret ones from then on. */
function propsOf(resource: AnyResource, struct: Struct | undefined): Props {
  const properties = decoded(struct);
  for (const name of properties.secrets) resource.keepSecret(properties.values[name]);
  return properties as Props;
}

const configuredTwice =
  "frontdoor: this provider process already has another configuration. This one was not used. Run the command again. [configured-twice]";

/** Settings that the engine itself adds: to a stack's configuration the first two (`sdk/settings.ts`), to a plugin's all. */
const ofEngine = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** Returns a function that returns a setting as text; undefined if the setting is not given, or not known yet. SDKs also send numbers and booleans. */
const settingsOf =
  (values: Record<string, unknown>) =>
  (key: string): string | undefined => {
    const value = values[key];
    return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
  };

type PlaceOf = (key: string) => string;

/** Returns the places of settings in messages: those of a `Provider` of the program are its arguments. Undefined for a default provider. */
function placesOf(urn = ""): PlaceOf | undefined {
  const name = urn.split("::").slice(3).join("::");
  return name === "" || /^default(_|$)/.test(name) ? undefined : (key) => `${key} of Provider "${name}"`;
}

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
  const checked = checkConfig(settingsOf(values), environment, placesOf(request.getUrn()));
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
