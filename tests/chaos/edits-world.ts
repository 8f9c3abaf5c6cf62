import type { Edit } from "./draft";
import { isInSite, newShare, pickShare } from "./edits-fields";
import type { Stranger } from "./schedule";

const seed = (step: { strangers?: Stranger[] }, stranger: Stranger) => {
  step.strangers = [...(step.strangers ?? []), stranger];
  return true;
};

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
