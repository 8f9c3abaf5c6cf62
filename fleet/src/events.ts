import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Changes, Kind } from "./operation.ts";
import { reasonOf } from "./reason.ts";

/** No change to a resource. */
const quiet = ["same", "read", "read-discard", "refresh"];

/** What the engine's events say of an operation: how far it is, what it changed, why it failed. Neither inputs nor outputs are kept. */
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
    if (begun && !quiet.includes(begun.metadata.op)) this.underWay.add(begun.metadata.urn);
    const over = ended ?? failed;
    if (over && this.underWay.delete(over.metadata.urn) && ended) this.done += 1;
    if (diagnosticEvent?.severity === "error") this.errors.push(diagnosticEvent.message);
    const counts = Object.entries(summaryEvent?.resourceChanges ?? {}).filter(([op]) => !quiet.includes(op));
    if (summaryEvent) this.changes = Object.fromEntries(counts);
  };

  /** A heartbeat's details: numbers alone. */
  progress = (): { done: number; underWay: number } => ({ done: this.done, underWay: this.underWay.size });

  /** Why it failed: by the diagnostics, or by what the engine wrote where it came to none. `clean` takes secrets out. */
  failure(stderr: string, clean: (text: string) => string): { kind: Kind; reason: string } {
    const plain = (text: string) => reasonOf(text, clean);
    const said = this.errors.map(plain).filter((line) => line !== "" && !isNoise(line));
    const written = () => clean(stderr).split("\n").map(plain);
    const lines = said.length > 0 ? said : written().filter((line) => line.startsWith("error:"));
    const [first = "the engine failed and said nothing", ...others] = [...new Set(lines)];
    const reason = others.length === 0 ? first : `${first} (and ${others.length} more)`;
    return { kind: kindOf(lines), reason };
  }
}

/** The engine's and the dynamic host's own lines beside an error. */
const isNoise = (line: string) =>
  /^(update|preview|refresh|destroy) failed$|^resource .* registered as|^one or more/i.test(line);

/** The codes of temporary trouble. The first code of a message counts: it is that of the reason. */
const temporary = new Set([
  ...["connection-lost", "long-pause", "no-answer", "service-trouble", "stopped", "token-late", "unreachable"],
]);
const codeOf = (line: string) => /\[(?!secret\])([a-z]+(?:-[a-z]+)*)\]/.exec(line)?.[1] ?? "";

/** How the engine words that a back end does not answer, or that the first engine on an empty PostgreSQL database is just making its table. */
const noBackend =
  /dial (tcp|unix).*|connection re(fused|set)|i\/o timeout|no such host|failed to create table pulumi_state|\bEOF$/;

const isTemporary = (line: string) => temporary.has(codeOf(line)) || noBackend.test(line);

/** Every error has to be one that another try can help; with a refusal among them trying again is no use. */
export function kindOf(errors: string[]): Kind {
  if (errors.some((line) => line.includes("the stack is currently locked by"))) return "locked";
  return errors.length > 0 && errors.every(isTemporary) ? "unreachable" : "failed";
}
