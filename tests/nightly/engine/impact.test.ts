import { expectForetold } from "../../engine/impact-foretold";
import { pluginClasses } from "../../harness/plugin";
import { Random } from "../../harness/random";
import { type Resources, Stack } from "../../harness/stack";

const programsPerSeed = 25;
const seeds = Array.from({ length: 10 }, (_, index) => index + 1);

/** Two tunnels that never share a location, and some shares and keys, each on a port of its own. */
function programFrom(random: Random): Resources {
  const tunnel = (octet: number, places: string[]) => ({
    peerPublicIp: `203.0.113.${octet}`,
    peerCidr: `10.${octet + random.upTo(2)}.0.0/16`,
    locationId: random.pick(places),
    storeSampleConfig: random.chance(0.7),
  });
  const share = (ingressPort: number) => ({
    target: `host-${random.upTo(2)}.internal:443`,
    ...{ ingressPort, envZId: `env-${random.upTo(1)}` },
    ...(random.chance(0.3) && { locationId: `loc-${random.upTo(1)}` }),
  });
  const some = <Value>(names: string[], value: (index: number) => Value) =>
    Object.fromEntries(names.flatMap((name, index) => (random.chance(0.7) ? [[name, value(index)] as const] : [])));
  const on = () => ({ ipsecTunnelId: { tunnel: random.pick(["hq", "branch"]) } });
  const keys = some(["a", "b", "c", "d"], (index) => ({
    ...share(2000 + index),
    ...(random.chance(0.2) && { retain: true }),
  }));
  return {
    tunnels: { hq: tunnel(10, ["loc-1", "loc-3"]), branch: tunnel(20, ["loc-2", "loc-4"]) },
    shares: some(["web", "db", "api"], (index) => ({ ...on(), ...share(1000 + index) })),
    sets: Object.keys(keys).length > 0 ? { services: { ...on(), shares: keys } } : {},
  };
}

// 500 edits: the writes that the impact of each preview names are those that the service gets.
describe.each(["pulumi-frontdoor", pluginClasses])("the impact of random edits, with %s", (imports) => {
  it.each(seeds)(
    "seed %d",
    async (seed) => {
      const random = new Random(seed);
      const stack = await Stack.open({ provisionMs: 50, teardownMs: 20 }, { imports });
      try {
        for (let edit = 0; edit < programsPerSeed; edit++) await expectForetold(stack, programFrom(random));
      } finally {
        await stack.close();
      }
    },
    3_600_000,
  );
});
