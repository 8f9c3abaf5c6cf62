import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { delimiter, join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { runId, waveId } from "../src/operation";
import { Lab, labFleet, until } from "./lab";

// Stands for Pulumi: an operation takes a second, and says which stack it was for.
const stub = (log: string) => `#!/bin/sh
case "$1" in
version) echo v3.213.0 ;;
up)
  while [ "$1" != --stack ]; do shift; done
  sleep 1
  echo "$2" >>'${log}'
  ;;
esac
`;

const stacksOnFrontDoor = 5;
const maxStacks = 40;

/**
 * Brings so many stacks up with a stub for Pulumi, on Temporal's own server. A worker is killed after a third of them, and the server after
 * two thirds. Each stack is done once. Returns the times a wave went on with a new history, and the seconds. @throws AssertionError
 */
export async function scaleRound(stacks: number): Promise<{ seconds: number; again: number; histories: number }> {
  const lab = await Lab.open(["fd-1"]);
  try {
    lab.env["FRONTDOOR_FLEET_KEY"] = randomBytes(32).toString("base64");
    const log = join(lab.folder, "done.log");
    const bin = join(lab.folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "pulumi"), stub(log), { mode: 0o700 });
    const more = { PATH: [bin, process.env["PATH"]].join(delimiter), NODE_OPTIONS: "" };
    lab.fleet({
      waves: [{ name: "canary" }, { name: "rest" }],
      limits: { perFrontDoor: 2, lostAfterSeconds: 40, attempts: 20 },
      defaults: { program: "programs/site", config: { "frontdoor:requestTimeout": "1" } },
      stacks: Object.fromEntries(
        Array.from({ length: stacks }, (_, at) => [
          `site-${at}`,
          {
            frontDoor: `fd-${Math.floor(at / stacksOnFrontDoor)}`,
            wave: at < stacksOnFrontDoor ? "canary" : "rest",
            dependsOn: at % stacksOnFrontDoor === 1 ? [`site-${at - 1}`] : [],
          },
        ]),
      ),
    });
    const done = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
    const reaches = (part: number) =>
      until("the stacks", () => (done().length >= part * stacks ? true : undefined), 3_600_000);
    const [doomed] = [await lab.startWorker({ maxStacks, more }), await lab.startWorker({ maxStacks, more })];
    const startedMs = performance.now();
    const secondsNow = () => Math.round((performance.now() - startedMs) / 1000);
    const say = (text: string) => {
      console.log(`${secondsNow()} s, load ${loadavg()[0]?.toFixed(1) ?? ""}: ${done().length} stacks, ${text}`);
    };
    say(`Temporal at ${lab.temporal.address}`);
    const running = lab.run("up");
    await reaches(1 / 3);
    say("a worker is killed");
    await doomed.kill();
    await lab.startWorker({ maxStacks, more });
    await reaches(2 / 3);
    say("the server is killed");
    await lab.temporal.kill();
    await lab.temporal.start(lab.env);
    const { code, report, said } = await running;
    const seconds = secondsNow();
    say("the run has ended");

    assert.equal(code, 0, said.slice(-2000));
    assert.equal(report.stacks.filter(({ state }) => state === "done").length, stacks);
    const again = new Set(report.stacks.filter(({ attempts }) => attempts > 1).map(({ name }) => name));
    const counts = new Map<string, number>();
    for (const name of done()) counts.set(name, (counts.get(name) ?? 0) + 1);
    assert.equal(counts.size, stacks);
    // An operation that had ended when its worker was killed is done again: an `up` without a change.
    assert.deepEqual(
      [...counts].filter(([name, count]) => count > 1 && !again.has(name)),
      [],
    );
    assert.ok(again.size <= 4 * maxStacks, `${again.size} stacks were tried again`);
    return { seconds, again: again.size, histories: await historiesOf(lab) };
  } finally {
    await lab.close();
  }
}

/** Returns the number of histories of the second wave. */
async function historiesOf({ temporal: { address } }: Lab): Promise<number> {
  const client = new Client({ connection: await Connection.connect({ address }) });
  try {
    const query = `WorkflowId = '${waveId(runId(labFleet), "rest")}'`;
    const { count } = await client.workflow.count(query);
    return count;
  } finally {
    await client.connection.close();
  }
}
