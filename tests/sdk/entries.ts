import { type Emulator, startEmulator } from "../../emulator";

export type Entry = Record<string, string | number | null>;

const statuses = ["DEPLOYED", "DEPLOYED", "NEW", "ERROR", "DELETING"] as const;
const pick = <T>(values: readonly T[], index: number): T => must(values[index % values.length]);
export const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error("the fixture lacks an entry");
  return value;
};
/** A spread order, so that no list is sorted by accident. */
const mixed = (index: number) => (index * 17) % 25;

/** A service with 25 tunnels and 25 shares, set up for every test of a file that imports it. */
export let emulator: Emulator;
export let tunnels: Entry[];
export let shares: Entry[];

beforeAll(async () => {
  emulator = await startEmulator({ maxPageSize: 7, token: "very-secret-token" });
  for (let index = 0; index < 25; index++) {
    emulator.seedTunnel({
      name: index < 2 ? "twin" : `tunnel-${mixed(index)}`,
      locationId: `loc-${mixed(index)}`,
      status: pick(statuses, index),
      peerPublicIp: `203.0.113.${(mixed(index) % 9) + 1}`,
      peerCidr: `10.${mixed(index) % 6}.0.0/16`,
    });
    emulator.seedShare({
      name: index < 2 ? "twin" : `share-${mixed(index)}`,
      ipsecTunnelId: `tnl-${mixed(index) % 4}`,
      envZId: `env-${mixed(index) % 3}`,
      target: `10.0.0.${mixed(index) % 8}:${8000 + index}`,
      ingressPort: pick([9, 80, 443, 5432, 10_000], index),
      locationId: `loc-${mixed(index) % 5}`,
      status: pick(statuses, index),
    });
  }
  emulator.seedTunnel({ frontdoorId: "fd-other", name: "elsewhere" });
  const here = (entries: object[]) => (entries as Entry[]).filter((entry) => entry["frontdoorId"] === "fd-1");
  tunnels = here(emulator.tunnels());
  shares = here(emulator.shares());
});
afterAll(() => emulator.close());

const environment = { ...process.env };
beforeEach(() => {
  process.env = {
    ...environment,
    FRONTDOOR_BASE_URL: emulator.baseUrl,
    FRONTDOOR_ID: "fd-1",
    FRONTDOOR_TOKEN: "very-secret-token",
    FRONTDOOR_REQUESTS_PER_SECOND: "5000",
  };
  Object.assign(emulator.settings, { filtersHonoured: true, repeatedTunnelFilter: "any" });
  emulator.requests.length = 0;
});
afterAll(() => {
  process.env = environment;
});

export const ids = (entries: readonly Entry[]) => entries.map((entry) => entry["id"]);
export const sent = () =>
  emulator.requests.map(({ method, path, query }) => `${method} ${path}${query && `?${query}`}`);
