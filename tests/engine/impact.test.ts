import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportOf } from "../../cli/impact/report";
import { previewIn } from "../../cli/impact/preview";
import { startPulumi, well } from "../harness/command";
import { engineEnvironment } from "../harness/environment";
import { ownImports } from "../harness/plugin";
import { Stack } from "../harness/stack";
import { edits } from "./impact-edits";

const second = { typical: 1, worst: 2, seen: 0 };
const out = process.env["RECORD"];

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.open({ provisionMs: 50, teardownMs: 20 });
});
afterAll(() => stack.close());

it.each(edits)("%s", async (...[name, program]) => {
  stack.program(program);
  const env = { ...engineEnvironment(stack.folder), ...stack.env };
  const flags = process.env["FLAGS"]?.split(" ") ?? [];
  const { stdout, stderr } = well(
    await startPulumi(["preview", "--json", "--stack", "test", ...flags], { cwd: stack.folder, env }).end,
  );
  if (out) writeFileSync(join(out, `${name.replaceAll(" ", "-")}.json`), stdout + stderr);
  let report;
  try {
    report = reportOf(previewIn(stdout), () => second);
  } catch (error) {
    console.log(name, (error as Error).message);
  }
  stack.writes();
  const run = await stack.up(program);
  const writes = stack.writes();
  const state = stack.stateText();
  for (const { id, status } of stack.emulator.shares())
    if (status !== "DELETED" && !state.includes(id)) stack.emulator.removeShare(id);
  console.log(
    ownImports,
    name,
    run.code,
    run.code ? run.text : "",
    writes.map((each) => each.split(" {")[0]).join("\n"),
    "\n---\n",
    report?.items
      .map(
        (i) =>
          `${i.request} ${i.kind} ${i.name} ${i.id ?? "-"} ${i.effect} ${i.isCertain ? "" : "may"} ${i.typical.begins}-${i.typical.ends}`,
      )
      .join("\n"),
  );
});
