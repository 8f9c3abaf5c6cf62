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
    const event = policyEventIn(line);
    if (event)
      violations.set(JSON.stringify([event.policyPackName, event.policyName, event.resourceUrn, event.message]), event);
  }
  const found = [...violations.values()];
  const packs = [...new Set(found.map(({ policyPackName }) => policyPackName))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: (packs.length > 0 ? packs : ["frontdoor"]).map((name) => {
      const own = found.filter(({ policyPackName }) => policyPackName === name);
      const rules = [...new Set(own.map(({ policyName }) => policyName))].map(ruleOf);
      return { tool: { driver: { name, rules } }, results: own.map(resultOf) };
    }),
  };
}

function policyEventIn(line: string): PolicyEvent | undefined {
  if (!line.includes('"policyEvent"')) return undefined;
  try {
    return (JSON.parse(line) as { policyEvent?: PolicyEvent }).policyEvent;
  } catch {
    return undefined;
  }
}

function ruleOf(id: string) {
  const about = policies.find(({ name }) => name === id)?.about;
  if (!about) return { id };
  const { description, reason, fix } = about;
  return { id, shortDescription: { text: description }, fullDescription: { text: reason }, help: { text: fix } };
}

const resultOf = ({ policyName, resourceUrn = "", message, enforcementLevel }: PolicyEvent) => ({
  ruleId: policyName,
  level: levels[enforcementLevel] ?? "error",
  // Without the engine's colour marks.
  message: { text: message.replace(/<\{%[^%]*%\}>/g, "").trim() },
  locations: [
    {
      // Viewers need a file, but the engine does not report the line of a program.
      physicalLocation: { artifactLocation: { uri: "Pulumi.yaml" }, region: { startLine: 1 } },
      logicalLocations: [{ fullyQualifiedName: resourceUrn, kind: "resource" }],
    },
  ],
});

// Compiled, this file is dist/policy/sarif.js.
if (require.main === module)
  void textOf(process.stdin).then((events) => {
    console.log(JSON.stringify(sarifOf(events), null, 2));
  });
