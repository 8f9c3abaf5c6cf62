import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporal } from "@temporalio/proto";
import { Worker } from "@temporalio/worker";
import { modulePath } from "../src/temporal";

const { History } = temporal.api.history.v1;
const folder = join(__dirname, "histories");

// A change to the workflows that a history does not survive needs `patched`. A file is `History.create(await handle.fetchHistory()).toJSON()`.
describe("the workflows go on with the history of an earlier release", () => {
  it.each(readdirSync(folder))("%s", async (name) => {
    const history = History.fromObject(JSON.parse(readFileSync(join(folder, name), "utf8")) as object);
    const id = history.events[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? undefined;
    await Worker.runReplayHistory({ workflowsPath: modulePath("workflows") }, history, id);
  });
});
