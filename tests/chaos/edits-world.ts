import type { Draft, Edit } from "./draft";
import { isInSite, newShare, pickShare } from "./edits-fields";
import type { Random } from "../harness/random";
import type { Args, Stranger } from "./schedule";

const seed = (step: Draft["step"], stranger: Stranger) => {
  step.strangers = [...(step.strangers ?? []), stranger];
  return true;
};

/** Puts what was made by hand, a tunnel or a share on one of ours, into the program; its kind, name and id. */
function madeByHand(random: Random, { program, before, step }: Draft) {
  const n = 1000 + random.upTo(8999);
  // The name it was given by hand, or none where the program does not care.
  const isNamed = random.chance(0.5);
  const put = (kind: "tunnels" | "shares", args: Args) => {
    const name = `${kind === "tunnels" ? "m" : "n"}${n}`;
    program[kind][name] = { ...args, ...(isNamed && { name: `by-hand-${n}` }) };
    return { args: program[kind][name], name };
  };
  const ours = Object.keys(program.tunnels).filter(
    (name) => before.tunnels[name] && !isInSite(program.tunnels[name] ?? {}),
  );
  if (ours.length === 0 || random.chance(0.3)) {
    const peerCidr = `10.${60 + random.upTo(30)}.0.0/16`;
    const tunnel = { peerPublicIp: "203.0.113.90", peerCidr, locationId: `loc-by-hand-${n}` };
    const id = `tnl-by-hand-${n}`;
    seed(step, { id, tunnel: { ...tunnel, name: `by-hand-${n}` } });
    return { id, ...put("tunnels", tunnel) };
  }
  const on = random.pick(ours);
  const share = { ...newShare(random, on, n), locationId: "loc-9" };
  const id = `shr-by-hand-${n}`;
  seed(step, { id, on, share: { ...share, name: `by-hand-${n}` } });
  return { id, ...put("shares", { ...share, ...(random.chance(0.3) && { target: "new.internal:443" }) }) };
}

/** What is around the program: other stacks, other machines, what others have made. */
export const worldEdits: Record<string, Edit> = {
  "adopt another's": {
    weight: 4,
    make: (random, { program, before, step }) => {
      const tunnels = Object.keys(program.tunnels).filter(
        (name) => before.tunnels[name] && !isInSite(program.tunnels[name] ?? {}),
      );
      if (tunnels.length === 0) return false;
      const n = 30 + random.upTo(900);
      const on = random.pick(tunnels);
      const share = newShare(random, on, n);
      const id = `shr-found-${n}`;
      program.shares[`f${n}`] = { ...share, ...(random.chance(0.5) && { target: "new.internal:443" }), adopt: id };
      return seed(step, { id, on, share: { ...share, name: `found-${n}` } });
    },
  },
  import: {
    weight: 8,
    host: "plugin",
    make: (random, draft) => {
      const { args, id } = madeByHand(random, draft);
      args.opts = { import: id };
      return true;
    },
  },
  "import by file": {
    weight: 5,
    host: "plugin",
    make: (random, draft) => {
      const { name, id } = madeByHand(random, draft);
      draft.step.imports = { ...draft.step.imports, [name]: id };
      return true;
    },
  },
  "another's exactly alike": {
    weight: 3,
    make: (random, { before, step }) => {
      const picked = pickShare(random, before);
      return picked !== undefined && seed(step, { like: picked[0] });
    },
  },
  "stack rename": {
    weight: 2,
    make: (random, { step }) => {
      step.renameStack = random.pick(["prod", "live"]);
      return true;
    },
  },
  "another machine": {
    weight: 3,
    make: (random, { step }) => {
      step.freshMachine = random.pick(["run", "recovery"]);
      return true;
    },
  },
};
