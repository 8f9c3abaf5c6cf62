import type { Settings } from "../../emulator";
import { generateFaults, generateKill } from "./generate-faults";
import { Random } from "./random";
import { boundaries, type Program, type Schedule, type Step } from "./schedule";

/** The schedule of a seed: 1 or 2 tunnels, up to 8 shares, 1 to 3 runs after each other. */
export function generate(seed: number): Schedule {
  const random = new Random(seed);
  const settings = generateSettings(random);
  const credentials = random.pick(["token", "token", "json", "form"] as const);
  const steps: Step[] = [];
  let program = generateProgram(random);
  const count = random.pick([1, 1, 2, 2, 3]);
  for (let n = 0; n < count; n++) {
    const run = n === 0 ? "up" : random.pick(["up", "up", "up", "up", "refresh", "destroy", "preview"] as const);
    if (n > 0) program = run === "destroy" ? program : change(random, program);
    steps.push({ run, program, faults: generateFaults(random), kill: generateKill(random, n === 0, run) });
    if (run === "destroy") break;
  }
  return { seed, settings, credentials, steps };
}

/** In fast mode: a first `up` of 200 shares, killed at any moment. */
export function generateFast(seed: number, count = 200): Schedule {
  const random = new Random(seed);
  const names = ["t1"];
  const program = {
    tunnels: { t1: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } },
    shares: Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n + 1}`, generateShare(random, names, n)])),
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
  const count = random.pick([0, 1, 1, 2, 2, 3, 4, 8]);
  const shares = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`s${n + 1}`, generateShare(random, names, n)]),
  );
  return { tunnels, shares };
}

const generateShare = (random: Random, tunnels: string[], n: number) => ({
  ipsecTunnelId: { tunnel: random.pick(tunnels) },
  envZId: "env-1",
  target: `host-${n}.internal:443`,
  ingressPort: 1001 + n,
  ...(random.chance(0.3) && { locationId: "loc-9" }),
});

/** The program after one to three edits. */
function change(random: Random, before: Program): Program {
  const program = structuredClone(before);
  for (let edits = 1 + random.upTo(2); edits > 0; edits--) edit(random, program);
  return program;
}

function edit(random: Random, program: Program): void {
  const { tunnels, shares } = program;
  const names = Object.keys(tunnels);
  const tunnel = tunnels[random.pick(names)] ?? {};
  const share = shares[random.pick(["", ...Object.keys(shares)])];
  const what = random.pick(["add", "target", "target", "location", "move", "remove", "replace tunnel", "move tunnel"]);
  if (what === "add") {
    const n = 20 + random.upTo(900);
    shares[`s${n}`] = generateShare(random, names, n);
  } else if (what === "replace tunnel") tunnel["peerCidr"] = `10.${100 + random.upTo(99)}.0.0/16`;
  else if (what === "move tunnel") tunnel["locationId"] = `loc-${10 + random.upTo(9999)}`;
  else if (share) editShare(random, program, share, what);
}

function editShare(random: Random, program: Program, share: Record<string, unknown>, what: string): void {
  if (what === "target") share["target"] = `moved-${random.upTo(999)}.internal:8443`;
  else if (what === "move") share["ipsecTunnelId"] = { tunnel: random.pick(Object.keys(program.tunnels)) };
  else if (what === "location") {
    if (share["locationId"] === undefined) share["locationId"] = "loc-8";
    else delete share["locationId"];
  } else program.shares = Object.fromEntries(Object.entries(program.shares).filter(([, each]) => each !== share));
}
