/** So many shares on tunnel `tnl-1`, by name, each on a port of its own. */
export const manyShares = (count: number, change: object = {}) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `share-${index}`;
      const args = { name, ipsecTunnelId: "tnl-1", envZId: "env-1", target: `${name}.internal:80` };
      return [name, { ...args, ingressPort: 8000 + index, ...change }];
    }),
  );
