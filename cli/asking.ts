import type { Config } from "../provider/config";
import { FrontdoorError, safeText, troubleOf } from "../provider/errors";
import { type Call, Client } from "../provider/http/client";
import type { Received } from "../provider/http/send";
import type { Transport } from "../provider/run/service";
import type { Clock, Until } from "../provider/time";
import type { Io } from "./io";

/** One answer as it came, whatever its status. */
export interface Asked {
  status: number;
  headers: Received["headers"];
  /** Parsed JSON or text without the credentials. Undefined if there was none, or the status is no success. */
  body: unknown;
  /** The `error` of a refusal. */
  code: string | undefined;
  /** The status and all that a refusal says. */
  words: string;
  isJson: boolean;
}

export type Question = Pick<Call, "query" | "body" | "accept">;

/** Sends one request after the other through the provider's client, and returns refusals as answers. */
export class Asking {
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

  /** Sends a read up to three times if the service has trouble, and a write once. @throws FrontdoorError if no answer of a service came. */
  async ask(method: Call["method"], path: string, question: Question = {}): Promise<Asked> {
    for (let tries = 1; ; tries++) {
      this.last = undefined;
      const asked = await this.once(method, path, question);
      const isTrouble = asked.status >= 500 || asked.status === 429;
      if (!isTrouble || method !== "GET" || tries === 3) return asked;
      await this.clock.sleep(tries * 1000, this.signal);
    }
  }

  until(seconds: number): Until {
    return {
      deadlineMs: this.clock.now() + seconds * 1000,
      ...(this.signal && { signal: this.signal }),
    };
  }

  private async once(method: Call["method"], path: string, question: Question): Promise<Asked> {
    const until = this.until(60);
    try {
      const { status, body } = await this.client.call({ ...question, method, path, until, isPoll: true });
      return this.asked(status, body, undefined, "");
    } catch (error) {
      const trouble = troubleOf(error);
      if (!trouble || trouble.beforeSending || !this.last) throw error;
      // A refusal of the token endpoint is no answer of the service.
      if (!(error as FrontdoorError).message.startsWith(`${method} ${path}:`)) throw error;
      const words = trouble.kind === "refused" ? (trouble.words ?? "") : String(this.last.status);
      return this.asked(this.last.status, undefined, trouble.kind === "refused" ? trouble.code : undefined, words);
    }
  }

  private asked(status: number, body: unknown, code: string | undefined, words: string): Asked {
    const headers = this.last?.headers ?? {};
    const isJson = String(headers["content-type"]).toLowerCase().includes("json");
    return { status, headers, body, code, words: safeText(words, 300), isJson };
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
