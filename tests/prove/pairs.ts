import { setMaxListeners } from "node:events";
import { Random } from "../harness/random";
import { type Edit, type Program, withEach } from "./alphabet";
import { adapters, alphabets, choices } from "./jobs";
import { relations } from "./relations";
import type { Setting } from "./run";
import { Side, type Step } from "./side";

/** A pair whose sides did not end in the same state. */
export interface Difference {
  seed: number;
  relation: string;
  edits: string[];
  lines: string[];
}

const mostEdits = 3;

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

/** Plays the pair of a seed. Returns undefined if both sides end in the same state. */
export async function pair(name: string, seed: number): Promise<Difference | undefined> {
  const random = new Random(seed);
  const relation = relations[name];
  if (!relation) throw new Error(`${name} is no relation`);
  const alphabet = alphabets[relation.only ?? random.pick(["singles", "sets"] as const)];
  const setting: Setting = {
    choices: choices[random.pick(["plain", "other"] as const)],
    adapter: adapters[random.pick(["dynamic", "plugin"] as const)],
  };
  const editsOf = (side: Side): Edit[] =>
    alphabet
      .editsOf(side.program, side.now.stacks.test.state)
      .filter(({ stranger, replaced }) => !stranger && !replaced)
      .filter((edit) => relation.leavesOut?.(edit.name, side.program) !== true);
  const one = new Side(setting);
  const start = alphabet.start.map((each) =>
    withEach(each, (args, slot) => (random.chance(0.2) ? { ...args, name: `own-${slot}` } : args)),
  );
  const steps = await drawn(one, start, editsOf, random);
  const other = new Side(relation.setting?.(setting) ?? setting);
  await relation.play(other, { steps, random });
  const [ends, others] = [one.end(), other.end()];
  const lines = [
    ...ends.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
    ...others.filter((line) => !ends.includes(line)).map((line) => `+ ${line}`),
  ];
  return lines.length === 0 && ends.length === others.length
    ? undefined
    : { seed, relation: name, edits: steps.map(({ edit }) => edit), lines };
}

/** Draws and plays a history of `up` and a few edits. */
async function drawn(side: Side, start: Program, editsOf: (side: Side) => Edit[], random: Random): Promise<Step[]> {
  const steps: Step[] = [];
  for (let left = random.upTo(mostEdits); left >= 0; left--) {
    const edit = steps.length === 0 ? { name: "up", program: start } : random.pick(editsOf(side));
    const slots = new Map([...side.ids()].map(([slot, id]) => [id, slot]));
    const { now } = side;
    const { requests, error } = await side.up(edit.program);
    // The program asks for something impossible, such as one port twice.
    if (error !== undefined) side.now = now;
    else steps.push({ edit: edit.name, program: edit.program, slots, requests: requests.length });
  }
  if (steps.length === 0) throw new Error("the program is refused from the start");
  return steps;
}
