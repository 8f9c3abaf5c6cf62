import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporal } from "@temporalio/proto";
import { Worker } from "@temporalio/worker";
import { modulePath } from "../src/temporal";

const { History } = temporal.api.history.v1;
const histories = JSON.parse(readFileSync(join(__dirname, "histories.json"), "utf8")) as Record<string, object>;

// A change to the workflows that a history does not survive needs `patched`. A history is `History.create(await handle.fetchHistory()).toJSON()`.
describe("the workflows go on with the history of an earlier release", () => {
  it.each(Object.entries(histories))("%s", async (_name, recorded) => {
    const history = History.fromObject(recorded);
    const id = history.events[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? undefined;
    await Worker.runReplayHistory({ workflowsPath: modulePath("workflows") }, history, id);
  });

  it.each([
    ["waves", "EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED"],
    ["an approval", "EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED"],
    ["a cancellation", "EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED"],
    ["another attempt", "EVENT_TYPE_TIMER_FIRED"],
    ["a new history", "EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW"],
  ])("with %s among them", (_, event) => {
    expect(JSON.stringify(histories).includes(event)).toBe(true);
  });
});
