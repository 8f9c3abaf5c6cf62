import type { Emulator } from "../../emulator";
import type { Owners } from "../chaos/owners";
import type { Failed, Kept } from "./model-engine";
import type { ModelHistory } from "./model-history";
import type { Registration } from "./model-program";

/** Whether a history has anything in it for which there may be no room at the service; every other one has to succeed. */
export function isRefusal({ steps }: ModelHistory): boolean {
  const isBare = steps.some(({ program }) =>
    [...Object.values(program.tunnels), ...Object.values(program.shares)].some(
      ({ called, place, edited }) => (called !== "" || place !== "") && edited !== "aliased",
    ),
  );
  return (
    isBare || steps.some(({ likeness, freshMachine, replaced }) => likeness ?? freshMachine ?? replaced.length > 0)
  );
}

interface Situation {
  program: Registration[];
  covered: Registration[];
  emulator: Emulator;
  owners: Owners;
  state: Kept[];
}

/** Adopts what the message names and is the stack's own, takes another name for what is another's, else takes the edit back. */
export function remedied({ slot, message }: Failed, { program, covered, emulator, owners, state }: Situation) {
  const inTheWay = emulator
    .shares()
    .find(({ id }) => message.includes("still use it") && mentions(message, id) && owners.of(id) === "another's");
  if (inTheWay) {
    // Its owner takes it away; then the same again.
    emulator.removeShare(inTheWay.id);
    return program;
  }
  const named = [...emulator.tunnels(), ...emulator.shares()].find(({ id }) => mentions(message, id));
  const change = (args: Record<string, unknown>) =>
    program.map((one) => (one.slot === slot ? { ...one, args: { ...one.args, ...args } } : one));
  // What another resource of the program has is not there to be adopted.
  const isDeclared = (urn: string) => program.some((one) => one.urn === urn && one.slot !== slot);
  const isOwn = named && owners.of(named.id) === "first";
  const isFree = named && !state.some(({ id, urn }) => id === named.id && isDeclared(urn));
  const current = program.find((one) => one.slot === slot);
  if (isOwn && isFree && current?.args["adopt"] !== named.id) return change({ adopt: named.id });
  const isAnothers = named && owners.of(named.id) === "another's";
  if (isAnothers && current?.args["name"] !== `own-${slot}`) return change({ name: `own-${slot}` });
  return JSON.stringify(program) === JSON.stringify(covered) ? undefined : covered;
}

const mentions = (text: string, id: string) => new RegExp(`${id}(?![\\w-])`).test(text);
