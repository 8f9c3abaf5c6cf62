import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Changes, Kind } from "./operation";

// The workflow imports this file, so it has no imports of Node's.

/** No change to a resource. */
const unchanged = ["same", "read", "read-discard", "refresh"];

/** Collects progress, changes and failures of an operation from the engine's events. It keeps no inputs and no outputs. */
export class Events {
  private done = 0;
  private readonly underWay = new Set<string>();
  private readonly errors: string[] = [];
  changes: Changes = {};

  readonly on = (event: EngineEvent): void => {
    const {
      resourcePreEvent: begun,
      resOutputsEvent: ended,
      resOpFailedEvent: failed,
      summaryEvent,
      diagnosticEvent,
    } = event;
    if (begun && !unchanged.includes(begun.metadata.op)) this.underWay.add(begun.metadata.urn);
    const over = ended ?? failed;
    if (over && this.underWay.delete(over.metadata.urn) && ended) this.done += 1;
    if (diagnosticEvent?.severity === "error") this.errors.push(diagnosticEvent.message);
    const counts = Object.entries(summaryEvent?.resourceChanges ?? {}).filter(([op]) => !unchanged.includes(op));
    if (summaryEvent) this.changes = Object.fromEntries(counts);
  };

  /** Returns only numbers. */
  progress = (): { done: number; underWay: number } => ({ done: this.done, underWay: this.underWay.size });

  /** Returns the reason of a failure, from the diagnostics or else from standard error. `clean` redacts secrets. */
  failure(stderr: string, clean: (text: string) => string): { kind: Kind; reason: string } {
    const plain = (text: string) => reasonOf(text, clean);
    const diagnostics = this.errors.map(plain).filter((line) => line !== "" && !isNoise(line));
    const errorLines = () => clean(stderr).split("\n").map(plain);
    const lines = diagnostics.length > 0 ? diagnostics : errorLines().filter((line) => line.startsWith("error:"));
    const [
      first = "Pulumi failed without a message. Run the same operation with pulumi on the worker. [engine-failed]",
      ...others
    ] = [...new Set(lines)];
    const reason = others.length === 0 ? first : `${first} (and ${others.length} more)`;
    return { kind: kindOf(lines), reason };
  }
}

/** True for lines that the engine and the dynamic provider's process print beside an error. */
const isNoise = (line: string) =>
  /^(update|preview|refresh|destroy) failed$|^resource .* registered as|^one or more/i.test(line);

/** The codes of temporary trouble. The first code of a message counts: it is that of the reason. */
const temporary = new Set([
  "connection-lost",
  "long-pause",
  "no-answer",
  "not-sent",
  "service-trouble",
  "stopped",
  "token-late",
  "unreachable",
]);
const codeOf = (line: string) => /\[(?!secret\])([a-z]+(?:-[a-z]+)*)\]/.exec(line)?.[1] ?? "";

/** Matches the engine's words if a backend does not answer, or if another engine is creating the table in an empty PostgreSQL database. */
const noBackend =
  /dial (tcp|unix).*|connection re(fused|set)|i\/o timeout|no such host|failed to create table pulumi_state|\bEOF$/;

const isTemporary = (line: string) => temporary.has(codeOf(line)) || noBackend.test(line);

/** Returns the kind of a failure. It is `unreachable` only if every error is temporary. */
export function kindOf(errors: string[]): Kind {
  if (errors.some((line) => line.includes("the stack is currently locked by"))) return "locked";
  return errors.length > 0 && errors.every(isTemporary) ? "unreachable" : "failed";
}

const longest = 500;

/**
 * The engine's colors, and the terminal sequences CSI and OSC. No start of a sequence is part of a body, so that matching takes linear time.
 */
/* eslint-disable no-control-regex -- these sequences begin with control characters */
const sequences = [
  /<\{%[^%]{0,40}%\}>/g,
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g,
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009b-\u009d]*(?:\u0007|\u001b\\|\u009c)/g,
];
/* eslint-enable no-control-regex */

/**
 * One line for people. Secrets go first, while the text is whole. Then the text loses its control sequences and everything from the
 * first call of a stack on. The second `clean` finds a secret that control sequences or line breaks had split.
 */
export function reasonOf(text: string, clean = (text: string) => text): string {
  const printable = sequences.reduce((rest, sequence) => rest.replace(sequence, ""), clean(text));
  const lines = printable.split("\n");
  const calls = lines.findIndex((line) => /^\s+at /.test(line));
  const line = lines
    .slice(0, calls > 0 ? calls : undefined)
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
  return clean(line).slice(0, longest);
}
