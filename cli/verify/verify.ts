import { createInterface } from "node:readline/promises";
import type { Config } from "../../provider/config";
import { safeText, troubleOf, withoutCode } from "../../provider/errors";
import { openPool } from "../../provider/http/send";
import { configuredFrontDoor, type ConfigOptions } from "../shared/configuration";
import { checkWritable, writeText } from "../shared/files";
import type { Io } from "../shared/io";
import { version } from "../shared/node-version";
import { CheckFailed, Misuse, Unreachable } from "../shared/outcome";
import { columns, styled } from "../shared/output";
import { entriesOf, textIn } from "../shared/raw-client";
import { type Access, FrontDoor, isAccepted, kinds, type Lists } from "./front-door";
import { type Findings, isFatal, manifest, type Row, type RowId, rowIds, stateOf } from "./manifest";
import { type Created, isLeft, isOwn, NotAccepted, OwnResources, Stuck } from "./own-resources";
import { probeReads, RefusedList } from "./read-probes";
import { noEnvironment, probeLocation, probeTunnel } from "./write-probes";

export interface VerifyOptions extends ConfigOptions {
  write?: true;
  tunnel?: string;
  location?: string;
  envZid?: string;
  yes?: true;
  report?: string;
  force?: true;
  json?: true;
}

/** What one run checks, and with what. */
export interface Run extends Access {
  /** The tunnel or the location for writes; neither for reads only. */
  on: { tunnel?: string | undefined; location?: string | undefined };
  envZId?: string | undefined;
  /** Asks before anything is written or deleted. */
  confirm: (question: string) => Promise<boolean>;
  signal?: AbortSignal;
  /** Ends the clean-up early. */
  hurry?: AbortSignal;
}

export interface Result {
  findings: Findings;
  /** What could not be removed. */
  left: Created[];
  /** What a killed run had left. */
  leftovers: (Pick<Created, "kind" | "id" | "name"> & { isRemoved: boolean })[];
  /** Why the run ended before all checks; undefined if it did not. */
  ended: { why: string; isUnreachable: boolean } | undefined;
}

/** Runs all checks that the options allow. It removes what it has created, also after a failure or a stop. */
export async function check(run: Run): Promise<Result> {
  const frontDoor = new FrontDoor(run, run.signal);
  const own = new OwnResources(frontDoor);
  const { findings } = frontDoor;
  let leftovers: Result["leftovers"] = [];
  let ended: Result["ended"];
  try {
    const lists = await probeReads(frontDoor);
    leftovers = earlierRuns(run, lists);
    if (run.on.tunnel !== undefined || run.on.location !== undefined)
      await checkWrites(run, { frontDoor, own, lists, leftovers });
    else if (leftovers.length > 0)
      run.say(
        `An earlier run left ${namesOf(leftovers)}. "npx pulumi-frontdoor verify --write" offers to remove them.`,
      );
  } catch (error) {
    ended = endOf(error, findings);
  } finally {
    if (own.mayExist) {
      run.say("Removing the resources of this check…");
      await own.cleanUp(new FrontDoor(run, run.hurry));
    }
  }
  return { findings, left: own.created, leftovers, ended };
}

/** Returns what killed runs left, and names what a run can still use. */
function earlierRuns(run: Run, lists: Lists): Result["leftovers"] {
  const all = kinds.flatMap((kind) =>
    lists[kind]
      .filter((entry) => isOwn(kind, entry))
      .map((entry) => ({ kind, id: String(entry["id"]), name: String(entry["name"]), isRemoved: false })),
  );
  const young = all.filter((each) => !isLeft(each, run.clock.wall()));
  if (young.length > 0)
    run.say(`verify leaves ${namesOf(young)} alone: another run made it in the last hour, and can still use it.`);
  return all.filter((each) => !young.includes(each));
}

interface Writing extends Pick<Result, "leftovers"> {
  frontDoor: FrontDoor;
  own: OwnResources;
  lists: Lists;
}

async function checkWrites(run: Run, { frontDoor, own, lists, leftovers }: Writing): Promise<void> {
  const envZId = run.envZId ?? (await environmentOf(frontDoor, lists));
  await removeEarlier(run, own, leftovers);
  const { tunnel, location = "" } = run.on;
  const where = tunnel === undefined ? `a tunnel of its own at ${location}` : `tunnel ${tunnel}`;
  const question = `verify will create, change and delete about ten shares on ${where} of front door ${run.frontdoorId}. Go on?`;
  if (!(await run.confirm(question)))
    throw new Misuse("nothing was written, because you did not agree. [not-confirmed]");
  const taken = new Set(lists.shares.map(({ ingressPort }) => Number(ingressPort)));
  const start = 50_000 + Math.floor(10_000 * run.clock.random());
  const ports = Array.from({ length: 5_000 }, (_, index) => start + index).filter((port) => !taken.has(port));
  const subject = { frontDoor, own, envZId, ports };
  if (tunnel === undefined) await probeLocation(subject, location);
  else await probeTunnel({ ...subject, tunnelId: tunnel });
}

const nameOf = ({ kind, name, id }: Pick<Created, "kind" | "id" | "name">) => `${kind.slice(0, -1)} ${name} (${id})`;
const namesOf = (all: readonly Pick<Created, "kind" | "id" | "name">[]) => all.map(nameOf).join(", ");

/** Removes what a killed run left, if the user agrees, and says so. */
async function removeEarlier(run: Run, own: OwnResources, leftovers: Result["leftovers"]): Promise<void> {
  if (leftovers.length === 0) return;
  if (!(await run.confirm(`An earlier run left ${namesOf(leftovers)}. Remove them?`))) return;
  own.adopt(leftovers.map(({ kind, id, name }) => ({ kind, id, name })));
  await own.cleanUp(new FrontDoor(run, run.signal));
  for (const each of leftovers.filter(({ id }) => !own.created.some((one) => one.id === id))) {
    each.isRemoved = true;
    run.say(`Removed ${nameOf(each)}, which an earlier run left.`);
  }
  if (own.created.length > 0) throw new Stuck(`what an earlier run left can't be removed: ${namesOf(own.created)}`);
}

/** Returns an environment for the shares: that of an existing share, or the first one that the front door lists. */
async function environmentOf({ client, access }: FrontDoor, { shares }: Lists): Promise<string> {
  const used = shares.map((share) => textIn(share["envZId"])).find((id) => id !== undefined);
  if (used !== undefined) return used;
  const response = await client.request("GET", `/${access.frontdoorId}/environments`);
  const listed = isAccepted(response) ? entriesOf(response.body).map((entry) => textIn(entry["zId"])) : [];
  return listed.find((id) => id !== undefined) ?? noEnvironment;
}

function endOf(error: unknown, findings: Findings): Result["ended"] {
  if (error instanceof Misuse) throw error;
  const trouble = troubleOf(error);
  const isUnreachable = trouble?.kind === "unreachable" || trouble?.kind === "timed-out";
  const message = withoutCode((error as Error).message);
  if (error instanceof RefusedList) {
    const { status } = error.response;
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
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
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
      config,
      frontdoorId,
      transport,
      say,
      clock,
      on: { tunnel: options.tunnel, location: options.location },
      envZId: options.envZid,
      confirm: async (question) => options.yes === true || (await confirmed(io, question, stop.signal)),
      signal: stop.signal,
      hurry: hurry.signal,
    });
    finish(io, options, config, { ...result, isStopped: stop.signal.aborted });
  } finally {
    await transport.close();
  }
}

function checkOptions(io: Io, options: VerifyOptions): void {
  const { write, tunnel, location, yes, report, force } = options;
  const places = [tunnel, location].filter((each) => each !== undefined);
  if (write && places.length !== 1)
    throw new Misuse("--write needs --tunnel or --location. Nothing was sent. Give one of them. [options-conflict]");
  if (!write && places.length > 0)
    throw new Misuse("--tunnel and --location need --write. Nothing was sent. Add --write. [options-conflict]");
  if (write && !yes && !io.stdin.isTTY)
    throw new Misuse("--write asks first, and there is no terminal. Nothing was sent. Add --yes. [options-conflict]");
  if (report !== undefined) checkWritable(io, report, force === true);
}

async function confirmed({ stdin, stderr }: Io, question: string, signal: AbortSignal): Promise<boolean> {
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
      isFatal: state === "differs" && isFatal(id, found),
    };
  });

function finish(
  io: Io,
  options: VerifyOptions,
  config: Config,
  { findings, left, leftovers, ended, isStopped }: Result & { isStopped: boolean },
): void {
  const lines = linesOf(findings);
  const { report, force: isForced = false } = options;
  if (report !== undefined) writeText(io, report, reportOf(lines, options, config), { isForced });
  if (options.json)
    io.printJson({
      isUsable: !lines.some(({ isFatal }) => isFatal),
      ended: ended?.why,
      left,
      leftovers,
      rows: lines.map(({ id, row: { says, source, needs, else: does, helps }, state, found, isFatal }) => ({
        id,
        assumption: says,
        source,
        needs,
        state,
        found,
        isFatal,
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

/** The subject before what the provider does, which whole sentences have already. */
const subjectOf = ({ else: does }: Line["row"]) => (/^[A-Z]/.test(does) ? "" : "provider: ");

/** `isCut` is true if the run ended before all checks. */
export function textOf(lines: Line[], { tunnel, location }: VerifyOptions, isCut: boolean): string {
  const shown = lines.filter(({ state }) => state !== "not seen");
  const rows = shown.map(({ id, row, state, found = "", isFatal }) => [
    styled(isFatal ? "red" : marks[state], state),
    styled("bold", id),
    found,
    state === "holds" ? "" : `${subjectOf(row)}${row.else}${row.helps === undefined ? "" : `; you can ${row.helps}`}`,
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
