import type { Settings } from "../../emulator";
import { edit } from "./edits";
import { newShare } from "./edits-fields";
import { addSet } from "./draw-sets";
import { setMoves } from "./edits-set-moves";
import { editSets, setEdits } from "./edits-sets";
import { generateCancel, generateFaults, generateKill } from "./generate-faults";
import { Random } from "../harness/random";
import { boundaries, type Host, type Program, type Schedule, type Step } from "./schedule";
import { withoutImport } from "./sets";

/** The schedule of a seed: 1 or 2 tunnels, mostly up to 3 shares, in most a set of up to 30 more, 1 to 3 runs after each other. */
export function generate(seed: number, host?: Host): Schedule {
  const random = new Random(seed);
  // Numbers of their own: else every seed would stand for another schedule than before there were any.
  const ofCancels = new Random(~seed);
  const ofSets = new Random(seed ^ 0x5e7);
  const ofRefreshes = new Random(seed ^ 0x3ef);
  const settings = generateSettings(random);
  const credentials = random.pick(["token", "token", "json", "form"] as const);
  const steps: Step[] = [];
  let program = generateProgram(random);
  const hasSets = ofSets.chance(0.7);
  if (hasSets && ofSets.chance(0.8)) addSet(ofSets, program);
  const count = random.pick([1, 2, 2, 2, 3]);
  for (let n = 0; n < count; n++) {
    const run = n === 0 ? "up" : random.pick(runs);
    const calm = random.chance(n === 0 && count > 1 ? 0.6 : 0.3);
    const step: Step = {
      run,
      program,
      faults: calm ? [] : generateFaults(random),
      kill: calm ? undefined : generateKill(random, n === 0, run),
    };
    if (n > 0 && run !== "destroy") {
      const draft = { program: structuredClone(program), before: program, step };
      step.edits = edit(random, draft, host);
      // What a refresh has not made, the next edit could not move.
      if (hasSets && run !== "refresh") step.edits.push(...editSets(ofSets, draft, setEdits));
      step.program = draft.program;
      // What was only looked at is not what the next edit starts from.
      if (run !== "preview") program = draft.program;
    }
    if (!step.kill) step.cancel = generateCancel(ofCancels, run);
    // With --refresh the engine starts Pulumi's dynamic host once more for the program. Where it is killed before it asks that one
    // anything, the process stays: no code of ours is in it yet.
    const isLeft = step.kill?.who === "engine" && host !== "plugin";
    if (n > 0 && ["up", "destroy"].includes(run) && !isLeft && ofRefreshes.chance(0.25)) step.isRefreshed = true;
    // Once it is done the user takes `import` out: what is replaced later would be imported once more.
    if (run === "up") program = withoutImport(program);
    steps.push(step);
    if (run === "destroy") break;
  }
  if (hasSets && steps.at(-1)?.run !== "destroy") {
    for (const step of stepsOfSets(ofSets, program)) {
      steps.push(step);
      program = step.program;
    }
  }
  if (random.chance(0.06)) steps.push({ run: "up", program, faults: [], edits: ["a second stack"], on: "second" });
  return { seed, settings: roomFor(steps, settings), credentials, steps, ...(host && { host }) };
}

/** Shares move between sets and themselves only here: else the edits above would not find those that they found before there were sets. */
function stepsOfSets(random: Random, before: Program): Step[] {
  const steps: Step[] = [];
  let program = before;
  for (let count = random.pick([0, 1, 2, 2]); count > 0; count--) {
    const calm = random.chance(0.4);
    const step: Step = {
      ...{ run: "up", program, faults: calm ? [] : generateFaults(random) },
      kill: calm ? undefined : generateKill(random, false, "up"),
    };
    if (!step.kill) step.cancel = generateCancel(random, "up");
    const draft = { program: structuredClone(program), before: program, step };
    step.edits = editSets(random, draft, { ...setEdits, ...setMoves });
    program = step.program = draft.program;
    steps.push(step);
  }
  return steps;
}

const runs = ["up", "up", "up", "up", "up", "up", "up", "up", "up", "refresh", "destroy", "preview"] as const;

/** Another's share that is like a living one has its port: a service that refuses that could not have it. */
const roomFor = (steps: Step[], settings: Partial<Settings>): Partial<Settings> =>
  steps.some(({ strangers = [] }) => strangers.length > 0)
    ? { ...settings, duplicateIngressPort: "allowed" }
    : settings;

/** In fast mode: a first `up` of 200 shares, killed at any moment. */
export function generateFast(seed: number, count = 200): Schedule {
  const random = new Random(seed);
  const names = ["t1"];
  const program = {
    tunnels: { t1: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } },
    shares: Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`s${n + 1}`, newShare(random, random.pick(names), n)]),
    ),
  };
  const kill = {
    who: random.pick(["engine", "provider", "both"] as const),
    when: random.pick(boundaries),
    method: "POST",
    kind: "share",
    nth: random.upTo(count - 1),
  } as const;
  const steps: Step[] = [{ run: "up", program, faults: [], kill }];
  return { seed, settings: generateSettings(random), credentials: "token", isFast: true, steps };
}

function generateSettings(random: Random): Partial<Settings> {
  const lagMs = random.pick([0, 0, 300, 700]);
  return {
    provisionMs: random.pick([50, 300, 900]),
    teardownMs: random.pick([50, 300]),
    readLagMs: lagMs,
    listLagMs: random.chance(0.5) ? lagMs : 0,
    deletedShownAs: random.pick(["DELETED", "404"]),
    // A duplicate must not be hidden by the service refusing it.
    duplicateIngressPort: random.pick(["allowed", "refused"]),
    filtersHonoured: random.chance(0.85),
    createBody: random.chance(0.85),
    updateAcceptedIn: random.pick([
      ["NEW", "DEPLOYED", "ERROR"],
      ["DEPLOYED", "ERROR"],
    ]),
    deleteAcceptedIn: random.pick([
      ["NEW", "DEPLOYED", "ERROR"],
      ["DEPLOYED", "ERROR"],
    ]),
  };
}

function generateProgram(random: Random): Program {
  const names = random.chance(0.3) ? ["t1", "t2"] : ["t1"];
  const tunnels = Object.fromEntries(
    names.map((name, n) => [
      name,
      { peerPublicIp: `203.0.113.${7 + n}`, peerCidr: `10.${20 + n}.0.0/16`, locationId: `loc-${n + 1}` },
    ]),
  );
  const count = random.pick([0, 1, 1, 1, 2, 2, 2, 3, 3, 5]);
  const shares = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`s${n + 1}`, newShare(random, random.pick(names), n)]),
  );
  return { tunnels, shares };
}
