import { createHash } from "node:crypto";
import { text as textOf } from "node:stream/consumers";
import { policies } from "./index";

/** The engine's event for a violation. */
interface PolicyEvent {
  resourceUrn?: string;
  message: string;
  policyName: string;
  policyPackName: string;
  enforcementLevel: string;
}

/** The SARIF levels of the policies' levels. A mandatory policy is an error. */
const levels: Record<string, string> = { advisory: "warning", warning: "warning", remediate: "note" };

/**
 * Returns a SARIF 2.1.0 report of the violations in an engine's events, one JSON object per line as `pulumi up --json` prints them. It
 * skips other lines. A violation in both the preview and the update counts once.
 */
export function sarifOf(events: string): object {
  const violations = new Map<string, PolicyEvent>();
  for (const line of events.split("\n")) {
    const event = eventIn(line)?.policyEvent;
    if (event)
      violations.set(JSON.stringify([event.policyPackName, event.policyName, event.resourceUrn, event.message]), event);
  }
  const found = [...violations.values()];
  const packs = [...new Set(found.map(({ policyPackName }) => policyPackName))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: (packs.length > 0 ? packs : ["frontdoor"]).map((name) => {
      const ofPack = found.filter(({ policyPackName }) => policyPackName === name);
      const rules = [...new Set(ofPack.map(({ policyName }) => policyName))].map(ruleOf);
      const seen = new Map<string, number>();
      return {
        tool: { driver: { name, rules } },
        results: ofPack.map((each) => resultOf(each, fingerprintOf(each, seen))),
      };
    }),
  };
}

/** The engine's events that matter here. */
interface EngineEvent {
  policyEvent?: PolicyEvent;
  diagnosticEvent?: { severity: string; message: string };
  summaryEvent?: object;
}

function eventIn(line: string): EngineEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const event: unknown = JSON.parse(line);
    return typeof event === "object" && event !== null && Object.keys(event).some((name) => name.endsWith("Event"))
      ? event
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a message without the engine's color marks. */
const plain = (message: string) => message.replace(/<\{%[^%]*%\}>/g, "").trim();

function ruleOf(id: string) {
  const about = policies.find(({ name }) => name === id)?.about;
  if (!about) return { id };
  const { description, reason, fix } = about;
  return { id, shortDescription: { text: description }, fullDescription: { text: reason }, help: { text: fix } };
}

/**
 * Returns what tells one alert from another at GitHub, which would else compare the lines of Pulumi.yaml: the policy, the resource, and
 * which of its violations it is. `seen` counts those.
 */
function fingerprintOf(
  { policyPackName, policyName, resourceUrn = "" }: PolicyEvent,
  seen: Map<string, number>,
): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([policyPackName, policyName, resourceUrn]))
    .digest("hex");
  const number = (seen.get(hash) ?? 0) + 1;
  seen.set(hash, number);
  return `${hash.slice(0, 16)}:${number}`;
}

const resultOf = ({ policyName, resourceUrn = "", message, enforcementLevel }: PolicyEvent, fingerprint: string) => ({
  ruleId: policyName,
  level: levels[enforcementLevel] ?? "error",
  message: { text: plain(message) },
  partialFingerprints: { primaryLocationLineHash: fingerprint },
  locations: [
    {
      // Viewers need a file, but the engine does not report the line of a program.
      physicalLocation: { artifactLocation: { uri: "Pulumi.yaml" }, region: { startLine: 1 } },
      logicalLocations: [{ fullyQualifiedName: resourceUrn, kind: "resource" }],
    },
  ],
});

/**
 * Returns why there can be no report; undefined if the run judged everything. A run that stops for another reason than a mandatory policy
 * has not judged all resources, so its report would be green without cause.
 */
export function problemIn(events: string): string | undefined {
  const parsed = events.split("\n").flatMap((line) => eventIn(line) ?? []);
  if (parsed.length === 0) return "there are no events of Pulumi";
  const isStopped = parsed.some(({ policyEvent }) => policyEvent?.enforcementLevel === "mandatory");
  const [error] = parsed.flatMap(({ diagnosticEvent: each }) => (each?.severity === "error" ? [each] : []));
  if (error && !isStopped) return `the run failed: ${plain(error.message).replace(/\s+/g, " ").slice(0, 200)}`;
  return isStopped || parsed.some(({ summaryEvent }) => summaryEvent) ? undefined : "the run did not end";
}

/** Ends with 2 and without a report if the events cannot make one. */
function main(events: string): void {
  const problem = problemIn(events);
  if (problem === undefined) console.log(JSON.stringify(sarifOf(events), null, 2));
  else {
    console.error(
      `${problem}. No report was written. Check the preview that wrote the events, and run it with PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true. [no-report]`,
    );
    process.exitCode = 2;
  }
}

// Compiled, this file is dist/policy/sarif.js.
if (require.main === module) void textOf(process.stdin).then(main);
