import type { Client } from "@temporalio/client";
import type { Payload } from "@temporalio/common";
import type { RunHandle } from "./follow.ts";

/** One line for each operation under way, from the heartbeats of the workers. */
export async function progressOf(client: Client, handle: RunHandle): Promise<string[]> {
  const { raw } = await handle.describe();
  return Promise.all(
    (raw.pendingActivities ?? []).map(async ({ activityId, lastWorkerIdentity, heartbeatDetails }) => {
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
): Promise<{ done: number; underWay: number }> {
  const context = { type: "activity" as const, namespace, isLocal: false, ...ids };
  const { payloadCodecs, payloadConverter } = loadedDataConverter;
  const [decoded = payload] = (await payloadCodecs[0]?.decode([payload], context)) ?? [];
  return payloadConverter.fromPayload(decoded, context);
}
