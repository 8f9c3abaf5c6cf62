import { existsSync } from "node:fs";
import { isPresent } from "../../provider/api/wire";
import { problemIn, safeText, troubleOf } from "../../provider/errors";
import type { ShareResult } from "../../provider/functions/args";
import { firstOf } from "../../provider/messages";
import { siteMustReload } from "../../provider/preview-lines";
import { configOf, reading } from "../shared/configuration";
import type { Io } from "../shared/io";
import { DoesNotFit, Misuse } from "../shared/outcome";
import { tableOf } from "../shared/output";
import { adoptedIn, type Change, type Effect, changesIn, refusedIn } from "./changes";
import { checkPlan } from "./plan";
import { type Preview, previewCommand, readPreview } from "./preview";

export interface ImpactOptions {
  stack?: string;
  maxInterrupted?: string;
  plan?: string;
  markdown?: true;
  json?: true;
}

/** Prints the interruptions by the change of a preview. @throws Misuse for a preview that is not understood, DoesNotFit. */
export async function impact(io: Io, file: string | undefined, options: ImpactOptions): Promise<void> {
  const { stack, json: isJson, markdown } = options;
  if (isJson && markdown)
    throw new Misuse("--json and --markdown exclude each other. Give one of them. [options-conflict]");
  const most = numberIn(options.maxInterrupted, "--max-interrupted");

  const preview = await readPreview(io, file, stack);
  if (options.plan !== undefined) checkPlan(io, options.plan, preview);
  const report = reportOf(preview);
  const problems = [
    ...refusedIn(preview),
    ...(await usedByOthers(io, preview, report.changes)),
    ...(most === undefined ? [] : tooLarge(report, most)),
  ];
  if (isJson) io.printJson({ ...documentOf(report), fits: problems.length === 0, problems });
  else io.print(markdown ? markdownOf(report, problems) : textOf(report));
  if (problems.length > 0) throw new DoesNotFit(problems.join("\nfrontdoor: "));
}

function numberIn(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0)) throw new Misuse(`${option} must be a number, 0 or more. [invalid-option]`);
  return number;
}

/** The requests that begin with the delete of a tunnel. A tunnel that is created first waits for the shares of other stacks to move. */
const deletes: readonly string[] = ["DELETE", "DELETE+POST"];

/**
 * Returns the refusals of tunnels that cannot be deleted, because shares that the preview does not have are on them, such as those of
 * another stack. It reads the service with the stack's settings or those of the environment, and only if a tunnel is deleted. Without
 * settings, or if a read fails, it says so and refuses nothing.
 */
async function usedByOthers(io: Io, preview: Preview, changes: readonly Change[]): Promise<string[]> {
  const tunnels = changes.filter(({ kind, request }) => kind === "tunnel" && deletes.includes(request));
  const [first] = tunnels;
  // A preview without its parts lacks shares of the program.
  if (!first || !preview.isComplete) return [];
  const known = idsIn(preview);
  try {
    const file = `Pulumi.${first.urn.split("::")[0]?.split(":").at(-1) ?? ""}.yaml`;
    const config = await configOf(io, existsSync(io.pathOf(file)) ? { stackConfig: file } : {});
    return await reading(io, config, async (reads) => {
      const lists = await Promise.all(
        tunnels.map(async ({ id: ipsecTunnelId = "", name, frontdoorId }) => {
          const place = frontdoorId === undefined ? {} : { frontdoorId };
          const { shares } = await reads.getShares({ ipsecTunnelId, ...place });
          return { name, others: shares.filter((share) => isPresent(share) && !known.has(share.id)) };
        }),
      );
      return lists.filter(({ others }) => others.length > 0).map(({ name, others }) => refusalOfDelete(name, others));
    });
  } catch (error) {
    if (!(error instanceof Misuse) && !troubleOf(error)) throw error;
    io.say(`Shares of other stacks on these tunnels were not looked for: ${problemIn((error as Error).message)}.`);
    return [];
  }
}

/** Returns the ids of all resources of a preview, also of shares in sets, and of those that it adopts. */
function idsIn({ steps }: Preview): Set<unknown> {
  const states = steps.flatMap(({ oldState, newState }) => [oldState, newState]);
  const ids = states.flatMap((state): unknown[] => [
    state?.id,
    ...Object.values({ ...(state?.outputs["ids"] as object) }),
  ]);
  return new Set([...ids, ...steps.flatMap(adoptedIn)]);
}

const refusalOfDelete = (tunnel: string, others: ShareResult[]): string =>
  `Frontdoor will refuse to delete tunnel ${safeText(tunnel, 80)}: shares that are not in the preview still use it: ` +
  `${firstOf(others.map(({ id, name }) => `"${safeText(name, 80)}" (${id})`)).join(", ")}. First delete or move them, each in the stack that declares it. [tunnel-in-use]`;

/** Returns why the change is over the limit; empty if it is not. */
function tooLarge(report: Report, most: number): string[] {
  const count = disturbed(report);
  if (count <= most) return [];
  return [
    `The change interrupts, moves or removes ${count} ${count === 1 ? "tunnel or share" : "tunnels and shares"}, and the limit is ${most}. ` +
      "Split it into smaller changes. [impact-too-large]",
  ];
}

const documentOf = ({ changes, ...report }: Report) => ({
  ...report,
  changes: changes.map(({ kind, name, id, urn, request, effect, isCertain, isOnlyTunnel }) => ({
    kind,
    name,
    id,
    urn,
    request,
    effect,
    isCertain,
    ...(kind === "tunnel" && { isOnlyTunnel, mustSiteReload: isReplaced({ kind, request }) }),
  })),
});

/** True for a tunnel that gets a new key, address and host. */
const isReplaced = ({ kind, request }: Pick<Change, "kind" | "request">): boolean =>
  kind === "tunnel" && (request === "DELETE+POST" || request === "POST+DELETE");

export interface Report {
  counts: Record<Effect, number>;
  /** In the order of the preview. */
  changes: Change[];
  /** False if shares that leave the program can be missing. */
  isComplete: boolean;
}

/** Returns what a preview changes. @throws Misuse for a preview that is not understood. */
export function reportOf(preview: Preview): Report {
  const changes = changesIn(preview);
  const counts = { created: 0, interrupted: 0, moved: 0, removed: 0 };
  for (const { effect } of changes) counts[effect] += 1;
  return { counts, changes, isComplete: preview.isComplete };
}

/** The number of tunnels and shares that users cannot reach for a while, or never again. */
const disturbed = ({ counts: { interrupted, moved, removed } }: Report): number => interrupted + moved + removed;

/** Reports with more changes have one row for each kind of change. */
const mostRows = 30;
const mostNames = 3;
const headings = ["tunnel or share", "request", "effect"];

/** Returns a row for each change, or for several that are equal but for their names. */
function rowsOf({ changes }: Report): string[][] {
  const keyOf = ({ kind, request, effect, isCertain }: Change) =>
    changes.length > mostRows ? [kind, request, effect, isCertain].join(" ") : undefined;
  const groups = Map.groupBy(changes, (change) => keyOf(change) ?? change);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { request, effect, isCertain } = first;
    return [[namesOf(group), request, isCertain ? effect : `may be ${effect}`]];
  });
}

function namesOf(group: Change[]): string {
  const named = group.slice(0, mostNames).map(({ name, id, isOnlyTunnel }) => {
    const facts = [id, isOnlyTunnel ? "one tunnel" : undefined].filter((fact) => fact !== undefined);
    return `${safeText(name, 80)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
  });
  const more = group.length > mostNames ? ` and ${group.length - mostNames} more` : "";
  return `${group[0]?.kind ?? ""}${group.length > 1 ? "s" : ""} ${named.join(", ")}${more}`;
}

const incomplete = `Shares that leave the program can be missing: \`${previewCommand}\` lists them.`;

/** Said of a preview without unchanged resources, among which the second tunnel of a site can be. */
const sitesNotKnown = `It is not known which tunnels are the only ones of their sites, because the preview lacks unchanged resources: \`${previewCommand}\` lists them.`;

/** Returns the counts, and what the preview leaves open. */
export function summaryOf(report: Report): string {
  const { changes, counts, isComplete } = report;
  if (changes.length === 0) return "The preview changes no tunnel and no share.";
  const numbers = (Object.entries(counts) as [Effect, number][])
    .filter(([, count]) => count > 0)
    .map(([effect, count]) => `${count} ${effect}`);
  const quiet = disturbed(report) === 0 ? " Nothing is interrupted." : "";
  const lacks = [
    ...(isComplete ? [] : [incomplete]),
    ...(changes.some(({ kind, isOnlyTunnel }) => kind === "tunnel" && isOnlyTunnel === undefined)
      ? [sitesNotKnown]
      : []),
  ];
  return [`${numbers.join(", ")}.${quiet}`, ...lacks].join(" ");
}

/** Returns a line about the tunnels that sites must connect to anew; empty if there is none. */
function reloadOf({ changes }: Report): string {
  const replaced = changes.filter(isReplaced).map(({ name }) => safeText(name, 80));
  if (replaced.length === 0) return "";
  return `tunnel${replaced.length === 1 ? "" : "s"} ${firstOf(replaced).join(", ")}: ${siteMustReload}.\n`;
}

/** Returns the table for a terminal. */
export function textOf(report: Report): string {
  const rows = rowsOf(report);
  const table = rows.length === 0 ? "" : `${tableOf(headings, rows)}\n`;
  return `${table}${summaryOf(report)}\n${reloadOf(report)}`;
}

/** Returns the report as Markdown, for a pull request. */
export function markdownOf(report: Report, problems: string[]): string {
  const rows = rowsOf(report);
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  const table =
    rows.length === 0
      ? ""
      : `\n${line(headings)}${line(headings.map(() => "---"))}${rows.map((row) => line(row.map(escaped))).join("")}`;
  const refused = problems.map((problem) => `\n**${escaped(problem)}**\n`).join("");
  const reload = reloadOf(report) && `\n${escaped(reloadOf(report))}`;
  return `### Impact on tunnels and shares\n\n${escaped(summaryOf(report))}\n${reload}${refused}${table}`;
}

/** Escapes what Markdown and HTML would understand. */
const escaped = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>|&#@~]/g, (character) => `&#${character.charCodeAt(0)};`);
