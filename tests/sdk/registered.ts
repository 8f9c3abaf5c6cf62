import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../sdk";
import * as plugin from "../../sdk/plugin";
import { type Emulator, startEmulator } from "../../emulator";

/** The classes of the dynamic provider and of the plugin. */
export const classesOf = { dynamic, plugin };

/** The registration of one resource with the engine. */
export interface Registered {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** Of one that is only read. */
  id: string | undefined;
  provider: string | undefined;
}

export const registered: Registered[] = [];

/** An engine that makes whatever it is told to, or in a preview nothing. */
export function mockEngine(organization = "acme", { isPreview = false } = {}): Promise<void> {
  const newResource = ({ type, name, inputs, id, provider }: pulumi.runtime.MockResourceArgs) => {
    registered.push({ type, name, inputs: inputs as Record<string, unknown>, id, provider });
    const state = { ...(inputs as Record<string, unknown>), sampleConfig: "psk" };
    const made = isPreview ? "" : `id-${name}`;
    return { id: id === undefined || id === "" ? made : id, state };
  };
  return pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "net", "dev", isPreview, organization);
}

/** The same, but functions take it for an engine without mocks, so that they read the service. */
export async function plainEngine(how: { isPreview?: boolean } = {}): Promise<void> {
  await mockEngine(undefined, how);
  const monitor = pulumi.runtime.getMonitor() as unknown as Record<string, unknown>;
  const prototype = Object.getPrototypeOf(monitor) as Record<string, NewableFunction>;
  const inner: unknown = Object.assign(Object.create(prototype) as object, monitor);
  for (const name of Object.getOwnPropertyNames(prototype))
    if (name !== "constructor") monitor[name] = prototype[name]?.bind(inner);
  delete monitor["mocks"];
}

export const resolved = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

/** The options that the engine is told, with which a program's transformations see them. */
export function optionsOf(declare: (opts: pulumi.CustomResourceOptions) => pulumi.CustomResource) {
  const seen: pulumi.CustomResourceOptions[] = [];
  const transformation: pulumi.ResourceTransformation = ({ opts }) => {
    seen.push(opts);
    return undefined;
  };
  declare({ transformations: [transformation] });
  return seen[0] ?? {};
}

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
