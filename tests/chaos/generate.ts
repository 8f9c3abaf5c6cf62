import type { Settings } from "../../emulator";
import { edit } from "./edits";
import { newShare } from "./edits-fields";
import { generateCancel, generateFaults, generateKill } from "./generate-faults";
import { Random } from "./random";
import { type Args, boundaries, type Host, type Program, type Schedule, type Step } from "./schedule";

/** The schedule of a seed: 1 or 2 tunnels, mostly up to 3 shares, 1 to 3 runs after each other. */
export function generate(seed: number, host?: Host): Schedule {
  const random = new Random(seed);
  // Numbers of their own: else every seed would stand for another schedule than before there were any.
  const ofCancels = new Random(~seed);
  const settings = generateSettings(random);
  const credentials = random.pick(["token", "token", "json", "form"] as const);
  const steps: Step[] = [];
  let program = generateProgram(random);
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
      step.program = draft.program;
      // What was only looked at is not what the next edit starts from.
      if (run !== "preview") program = draft.program;
    }
    if (!step.kill) step.cancel = generateCancel(ofCancels, run);
    // Once it is done the user takes `import` out: what is replaced later would be imported once more.
    if (run === "up") program = imported(program);
    steps.push(step);
    if (run === "destroy") break;
  }
  if (random.chance(0.06)) steps.push({ run: "up", program, faults: [], edits: ["a second stack"], on: "second" });
  return { seed, settings: roomFor(steps, settings), credentials, steps, ...(host && { host }) };
}

function imported({ tunnels, shares }: Program): Program {
  const each = (resources: Record<string, Args>) =>
    Object.fromEntries(
      Object.entries(resources).map(([name, args]) => [
        name,
        args.opts?.import === undefined ? args : { ...args, opts: { ...args.opts, import: undefined } },
      ]),
    );
  return { tunnels: each(tunnels), shares: each(shares) };
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
