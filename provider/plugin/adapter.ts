import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { secretOutputsWith } from "../lifecycle/lifecycle";
import {
  autonamingOf,
  checkResponse,
  decoded,
  diffResponse,
  operationOf,
  originOf,
  outputsOrError,
  outputsStruct,
  type Properties,
  readResponse,
} from "./server";
import { type Process, propsOf, Session } from "./session";

/** Translates the engine's calls of a provider plugin about resources. */
export class PluginAdapter {
  private readonly session: Session;

  constructor(process: Process) {
    this.session = new Session(process);
  }

  /** Opens the service of these settings. @throws FrontdoorError `failed` if they are wrong, or differ from those of the first call. */
  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    this.session.configure(decoded(request.getArgs()));
    const response = new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    return response.setSupportsAutonamingConfiguration(true);
  }

  check(request: messages.CheckRequest): messages.CheckResponse {
    const [urn, resource] = [request.getUrn(), this.session.resource(request.getUrn())];
    this.session.declared.add(urn);
    const isUp = request.getNews()?.getFieldsMap().get("__isUp")?.getBoolValue();
    const { values: olds } = propsOf(resource, request.getOlds());
    const { values: news, secrets }: Properties = propsOf(resource, request.getNews());
    const declared = { news, olds, origin: originOf(urn), secrets, isUp, autonaming: autonamingOf(request) };
    const hidden = request.getNews()?.getFieldsMap();
    const tunnel = hidden?.get("__tunnel")?.getStringValue();
    const isRetained = hidden?.get("__retained")?.getBoolValue() ?? false;
    const { inputs, failures, aliased = [] } = resource.check({ ...declared, tunnel, isRetained });
    // A secret that is no key of the inputs was given under an alias, so each input that was given under its alias counts as secret.
    const alsoSecret = secrets.some((name) => !(name in inputs)) ? aliased : [];
    const configured = this.session.isFrontdoorSecret && news["frontdoorId"] == null ? ["frontdoorId"] : [];
    return checkResponse(inputs, [...secrets, ...alsoSecret, ...configured, ...secretOutputsWith(secrets)], failures);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const resource = this.session.resource(request.getUrn());
    const { values: oldInputs } = propsOf(resource, request.getOldInputs());
    const { values: olds } = propsOf(resource, request.getOlds());
    const { values: news } = propsOf(resource, request.getNews());
    const diff = await resource.diff(request.getId(), olds, news, request.hasOldInputs() ? oldInputs : undefined);
    const urn = request.getUrn();
    if (diff.requestLine !== undefined && this.session.declared.has(urn))
      await this.session.process.show(urn, diff.requestLine);
    return diffResponse(diff);
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const resource = this.session.resource(request.getUrn());
    const { values, secrets } = propsOf(resource, request.getProperties());
    // gRPC keeps the request until it is answered, and the requests of thousands of shares are as large as all else.
    request.clearProperties();
    if (request.getPreview())
      return new messages.CreateResponse().setProperties(outputsStruct(await resource.preview(values), secrets));
    const made = await resource.create(values, operationOf(request, this.session.process.showProgress));
    return new messages.CreateResponse().setId(made.id).setProperties(outputsOrError(made, secrets));
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const resource = this.session.resource(request.getUrn());
    const { values, secrets } = propsOf(resource, request.getProperties());
    // An import or a `get` sends only the id.
    const isRefresh = "status" in values || "tunnelId" in values;
    const seen = await resource.read(request.getId(), isRefresh ? values : undefined);
    if (!seen) return new messages.ReadResponse();
    const inputs = propsOf(resource, request.getInputs());
    return readResponse(seen, request, [...secrets, ...inputs.secrets], isRefresh);
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const resource = this.session.resource(request.getUrn());
    const { values: olds } = propsOf(resource, request.getOlds());
    const { values, secrets } = propsOf(resource, request.getNews());
    request.clearOlds();
    request.clearNews();
    request.clearOldInputs();
    if (request.getPreview())
      return new messages.UpdateResponse().setProperties(outputsStruct(await resource.preview(values, olds), secrets));
    const operation = operationOf(request, this.session.process.showProgress);
    return new messages.UpdateResponse().setProperties(
      outputsOrError(await resource.update(request.getId(), olds, values, operation), secrets),
    );
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const resource = this.session.resource(request.getUrn());
    const { values } = propsOf(resource, request.getProperties());
    request.clearProperties();
    await resource.delete(request.getId(), values, operationOf(request, this.session.process.showProgress));
  }
}
