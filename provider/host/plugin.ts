import { isDeepStrictEqual } from "node:util";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { checkConfig, type Config, configKeys, environmentSettings, secretKeys, strangeSetting } from "../config";
import { settingsIn, together } from "../credentials";
import { failed } from "../errors";
import { UNKNOWN, valueOf } from "../fields/field";
import { resourceTypes } from "../fields/resource-types";
import type { ResourceType } from "../fields/types";
import { ReadCache, type Reads } from "../functions/functions";
import { functionTable } from "../functions/table";
import type { Change, Common, Declaration, Diff, Failure, Outcome } from "../lifecycle/contract";
import { propertyOf } from "../lifecycle/differences";
import type { Resource } from "../lifecycle/lifecycle";
import { notConfigured } from "../messages";
import { decoded, encoded, type Host, type Properties, secretsWith, stateIn, unknownText } from "./host";

/** Translates the engine's calls of a provider plugin. A plugin process has only one configuration ever. */
export class PluginAdapter {
  /** Undefined until the engine has configured the provider. */
  session: Session | undefined;
  /** The reference of the provider that this process serves, for children of components. */
  reference = "";

  constructor(
    private readonly openHost: (config: Config) => Host,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Opens the host of these settings. @throws FrontdoorError `failed` if they are wrong, or differ from those of the first call. */
  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    const settings = propertiesOf(request.getArgs());
    if (this.session && !isDeepStrictEqual(this.session.settings, settings)) throw failed(configuredTwice);
    this.session ??= this.open(settings, request.getUrn() ?? "");
    this.reference = `${request.getUrn() ?? ""}::${request.getId() ?? unknownText}`;
    const response = new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    return response.setAcceptoutputs(true).setSupportsAutonamingConfiguration(true);
  }

  private open(settings: Properties, urn: string): Session {
    const checked = checkSettings(settings.values, urn, this.environment);
    if (!("config" in checked)) throw failed(checked.problems.map(({ problem }) => problem).join(" "));
    const host = this.openHost(checked.config);
    return { settings, host, reads: new ReadCache(host.service) };
  }

  /** @throws FrontdoorError `failed` if the engine has not configured the provider. */
  private get opened(): Session {
    if (this.session) return this.session;
    throw failed(notConfigured);
  }

  private decoded(struct: Struct | undefined): Properties {
    return this.opened.host.decoded(struct?.toJavaScript());
  }

  private resource(request: Call): Resource<Common, Common> {
    return this.opened.host.resources[typeOf(request)];
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const urn = request.getUrn();
    const { values: olds } = this.decoded(request.getOlds());
    const given = this.decoded(request.getNews());
    const { values: news, secrets, secretPaths, hidden } = given;
    const { __tunnel, __retained: isRetained = false } = hidden;
    const tunnel = __tunnel === undefined ? undefined : originOf(__tunnel);
    const declaration = { news, olds, origin: originOf(urn), secrets: secretPaths, tunnel, isRetained };
    const checked = await this.resource(request).check({ ...declaration, autonaming: autonamingOf(request) }, urn);
    const { inputs, failures, aliased = [] } = checked;
    // The engine marks the alias as secret, not the name. It does not say which alias, so all aliased inputs become secret.
    const alsoSecret = secrets.some((name) => !(name in inputs)) ? aliased : [];
    // A front door that is a secret of the configuration is one in the state also.
    const isSecret = this.opened.settings.secrets.includes("frontdoorId") && valueOf(news, "frontdoorId") == null;
    const configured = isSecret ? ["frontdoorId"] : [];
    return checkResponse(withPaths(inputs, given), [...secrets, ...alsoSecret, ...configured], failures);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const { state, inputs, oldInputs } = this.propertiesIn(request);
    const step = { ...callOf(request), id: request.getId(), state: state.values, inputs: inputs.values, oldInputs };
    return diffResponse(await this.resource(request).diff(step));
  }

  /** Decodes the properties, and lets go of each: gRPC keeps a request until it is answered, and those of a large set are as large as all else. */
  private propertiesIn(request: messages.DiffRequest | messages.UpdateRequest) {
    const state = this.decoded(request.getOlds());
    request.clearOlds();
    const inputs = this.decoded(request.getNews());
    request.clearNews();
    const oldInputs = request.hasOldInputs() ? this.decoded(request.getOldInputs()).values : undefined;
    request.clearOldInputs();
    return { state, inputs, oldInputs };
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const inputs = this.decoded(request.getProperties());
    // gRPC keeps the request until it is answered, and the requests of thousands of shares are as large as all else.
    request.clearProperties();
    const step = { ...callOf(request), inputs: inputs.values, secrets: inputs.secretPaths };
    const made = await this.written(this.resource(request).create(step));
    return new messages.CreateResponse().setId(made.id).setProperties(outputsOrError(made, inputs));
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const [state, inputs] = [this.decoded(request.getProperties()), this.decoded(request.getInputs())];
    const whole = stateIn(typeOf(request), state);
    const { seconds } = callOf(request);
    const seen = await this.resource(request).read({
      id: request.getId(),
      state: whole,
      seconds,
      secrets: [...state.secretPaths, ...inputs.secretPaths],
    });
    if (!seen) return new messages.ReadResponse();
    const secrets = [...state.secrets, ...inputs.secrets];
    const properties = structOf(withPaths(seen.outputs, state), secrets);
    const seenInputs = seen.inputs && structOf(withPaths(seen.inputs, state), secrets);
    // A tunnel connection has no status.
    const { status = "DEPLOYED" } = seen.outputs as { status?: string };
    if (!whole || status === "DEPLOYED")
      return new messages.ReadResponse().setId(seen.id).setProperties(properties).setInputs(seenInputs);
    const reason = `Frontdoor shows it as ${status}: the next "pulumi preview" says if "pulumi up" waits, sends the share again or replaces the tunnel [not-ready]`;
    const detail = new messages.ErrorResourceInitFailed().setId(seen.id).setProperties(properties);
    throw new PartlyCreated(detail.setInputs(seenInputs ?? request.getInputs()).setReasonsList([reason]));
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const { state, inputs, oldInputs } = this.propertiesIn(request);
    const { values, secretPaths: secrets } = inputs;
    const step = { ...callOf(request), id: request.getId(), state: state.values, inputs: values, oldInputs, secrets };
    const made = await this.written(this.resource(request).update(step));
    return new messages.UpdateResponse().setProperties(outputsOrError(made, inputs));
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const state = this.decoded(request.getProperties());
    request.clearProperties();
    const step = { ...callOf(request), id: request.getId(), state: state.values };
    await this.written(this.resource(request).delete(step));
  }

  /** Returns the result of a write. The functions forget what they have read: the write may have changed it. */
  private written<Result>(write: Promise<Result>): Promise<Result> {
    return write.finally(() => {
      this.opened.reads.forget();
    });
  }

  async invoke(request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
    const { host, reads } = this.opened;
    const token = request.getTok();
    const name = token.replace("frontdoor:index:", "");
    if (!isFunction(name))
      throw failed(
        `The frontdoor plugin has no function ${token}. Nothing was sent. Use one of: ${Object.keys(functionTable).join(", ")}. [unknown-type]`,
      );
    const { values } = this.decoded(request.getArgs());
    const answer = await host.service.secrets.cleaned(reads.read(name, values));
    const { property, isSecret } = functionTable[name];
    const result = property === undefined ? (answer as object) : { [property]: answer };
    return new messages.InvokeResponse().setReturn(structOf(result, isSecret ? Object.keys(result) : []));
  }

  /** Lists ids that can be imported, in pages if the request has a limit. All pages come from one reading, so none moves between them. */
  async *list(request: messages.ListRequest): AsyncGenerator<messages.ListResponse> {
    const { config, secrets } = this.opened.host.service;
    const { values } = this.decoded(request.getQuery());
    const all = await secrets.cleaned(this.all(request.getToken(), values));
    const from = Number(request.getContinuationToken());
    const limit = request.getLimit() > 0 ? request.getLimit() : all.length;
    for (const { id, name, frontdoorId } of all.slice(from, from + limit)) {
      const importId = frontdoorId === config.frontdoorId ? id : `${frontdoorId}/${id}`;
      yield new messages.ListResponse().setResult(new messages.ListResponse.Result().setId(importId).setName(name));
    }
    if (from + limit >= all.length) return;
    const next = new messages.ListResponse.Continuation().setContinuationToken(String(from + limit));
    yield new messages.ListResponse().setContinuation(next);
  }

  private async all(token: string, query: object): Promise<{ id: string; name: string; frontdoorId: string }[]> {
    const { reads } = this.opened;
    if (token === "frontdoor:index:IpsecTunnel") return (await reads.read("getTunnels", query)).tunnels;
    if (token === "frontdoor:index:IpsecShare") return (await reads.read("getShares", query)).shares;
    throw failed(
      `The frontdoor plugin has no resource type ${token} to list. Nothing was sent. Install the plugin of the version that the program uses. [unknown-type]`,
    );
  }
}

/** What a process has once the engine has configured it. */
interface Session {
  settings: Properties;
  host: Host;
  /** The results of functions, which a write can change. */
  reads: ReadCache;
}

const isFunction = (name: string): name is keyof Reads => name in functionTable;

/** A request about a resource. */
interface Call {
  getUrn: () => string;
  getTimeout?: () => number;
  getPreview?: () => boolean;
}

const callOf = (request: Call) => ({
  urn: request.getUrn(),
  origin: originOf(request.getUrn()),
  seconds: request.getTimeout?.(),
  isPreview: request.getPreview?.() ?? false,
});

function typeOf(request: Call): ResourceType {
  const token = request.getUrn().split("::")[2]?.split("$").at(-1) ?? "";
  const type = resourceTypes.find((one) => token === `frontdoor:index:${one}`);
  if (type) return type;
  throw failed(
    `The frontdoor plugin has no resource type ${token}. This resource was not changed. Install the plugin of the version that the program uses. [unknown-type]`,
  );
}

/**
 * Returns the origin of the resource with this URN. The engine does not tell plugins the organization of a stack. The origin has the
 * type of the dynamic resource, so that the next run can resume an unfinished create with the other adapter.
 */
const originOf = (urn: string): string => `organization::${urn.replace(ownType, "pulumi-nodejs:dynamic/frontdoor:")}`;

const ownType = new RegExp(`\\bfrontdoor:index:(?=(${resourceTypes.join("|")})\\b)`, "g");

/** Returns what the stack's settings say about names, or undefined if they say nothing. */
function autonamingOf(request: messages.CheckRequest): Declaration["autonaming"] {
  const autonaming = request.getAutonaming();
  if (!autonaming) return undefined;
  const { DISABLE } = messages.CheckRequest.AutonamingOptions.Mode;
  return autonaming.getMode() === DISABLE ? "disabled" : { proposedName: autonaming.getProposedName() };
}

/** The error by which the engine keeps a resource that exists but is not ready. */
export class PartlyCreated extends Error {
  constructor(readonly detail: messages.ErrorResourceInitFailed) {
    super(detail.getReasonsList().join("; "));
  }
}

const checkResponse = (inputs: object, secrets: readonly string[], failures: readonly Failure[]) =>
  new messages.CheckResponse()
    .setInputs(structOf(inputs, secrets))
    .setFailuresList(
      failures.map(({ property, reason }) => new messages.CheckFailure().setProperty(property).setReason(reason)),
    );

/** Returns a diff with one entry for each changed property. */
function diffResponse(diff: Omit<Diff, "isOfInputs"> & { properties: Record<string, Change> }): messages.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(diff.changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(diff.replaces)
    .setDeletebeforereplace(diff.deleteBeforeReplace)
    .setDiffsList([...new Set(Object.keys(diff.properties).map(propertyOf))])
    .setHasdetaileddiff(true);
  const { Kind } = messages.PropertyDiff;
  for (const [property, change] of Object.entries(diff.properties)) {
    const kind = Kind[change.toUpperCase().replace("-", "_") as keyof typeof Kind];
    response.getDetaileddiffMap().set(property, new messages.PropertyDiff().setKind(kind).setInputdiff(true));
  }
  return response;
}

/** Returns the outputs for the state. @throws PartlyCreated if the resource is not ready: the next run reads it before it compares. */
export function outputsOrError(made: Outcome<object>, inputs: Pick<Properties, "secrets" | "secretPaths">): Struct {
  const properties = structOf(withPaths(made.outputs, inputs), inputs.secrets);
  if (!made.unfinished) return properties;
  const detail = new messages.ErrorResourceInitFailed().setId(made.id).setProperties(properties);
  detail.setReasonsList([made.unfinished.message]).setRefreshBeforeUpdate(true);
  throw new PartlyCreated(detail);
}

/** Notes the paths of secrets within a property: a mark of the whole, as the state has it, does not tell them. */
function withPaths(values: object, { secretPaths }: Pick<Properties, "secretPaths">): object {
  return secretPaths.some((path) => path !== propertyOf(path)) ? { ...values, __secrets: secretPaths } : values;
}

/** Returns properties as the engine reads them. Those with these names are secret, and so is what is made from them. */
export const structOf = (values: object, secrets: readonly string[] = []): Struct =>
  Struct.fromJavaScript(encoded(values, secretsWith(secrets)) as Record<string, JavaScriptValue>);

/** Returns the properties that the engine sends. */
export const propertiesOf = (struct: Struct | undefined): Properties => decoded(struct?.toJavaScript());

const configuredTwice =
  "frontdoor: this provider process already has another configuration. This one was not used. Run the command again. [configured-twice]";

/** Settings that the engine itself adds: to a stack's configuration the first two (`sdk/settings.ts`), to a plugin's all. */
const ofEngine = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** Checks the settings of the provider with this URN. Those that are not known yet count as not given. */
function checkSettings(values: Record<string, unknown>, urn: string, environment: NodeJS.ProcessEnv) {
  // SDKs also send numbers and booleans.
  const isText = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  const setting = (key: string) => (isText(values[key]) ? String(values[key]) : undefined);
  const name = urn.split("::").slice(3).join("::");
  // The settings of a `Provider` of the program are its arguments.
  const isOfProgram = name !== "" && !/^default(_|$)/.test(name);
  const placeOf = (key: string) => (isOfProgram ? `${key} of Provider "${name}"` : `frontdoor:${key}`);
  return checkConfig(together([settingsIn(configKeys, setting, placeOf), environmentSettings(environment)]));
}

/** Refuses bad settings, each by its name. A setting that is unknown at preview passes. */
export function checkedConfiguration(
  request: messages.CheckRequest,
  environment: NodeJS.ProcessEnv,
): messages.CheckResponse {
  const { values, secrets } = propertiesOf(request.getNews());
  const names = Object.keys(values).filter((name) => !ofEngine.includes(name));
  const strange = names
    .filter((name) => !configKeys.includes(name))
    .map((property) => ({ property, problem: strangeSetting(property) }));
  const checked = checkSettings(values, request.getUrn(), environment);
  const known = names.filter((name) => values[name] !== UNKNOWN);
  // With unknown settings, a setting that seems to be missing may be one of them.
  const isCertain = ({ property }: { property: string }) => known.length === names.length || known.includes(property);
  const wrong = "config" in checked ? [] : checked.problems.filter(isCertain);
  const marked = [...secrets, ...secretKeys];
  const failures = [...strange, ...wrong].map(({ property, problem }) => {
    // The engine shows the value of the property that a failure names.
    if (marked.includes(property)) return { property: "", reason: `${property} (a secret): ${problem}` };
    // This value can be the file's content.
    return { property: property === "credentialsFile" ? "" : property, reason: problem };
  });
  return checkResponse(values, marked, failures);
}

/** Never replaces the provider: each resource says whether another front door replaces it. */
export function diffOfConfiguration(request: messages.DiffRequest): messages.DiffResponse {
  const { values: olds } = propertiesOf(request.getOldInputs() ?? request.getOlds());
  const { values: news } = propertiesOf(request.getNews());
  const changed = configKeys.filter((key) => olds[key] !== news[key]).map((key) => [key, "update"] as const);
  const diff = { changes: changed.length > 0, replaces: [], deleteBeforeReplace: false };
  return diffResponse({ ...diff, properties: Object.fromEntries(changed) });
}
