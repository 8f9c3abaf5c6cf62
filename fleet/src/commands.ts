import { isDeepStrictEqual } from "node:util";
import { Client, ScheduleNotFoundError } from "@temporalio/client";
import { defineSearchAttributeKey, TypedSearchAttributes } from "@temporalio/common";
import { isUnknownAttribute, logToStandardError, openTemporal } from "./temporal";
import { type Fleet, FleetFileError, loadFleet, selected } from "./fleet";
import { entriesOf, type Operation, type Report, runId, type RunInput } from "./operation";
import {
  checkKey,
  exitCode,
  follow,
  progressOf,
  reportOf,
  reportText,
  type RunHandle,
  StuckError,
  stuckReason,
  summary,
} from "./report";
import { approveSignal, run, scheduledRun } from "./workflows";

/** The options of every command. */
export interface FileOptions {
  file: string;
  json?: boolean;
}

/** The options that choose stacks. */
export interface StackSelection extends FileOptions {
  stack?: string[];
  label?: string[];
}

const print = (json: boolean | undefined, value: object, text: string) => {
  console.log(json ? JSON.stringify(value, undefined, 2) : text);
};

function selectedStacks(fleet: Fleet, { stack = [], label = [] }: StackSelection): string[] {
  const labels = label.map((each) => {
    const [, key, value] = /^([^=]+)=(.*)$/.exec(each) ?? [];
    if (key === undefined || value === undefined)
      throw new FleetFileError(`--label ${each}: write key=value. [fleet-option]`);
    return [key, value] as const;
  });
  return selected(fleet, stack, Object.fromEntries(labels));
}

/** Opens the client for one command's work, and closes it. */
async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
  logToStandardError("ERROR");
  const { connection, namespace, dataConverter } = await openTemporal();
  try {
    return await work(new Client({ connection, namespace, dataConverter }));
  } finally {
    await connection.close();
  }
}

/**
 * Returns the present or last run of this fleet. The handle has the run's own id, so it never means a later run.
 * @throws TemporalError if the run has another key: a signal that its workers can't read would stop it for ever
 */
async function latest(client: Client, fleet: Fleet): Promise<{ handle: RunHandle; isOver: boolean }> {
  const { runId: own, status } = await client.workflow.getHandle<typeof run>(runId(fleet.name)).describe();
  const handle = client.workflow.getHandle<typeof run>(runId(fleet.name), own);
  await checkKey(client, handle);
  return { handle, isOver: status.name !== "RUNNING" };
}

export async function plan(options: StackSelection): Promise<number> {
  const fleet = await loadFleet(options.file);
  const stacks = entriesOf({ fleet, operation: "up", stacks: selectedStacks(fleet, options) });
  const line = (wave: string) =>
    stacks
      .filter((each) => each.wave === wave)
      .map(
        ({ name, frontDoor, needs }) =>
          `  ${name}  ${frontDoor}${needs.length > 0 ? `  after ${needs.join(", ")}` : ""}`,
      );
  const waves = fleet.waves.map(({ name, stopAfter, approve }) => {
    const rule = `${approve ? "after an approval, " : ""}stops after ${stopAfter} failed`;
    return [`${name}: ${rule}`, ...line(name)].join("\n");
  });
  const text = `${waves.join("\n")}\n${stacks.length} stacks, at most ${fleet.limits.perFrontDoor} at a time on each front door`;
  print(options.json, { waves: fleet.waves, limits: fleet.limits, stacks }, text);
  return 0;
}

const fleetAttribute = defineSearchAttributeKey("FrontdoorFleet", "KEYWORD");
const operationAttribute = defineSearchAttributeKey("FrontdoorOperation", "KEYWORD");

/** Sends a request with the search attributes of a run, or without them if the namespace does not have them. */
async function labelled<T>(
  { fleet, operation }: RunInput,
  send: (attributes?: { typedSearchAttributes: TypedSearchAttributes }) => Promise<T>,
): Promise<T> {
  const values = [
    { key: fleetAttribute, value: fleet.name },
    { key: operationAttribute, value: operation },
  ];
  try {
    return await send({ typedSearchAttributes: new TypedSearchAttributes(values) });
  } catch (error) {
    if (isUnknownAttribute(error)) return send();
    throw error;
  }
}

export async function operate(operation: Operation, options: StackSelection): Promise<number> {
  const fleet = await loadFleet(options.file);
  const input = { fleet, operation, stacks: selectedStacks(fleet, options) };
  return connected(async (client) => {
    await warnOfOldSchedule(client, fleet);
    const workflowId = runId(fleet.name);
    const handle = await labelled(input, (attributes) =>
      client.workflow.start(run, { args: [input], taskQueue: workflowId, workflowId, ...attributes }),
    );
    return followToEnd(client, client.workflow.getHandle<typeof run>(workflowId, handle.firstExecutionRunId), options);
  });
}

/** Follows a run to its end. The first Ctrl-C cancels the run and waits for it. The second Ctrl-C ends only this command. */
async function followToEnd(client: Client, handle: RunHandle, { json, file }: FileOptions): Promise<number> {
  const detached = new AbortController();
  let isCancelled = false;
  const onStop = () => {
    if (isCancelled) detached.abort();
    if (isCancelled) return;
    isCancelled = true;
    console.error("cancelling: Pulumi saves what it has. Press Ctrl-C again to end only this command.");
    void handle.cancel().catch(() => undefined);
  };
  process.on("SIGINT", onStop).on("SIGTERM", onStop);
  const report = await followed(client, handle, detached.signal);
  if (!report) {
    console.error(`the run goes on without this command: frontdoor-fleet --file ${file} status`);
    // At once, because the open call for the run's end would keep this process alive.
    process.exit(1);
  }
  return printReport(report, json);
}

/** Follows a run, and ends one that no worker can begin: it would block the fleet. @throws StuckError */
async function followed(client: Client, handle: RunHandle, detached: AbortSignal): Promise<Report | undefined> {
  try {
    return await follow(client, handle, detached);
  } catch (error) {
    if (error instanceof StuckError && !error.hasBegun) await handle.terminate("no worker can read it");
    throw error;
  }
}

function printReport(report: Report, json: boolean | undefined): number {
  print(json, { ...report, summary: summary(report) }, reportText(report));
  return exitCode(report);
}

export async function status({ file, json }: FileOptions): Promise<number> {
  const fleet = await loadFleet(file);
  return connected(async (client) => {
    await warnOfOldSchedule(client, fleet);
    const { handle, isOver } = await latest(client, fleet);
    if (isOver) return printReport(await handle.result(), json);
    const report = await reportOf(client, handle);
    const reason = report ? undefined : await stuckReason(client, handle);
    if (reason) throw reason;
    if (!report)
      throw new Error(
        `the run is under way, but no worker answers. Start one with frontdoor-fleet worker --fleet ${fleet.name}. [no-worker]`,
      );
    const underWay = await progressOf(client, handle, report);
    print(json, { ...report, underWay, summary: summary(report) }, `${reportText(report)}\n${underWay.join("\n")}`);
    return 0;
  });
}

export async function cancel({ file, json }: FileOptions): Promise<number> {
  const fleet = await loadFleet(file);
  return connected(async (client) => {
    const { handle } = await latest(client, fleet);
    await handle.cancel();
    console.error("cancelling: Pulumi saves what it has");
    const report = await followed(client, handle, new AbortController().signal);
    if (report) print(json, { ...report, summary: summary(report) }, reportText(report));
    return report?.stacks.some(({ state }) => state === "failed") ? 1 : 0;
  });
}

export async function approve(wave: string, { file, json }: FileOptions): Promise<number> {
  const fleet = await loadFleet(file);
  if (!fleet.waves.some(({ name }) => name === wave))
    throw new FleetFileError(
      `there is no wave ${wave} in this fleet. Use a wave of frontdoor-fleet plan. [fleet-option]`,
    );
  return connected(async (client) => {
    const { handle } = await latest(client, fleet);
    await handle.signal(approveSignal, wave);
    print(json, { approved: wave }, `${wave} is approved`);
    return 0;
  });
}

const scheduleIdOf = ({ name }: Fleet) => `${runId(name)}/drift`;

/** Says that the schedule has another fleet than the file, because a schedule keeps the fleet that it was made with. */
async function warnOfOldSchedule(client: Client, fleet: Fleet): Promise<void> {
  const described = await client.schedule
    .getHandle(scheduleIdOf(fleet))
    .describe()
    .catch(() => undefined);
  const [kept] = (described?.action.args ?? []) as unknown as [RunInput?];
  if (kept && !isDeepStrictEqual(kept.fleet, JSON.parse(JSON.stringify(fleet))))
    console.error(
      "The drift schedule has another fleet than the file, so it does not check the stacks of the file. Run frontdoor-fleet schedule --every again. [fleet-schedule]",
    );
}

export async function schedule({
  file,
  json,
  every,
  remove,
}: FileOptions & { every?: string; remove?: boolean }): Promise<number> {
  const fleet = await loadFleet(file);
  const scheduleId = scheduleIdOf(fleet);
  if (!remove && every === undefined)
    throw new FleetFileError("the schedule needs --every INTERVAL or --remove. Give one of them. [fleet-option]");
  return connected(async (client) => {
    const handle = client.schedule.getHandle(scheduleId);
    if (remove) {
      await handle.delete();
      print(json, { removed: scheduleId }, "the schedule is removed");
      return 0;
    }
    const input = { fleet, operation: "drift" as const, stacks: fleet.stacks.map(({ name }) => name) };
    const settings = (attributes?: object) => ({
      spec: { intervals: [{ every: every as never }] },
      action: {
        type: "startWorkflow" as const,
        workflowType: scheduledRun,
        workflowId: scheduleId,
        args: [input] as [typeof input],
        taskQueue: runId(fleet.name),
        ...attributes,
      },
    });
    const isThere = await handle.describe().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ScheduleNotFoundError) return false;
        throw error;
      },
    );
    await labelled<unknown>(input, (attributes) =>
      isThere
        ? handle.update((old) => ({ ...old, ...settings(attributes) }))
        : client.schedule.create({ scheduleId, ...settings(attributes) }),
    );
    print(
      json,
      { scheduled: scheduleId, every },
      `a run looks for drift every ${every ?? ""}. frontdoor-fleet status shows the last report.`,
    );
    return 0;
  });
}
