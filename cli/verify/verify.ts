import { createInterface } from "node:readline/promises";
import type { Config } from "../../provider/config";
import { safeText, troubleOf, withoutCode } from "../../provider/errors";
import { openPool } from "../../provider/http/send";
import type { Transport } from "../../provider/run/service";
import type { Clock } from "../../provider/time";
import { Asking, entriesOf, textIn } from "../asking";
import { connectionOf, type ConnectionOptions } from "../connection";
import { checkWritable, writeText } from "../files";
import type { Io } from "../io";
import { version } from "../old-node";
import { CheckFailed, Misuse, Unreachable } from "../outcome";
import { columns, styled } from "../output";
import { emulatorSettings, type Findings, manifest, type Row, type RowId, rowIds, stateOf } from "./manifest";
import { isAccepted, type Place, readAll, RefusedList } from "./reads";
import { Stuck, isLeft, isOurs, type Made, noEnvironment, NotAccepted, Writes } from "./writes";

export interface VerifyOptions extends ConnectionOptions {
  write?: true;
  tunnel?: string;
  location?: string;
  envZid?: string;
  yes?: true;
  report?: string;
  emulatorSettings?: string;
  force?: true;
  json?: true;
}

/** What one run checks, and with what. */
export interface Run {
  config: Config;
  frontdoorId: string;
  transport: Transport;
  clock: Clock;
  /** The tunnel or the location for writes; neither for reads only. */
  on: { tunnel?: string | undefined; location?: string | undefined };
  envZId?: string | undefined;
  /** Asks before anything is written or deleted. */
  confirm: (question: string) => Promise<boolean>;
  say: (line: string) => void;
  signal?: AbortSignal;
  /** Ends the clean-up early. */
  hurry?: AbortSignal;
}

export interface Result {
  findings: Findings;
  /** What could not be removed. */
  left: Made[];
  /** What a killed run had left. */
  leftovers: { kind: Made["kind"]; id: string; name: string; isRemoved: boolean }[];
  /** Why the run ended before all checks; undefined if it did not. */
  ended: { why: string; isUnreachable: boolean } | undefined;
}

/** Runs all checks that the options allow. It removes what it has created, also after a failure or a stop. */
export async function check(run: Run): Promise<Result> {
  const { config, frontdoorId, transport, clock, on, signal } = run;
  const stranger: Config = {
    ...config,
    credentials: { kind: "bearer", token: "not-a-token-of-this-service", source: "a wrong token" },
  };
  const findings: Findings = {};
  const place: Place = {
    ...{ config, frontdoorId, findings },
    asking: new Asking(config, transport, run, signal),
    stranger: new Asking(stranger, transport, run, signal),
  };
  let leftovers: Result["leftovers"] = [];
  let writes: Writes | undefined;
  let ended: Result["ended"];
  try {
    const all = await readAll(place);
    const ofRuns = (["shares", "tunnels"] as const).flatMap((kind) =>
      all[kind]
        .filter((entry) => isOurs(kind, entry))
        .map((entry) => ({ kind, id: String(entry["id"]), name: String(entry["name"]), isRemoved: false })),
    );
    leftovers = ofRuns.filter((each) => isLeft(each, clock.wall()));
    const young = ofRuns.filter((each) => !leftovers.includes(each));
    if (young.length > 0)
      run.say(`verify leaves ${namesOf(young)} alone: another run made it in the last hour, and can still use it.`);
    if (on.tunnel !== undefined || on.location !== undefined) {
      writes = new Writes(place, run.envZId ?? (await environmentOf(place, all.shares)), all.shares, run.say);
      await cleanEarlier(run, writes, leftovers);
      const where = on.tunnel === undefined ? `a tunnel of its own at ${on.location ?? ""}` : `tunnel ${on.tunnel}`;
      const question = `verify will create, change and delete about ten shares on ${where} of front door ${frontdoorId}. Go on?`;
      if (!(await run.confirm(question)))
        throw new Misuse("nothing was written, because you did not agree. [not-confirmed]");
      if (on.tunnel === undefined) await writes.onLocation(on.location ?? "");
      else await writes.onTunnel(on.tunnel);
    } else if (leftovers.length > 0)
      run.say(
        `An earlier run left ${namesOf(leftovers)}. "npx pulumi-frontdoor verify --write" offers to remove them.`,
      );
  } catch (error) {
    ended = endOf(error, findings);
  } finally {
    if (writes && (writes.hasPosted || writes.made.length > 0)) {
      run.say("Removing the resources of this check…");
      const fresh = new Asking(config, transport, run, run.hurry);
      await writes.cleanUp({ ...place, asking: fresh });
    }
  }
  return { findings, left: writes?.made ?? [], leftovers, ended };
}

const nameOf = ({ kind, name, id }: Made) => `${kind.slice(0, -1)} ${name} (${id})`;
const namesOf = (all: readonly Made[]) => all.map(nameOf).join(", ");

/** Removes what a killed run left, if the user agrees, and says so. */
async function cleanEarlier(run: Run, writes: Writes, leftovers: Result["leftovers"]): Promise<void> {
  if (leftovers.length === 0) return;
  if (!(await run.confirm(`An earlier run left ${namesOf(leftovers)}. Remove them?`))) return;
  writes.adopt(leftovers.map(({ kind, id, name }) => ({ kind, id, name })));
  const kept = await writes.cleanUp({
    ...{ config: run.config, frontdoorId: run.frontdoorId, findings: {} },
    asking: new Asking(run.config, run.transport, run, run.signal),
    stranger: new Asking(run.config, run.transport, run, run.signal),
  });
  for (const each of leftovers.filter(({ id }) => !kept.some((one) => one.id === id))) {
    each.isRemoved = true;
    run.say(`Removed ${nameOf(each)}, which an earlier run left.`);
  }
  if (kept.length > 0) throw new Stuck(`what an earlier run left can't be removed: ${namesOf(kept)}`);
}

/** Returns an environment for the shares: that of an existing share, or the first one that the front door lists. */
async function environmentOf(place: Place, shares: Record<string, unknown>[]): Promise<string> {
  const used = shares.map((share) => textIn(share["envZId"])).find((id) => id !== undefined);
  if (used !== undefined) return used;
  const answer = await place.asking.ask("GET", `/${place.frontdoorId}/environments`);
  const listed = isAccepted(answer) ? entriesOf(answer.body).map((entry) => textIn(entry["zId"])) : [];
  return listed.find((id) => id !== undefined) ?? noEnvironment;
}

function endOf(error: unknown, findings: Findings): Result["ended"] {
  if (error instanceof Misuse) throw error;
  const trouble = troubleOf(error);
  const isUnreachable = trouble?.kind === "unreachable" || trouble?.kind === "timed-out";
  const message = withoutCode((error as Error).message);
  if (error instanceof RefusedList) {
    const { status } = error.answer;
    findings.address = status === 401 || status === 403 ? "answers" : "no response of this Frontdoor";
    return {
      why: `the front door's list was refused: ${message}. Run npx pulumi-frontdoor doctor`,
      isUnreachable: status >= 500,
    };
  }
  if (error instanceof NotAccepted) {
    const { isTrouble } = error;
    const help = isTrouble ? "Try again later" : "If these words name the environment, give --env-zid";
    return { why: `Frontdoor refused a create: ${message}. ${help}`, isUnreachable: isTrouble };
  }
  if (!trouble && !(error instanceof Stuck)) throw error;
  return { why: message, isUnreachable };
}

/** Runs `pulumi-frontdoor verify`. @throws Misuse, CheckFailed, Unreachable. */
export async function verify(io: Io, options: VerifyOptions): Promise<void> {
  checkOptions(io, options);
  const { clock, say } = io;
  const { config, frontdoorId } = await connectionOf(io, options);
  const [stop, hurry] = [new AbortController(), new AbortController()];
  const interrupts = async () => {
    await io.untilStopped();
    say("Stopped. Cleaning up. Press Ctrl-C again to leave the rest behind.");
    stop.abort("stopped");
    await io.untilStopped();
    hurry.abort("stopped");
  };
  void interrupts();
  const transport = openPool(config.requestTimeoutMs);
  try {
    const result = await check({
      ...{ config, frontdoorId, transport, say, clock },
      on: { tunnel: options.tunnel, location: options.location },
      envZId: options.envZid,
      confirm: async (question) => options.yes === true || (await asked(io, question, stop.signal)),
      signal: stop.signal,
      hurry: hurry.signal,
    });
    finish(io, options, config, { ...result, isStopped: stop.signal.aborted });
  } finally {
    await transport.close();
  }
}

function checkOptions(io: Io, options: VerifyOptions): void {
  const { write, tunnel, location, yes, report, emulatorSettings: settings, force } = options;
  const places = [tunnel, location].filter((each) => each !== undefined);
  if (write && places.length !== 1)
    throw new Misuse("--write needs --tunnel or --location. Nothing was sent. Give one of them. [options-conflict]");
  if (!write && places.length > 0)
    throw new Misuse("--tunnel and --location need --write. Nothing was sent. Add --write. [options-conflict]");
  if (write && !yes && !io.stdin.isTTY)
    throw new Misuse("--write asks first, and there is no terminal. Nothing was sent. Add --yes. [options-conflict]");
  for (const file of [report, settings]) if (file !== undefined) checkWritable(io, file, force === true);
}

async function asked({ stdin, stderr }: Io, question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${safeText(question, 1000)} [y/N] `, { signal })).trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}

interface Line {
  id: RowId;
  row: Row;
  state: ReturnType<typeof stateOf>;
  found: string | undefined;
  isFatal: boolean;
}

/** Returns every row with what was found. */
export const linesOf = (findings: Findings): Line[] =>
  rowIds.map((id) => {
    const row: Row = manifest[id];
    const found = findings[id];
    const state = stateOf(id, found);
    return {
      id,
      row,
      found,
      state,
      isFatal: state === "differs" && found !== undefined && row.isFatal?.(found) === true,
    };
  });

function finish(
  io: Io,
  options: VerifyOptions,
  config: Config,
  { findings, left, leftovers, ended, isStopped }: Result & { isStopped: boolean },
): void {
  const lines = linesOf(findings);
  const { report, emulatorSettings: file } = options;
  const isForced = options.force === true;
  if (report !== undefined) writeText(io, report, reportOf(lines, options, config), { isForced });
  if (file !== undefined)
    writeText(io, file, `${JSON.stringify(emulatorSettings(findings), undefined, 2)}\n`, { isForced });
  if (options.json)
    io.printJson({
      isUsable: !lines.some(({ isFatal }) => isFatal),
      ended: ended?.why,
      left,
      leftovers,
      rows: lines.map(({ id, row: { says, source, needs, else: does, helps }, state, found, isFatal }) => ({
        ...{ id, assumption: says, source, needs, state, found, isFatal },
        ...(state === "differs" && { provider: does, helps }),
      })),
    });
  else io.print(textOf(lines, options, ended !== undefined || isStopped));
  if (left.length > 0) io.say(`Left behind: ${namesOf(left)}. Delete them, or run the same command again in an hour.`);
  const fatal = lines.filter(({ isFatal }) => isFatal).map(({ id }) => id);
  if (left.length > 0)
    throw new CheckFailed(
      `${left.length} resources of this check could not be removed. Run the same command again in an hour. [verify-left]`,
    );
  if (isStopped) throw new CheckFailed("the run was stopped, so not every check ran. Run it again. [stopped]");
  if (ended?.isUnreachable) throw new Unreachable(`${ended.why}. Not every check ran. [verify-ended]`);
  if (ended) throw new CheckFailed(`${ended.why}. Not every check ran. [verify-ended]`);
  if (fatal.length > 0)
    throw new CheckFailed(
      `the provider can't work with this Frontdoor: ${fatal.join(", ")}. Attach a report (--report FILE) to an issue. [verify-unusable]`,
    );
}

const marks = { holds: "green", differs: "yellow", "not seen": "dim" } as const;

/** `isCut` is true if the run ended before all checks. */
export function textOf(lines: Line[], { tunnel, location }: VerifyOptions, isCut: boolean): string {
  const shown = lines.filter(({ state }) => state !== "not seen");
  const rows = shown.map(({ id, row, state, found = "", isFatal }) => [
    styled(isFatal ? "red" : marks[state], state),
    styled("bold", id),
    found,
    state === "holds" ? "" : `provider: ${row.else}${row.helps === undefined ? "" : `; helps: ${row.helps}`}`,
  ]);
  const unseen = lines.filter(({ state }) => state === "not seen");
  const hasRun = { reads: true, "--write": tunnel ?? location, "--write --location": location, never: undefined };
  const whyOf = ({ row: { needs } }: Line): string => {
    if (needs === "never") return "nothing can show it";
    if (hasRun[needs] === undefined) return `needs ${needs}`;
    return isCut ? "the run ended before this check" : "no resource shows it";
  };
  const count = (state: Line["state"]) => lines.filter((line) => line.state === state).length;
  const parts = [columns(rows), "\n"];
  for (const why of new Set(unseen.map(whyOf))) {
    const ids = unseen.filter((line) => whyOf(line) === why).map(({ id }) => id);
    parts.push(`not seen (${why}): ${ids.join(", ")}\n`);
  }
  parts.push(`\n${count("holds")} hold, ${count("differs")} differ, ${count("not seen")} not seen\n`);
  return parts.join("");
}

/** Returns a report that names nothing of the user's: findings are words of the manifest, statuses and numbers. */
export function reportOf(
  lines: Line[],
  { tunnel, location }: VerifyOptions,
  { credentials }: Pick<Config, "credentials">,
): string {
  const mode = tunnel !== undefined ? "--write --tunnel" : location !== undefined ? "--write --location" : "reads only";
  return [
    "# pulumi-frontdoor verify",
    "",
    `pulumi-frontdoor ${version}, Node ${process.versions.node}; ${mode}; credentials: ${credentials.kind}`,
    "",
    "| row | state | found | assumption |",
    "| --- | --- | --- | --- |",
    ...lines.map(({ id, state, found = "", row }) => `| ${id} | ${state} | ${found} | ${row.says} |`),
    "",
  ].join("\n");
}
