import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { FleetFile } from "../src/fleet";
import { Lab, until } from "./lab";
import { scaleRound } from "./scale";

// `lab/run.ts demo|trouble|scale`.
const isCalled = require.main === module;
const { values: options, positionals } = parseArgs({
  args: isCalled ? process.argv.slice(2) : [],
  allowPositionals: true,
  options: {
    times: { type: "string", default: "1" },
    first: { type: "string", default: "1" },
    stacks: { type: "string", default: "2500" },
  },
});

const frontDoorsOf = (count: number) => Array.from({ length: count }, (_, at) => `fd-${at + 1}`);

/** The sites of a fleet, some on each front door. */
const sitesOn = (frontDoors: string[], each: number) =>
  frontDoors.flatMap((frontDoor, at) =>
    Array.from({ length: each }, (_, nth) => ({ frontDoor, number: at * each + nth + 1 })),
  );

const stacksOf = (sites: { frontDoor: string; number: number; wave?: string }[]): FleetFile["stacks"] =>
  Object.fromEntries(
    sites.map(({ number, ...site }) => [`site-${number}`, { ...site, config: { number: String(number) } }]),
  );

const defaultsOf = ({ baseUrl }: Lab, config: Record<string, string>) => ({
  program: "programs/site",
  config: { "frontdoor:baseUrl": baseUrl, ...config },
  secrets: { "frontdoor:token": "env:SITE_TOKEN" },
});

const secondsSince = (startedMs: number) => Math.round((performance.now() - startedMs) / 1000);

/** What `npm run fleet:demo` shows: 30 stacks on 10 front doors of an emulator, brought up by two workers. */
async function demo(): Promise<number> {
  const frontDoors = frontDoorsOf(10);
  const lab = await Lab.open(frontDoors, { provisionMs: 3000 });
  let isStopping = false;
  try {
    console.log(
      `Temporal at ${lab.temporal.address}, an emulator with ${frontDoors.length} front doors at ${lab.baseUrl}`,
    );
    await Promise.all([lab.startWorker(), lab.startWorker()]);
    console.log(`Two workers, two stacks at a time each. All of it is in ${lab.folder} until the end.\n`);
    lab.fleet({
      waves: [{ name: "canary" }, { name: "rest", stopAfter: 5 }],
      defaults: defaultsOf(lab, { shares: "2" }),
      stacks: stacksOf(sitesOn(frontDoors, 3).map((site) => ({ ...site, wave: site.number <= 3 ? "canary" : "rest" }))),
    });
    const startedMs = performance.now();
    const running = lab.start("up");
    // The first Ctrl-C is the command's, which cancels the run and waits for its end.
    const onStop = () => {
      if (!isStopping) running.interrupt();
      isStopping = true;
    };
    process.on("SIGINT", onStop).on("SIGTERM", onStop);
    running.show();
    const { code, out } = await running.ended;
    console.log(`\n${out}in ${secondsSince(startedMs)} s`);
    return code;
  } finally {
    await lab.close();
  }
}

/** 10 front doors with 3 stacks each, of which one front door refuses and one worker is killed in the middle; N times in a row. */
async function trouble(): Promise<number> {
  const [first, times] = [Number(options.first), Number(options.times)];
  let failed = 0;
  for (let round = first; round < first + times; round++) {
    // Another moment each time, over the whole run: 27 stacks send two POSTs each.
    const killAfterPosts = 1 + ((round * 17) % 48);
    const startedMs = performance.now();
    const problem = await troubleRound({ frontDoors: 10, stacksEach: 3, killAfterPosts }).catch(String);
    failed += problem === undefined ? 0 : 1;
    const outcome = problem === undefined ? `right, ${secondsSince(startedMs)} s` : `WRONG: ${problem}`;
    console.log(`round ${round}, worker killed after ${killAfterPosts} POSTs: ${outcome}`);
  }
  console.log(`${times - failed} of ${times} right`);
  return failed > 0 ? 1 : 0;
}

interface Trouble {
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
  const ids = frontDoorsOf(frontDoors);
  const closed = ids.at(-1) ?? "";
  // Slow enough that the worker is killed while something comes up.
  const lab = await Lab.open(ids.slice(0, -1), { provisionMs: 1500, teardownMs: 300 });
  try {
    const sites = sitesOn(ids, stacksEach);
    lab.fleet({
      waves: [{ name: "all", stopAfter: sites.length }],
      limits: { perFrontDoor: stacksEach, lostAfterSeconds: 15, attempts: 20 },
      defaults: defaultsOf(lab, { "frontdoor:requestTimeout": "3" }),
      stacks: stacksOf(sites),
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
    assert.equal(of("done").length, sites.length - stacksEach, show);
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
    assert.equal((await lab.alive()).length, sites.length * 2);
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
  assert.equal(made.filter((each) => !each.startsWith("POST")).join("\n"), "");
  assert.equal(made.filter((each, at) => made.indexOf(each) !== at).join("\n"), "");
}

/** `--stacks` of them, with a stub for Pulumi. */
async function scale(): Promise<number> {
  const stacks = Number(options.stacks);
  const { seconds, again, histories } = await scaleRound(stacks);
  console.log(`${stacks} stacks in ${seconds} s, ${again} tried again, ${histories} histories of the second wave`);
  return 0;
}

const programs: Record<string, () => Promise<number>> = { demo, trouble, scale };
if (isCalled)
  void programs[positionals[0] ?? ""]?.().then((code) => {
    process.exitCode = code;
  });
