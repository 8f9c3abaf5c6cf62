import { appendFileSync } from "node:fs";
import { asReason, safeText } from "../errors";
import { logNotWritten } from "../messages";
import type { Clock } from "../time";
import { objectOf, traceOf } from "./answers";
import type { Redactor } from "./redact";
import type { Received } from "./send";

/** What the log tells of a request. Of a token request the log never looks at what it sends, nor at the text that it gets. */
interface Logged {
  /** The name of the request in messages, which its errors begin with. */
  label: string;
  method: string;
  path: string;
  query?: [name: string, value: string][] | undefined;
  /** The number of times that the client has sent this call. */
  attempt: number;
  /** The name of a resource to be created. */
  name?: unknown;
  isToken?: true;
}

/** The paths to which this process cannot write: each has its warning, and nothing more is tried. */
const unwritable = new Set<string>();

/** The path of one resource, or of something below it. */
const ofResource = /^\/v2\/[^/]+\/ipsec-[a-z]+\/([^/]+)(\/.*)?$/;

/**
 * The request log (contract: Configuration, `FRONTDOOR_LOG`). Several processes append to one file: each line is one write. All texts are
 * redacted as messages are, and no body or header is in a line.
 */
export class RequestLog {
  /** The names of the resources, by id. */
  private readonly names = new Map<string, string>();

  constructor(
    private readonly file: string | undefined,
    private readonly parts: { clock: Clock; redactor: Redactor; say: (line: string) => void },
  ) {}

  /** Notes the name of a resource, for the lines about its id. */
  noteName(id: string, name: string): void {
    if (this.file !== undefined) this.names.set(id, name);
  }

  /** Appends the line of a request that is being sent, once it has ended. */
  follow(request: Logged, sending: Promise<Received>): void {
    if (this.file === undefined || unwritable.has(this.file)) return;
    const { clock } = this.parts;
    const [time, startedMs] = [new Date(clock.wall()).toISOString(), clock.now()];
    const append = (end: { received?: Received; error?: string }) => {
      this.append({ time, ...this.lineOf(request, Math.round(clock.now() - startedMs), end) });
    };
    sending.then(
      (received) => {
        append({ received });
      },
      (error: unknown) => {
        append({ error: asReason((error as Error).message).replace(`${request.label}: `, "") });
      },
    );
  }

  private lineOf(request: Logged, ms: number, { received, error }: { received?: Received; error?: string }) {
    const { method, path, query = [], attempt, isToken } = request;
    const clean = (text: string | undefined) =>
      text === undefined ? undefined : safeText(this.parts.redactor.clean(text), 5_000);
    const filters = query.map(([name, value]) => `${name}=${clean(value) ?? ""}`).join("&");
    const { id, name } = this.resourceIn(request, received);
    const traceId = !isToken && received && received.status >= 400 ? clean(traceOf(received.text)) : undefined;
    return {
      method,
      path: `${clean(path) ?? ""}${filters === "" ? "" : `?${filters}`}`,
      ...{ status: received?.status, error: clean(error), ms, attempt, traceId, name: clean(name), id: clean(id) },
    };
  }

  /** Returns the id and the name of the resource that the request is about, as far as they are known by then. */
  private resourceIn({ method, path, name: sentName }: Logged, received: Received | undefined) {
    const [, idInPath, below] = ofResource.exec(path) ?? [];
    const isPost = method === "POST" && sentName !== undefined;
    const isEntry = received && received.status < 300 && (isPost || (idInPath !== undefined && below === undefined));
    const shown = isEntry ? objectOf(received.text) : {};
    const id = idInPath ?? textIn(shown["id"]);
    const name = textIn(shown["name"]) ?? textIn(sentName) ?? this.names.get(id ?? "");
    if (id !== undefined && name !== undefined) this.names.set(id, name);
    return { id, name };
  }

  private append(line: object): void {
    const { file = "", parts } = this;
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      if (unwritable.has(file)) return;
      unwritable.add(file);
      parts.say(logNotWritten(file, (error as NodeJS.ErrnoException).code ?? "unknown"));
    }
  }
}

const textIn = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
