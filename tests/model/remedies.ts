import type { Emulator } from "../../emulator";
import { mentions, offered } from "../chaos/messages";
import type { Owners } from "../chaos/owners";
import { without } from "../chaos/schedule";
import type { Failed, Kept } from "./state";
import type { ModelHistory } from "./history";
import { flat, type ModelProgram, type ModelResource, type Registration, setSlot } from "./program";

/** Whether a history has anything in it for which there may be no room at the service; every other one has to succeed. */
export function isRefusal({ steps }: ModelHistory): boolean {
  const resources = steps.flatMap(({ program }) => Object.entries({ ...program.tunnels, ...program.shares }));
  const isElsewhere = (slot: string, { called, place }: ModelResource) =>
    resources.some(([other, each]) => other === slot && (each.called !== called || each.place !== place));
  const isBare = resources.some(([slot, each]) => each.edited !== "aliased" && isElsewhere(slot, each));
  return (
    isBare ||
    steps.some(({ program }, at) => isOtherSet(program, steps[at - 1]?.program)) ||
    steps.some(({ likeness, freshMachine, replaced }) => likeness ?? freshMachine ?? replaced.length > 0)
  );
}

/** Whether shares go into a set or leave it, or it is called otherwise. */
function isOtherSet({ set, shares }: ModelProgram, before: ModelProgram | undefined): boolean {
  if (!before) return false;
  const isIn = (program: ModelProgram, slot: string) => program.set?.keys.includes(slot) ?? false;
  const isMoved = Object.keys(shares).some(
    (slot) => before.shares[slot] && isIn({ set, shares, tunnels: {} }, slot) !== isIn(before, slot),
  );
  const isRenamed =
    set?.edited !== "aliased" && (set?.called !== before.set?.called || set?.place !== before.set?.place);
  return isMoved || isRenamed;
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

/** What is wrong with which share, where a set says it of some of its own. */
const told = ({ slot, message }: Failed): Pick<Failed, "slot" | "message">[] =>
  slot === setSlot
    ? [...message.matchAll(/shares\["(\w+)"\](.*?)(?=shares\["|$)/gs)].map(([, key = "", text = ""]) => ({
        ...{ slot: key, message: text },
      }))
    : [{ slot, message }];

/** The program with these arguments for one of its resources or of the shares of its set. */
const changed = (program: Registration[], slot: string, args: Registration["args"]): Registration[] =>
  program.map((one) => {
    const bent = (before: Registration["args"]) => ({ ...without(before, "adopt"), ...args });
    if (one.slot === slot) return { ...one, args: bent(one.args) };
    const shares = one.args["shares"] as Record<string, Registration["args"]> | undefined;
    const part = shares?.[slot];
    return part ? { ...one, args: { ...one.args, shares: { ...shares, [slot]: bent(part) } } } : one;
  });

/**
 * Adopts what the message offers and is the stack's own, takes another name for what is another's, else takes the resource's edit
 * back, at last the whole edit.
 */
export function remedied(failed: Failed, situation: Situation): Registration[] | undefined {
  for (const one of told(failed)) {
    const remedy = ofOne(one, situation);
    if (remedy) return remedy;
  }
  const { program, covered, tried } = situation;
  const { slot } = failed;
  const isNew = (what: string) => !tried.has(what) && tried.add(what).size > 0;
  const before = covered.filter((one) => one.slot === slot);
  const back = [...program.filter((one) => one.slot !== slot), ...before];
  const isWhole = back.every(({ on }) => on === undefined || back.some((each) => each.slot === on));
  const isOnce = new Set(flat(back).map((one) => one.slot)).size === flat(back).length;
  if (isWhole && isOnce && isNew(`${slot} as before`)) return back;
  return isNew("all as before") ? covered : undefined;
}

function ofOne({ slot, message }: Pick<Failed, "slot" | "message">, situation: Situation): Registration[] | undefined {
  const { program, emulator, owners, state, tried } = situation;
  const isNew = (what: string) => !tried.has(what) && tried.add(what).size > 0;
  const change = (args: Registration["args"]) => changed(program, slot, args);
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
  const isDeclared = (urn: string) => flat(program).some((one) => one.urn === urn && one.slot !== slot);
  const isFree = !state.some(({ id, urn }) => id === toAdopt && isDeclared(urn));
  if (owners.of(toAdopt) === "first" && isFree && isNew(`${slot} adopts ${toAdopt}`)) return change({ adopt: toAdopt });
  if (all.some(ofOwner("another's")) && isNew(`${slot} under a name of its own`))
    return change({ name: `own-${slot}` });
  return undefined;
}
