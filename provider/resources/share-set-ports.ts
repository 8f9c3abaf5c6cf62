/** Of a share as it is or is wanted. */
interface Place {
  ipsecTunnelId: string;
  ingressPort: number;
}

/** By key, the share that has to leave its port first, since another one of the set is to have it. */
export function holdersOf(
  there: (Place & { id: string; key: string })[],
  wanted: Map<string, Place & { adopt?: string | undefined }>,
): Map<string, string> {
  const place = ({ ipsecTunnelId, ingressPort }: Place) => `${ipsecTunnelId} ${ingressPort}`;
  const holder = new Map(there.map((share) => [place(share), share]));
  return new Map(
    [...wanted].flatMap(([key, share]) => {
      const other = holder.get(place(share));
      return other === undefined || other.key === key || other.id === share.adopt ? [] : [[key, other.key]];
    }),
  );
}

/** One of each circle of shares that wait for one another's ports; the same one however a host orders the keys. */
export function oneOfEachCircle(holders: Map<string, string>): Set<string> {
  const chosen = new Set<string>();
  const done = new Set<string>();
  for (const first of [...holders.keys()].sort()) {
    const path = new Set<string>();
    let key: string | undefined = first;
    for (; key !== undefined && !done.has(key) && !path.has(key); key = holders.get(key)) path.add(key);
    if (key !== undefined && path.has(key)) chosen.add(key);
    for (const each of path) done.add(each);
  }
  return chosen;
}
