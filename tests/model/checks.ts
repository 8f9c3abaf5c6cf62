import type { Emulator } from "../../emulator";
import { without } from "../chaos/schedule";
import type { Kept } from "./state";
import type { ModelStep } from "./history";
import { flat, type Registration, servedName, setSlot } from "./program";

const told = (what: object) => JSON.stringify(what);

/** Each object of the stack's at the service is in the state, ready and as it was asked for, and the other way round. */
export function differences(
  state: Kept[],
  emulator: Emulator,
  program: Registration[],
  isOwn: (id: string) => boolean,
): string[] {
  const served = [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");
  const problems = served
    .filter(({ id }) => isOwn(id) && !state.some((each) => each.id === id))
    .map((object) => `orphan: ${told(object)}`);
  const idOf = (slot: string | undefined) =>
    state.find(({ urn }) => urn === program.find((each) => each.slot === slot)?.urn)?.id;
  for (const { urn, id, outputs, delete: isDoomed } of state) {
    const one = program.find((each) => each.urn === urn);
    const object = served.find((each) => each.id === id);
    if (!one || isDoomed) problems.push(`the state holds ${urn} (${id})${isDoomed ? " to be deleted" : ""}`);
    if (object?.status !== "DEPLOYED" || outputs["status"] !== "DEPLOYED") {
      problems.push(`${urn} ${told(outputs)} is in the service ${told(object ?? {})}`);
    }
    if (!one || !object) continue;
    const { envId, adopt, ...given } = one.args;
    const args = without(given, "retain");
    const name = adopt === undefined ? { name: args["name"] } : {};
    const expected = {
      ...args,
      ...name,
      ...(envId !== undefined && { envZId: envId }),
      ...(one.on && { ipsecTunnelId: idOf(one.on) }),
    };
    for (const [key, value] of Object.entries(expected)) {
      if (value !== undefined && (object as unknown as Record<string, unknown>)[key] !== value) {
        problems.push(`${urn}.${key} is not ${told({ value })}: ${told(object)}`);
      }
    }
  }
  for (const one of program) {
    if (!state.some(({ urn }) => urn === one.urn))
      problems.push(`the state lacks ${one.urn} (${String(servedName(one))})`);
  }
  return problems;
}

/** True of a share that a set has. */
const isInSet = ({ urn }: Registration) => urn.includes("#");

const replacing = ({ args }: Registration) => told([args["peerCidr"], args["peerPublicIp"]]);
const moving = ({ args }: Registration) => told([args["locationId"]]);

interface Covered {
  program: Registration[];
  ids: Map<string, string>;
}

/** Slots of what a step may replace, so that it can be gone for a while: anything else stays as it is. */
export function replaceable(covered: Covered, program: Registration[], { faults, replaced }: ModelStep): Set<string> {
  const [before, now] = [flat(covered.program), flat(program)];
  const mayFail = faults.some((each) => each.fault === "fail" && each.kind === "tunnel");
  const inSet = program.find(({ slot }) => slot === setSlot)?.args["shares"] ?? {};
  const spared = new Set([...replaced, ...(replaced.includes(setSlot) ? Object.keys(inSet) : [])]);
  for (const old of before) {
    const one = now.find(({ slot }) => slot === old.slot);
    if (old.kind === "tunnels" && (!one || replacing(old) !== replacing(one))) spared.add(old.slot);
  }
  // One that only moves keeps its shares until the new one is there.
  for (const share of [...before, ...now]) if (share.on && spared.has(share.on)) spared.add(share.slot);
  for (const old of before) {
    const one = now.find(({ slot }) => slot === old.slot);
    if (old.kind === "tunnels" && (mayFail || !one || moving(old) !== moving(one))) spared.add(old.slot);
  }
  return spared;
}

/** What the program declares and the last successful up covered: alive and in the state. */
export function gone({ program, ids }: Covered, now: Registration[], state: Kept[], emulator: Emulator): string[] {
  const before = flat(program);
  const problems: string[] = [];
  for (const one of now) {
    const old = before.find(({ slot }) => slot === one.slot);
    const id = ids.get(one.slot);
    if (!old || id === undefined) continue;
    if (old.urn !== one.urn && !one.aliases.includes(old.urn) && one.args["adopt"] !== id) continue;
    if (isInSet(old) && old.args["retain"] !== true && isInSet(one) !== isInSet(old)) continue;
    const status = [...emulator.tunnels(), ...emulator.shares()].find((each) => each.id === id)?.status ?? "gone";
    if (["DELETING", "DELETED", "gone"].includes(status))
      problems.push(`declared but gone: ${one.urn} (${id}) is ${status}`);
    // What its set has left at the service is in no state until its new resource has adopted it.
    if (old.args["retain"] === true && old.urn !== one.urn) continue;
    if (!state.some((each) => each.id === id)) problems.push(`declared but forgotten: ${one.urn} (${id})`);
  }
  return problems;
}
