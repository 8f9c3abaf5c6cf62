import { setTimeout as sleep } from "node:timers/promises";
import { type Client, WorkflowFailedError, type WorkflowHandle } from "@temporalio/client";
import type { Payload, PayloadCodec, SerializationContext } from "@temporalio/common";
import { reasonOf } from "./events";
import { type Changes, type Entry, type Progress, type Report, waveId } from "./operation";
import { refusalOf, TemporalError } from "./temporal";
import { entriesQuery, reportQuery, type run, type wave } from "./workflows";

const pollMs = 1000;
/** A report of 10,000 stacks costs the worker a part of a second. */
const pollMsPerStack = 1;
const answerMs = 5000;

export type RunHandle = WorkflowHandle<typeof run>;

/** Returns the report of a run; undefined if no worker answers now. @throws TemporalError */
export async function reportOf(client: Client, handle: RunHandle): Promise<Report | undefined> {
  try {
    return await client.withDeadline(Date.now() + answerMs, async () => {
      const report = await handle.query(reportQuery);
      if (report.wave === undefined) return report;
      // The wave's workflow can have ended since.
      const entries = await waveOf(client, handle, report.wave)
        .query(entriesQuery)
        .catch(() => []);
      const byName = new Map(entries.map((each) => [each.name, each]));
      return { ...report, stacks: report.stacks.map((each) => byName.get(each.name) ?? each) };
    });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) throw refusal;
    return undefined;
  }
}

/** Opens the input of a run. @throws TemporalError if FRONTDOOR_FLEET_KEY is not the run's */
export async function checkKey({ options }: Client, handle: RunHandle): Promise<void> {
  const { events } = await handle.fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const context = { type: "workflow" as const, namespace: options.namespace, workflowId: handle.workflowId };
  await decode(options.loadedDataConverter.payloadCodecs, input, context);
}

/** Workers can't read a run, or not go on with it. */
export class StuckError extends TemporalError {
  /** False if no stack has begun, so that nothing is lost with the run. */
  readonly hasBegun: boolean;

  constructor(message: string, hasBegun: boolean) {
    super(message);
    this.hasBegun = hasBegun;
  }
}

/** Returns why workers can't go on with a run; undefined if the last one that tried could, or none has tried. */
export async function stuckReason({ options }: Client, handle: RunHandle): Promise<StuckError | undefined> {
  const { events } = await handle.fetchHistory();
  const tries = (events ?? []).flatMap(
    ({ workflowTaskFailedEventAttributes: failed, workflowTaskCompletedEventAttributes: ended }) =>
      failed || ended ? [{ failure: failed?.failure }] : [],
  );
  const failure = tries.at(-1)?.failure;
  if (!failure) return undefined;
  const hasBegun = tries.some((each) => !each.failure);
  const effect = hasBegun ? "The stacks under way go on." : "No stack began.";
  const { encodedAttributes } = failure;
  try {
    // A worker that can't read the input doesn't know the workflow, so its report is bound to none.
    const [opened] = encodedAttributes
      ? await decode(options.loadedDataConverter.payloadCodecs, [encodedAttributes])
      : [];
    const { message } = opened
      ? (JSON.parse(Buffer.from(opened.data ?? []).toString()) as { message: string })
      : failure;
    if (!(message ?? "").includes("Unknown encoding"))
      return new StuckError(
        `the workers of this fleet can't go on with the run: ${reasonOf(message ?? "")} ${effect}`,
        hasBegun,
      );
  } catch {
    // Only the workers' key opens it.
  }
  return new StuckError(
    `the workers of this fleet have another FRONTDOOR_FLEET_KEY than this command, so they can't read the run. ${effect} Set the same key for all commands and workers. [fleet-key]`,
    hasBegun,
  );
}

async function decode(codecs: PayloadCodec[], payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
  let decoded = payloads;
  for (const codec of codecs.toReversed()) decoded = await codec.decode(decoded, context);
  return decoded;
}

const waveOf = (client: Client, { workflowId }: RunHandle, name: string): WorkflowHandle<typeof wave> =>
  client.workflow.getHandle<typeof wave>(waveId(workflowId, name));

/**
 * Prints the states of the stacks on standard error until the run ends, or until `detached` aborts.
 * @throws TemporalError if the key or a right is wrong, StuckError if workers can't go on
 */
export async function follow(client: Client, handle: RunHandle, detached: AbortSignal): Promise<Report | undefined> {
  const shown = new Map<string, string>();
  const showChanges = (report: Report) => {
    for (const entry of report.stacks) {
      const text = stateText(entry);
      if (entry.state !== "waiting" && shown.get(entry.name) !== text) console.error(`${entry.name}  ${text}`);
      shown.set(entry.name, entry.state === "waiting" ? "" : text);
    }
    const awaited = report.awaiting ?? "";
    if (awaited !== "" && shown.get("") !== awaited) console.error(`waiting: frontdoor-fleet approve ${awaited}`);
    shown.set("", awaited);
  };
  const end = ended(handle, detached);
  let heardMs = performance.now();
  let isSilent = false;
  for (let report: Report | undefined; !detached.aborted;) {
    const pauseMs = Math.max(pollMs, pollMsPerStack * (report?.stacks.length ?? 0));
    const isOver = await Promise.race([end.then(() => true), sleep(pauseMs, false)]);
    if (isOver) break;
    report = await reportOf(client, handle);
    if (report) {
      showChanges(report);
      heardMs = performance.now();
      isSilent = false;
    } else if (performance.now() - heardMs > answerMs) {
      const reason = await stuckReason(client, handle);
      if (reason) throw reason;
      if (!isSilent)
        console.error("no worker answers, so the run waits. Start one with frontdoor-fleet worker. [no-worker]");
      isSilent = true;
    }
  }
  if (detached.aborted) return undefined;
  const report = await end;
  showChanges(report);
  return report;
}

/** Returns the report at the end of the run. It survives outages of the server. @throws TemporalError if the key or a right is wrong */
async function ended(handle: RunHandle, detached: AbortSignal): Promise<Report> {
  for (;;) {
    try {
      return await handle.result();
    } catch (error) {
      if (error instanceof WorkflowFailedError || refusalOf(error) || detached.aborted) throw error;
      await sleep(pollMs);
    }
  }
}

/** One line for each operation under way, from the heartbeats of the workers. */
export async function progressOf(client: Client, run: RunHandle, { wave }: Report): Promise<string[]> {
  if (wave === undefined) return [];
  const handle = waveOf(client, run, wave);
  // The wave's workflow can be about to begin.
  const raw = await handle.describe().then(
    (described) => described.raw,
    () => undefined,
  );
  return Promise.all(
    (raw?.pendingActivities ?? []).map(async ({ activityId, lastWorkerIdentity, heartbeatDetails }) => {
      const id = activityId ?? "";
      const [payload] = heartbeatDetails?.payloads ?? [];
      const details = payload && (await progressIn(client, { workflowId: handle.workflowId, activityId: id }, payload));
      const progress = details ? `${details.done} resources done, ${details.underWay} under way` : "begins";
      return `${id}  ${progress}${lastWorkerIdentity ? `, worker ${lastWorkerIdentity}` : ", waits for a worker"}`;
    }),
  );
}

async function progressIn(
  { options: { loadedDataConverter, namespace } }: Client,
  ids: { workflowId: string; activityId: string },
  payload: Payload,
): Promise<Progress> {
  const context = { type: "activity" as const, namespace, isLocal: false, ...ids };
  const { payloadCodecs, payloadConverter } = loadedDataConverter;
  const [decoded = payload] = await decode(payloadCodecs, [payload], context);
  return payloadConverter.fromPayload(decoded, context);
}

/** Returns a text such as `2 create, 1 update`. */
export const changesText = (changes: Changes = {}): string =>
  Object.entries(changes)
    .map(([op, count]) => `${count} ${op}`)
    .join(", ");

/** Returns the state of one stack in a few words. */
export function stateText({ state, changes, reason, attempts }: Entry): string {
  const again = attempts > 1 ? `, attempt ${attempts}` : "";
  if (state === "done") return `${reason ?? (changesText(changes) || "unchanged")}${again}`;
  return reason === undefined ? `${state}${again}` : `${state}${again}: ${reason}`;
}

/** Returns a line for every stack, and the totals below. */
export function reportText(report: Report): string {
  const rows = report.stacks.map((each) => [each.name, each.frontDoor, each.wave, stateText(each)]);
  const widths = [0, 1, 2].map((at) => rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0));
  const lines = rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join("  "));
  return [...lines, summary(report)].join("\n");
}

/** Returns a text such as `up of 30 stacks: 27 done, 3 failed`. */
export function summary({ stacks, operation }: Report): string {
  const states = ["done", "failed", "skipped", "cancelled", "running", "waiting"] as const;
  const counts = states.map((state) => [stacks.filter((each) => each.state === state).length, state] as const);
  const leftOut = stacks.filter(({ state, reason }) => state === "failed" && reason === undefined).length;
  const shown = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  const note = leftOut > 0 ? `. The reasons of ${leftOut} failures are left out` : "";
  return `${operation} of ${stacks.length} stacks: ${shown.join(", ")}${note}`;
}

/** Returns 0 if all stacks are done. Returns 1 otherwise, or if `drift` found a difference. */
export function exitCode({ operation, stacks }: Report): number {
  if (stacks.some(({ state }) => state !== "done")) return 1;
  return operation === "drift" && stacks.some(({ changes }) => changesText(changes) !== "") ? 1 : 0;
}
