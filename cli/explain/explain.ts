import { join, relative } from "node:path";
import { safeText } from "../../provider/errors";
import { near } from "../../provider/nearest";
import { commandLine, fleet, impact, trying } from "./codes/command";
import { type Entry, remedyText } from "./codes/entry";
import { policies } from "./codes/policies";
import { creating, deleting, importing, previewing, reading, updating } from "./codes/resources";
import { retired } from "./codes/retired";
import { calling, configuring, reaching } from "./codes/service";
import { docsFolder } from "../shared/files";
import type { Io } from "../shared/io";
import { Misuse } from "../shared/outcome";
import { columns, styled } from "../shared/output";

/** The pages of a product's codes, below `docs`. */
const pages = {
  provider: "troubleshooting.md",
  command: "troubleshooting-command.md",
  trial: "troubleshooting-emulator-and-verify.md",
  fleet: "troubleshooting-fleet.md",
} as const;

interface Group {
  /** The task of the user. */
  doing: string;
  page: string;
  entries: readonly Entry[];
}

/** Every code but the names of the policies. */
export const catalogue: readonly Group[] = [
  { doing: "Configuring", page: pages.provider, entries: configuring },
  { doing: "Reaching Frontdoor", page: pages.provider, entries: [...reaching, ...calling] },
  { doing: "Previewing", page: pages.provider, entries: previewing },
  { doing: "Creating", page: pages.provider, entries: creating },
  { doing: "Updating", page: pages.provider, entries: updating },
  { doing: "Deleting", page: pages.provider, entries: deleting },
  { doing: "Importing and adopting", page: pages.provider, entries: importing },
  { doing: "Reading", page: pages.provider, entries: reading },
  { doing: "Using the command line", page: pages.command, entries: commandLine },
  { doing: "Judging a change with impact", page: pages.command, entries: impact },
  { doing: "Trying and verifying", page: pages.trial, entries: trying },
  { doing: "Running a fleet", page: pages.fleet, entries: fleet },
];

export interface ExplainOptions {
  json?: true;
}

/** All codes. The name of a policy is a code. */
const groups: readonly Group[] = [
  ...catalogue,
  { doing: "Policies", page: "reference/policies.md", entries: policies },
];

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
    if (json) printJson({ ...plain(entry), page });
    else print(`${textOf(entry)}\nPage: ${relative(cwd, page)}\n`);
  } else if (json) {
    printJson({ codes: groups.flatMap(({ doing, entries }) => entries.map((entry) => ({ doing, ...plain(entry) }))) });
  } else {
    print(groups.map(({ doing, entries }) => `${styled("bold", doing)}\n${columns(rowsOf(entries))}`).join("\n"));
  }
}

/** Returns the path of the page that has the code, in this package. */
function pageOf(entry: Entry): string {
  const page = groups.find(({ entries }) => entries.includes(entry))?.page ?? pages.provider;
  return join(docsFolder, `${page}#${entry.code}`);
}

const plain = (entry: Entry) => ({ ...entry, remedies: entry.remedies.map(remedyText) });

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
  `${styled("bold", code)}: ${meaning}\n\nCause: ${cause}\n\nRemedies:\n${remedies.map((remedy) => `- ${remedyText(remedy)}\n`).join("")}`;
