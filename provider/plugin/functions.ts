import { type InvokeRequest, InvokeResponse, type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { failed } from "../errors";
import { ReadCache, type Reads } from "../functions/functions";
import { functionTable } from "../functions/table";
import type { Service } from "../operations/service";
import { decoded, encoded } from "./server";

const isFunction = (name: string): name is keyof Reads => name in functionTable;

/** Translates the engine's calls of a provider plugin that only read: functions and lists. */
export class Functions {
  private readonly cache: ReadCache;

  constructor(private readonly service: Service) {
    this.cache = new ReadCache(service);
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

  /** Lists ids that can be imported, in pages if the request has a limit. All pages come from one reading, so none moves between them. */
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
    if (token === "frontdoor:index:IpsecTunnel") return (await this.cache.read("getTunnels", query)).tunnels;
    if (token === "frontdoor:index:IpsecShare") return (await this.cache.read("getShares", query)).shares;
    throw failed(
      `The frontdoor plugin has no resource type ${token} to list. Nothing was sent. Install the plugin of the version that the program uses. [unknown-type]`,
    );
  }
}
