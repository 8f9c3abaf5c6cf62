import type { Config } from "../../provider/config";
import { FrontdoorError, safeText, troubleOf } from "../../provider/errors";
import { type Call, Client } from "../../provider/http/client";
import type { Received } from "../../provider/http/send";
import type { Transport } from "../../provider/run/service";
import type { Clock } from "../../provider/time";
import type { Io } from "./io";

/** One response as it came, whatever its status. */
export interface RawResponse {
  status: number;
  headers: Received["headers"];
  /** Parsed JSON or text without the credentials. Undefined if there was none, or the status is no success. */
  body: unknown;
  /** The `error` of a refusal. */
  code: string | undefined;
  /** The status and all that a refusal says. */
  words: string;
}

export type RequestOptions = Pick<Call, "query" | "body" | "accept">;

/** Sends one request after the other through the provider's client, and returns a refusal as a response. */
export class RawClient {
  readonly clock: Clock;
  private readonly client: Client;
  private last: Received | undefined;

  constructor(
    config: Config,
    transport: Transport,
    { clock, say }: Pick<Io, "clock" | "say">,
    private readonly signal?: AbortSignal,
  ) {
    const send: Transport["send"] = async (request) => {
      this.last = undefined;
      return (this.last = await transport.send(request));
    };
    this.clock = clock;
    this.client = new Client(config, send, clock, { say });
  }

  /** Sends a read up to three times if the service has trouble, and a write once. @throws FrontdoorError if the service did not respond. */
  async request(method: Call["method"], path: string, options: RequestOptions = {}): Promise<RawResponse> {
    for (let tries = 1; ; tries++) {
      this.last = undefined;
      const response = await this.once(method, path, options);
      const isTrouble = response.status >= 500 || response.status === 429;
      if (!isTrouble || method !== "GET" || tries === 3) return response;
      await this.clock.sleep(tries * 1000, this.signal);
    }
  }

  private async once(method: Call["method"], path: string, options: RequestOptions): Promise<RawResponse> {
    const until = { deadlineMs: this.clock.now() + 60_000, ...(this.signal && { signal: this.signal }) };
    try {
      const { status, body } = await this.client.call({ ...options, method, path, until, isPoll: true });
      return { status, headers: this.last?.headers ?? {}, body, code: undefined, words: "" };
    } catch (error) {
      const trouble = troubleOf(error);
      if (!trouble || trouble.beforeSending || !this.last) throw error;
      // A refusal of the token endpoint is no response of the service.
      if (!(error as FrontdoorError).message.startsWith(`${method} ${path}:`)) throw error;
      const { status, headers } = this.last;
      const { words = "", code } = trouble.kind === "refused" ? trouble : { words: String(status), code: undefined };
      return { status, headers, body: undefined, code, words: safeText(words, 300) };
    }
  }
}

/** Returns the entries of a list in any form: `content`, the one array under `_embedded`, a bare array, or none. */
export function entriesOf(body: unknown): Record<string, unknown>[] {
  const { content, _embedded } = objectIn(body);
  const found = [body, content, ...Object.values(objectIn(_embedded))].find(Array.isArray) ?? [];
  return (found as unknown[]).map(objectIn);
}

export const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

export const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
