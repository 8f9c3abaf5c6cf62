import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { safeText } from "../provider/errors";
import { near } from "../provider/nearest";
import { docsFolder } from "./shared/files";
import type { Io } from "./shared/io";
import { Misuse } from "./shared/outcome";
import { columns, styled } from "./shared/output";

/** The text of one code, or of one policy, whose name is its code. */
export interface Entry {
  code: string;
  /** The words by which a message is recognized, with `…` for each value. Undefined if its messages have no words in common. */
  says?: string;
  /** One sentence: the situation. */
  meaning: string;
  /** Why it happens. */
  cause: string;
  /** What to do, the most likely first. */
  remedies: readonly string[];
}

interface Group {
  /** The task of the user. */
  doing: string;
  page: string;
  entries: readonly Entry[];
}

/** The pages of all codes, below `docs`. They travel in the package, and this command reads them. */
const pages = [
  "troubleshooting.md",
  "troubleshooting-command.md",
  "troubleshooting-emulator-and-verify.md",
  "troubleshooting-fleet.md",
];
const policyPage = "reference/policies.md";

/** Returns the parts of a page: `## ` begins a group, `### ` an entry. */
const groupsOn = (page: string): Group[] =>
  readFileSync(join(docsFolder, page), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((group) => {
      const [doing = "", ...entries] = group.split(/^### /m);
      return { doing: doing.split("\n", 1)[0] ?? "", page, entries: entries.map(entryIn) };
    });

/** Returns the entry of a code, such as `### port-in-use`, its words as a quotation, its meaning and cause, and its remedies. */
function entryIn(text: string): Entry {
  const [code = "", ...parts] = text.trim().split(/\n{2,}/);
  const quoted = parts[0]?.startsWith("> ") ? parts.shift()?.slice(2) : undefined;
  const [said = "", second = "", ...rest] = parts;
  const [meaning = "", why] = said.split(" **Why:** ");
  // A policy's entry has its level in brackets, and its reason in a paragraph of its own.
  if (why === undefined) {
    const fix = rest.find((part) => part.startsWith("**Fix:** ")) ?? "";
    return { code, meaning: meaning.replace(/ \([^()]*\)$/, ""), cause: second, remedies: [fix.slice(9)] };
  }
  const remedies = [second, ...rest].flatMap(remediesIn);
  return { code, ...(quoted !== undefined && { says: plain(quoted) }), meaning, cause: why, remedies };
}

/** Returns the remedies in a table of conditions, in a list, or in a sentence. */
function remediesIn(part: string): string[] {
  if (part.startsWith("**What to do:** ")) return [part.slice(16)];
  if (part.startsWith("- ")) return part.split(/\n?^- /m).slice(1);
  const [, , ...rows] = part.startsWith("| if …") ? part.split("\n") : [];
  return rows.map((row) => {
    const [condition = "", action = ""] = row
      .split(/(?<!\\)\|/)
      .slice(1)
      .map((cell) => plain(cell.trim()));
    return condition === "otherwise" ? action : `If ${condition}, ${action}.`;
  });
}

/** Returns a text of Markdown without its escapes. */
const plain = (text: string) => text.replace(/\\([*_|<>[\]])/g, "$1");

/** Every code but the names of the policies. */
export const catalogue: readonly Group[] = pages.flatMap(groupsOn);

const policies: Group = {
  doing: "Policies",
  page: policyPage,
  entries: groupsOn(policyPage).flatMap(({ entries }) => entries),
};

/** All codes. */
const groups = [...catalogue, policies];

export interface ExplainOptions {
  json?: true;
}

/** The codes of messages that are no longer sent. A code never gets another meaning. */
export const retired: readonly string[] = (
  "deleted-with-tunnel emulator-selected foreign-answer front-door-empty impact-outside-window impact-too-long no-series other-user " +
  "settings-differ shown-differently stale-creation-record watch-running watch-state-unusable webhook-failed webhook-secret-missing"
).split(" ");

/** What people look up that is no code: a status, or Pulumi's own message. */
const otherWords: Record<string, string> = {
  DOWN: "connection-down",
  ERROR: "status-error",
  FAILED: "status-error",
  SUSPENDED: "status-error",
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
  const requested = text && (otherWords[text.toUpperCase()] ?? text);
  if (requested !== undefined && retired.includes(requested)) {
    if (json) printJson({ code: requested, meaning: "No longer sent." });
    else print(`${styled("bold", requested)}: no longer sent.\n`);
  } else if (requested !== undefined) {
    const entry = requested === locked.code ? locked : entryOf(requested);
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
function pageOf(entry: Entry): string {
  const page = groups.find(({ entries }) => entries.includes(entry))?.page ?? "troubleshooting.md";
  return join(docsFolder, `${page}#${entry.code}`);
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
