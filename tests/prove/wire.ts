import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, faultAt, struck, written } from "./faults";
import { frontDoor, isForGood, type Sent, type Snapshot, token } from "./run";
import { type Answered, type Asked, type Choices, type Item, Service } from "./service";

/** How many times faster the service's time passes than real time. */
const speed = 5;
const lateMs = 5_000;
const troubleMs = 60_000;

/** The effects of a fault on real processes. */
export interface Processes {
  kill: (who: "engine" | "provider") => void;
  interrupt: () => void;
}

/** Serves the walk's service over HTTP, with one fault in each run. */
export class Wire {
  baseUrl = "";
  requests: Sent[] = [];
  /** The service after each write. */
  boundaries: (readonly Item[])[] = [];
  private service: Service;
  private fault: Fault | undefined;
  private processes: Processes | undefined;
  private late = 0;
  private readonly begunMs = performance.now();
  private runBegunMs = 0;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  private constructor(
    private readonly choices: Choices,
    private readonly wallMs: number,
  ) {
    this.service = new Service(choices, frontDoor, [], 0);
  }

  static async open(choices: Choices, wallMs: number): Promise<Wire> {
    const wire = new Wire(choices, wallMs);
    await new Promise<void>((resolve) => wire.server.listen(0, "127.0.0.1", resolve));
    wire.baseUrl = `http://127.0.0.1:${(wire.server.address() as AddressInfo).port}/frontdoor`;
    return wire;
  }

  /** Starts the next run. */
  begin({ items, given }: Snapshot, fault: Fault | undefined, processes: Processes): void {
    this.service = new Service(this.choices, frontDoor, items, given);
    Object.assign(this, { fault, processes, requests: [], boundaries: [], runBegunMs: performance.now() });
  }

  now(): number {
    return this.wallMs + (performance.now() - this.begunMs) * speed;
  }

  /** The service, when no work is under way and reads show the last write. */
  async settled(): Promise<Pick<Snapshot, "items" | "given" | "wallMs">> {
    do await sleep(100 + this.choices.lagMs / speed);
    while (this.late > 0 || this.isLagging() || this.current().items.some(({ ends }) => ends));
    return { ...this.current(), wallMs: this.now() };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private isLagging(): boolean {
    this.service.calm();
    return this.now() < (this.service.lasting.stale?.untilMs ?? 0);
  }

  private current(): Pick<Snapshot, "items" | "given"> {
    this.service.settle(this.now());
    const { items, given } = this.service;
    return { items, given };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks).toString();
    const answer =
      request.headers.authorization === `Bearer ${token}`
        ? this.served(request, body)
        : { status: 401, body: { error: "unauthorized", message: "who is it?" } };
    if (!answer) {
      request.socket.destroy();
      return;
    }
    const { status, headers, text } = written(answer);
    response.writeHead(status, headers).end(text);
  }

  private served({ method, url = "" }: IncomingMessage, body: string | undefined): Answered | undefined {
    const { pathname, searchParams } = new URL(url, this.baseUrl);
    const asked: Asked = {
      method: method as Asked["method"],
      path: pathname.slice(`/frontdoor/v2/${frontDoor}`.length),
      query: searchParams,
      body: body === undefined ? undefined : (JSON.parse(body) as Asked["body"]),
    };
    const { service, processes } = this;
    const sent: Sent = {
      method: asked.method,
      path: asked.path,
      query: searchParams.toString(),
      body,
      status: undefined,
      seen: undefined,
      atMs: performance.now() - this.runBegunMs,
    };
    this.requests.push(sent);
    const work = () => {
      const answer = service.answer(asked, this.now());
      sent.status = answer.status;
      if (method !== "GET") this.boundaries.push(service.items);
      return answer;
    };
    const kind = faultAt(this.fault, this.requests);
    const workLate = (afterMs = lateMs) => {
      this.late += 1;
      setTimeout(() => {
        work();
        this.late -= 1;
      }, afterMs / speed);
    };
    const { pageStatus } = this.choices;
    const answer =
      kind && processes
        ? struck(kind, {
            ...{ service, asked, nowMs: this.now(), mostMs: troubleMs, pageStatus, isRead: method === "GET" },
            ...{ work, workLate, ...processes },
          })
        : work();
    sent.seen = answer?.status;
    sent.isForGood = isForGood(answer);
    return answer;
  }
}
