import type { Emulator } from "../../emulator";
import { mentions, offered } from "../chaos/messages";
import type { Owners } from "../chaos/owners";
import { without } from "../chaos/schedule";
import type { Failed, Kept } from "./state";
import type { ModelHistory } from "./history";
import type { ModelResource, Registration } from "./program";

/** Whether a history has anything in it for which there may be no room at the service; every other one has to succeed. */
export function isRefusal({ steps }: ModelHistory): boolean {
  const resources = steps.flatMap(({ program }) => Object.entries({ ...program.tunnels, ...program.shares }));
  const isElsewhere = (slot: string, { called, place }: ModelResource) =>
    resources.some(([other, each]) => other === slot && (each.called !== called || each.place !== place));
  const isBare = resources.some(([slot, each]) => each.edited !== "aliased" && isElsewhere(slot, each));
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
  /** What has been tried before; nothing is tried twice. */
  tried: Set<string>;
}

/**
 * Adopts what the message offers and is the stack's own, takes another name for what is another's, else takes the resource's edit
 * back, at last the whole edit.
 */
export function remedied({ slot, message }: Failed, situation: Situation): Registration[] | undefined {
  const { program, covered, emulator, owners, state, tried } = situation;
  const isNew = (what: string) => !tried.has(what) && tried.add(what).size > 0;
  const change = (args: Registration["args"]) =>
    program.map((one) => (one.slot === slot ? { ...one, args: { ...without(one.args, "adopt"), ...args } } : one));
  const ofOwner = (owner: string) => (each: { id: string }) =>
    owners.of(each.id) === owner && mentions(message, each.id);

  const isKept = (id: string) => state.some((each) => each.id === id);
  const inTheWay = message.includes("still use it")
    ? emulator.shares().find(({ id }) => mentions(message, id) && !isKept(id))
    : undefined;
  if (inTheWay) {
    // Its owner takes it away, or the user what no state knows any longer; then the same again.
    emulator.removeShare(inTheWay.id);
    return program;
  }
  if (message.includes("has none of this id") && isNew(`${slot} without adopt`)) return change({});
  const all = [...emulator.tunnels(), ...emulator.shares()];
  const toAdopt = offered(message) ?? "";
  // What another resource of the program has is not there to be adopted.
  const isDeclared = (urn: string) => program.some((one) => one.urn === urn && one.slot !== slot);
  const isFree = !state.some(({ id, urn }) => id === toAdopt && isDeclared(urn));
  if (owners.of(toAdopt) === "first" && isFree && isNew(`${slot} adopts ${toAdopt}`)) return change({ adopt: toAdopt });
  if (all.some(ofOwner("another's")) && isNew(`${slot} under a name of its own`))
    return change({ name: `own-${slot}` });
  const before = covered.filter((one) => one.slot === slot);
  const back = [...program.filter((one) => one.slot !== slot), ...before];
  const isWhole = back.every(({ on }) => on === undefined || back.some((each) => each.slot === on));
  if (isWhole && isNew(`${slot} as before`)) return back;
  return isNew("all as before") ? covered : undefined;
}
