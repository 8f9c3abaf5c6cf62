import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Lab } from "./lab.ts";
import { until } from "./processes.ts";

export interface Trouble {
  frontDoors: number;
  stacksEach: number;
  /** The worker is killed once the service has been sent so many POSTs. */
  killAfterPosts: number;
}

/**
 * Brings up stacks of front doors of which the last refuses, and kills one of two workers in the middle: the others are brought up by the worker that is
 * left, nothing is made twice, and a rerun does only the rest. @throws AssertionError
 */
export async function troubleRound({ frontDoors, stacksEach, killAfterPosts }: Trouble): Promise<void> {
  const ids = Array.from({ length: frontDoors }, (_, at) => `fd-${at + 1}`);
  const closed = ids.at(-1) ?? "";
  // Slow enough that the worker is killed while something comes up.
  const lab = await Lab.open(ids.slice(0, -1), { provisionMs: 1500, teardownMs: 300 });
  try {
    const stacks = ids.flatMap((frontDoor, at) =>
      Array.from({ length: stacksEach }, (_, each) => [frontDoor, at * stacksEach + each + 1] as const),
    );
    lab.fleet({
      name: "trouble",
      waves: [{ name: "all", stopAfter: stacks.length }],
      limits: { perFrontDoor: stacksEach, lostAfterSeconds: 15, attempts: 20 },
      defaults: {
        program: "programs/site",
        secrets: { "frontdoor:token": "env:SITE_TOKEN" },
        config: { "frontdoor:baseUrl": lab.baseUrl, "frontdoor:requestTimeout": "3" },
      },
      stacks: Object.fromEntries(
        stacks.map(([frontDoor, number]) => [`site-${number}`, { frontDoor, config: { number: String(number) } }]),
      ),
    });
    const [doomed] = [await lab.startWorker(), await lab.startWorker()];
    const posts = async () => (await lab.sent()).filter(({ method }) => method === "POST");
    const first = lab.run("up");
    await until(
      "the service to be sent something",
      async () => ((await posts()).length >= killAfterPosts ? true : undefined),
      600_000,
    );
    await doomed.kill();

    const { code, report, said } = await first;
    const show = `${said}\n${JSON.stringify(report.stacks, undefined, 1)}`;
    const of = (state: string) => report.stacks.filter((each) => each.state === state);
    assert.equal(code, 1, show);
    assert.equal(of("done").length, stacks.length - stacksEach, show);
    assert.deepEqual([...new Set(of("failed").map(({ frontDoor }) => frontDoor))], [closed], show);
    for (const { reason } of of("failed")) assert.match(reason ?? "", /403 not_found/);
    // What the killed worker was at.
    assert.ok(
      report.stacks.some(({ attempts }) => attempts > 1),
      `nothing was under way on the killed worker: ${show}`,
    );
    await madeOnce(lab);

    const before = (await lab.sent()).length;
    await lab.emulate({ tokens: { [lab.token]: ids } });
    await sleep(100);
    const second = await lab.run("up");
    assert.equal(second.code, 0, `${second.said}\n${JSON.stringify(second.report.stacks)}`);
    const changed = second.report.stacks.filter(({ changes = {} }) => Object.keys(changes).length > 0);
    assert.deepEqual([...new Set(changed.map(({ frontDoor }) => frontDoor))], [closed]);
    const writes = (await lab.sent()).slice(before).filter(({ method }) => method !== "GET");
    assert.deepEqual([...new Set(writes.map(({ frontdoorId }) => frontdoorId))], [closed]);
    await madeOnce(lab);
    assert.equal((await lab.alive()).length, stacks.length * 2);
  } finally {
    await lab.close();
  }
}

/** No create was accepted twice, and nothing was deleted. */
async function madeOnce(lab: Lab): Promise<void> {
  const writes = (await lab.sent()).filter(({ method, status }) => method !== "GET" && status !== 403);
  const made = writes.map(
    ({ method, frontdoorId, path, body }) => `${method} ${frontdoorId} ${path} ${body?.name ?? ""}`,
  );
  assert.deepEqual(
    made.filter((each) => !each.startsWith("POST")),
    [],
  );
  assert.deepEqual(
    made.filter((each, at) => made.indexOf(each) !== at),
    [],
  );
}
