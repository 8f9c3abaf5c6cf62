import {
  CheckFailure,
  CheckRequest,
  CheckResponse,
  ConfigureResponse,
  type ConfigureRequest,
  CreateResponse,
  type CreateRequest,
  type DeleteRequest,
  DiffResponse,
  type DiffRequest,
  ErrorResourceInitFailed,
  PropertyDiff,
  ReadResponse,
  type ReadRequest,
  UpdateResponse,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { checkConfig, type Config } from "../config";
import { failed } from "../errors";
import { propertyOf } from "../resources/changes";
import type { Change, Declaration, Made } from "../resources/lifecycle";
import type { Notes } from "../resources/notes";
import { Resource, secretOutputsWith } from "../resources/resource";
import { shareLifecycle } from "../resources/share/share";
import { shareSetLifecycle } from "../resources/share-set/share-set";
import { tunnelLifecycle } from "../resources/tunnel/tunnel";
import type { Service } from "../service";
import { diffOfConfiguration, isSame, settingsOf } from "./configuration";
import { decoded, encoded, type Properties } from "./values";

/** Either kind of resource: what its properties are is the core's to check. */
type AnyResource = Resource<{ name: string }, { name: string }>;

/** Properties of either kind, and the names of those that hold a secret. */
interface Props {
  values: Record<string, unknown> & { name: string } & Notes;
  secrets: string[];
}

/** What exists but is not ready: with it the engine keeps the resource as partly created. */
export class PartlyMade extends Error {
  constructor(readonly detail: ErrorResourceInitFailed) {
    super(detail.getReasonsList().join("; "));
  }
}

/** What the host needs of its process. */
export interface Process {
  open: (config: Config) => Service;
  environment: NodeJS.ProcessEnv;
  /** Shows how a wait stands beside the resource of this URN. */
  showProgress: (urn: string, progress: string) => void;
}

const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;

/** Pulumi's calls of a provider plugin about resources in, a resource's out. One configuration, and so one service, is all it ever has. */
export class Host {
  private service: Service | undefined;
  private settings: Properties | undefined;
  private resources: Record<string, AnyResource> = {};
  /** The front door of the configuration is a secret: it has to be one in the state too. */
  private isFrontdoorSecret = false;

  constructor(private readonly process: Process) {}

  /** Asked of the provider itself, and of the one that a resource had before. */
  diffConfig(request: DiffRequest): DiffResponse {
    return diffOfConfiguration(request);
  }

  /** @throws FrontdoorError `failed` if the settings are wrong, or differ from those of the first call. */
  configure(request: ConfigureRequest): ConfigureResponse {
    const settings = decoded(request.getArgs());
    if (this.settings && !isSame(this.settings, settings)) throw failed(configuredTwice);
    if (!this.settings) this.open(settings);
    this.settings = settings;
    return new ConfigureResponse()
      .setAcceptsecrets(true)
      .setSupportspreview(true)
      .setSupportsAutonamingConfiguration(true);
  }

  private open({ values, secrets }: Properties): void {
    const checked = checkConfig(settingsOf(values), this.process.environment);
    if (!("config" in checked)) throw failed(checked.problems.map(({ problem }) => problem).join("; "));
    const service = this.process.open(checked.config);
    this.service = service;
    this.isFrontdoorSecret = secrets.includes("frontdoorId");
    this.resources = {
      "frontdoor:index:IpsecTunnel": new Resource(tunnelLifecycle(service), service),
      "frontdoor:index:IpsecShare": new Resource(shareLifecycle(service), service),
      "frontdoor:index:IpsecShareSet": new Resource(shareSetLifecycle(service), service),
    };
  }

  check(request: CheckRequest): CheckResponse {
    const urn = request.getUrn();
    const resource = this.resource(urn);
    const { values: olds } = this.props(resource, request.getOlds());
    const { values: news, secrets } = this.props(resource, request.getNews());
    const origin = originOf(urn);
    const declaration = { news, olds, origin, secrets, autonaming: autonamingOf(request) };
    const { inputs, failures, moved = [] } = resource.check(declaration);
    // One that was given under another spelling is as secret as it was there.
    const spelled = secrets.some((name) => !(name in inputs)) ? moved : [];
    const configured = this.isFrontdoorSecret && news["frontdoorId"] == null ? ["frontdoorId"] : [];
    return new CheckResponse()
      .setInputs(encoded(inputs, [...secrets, ...spelled, ...configured, ...secretOutputsWith(secrets)]))
      .setFailuresList(
        failures.map(({ property, reason }) => new CheckFailure().setProperty(property).setReason(reason)),
      );
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const resource = this.resource(request.getUrn());
    const { values: oldInputs } = this.props(resource, request.getOldInputs());
    const diff = await resource.diff(
      request.getId(),
      this.props(resource, request.getOlds()).values,
      this.props(resource, request.getNews()).values,
      request.hasOldInputs() ? oldInputs : undefined,
    );
    const response = new DiffResponse()
      .setChanges(diff.changes ? DIFF_SOME : DIFF_NONE)
      .setReplacesList(diff.replaces)
      .setDeletebeforereplace(diff.deleteBeforeReplace)
      .setDiffsList([...new Set(Object.keys(diff.properties).map(propertyOf))])
      .setHasdetaileddiff(true);
    for (const [property, change] of Object.entries(diff.properties)) {
      response.getDetaileddiffMap().set(property, new PropertyDiff().setKind(kinds[change]).setInputdiff(true));
    }
    return response;
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const resource = this.resource(request.getUrn());
    const { values, secrets } = this.props(resource, request.getProperties());
    // gRPC keeps the request until it is answered: of thousands of shares it is as large as all else.
    request.clearProperties();
    if (request.getPreview())
      return new CreateResponse().setProperties(outputs(resource.knownOutputs(values), secrets));
    const made = await resource.create(values, this.operation(request));
    return new CreateResponse().setId(made.id).setProperties(finished(made, secrets));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const resource = this.resource(request.getUrn());
    const { values, secrets } = this.props(resource, request.getProperties());
    // Without what an earlier run has seen (import, get) there is the id alone.
    const isRefresh = "status" in values;
    const seen = await resource.read(request.getId(), isRefresh ? values : undefined);
    if (!seen) return new ReadResponse();
    const before = this.props(resource, request.getInputs());
    const properties = outputs(seen.outputs, [...secrets, ...before.secrets]);
    const inputs = seen.inputs && encoded(seen.inputs, [...secrets, ...before.secrets]);
    const { status } = seen.outputs as { status?: string };
    if (!isRefresh || status === "DEPLOYED")
      return new ReadResponse().setId(seen.id).setProperties(properties).setInputs(inputs);
    const reason = `the service shows it as ${status ?? "unknown"}: the next "pulumi up" waits on or mends it`;
    throw new PartlyMade(
      new ErrorResourceInitFailed()
        .setId(seen.id)
        .setProperties(properties)
        .setInputs(inputs ?? request.getInputs())
        .setReasonsList([reason]),
    );
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const resource = this.resource(request.getUrn());
    const olds = this.props(resource, request.getOlds()).values;
    const { values, secrets } = this.props(resource, request.getNews());
    request.clearOlds();
    request.clearNews();
    request.clearOldInputs();
    if (request.getPreview())
      return new UpdateResponse().setProperties(outputs(resource.knownOutputs(values, olds), secrets));
    const made = await resource.update(request.getId(), olds, values, this.operation(request));
    return new UpdateResponse().setProperties(finished(made, secrets));
  }

  async delete(request: DeleteRequest): Promise<void> {
    const resource = this.resource(request.getUrn());
    const { values } = this.props(resource, request.getProperties());
    request.clearProperties();
    await resource.delete(request.getId(), values, this.operation(request));
  }

  private resource(urn: string): AnyResource {
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const resource = this.resources[type];
    if (resource) return resource;
    const known = Object.keys(this.resources).join(", ");
    throw failed(this.service ? `frontdoor has no resource type ${type}; there are: ${known}` : notConfigured);
  }

  /** The properties that the engine gives; of what is secret among them the core takes note. */
  private props(resource: AnyResource, struct: Parameters<typeof decoded>[0]): Props {
    const properties = decoded(struct);
    for (const name of properties.secrets) resource.keepSecret(properties.values[name]);
    return properties as Props;
  }

  private operation(request: CreateRequest | UpdateRequest | DeleteRequest) {
    const seconds = request.getTimeout();
    return {
      timeoutSeconds: seconds > 0 ? seconds : undefined,
      report: (progress: string) => {
        this.process.showProgress(request.getUrn(), progress);
      },
    };
  }
}

const notConfigured = "the engine has not configured the provider";

const configuredTwice =
  "frontdoor: this provider process already has another configuration. Nothing was changed. Run the command again. [configured-twice]";

/**
 * The engine does not tell plugins the organization of a stack: URNs are told apart by project and stack. The type is that of the
 * dynamic host's, so that what a run begins with one host the next one can go on with on the other.
 */
const originOf = (urn: string) =>
  `organization::${urn.replace(/\bfrontdoor:index:(?=Ipsec(Tunnel|Share|ShareSet)\b)/g, "pulumi-nodejs:dynamic/frontdoor:")}`;

function autonamingOf(request: CheckRequest): Declaration["autonaming"] {
  const autonaming = request.getAutonaming();
  if (!autonaming) return undefined;
  const { DISABLE } = CheckRequest.AutonamingOptions.Mode;
  return autonaming.getMode() === DISABLE ? "disabled" : { proposedName: autonaming.getProposedName() };
}

const kinds: Record<Change, PropertyDiff.Kind> = {
  add: PropertyDiff.Kind.ADD,
  "add-replace": PropertyDiff.Kind.ADD_REPLACE,
  delete: PropertyDiff.Kind.DELETE,
  "delete-replace": PropertyDiff.Kind.DELETE_REPLACE,
  update: PropertyDiff.Kind.UPDATE,
  "update-replace": PropertyDiff.Kind.UPDATE_REPLACE,
};

const outputs = (values: object, secrets: readonly string[]) =>
  encoded(values, [...secrets, ...secretOutputsWith(secrets)]);

/** The outputs. @throws PartlyMade where it is not ready. */
function finished({ id, outputs: made, unfinished }: Made<object>, secrets: readonly string[]) {
  const properties = outputs(made, secrets);
  if (!unfinished) return properties;
  throw new PartlyMade(
    new ErrorResourceInitFailed().setId(id).setProperties(properties).setReasonsList([unfinished.message]),
  );
}
