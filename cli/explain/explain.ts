import { join, relative } from "node:path";
import { safeText } from "../../provider/errors";
import { near } from "../../provider/nearest";
import { commandLine, fleet, impact } from "./codes/command";
import type { Entry } from "./codes/entry";
import { policies } from "./codes/policies";
import { creating, deleting, importing, previewing, reading, updating } from "./codes/resources";
import { retired } from "./codes/retired";
import { calling, configuring, reaching } from "./codes/service";
import { docsFolder } from "../shared/files";
import type { Io } from "../shared/io";
import { Misuse } from "../shared/outcome";
import { columns, styled } from "../shared/output";

/** Every code, grouped by the task of the user. */
export const catalogue: readonly { doing: string; entries: readonly Entry[] }[] = [
  { doing: "Configuring", entries: configuring },
  { doing: "Reaching Frontdoor", entries: [...reaching, ...calling] },
  { doing: "Previewing", entries: previewing },
  { doing: "Creating", entries: creating },
  { doing: "Updating", entries: updating },
  { doing: "Deleting", entries: deleting },
  { doing: "Importing and adopting", entries: importing },
  { doing: "Reading", entries: reading },
  { doing: "Using the command line", entries: [...commandLine, ...impact] },
  { doing: "Running a fleet", entries: fleet },
];

export interface ExplainOptions {
  json?: true;
}

/** All codes. The name of a policy is a code. */
const groups = [...catalogue, { doing: "Policies", entries: policies }];

/** What people look up that is no code: a status, or Pulumi's own message. */
const otherWords: Record<string, string> = {
  ...{ DOWN: "connection-down", ERROR: "status-error", FAILED: "status-error", SUSPENDED: "status-error" },
  DELETING: "deadline",
};
const locked: Entry = {
  code: "locked",
  meaning: "Pulumi says that the stack is currently locked. This is no code of this package.",
  cause: "Another run of the stack is under way, or a run was killed.",
  remedies: [
    "Wait until the other run has ended.",
    "If there is none, run `pulumi cancel`, then `pulumi up --refresh`, then `pulumi refresh --clear-pending-creates`.",
  ],
};

/** Prints the entry of a code, or all codes with their meanings. @throws Misuse for an unknown code. */
export function explain({ cwd, print, printJson }: Io, code: string | undefined, { json }: ExplainOptions): void {
  const text = code?.replace(/^\[|\]$/g, "");
  const asked = text && (otherWords[text.toUpperCase()] ?? text);
  if (asked !== undefined && retired.includes(asked)) {
    if (json) printJson({ code: asked, meaning: "No longer sent." });
    else print(`${styled("bold", asked)}: no longer sent.\n`);
  } else if (asked !== undefined) {
    const entry = asked === locked.code ? locked : entryOf(asked);
    const page = entry === locked ? join(docsFolder, "how-to/recover.md") : pageOf(entry);
    if (json) printJson({ ...entry, page });
    else print(`${textOf(entry)}\nPage: ${relative(cwd, page)}\n`);
  } else if (json) {
    printJson({ codes: groups.flatMap(({ doing, entries }) => entries.map((entry) => ({ doing, ...entry }))) });
  } else {
    print(groups.map(({ doing, entries }) => `${styled("bold", doing)}\n${columns(rowsOf(entries))}`).join("\n"));
  }
}

/** Returns the path of the page that has the code, in this package. */
function pageOf({ code }: Entry): string {
  const isPolicy = policies.some((each) => each.code === code);
  return join(docsFolder, `${isPolicy ? "reference/policies.md" : "troubleshooting.md"}#${code}`);
}

function entryOf(code: string): Entry {
  const entries = groups.flatMap((group) => group.entries);
  const entry = entries.find((each) => each.code === code);
  if (entry) return entry;
  const meant = near(
    code,
    entries.map((each) => each.code),
    4,
  );
  const hint =
    meant.length === 0 ? "Run npx pulumi-frontdoor explain to list all codes." : `Did you mean ${meant.join(" or ")}?`;
  throw new Misuse(`${safeText(code, 80)} is not the code of a message. ${hint} [unknown-code]`);
}

const rowsOf = (entries: readonly Entry[]) => entries.map(({ code, meaning }) => [`  ${code}`, meaning]);

const textOf = ({ code, meaning, cause, remedies }: Entry): string =>
  `${styled("bold", code)}: ${meaning}\n\nCause: ${cause}\n\nRemedies:\n${remedies.map((remedy) => `- ${remedy}\n`).join("")}`;
