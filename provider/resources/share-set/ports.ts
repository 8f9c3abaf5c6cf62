import { isPresent } from "../../api/status";
import { failed } from "../../errors";
import { UNKNOWN } from "../../fields/field";
import { portCycle } from "../../messages/sets";
import type { FrontDoor } from "../../service";
import type { Until } from "../../time/clock";
import { keyed } from "../changes";
import { canBeDerivedInStackOf } from "../names";
import type { PlannedShare, StateShare } from "./inputs";

/** The port of a share on its tunnel, as it is or as the program wants it. */
interface TunnelPort {
  ipsecTunnelId: string;
  ingressPort: number;
}

interface Holder extends TunnelPort {
  id: string;
  key: string;
}

type WantedPort = TunnelPort & { adopt?: string | undefined };

/** Returns the key that adopts each id, for the keys that the state does not have yet. */
export const adoptersIn = (
  wanted: ReadonlyMap<string, WantedPort>,
  inState: ReadonlyMap<string, StateShare>,
): Map<string, string> =>
  new Map([...wanted].flatMap(([key, { adopt }]) => (adopt === undefined || inState.has(key) ? [] : [[adopt, key]])));

/** Returns the ports of the state's shares, each under its key, or under the key that adopts the share now. */
export const portsOf = (inState: ReadonlyMap<string, StateShare>, adopters: ReadonlyMap<string, string>): Holder[] =>
  [...inState].flatMap(([key, { id, outputs }]) =>
    isPresent(outputs) ? [{ ...outputs, id, key: adopters.get(id) ?? key }] : [],
  );

/** Returns, for each key that needs the port of another key, that other key. The other share has to leave the port first. */
export function holdersOf(there: Holder[], wanted: ReadonlyMap<string, WantedPort>): Map<string, string> {
  const portOf = ({ ipsecTunnelId, ingressPort }: TunnelPort) => `${ipsecTunnelId} ${ingressPort}`;
  const holder = new Map(there.map((share) => [portOf(share), share]));
  return new Map(
    [...wanted].flatMap(([key, share]) => {
      const other = holder.get(portOf(share));
      return other === undefined || other.key === key || other.id === share.adopt ? [] : [[key, other.key]];
    }),
  );
}

/** Returns the keys whose port has a share of this stack, as far as the name of that share shows. Keys that adopt do not count. */
export async function keysOnOwnPorts(
  { shares: { calls, declarations } }: FrontDoor,
  wanted: ReadonlyMap<string, WantedPort & { name: string }>,
  tunnelId: string,
  until: Until,
): Promise<string[]> {
  if (wanted.size === 0) return [];
  const { entries } = await calls.list([["ipsecTunnelId", tunnelId]], until).catch(() => ({ entries: [] }));
  const there = entries.filter((share) => share.ipsecTunnelId === tunnelId && isPresent(share));
  const nameOn = new Map(there.map(({ ingressPort, name }) => [ingressPort, name]));
  const isOwn = ({ name, ingressPort, adopt }: WantedPort & { name: string }) => {
    const other = adopt === undefined ? nameOn.get(ingressPort) : undefined;
    return other !== undefined && (other === name || canBeDerivedInStackOf(declarations.anyOrigin() ?? "", other));
  };
  return [...wanted].flatMap(([key, share]) => (isOwn(share) ? [key] : []));
}

/** Refuses shares that wait for one another's ports in a cycle. @throws FrontdoorError `failed` that names the keys. */
export function refuseCycle(label: string, holders: ReadonlyMap<string, string>): void {
  const keys = cycleIn(holders);
  if (keys.length > 0)
    throw failed(
      portCycle(
        label,
        keys.map((key) => keyed("shares", key)),
      ),
    );
}

/** Returns the keys of one cycle, or none. A cycle is found in the same order, however a program orders its keys. */
function cycleIn(holders: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>();
  for (const first of [...holders.keys()].sort()) {
    const path = new Set<string>();
    let key: string | undefined = first;
    for (; key !== undefined && !done.has(key) && !path.has(key); key = holders.get(key)) path.add(key);
    if (key !== undefined && path.has(key)) return [...path].slice([...path].indexOf(key));
    for (const each of path) done.add(each);
  }
  return [];
}

/** Returns the shares whose tunnel and port are known. */
export const knownPorts = (
  planned: ReadonlyMap<string, PlannedShare | typeof UNKNOWN> = new Map(),
): Map<string, WantedPort> =>
  new Map(
    [...planned].flatMap(([key, share]): [string, WantedPort][] => {
      if (share === UNKNOWN) return [];
      const { ipsecTunnelId, ingressPort, adopt } = share;
      if (ipsecTunnelId === UNKNOWN || ingressPort === UNKNOWN) return [];
      return [[key, { ipsecTunnelId, ingressPort, adopt: adopt === UNKNOWN ? undefined : adopt }]];
    }),
  );
