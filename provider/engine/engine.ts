import { closeSync, fstatSync, openSync } from "node:fs";
import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { type Config, warningsOf } from "../config";
import { UNKNOWN } from "../fields/field";
import { openPool } from "../http/send";
import { recordFiles, recordFolder, sayOnce } from "../run/files";
import { openService, type Service } from "../operations/service";
import { systemClock } from "../time";

/** The text by which the engine sends a value that is not known before the run. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The signature that stands beside the `value` of a secret. The engine encrypts an output that has the signature. */
export const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/**
 * Inputs that the classes add for the adapters (`sdk/`). The core gets one other input of the classes, `__bothSpellings`, which its check
 * removes, and the notes of the core in the state, such as `__set`.
 */
export interface HiddenInputs {
  /** The text by which Pulumi's process finds this package. */
  __provider?: string;
  /** Organization and URN. Only check gets them: no state holds them. */
  __origin?: string;
  /** URN of the tunnel of a share or a set. Only check gets it: no state holds it. */
  __tunnel?: string;
  /** The option `retainOnDelete` of a tunnel, which the engine does not tell. Only check gets it: no state holds it. */
  __retained?: boolean;
  /** Names of the inputs whose values are secret: the engine does not tell a dynamic provider. */
  __secrets?: string[];
  /** The custom timeouts: the engine does not tell a dynamic provider. */
  __timeouts?: Partial<Record<"create" | "update" | "delete", string>>;
}

const hidden: Record<keyof HiddenInputs, true> = {
  __provider: true,
  __origin: true,
  __tunnel: true,
  __retained: true,
  __secrets: true,
  __timeouts: true,
};

/** True for the name of a hidden input. The plugin finds such inputs in the state of a dynamic resource. */
export const isHiddenInput = (name: string): boolean => Object.hasOwn(hidden, name);

/** Decodes a value of the engine: removes the marks of secrets, and puts UNKNOWN for unknown values. Calls `onSecret` for each mark. */
export function decodedValue(value: unknown, onSecret: () => void = () => undefined): unknown {
  if (value === unknownText) return UNKNOWN;
  if (Array.isArray(value)) return value.map((each) => decodedValue(each, onSecret));
  if (typeof value !== "object" || value === null) return value;
  if (!isSecret(value)) return mapValues(value, (each) => decodedValue(each, onSecret));
  onSecret();
  return decodedValue(value.value, onSecret);
}

export const mapValues = (of: object, change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).map(([key, value]: [string, unknown]) => [key, change(value)]));

const isSecret = (value: object): value is { value: unknown } =>
  Object.entries(secretMark).every(([key, signature]) => (value as Record<string, unknown>)[key] === signature);

/** Shows lines of the provider among the run's. An engine that is gone takes no lines, and nothing depends on them. */
export class EngineLog {
  private client: EngineClient | undefined;

  /** Connects to the engine. The engine may call again with another address. */
  connect(address: string): void {
    this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Shows a line that stays among the messages of the run. */
  say(line: string): void {
    void this.log(new LogRequest().setMessage(line));
  }

  /** Shows a line beside the resource of this URN until the next line about that resource. */
  async show(urn: string, line: string): Promise<void> {
    await this.log(new LogRequest().setMessage(line).setUrn(urn).setEphemeral(true));
  }

  private log(request: LogRequest): Promise<void> {
    const { client } = this;
    if (!client) return Promise.resolve();
    return new Promise((resolve) => {
      client.log(request.setSeverity(LogSeverity.INFO), new Metadata(), { deadline: Date.now() + 1_000 }, () => {
        resolve();
      });
    });
  }
}

/** Opens the service with this machine's clock, network and creation records. */
export function openHere(config: Config, say: (line: string) => void): Service {
  const sayProblem = sayOnce(say);
  for (const line of warningsOf(config)) say(line);
  const records = recordFiles(recordFolder(config.baseUrl, process.env), sayProblem);
  const transport = openPool(config.requestTimeoutMs);
  return openService({ config, clock: systemClock, transport, say, records });
}

/** Called when the engine that started this process ends. The process ends after either call. */
export interface EngineEnd {
  /** The engine ended in order: it has saved every answer. */
  onInterrupt: () => void;
  /** The engine was killed: a write under way has two seconds to end. */
  onGone: () => void;
}

/** Returns the address of the engine that started this process. The address comes after options such as `-v=9`. */
export const engineAddress = (args: readonly string[]): string | undefined =>
  args
    .slice(2)
    .filter((each) => /^[^-].*:\d+$/.test(each))
    .at(-1);

/** Watches for the engine's interrupt, for another parent process, and for the end of the pipe that the engine holds to our input. */
export function watchEngine({ onInterrupt, onGone }: EngineEnd): void {
  const parent = process.ppid;
  process.once("SIGINT", () => {
    if (process.ppid === parent) onInterrupt();
    process.exit(0);
  });
  const end = () => {
    onGone();
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

/** Shows a line beside the resource of this URN. */
export type ShowLine = (urn: string, line: string) => void;

/** Returns a function that shows the progress of a resource: every line if somebody watches, else one a minute. An empty line clears it. */
export function progressLines(show: ShowLine, isWatched: boolean, now: () => number): ShowLine {
  const lastMs = new Map<string, number>();
  return (urn, line) => {
    if (line === "") {
      lastMs.delete(urn);
      if (isWatched) show(urn, line);
      return;
    }
    const nowMs = now();
    const beforeMs = lastMs.get(urn) ?? nowMs;
    const isDue = isWatched || nowMs - beforeMs >= unwatchedPauseMs;
    lastMs.set(urn, isDue ? nowMs : beforeMs);
    if (isDue) show(urn, line);
  };
}

/** Shows lines beside resources. */
export interface ResourceLines {
  /** Resolves when the engine has the line. */
  show: (urn: string, line: string) => Promise<void>;
  /** Shows only some of many lines. */
  showProgress: ShowLine;
}

/** Returns the lines beside this run's resources. */
export function resourceLinesIn(log: EngineLog): ResourceLines {
  const showProgress = (urn: string, line: string) => void log.show(urn, line);
  return {
    show: (urn, line) => log.show(urn, line),
    showProgress: progressLines(showProgress, isWatched(process.env), () => systemClock.now()),
  };
}

/** Lines that nobody sees. */
export const silent: ResourceLines = { show: () => Promise.resolve(), showProgress: () => undefined };
