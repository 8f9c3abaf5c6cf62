import { setTimeout as sleep } from "node:timers/promises";
import type { Client, WorkflowHandle } from "@temporalio/client";
import { WorkflowFailedError } from "@temporalio/client";
import type { Report } from "./operation.ts";
import { stateText } from "./report.ts";
import { reportQuery, run } from "./workflows.ts";

const lookMs = 1000;
const answerMs = 5000;

export type RunHandle = WorkflowHandle<typeof run>;

/** Returns the report of a run; undefined if no worker answers now. */
export async function reportOf(client: Client, handle: RunHandle): Promise<Report | undefined> {
  try {
    return await client.withDeadline(Date.now() + answerMs, () => handle.query(reportQuery));
  } catch {
    return undefined;
  }
}

/** Prints the states of the stacks on standard error until the run ends, or until `left` aborts. */
export async function follow(client: Client, handle: RunHandle, left: AbortSignal): Promise<Report | undefined> {
  const shown = new Map<string, string>();
  const say = (report: Report) => {
    for (const entry of report.stacks) {
      const text = stateText(entry);
      if (entry.state !== "waiting" && shown.get(entry.name) !== text) console.error(`${entry.name}  ${text}`);
      shown.set(entry.name, entry.state === "waiting" ? "" : text);
    }
    const awaited = report.awaiting ?? "";
    if (awaited !== "" && shown.get("") !== awaited) console.error(`waiting: frontdoor-fleet approve ${awaited}`);
    shown.set("", awaited);
  };
  const end = ended(handle, left);
  for (let report: Report | undefined; !left.aborted;) {
    const isOver = await Promise.race([end.then(() => true), sleep(lookMs, false)]);
    if (isOver) break;
    report = await reportOf(client, handle);
    if (report) say(report);
  }
  if (left.aborted) return undefined;
  const report = await end;
  say(report);
  return report;
}

/** Returns the report at the end of the run. It survives outages of the server. */
async function ended(handle: RunHandle, left: AbortSignal): Promise<Report> {
  for (;;) {
    try {
      return await handle.result();
    } catch (error) {
      if (error instanceof WorkflowFailedError) throw error;
      if (left.aborted) throw error;
      await sleep(lookMs);
    }
  }
}
