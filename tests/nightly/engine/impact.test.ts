import { describeEdits, expectForetold } from "../../engine/impact-edits";
import { pluginClasses } from "../../harness/environment";
import { Random } from "../../harness/random";
import { type Resources, Stack } from "../../harness/stack";

// One run of the engine edits several parts of one program, because each run takes seconds.
const parts = 10;
const editsPerPart = 5;
const seeds = [1, 2, 3, 4, 5];

type Part = Required<Pick<Resources, "tunnels" | "shares" | "sets">>;

/** Two tunnels that never share a location, and some shares and keys, each on a port of its own. */
function partFrom(random: Random, part: number, previous: Part | undefined): Part {
  const named = (name: string) => `${name}-${part}`;
  const tunnel = (octet: number, places: number[]) => ({
    peerPublicIp: `203.0.113.${octet}`,
    peerCidr: `10.${octet + random.upTo(2)}.0.0/16`,
    locationId: `loc-${part}-${random.pick(places)}`,
    storeSampleConfig: random.chance(0.7),
  });
  const share = (ingressPort: number) => ({
    target: `host-${random.upTo(2)}.internal:443`,
    ...{ ingressPort, envZId: `env-${random.upTo(1)}` },
    ...(random.chance(0.3) && { locationId: `loc-${random.upTo(1)}` }),
  });
  const some = <Value>(names: string[], value: (index: number) => Value) =>
    Object.fromEntries(names.flatMap((name, index) => (random.chance(0.7) ? [[name, value(index)] as const] : [])));
  const on = () => ({ ipsecTunnelId: { tunnel: named(random.pick(["hq", "branch"])) } });
  const keys = some(["a", "b", "c", "d"], (index) => ({
    ...share(2000 + index),
    ...(random.chance(0.2) && { retain: true }),
  }));
  const tunnels = {
    [named("hq")]: tunnel(10 + 20 * part, [1, 3]),
    [named("branch")]: tunnel(20 + 20 * part, [2, 4]),
  };
  const left = Object.entries(keysOf(previous?.sets[named("services")])).filter(([key]) => !(key in keys));
  return {
    // The service refuses to delete the tunnel of a share that stays.
    tunnels: previous && left.some(([, { retain }]) => retain) ? previous.tunnels : tunnels,
    shares: some(["web", "db", "api"].map(named), (index) => ({ ...on(), ...share(1000 + index) })),
    sets: Object.keys(keys).length > 0 ? { [named("services")]: { ...on(), shares: keys } } : {},
  };
}

const keysOf = (set: Record<string, unknown> = {}) => (set["shares"] ?? {}) as Record<string, { retain?: boolean }>;

function programOf(all: Part[]): Resources {
  const merged = (kind: keyof Part) => Object.assign({}, ...all.map((part) => part[kind])) as Part[typeof kind];
  return { tunnels: merged("tunnels"), shares: merged("shares"), sets: merged("sets") };
}

// 500 edits: the writes that the impact of each preview names are those that the service gets.
describe.each(["pulumi-frontdoor", pluginClasses])("the impact of random edits, with %s", (imports) => {
  it.each(seeds)(
    "seed %d",
    async (seed) => {
      const random = new Random(seed);
      const stack = await Stack.open({ provisionMs: 50, teardownMs: 20 }, { imports });
      try {
        // The first program only creates.
        let all: Part[] = [];
        for (let edit = 0; edit <= editsPerPart; edit++) {
          all = Array.from({ length: parts }, (_, part) => partFrom(random, part, all[part]));
          await expectForetold(stack, programOf(all));
        }
      } finally {
        await stack.close();
      }
    },
    3_600_000,
  );
});

describeEdits("pulumi-frontdoor");
