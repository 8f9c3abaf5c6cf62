import { closeSync, fstatSync, openSync } from "node:fs";
import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { ResourceLines } from "../lifecycle/contract";
import { createsLeftBy, type Service } from "../run/service";
import { systemClock } from "../time";

/** Shows lines of the provider among the run's. An engine that is gone takes no lines, and nothing depends on them. */
export class EngineLog implements ResourceLines {
  address = engineAddress(process.argv);
  private client: EngineClient | undefined;
  private readonly isWatched = isWatched(process.env);
  readonly showProgress = progressLines(
    (urn, line) => this.show(urn, line),
    this.isWatched,
    () => systemClock.now(),
  );

  /** Connects to the engine at another address when there is a line. */
  connect(address: string): void {
    this.address = address;
    this.client = undefined;
  }

  /** Shows a line that stays among the messages of the run. */
  readonly say = (line: string): Promise<void> => this.log(new LogRequest().setMessage(line));

  readonly show = (urn: string, line: string): Promise<void> =>
    this.log(new LogRequest().setMessage(line).setUrn(urn).setEphemeral(true));

  readonly showOnce = (urn: string, line: string): Promise<void> =>
    this.log(new LogRequest().setMessage(line).setUrn(urn).setEphemeral(!this.isWatched));

  private log(request: LogRequest): Promise<void> {
    if (this.address === undefined) return Promise.resolve();
    const client = (this.client ??= new EngineClient(this.address, credentials.createInsecure()));
    return new Promise((resolve) => {
      client.log(request.setSeverity(LogSeverity.INFO), new Metadata(), { deadline: Date.now() + 1_000 }, () => {
        resolve();
      });
    });
  }
}

/** Returns the address of the engine that started this process. The address comes after options such as `-v=9`. */
const engineAddress = (args: readonly string[]): string | undefined =>
  args
    .slice(2)
    .filter((arg) => /^[^-].*:\d+$/.test(arg))
    .at(-1);

/**
 * Ends this process with the engine that started it, and its services before. After an interrupt, the engine has saved every result. If
 * the engine was killed, there is another parent process, or the pipe to our input ends: then a write under way has two seconds to end.
 */
export function watchEngine(services: () => Iterable<Service>, say: (line: string) => Promise<void>): void {
  const parent = process.ppid;
  process.once("SIGINT", () => {
    const ended = process.ppid === parent ? [...services()] : [];
    const left = ended.flatMap((service) => {
      service.endRun();
      return createsLeftBy(service) ?? [];
    });
    void Promise.all(left.map(say)).finally(() => process.exit(0));
  });
  const end = () => {
    for (const service of services()) service.stop();
    setTimeout(() => process.exit(1), 2_000);
  };
  const parentCheck = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(parentCheck);
    end();
  }, 1_000).unref();
  // An input that has ended before the first call means nothing: some programs start plugins without an input.
  if (isPipe() && !process.stdin.readableEnded) process.stdin.once("end", end).resume();
}

function isPipe(): boolean {
  try {
    return fstatSync(0).isFIFO();
  } catch {
    return false;
  }
}

type ShowLine = ResourceLines["showProgress"];

/** The pause between two lines of a resource without a terminal, where each line stays in the output. */
const unwatchedPauseMs = 60_000;

/** True if a terminal belongs to the run. The engine does not tell plugins. */
export function isWatched(environment: NodeJS.ProcessEnv): boolean {
  if (environment["CI"]) return false;
  try {
    closeSync(openSync(process.platform === "win32" ? "CONIN$" : "/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Returns a function that shows the progress of a resource: every line if somebody watches, else one a minute. An empty line clears it. */
export function progressLines(show: ShowLine, isWatched: boolean, now: () => number): ShowLine {
  if (isWatched) return show;
  const last = new Map<string, { ms: number; isShown: boolean }>();
  return async (urn, line) => {
    const before = last.get(urn) ?? { ms: now(), isShown: false };
    const isDue = line === "" ? before.isShown : now() - before.ms >= unwatchedPauseMs;
    if (line === "") last.delete(urn);
    else last.set(urn, isDue ? { ms: now(), isShown: true } : before);
    if (isDue) await show(urn, line);
  };
}
