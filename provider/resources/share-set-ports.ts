import { failed } from "../errors";
import { UNKNOWN } from "../fields/field";
import { firstOf, keyed } from "./changes";
import { isThere } from "./holders";
import type { Held, PlannedPart } from "./share-set-inputs";

/** Of a share as it is or is wanted. */
interface Place {
  ipsecTunnelId: string;
  ingressPort: number;
}

interface Holder extends Place {
  id: string;
  key: string;
}

type Wanted = Place & { adopt?: string | undefined };

/** Returns, by the id it adopts, each key that the state does not hold yet. */
export const adoptersIn = (wanted: ReadonlyMap<string, Wanted>, held: ReadonlyMap<string, Held>): Map<string, string> =>
  new Map([...wanted].flatMap(([key, { adopt }]) => (adopt === undefined || held.has(key) ? [] : [[adopt, key]])));

/** Where the shares of the state are, each under its key, or under the key that adopts it now. */
export const placesOf = (held: ReadonlyMap<string, Held>, adopters: ReadonlyMap<string, string>): Holder[] =>
  [...held].flatMap(([key, { id, outputs }]) =>
    isThere(outputs) ? [{ ...outputs, id, key: adopters.get(id) ?? key }] : [],
  );

/** Returns, by key, the share of the set that has to leave its port first, since this key needs the port. */
export function holdersOf(there: Holder[], wanted: ReadonlyMap<string, Wanted>): Map<string, string> {
  const place = ({ ipsecTunnelId, ingressPort }: Place) => `${ipsecTunnelId} ${ingressPort}`;
  const holder = new Map(there.map((share) => [place(share), share]));
  return new Map(
    [...wanted].flatMap(([key, share]) => {
      const other = holder.get(place(share));
      return other === undefined || other.key === key || other.id === share.adopt ? [] : [[key, other.key]];
    }),
  );
}

/** Refuses shares that wait for one another's ports in a cycle. @throws FrontdoorError `failed` that names the keys. */
export function refuseCycle(label: string, holders: ReadonlyMap<string, string>): void {
  const keys = cycleIn(holders);
  if (keys.length === 0) return;
  const named = firstOf(keys.map((key) => keyed("shares", key))).join(", ");
  throw failed(
    `${label}: the ports of ${named} change places in a cycle. Nothing was changed. Give one of them a free \`ingressPort\` in a separate \`pulumi up\` first. [port-cycle]`,
  );
}

/** The keys of one cycle, or none. A cycle is found in the same order, however a program orders its keys. */
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

/** The shares whose tunnel and port are known. */
export const knownPlaces = (
  parts: ReadonlyMap<string, PlannedPart | typeof UNKNOWN> = new Map(),
): Map<string, Wanted> =>
  new Map(
    [...parts].flatMap(([key, part]): [string, Wanted][] => {
      if (part === UNKNOWN) return [];
      const { ipsecTunnelId, ingressPort, adopt } = part;
      if (ipsecTunnelId === UNKNOWN || ingressPort === UNKNOWN) return [];
      return [[key, { ipsecTunnelId, ingressPort, adopt: adopt === UNKNOWN ? undefined : adopt }]];
    }),
  );
