import type { Config } from "../../provider/config";
import type { Transport } from "../../provider/run/service";
import type { Io } from "../shared/io";
import { entriesOf, objectIn, RawClient, type RawResponse, type RequestOptions } from "../shared/raw-client";
import type { Findings, RowId } from "./manifest";

export type Entry = Record<string, unknown>;
export type Kind = "tunnels" | "shares";
export type Lists = Record<Kind, Entry[]>;
export type Query = [name: string, value: string][];

export const kinds = ["shares", "tunnels"] as const;

export const isAccepted = ({ status }: RawResponse): boolean => status >= 200 && status < 300;
/** Returns `accepted`, or the word for a refusal. */
export const verdictOf = (response: RawResponse, refused = "refused"): string =>
  isAccepted(response) ? "accepted" : refused;

/** What a probe has found. Undefined stands for a row that was not seen. */
export type Found = Partial<Record<RowId, string | undefined>>;

/** What requests are sent with. */
export interface Access extends Pick<Io, "clock" | "say"> {
  config: Config;
  frontdoorId: string;
  transport: Transport;
}

/** One front door as the probes use it, with what they have found. */
export class FrontDoor {
  readonly client: RawClient;

  constructor(
    readonly access: Access,
    private readonly signal?: AbortSignal,
    readonly findings: Findings = {},
  ) {
    this.client = new RawClient(access.config, access.transport, access, signal);
  }

  /** Returns a front door that is asked in another way. Its findings are its own. */
  with(change: Partial<Access>): FrontDoor {
    return new FrontDoor({ ...this.access, ...change }, this.signal);
  }

  get clock() {
    return this.client.clock;
  }

  /** Keeps what was found. The first finding of a row counts. */
  note(findings: Found): void {
    for (const [row, finding] of Object.entries<string | undefined>(findings))
      if (finding !== undefined) this.findings[row as RowId] ??= finding;
  }

  path(kind: Kind, id?: string): string {
    return `/v2/${this.access.frontdoorId}/ipsec-${kind}${id === undefined ? "" : `/${id}`}`;
  }

  get(kind: Kind, query: Query = [], id?: string, options: RequestOptions = {}): Promise<RawResponse> {
    return this.client.request("GET", this.path(kind, id), { query, ...options });
  }

  /** Sends a write. */
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", kind: Kind, id?: string, body?: object): Promise<RawResponse> {
    return this.client.request(method, this.path(kind, id), body ? { body } : {});
  }

  /** Returns what a read shows; no fields if it is refused. */
  async read(kind: Kind, id: string): Promise<Entry> {
    return objectIn((await this.get(kind, [], id)).body);
  }

  /** Returns the entries of all pages, or of the first page if the service refuses a page size and a page number. @throws FrontdoorError. */
  async list(kind: Kind): Promise<Entry[]> {
    const found = new Map<unknown, Entry>();
    let size: Query = [["size", "100"]];
    for (let page = 0; page < 500; page++) {
      const response = await this.get(kind, [["page", String(page)], ...size]);
      if (!isAccepted(response)) {
        if (page > 0 || size.length === 0) break;
        [page, size] = [-1, []];
        continue;
      }
      const before = found.size;
      for (const entry of entriesOf(response.body)) found.set(entry["id"], entry);
      if (found.size === before) break;
    }
    return [...found.values()];
  }
}
