import { dynamicAdapter } from "../../model/dynamic-adapter";
import type { Held, OpenAdapter, Props, Subject } from "../../model/adapter";
import { pluginAdapter } from "../../model/plugin-adapter";
import { typeTokens } from "../../model/program";
import { openWithTunnel, port } from "../resources/set-program";
import type { World } from "../world";

const set: Subject = { kind: "sets", urn: `urn:pulumi:test::office::${typeTokens.sets}::services` };
const adapters: Record<string, OpenAdapter> = { "dynamic provider": dynamicAdapter, plugin: pluginAdapter };
const names = Object.keys(adapters);

describe.each(names.flatMap((maker) => names.map((next) => [maker, next] as const)))(
  "a set that the %s made, and the %s serves now,",
  (maker, next) => {
    let world: World;
    let tunnelId: string;
    beforeEach(async () => {
      [world, tunnelId] = await openWithTunnel();
    });
    afterEach(() => world.close());

    const open = (name: string) => {
      const { baseUrl } = world.config;
      const given: Record<string, string> = { "frontdoor:baseUrl": baseUrl, "frontdoor:frontdoorId": "fd-1" };
      const adapter = adapters[name]?.(world.service, (key) => given[key]);
      if (!adapter) throw new Error("no such adapter");
      return adapter;
    };
    const program = (shares: Props): Props => ({ ipsecTunnelId: tunnelId, envZId: "env-1", shares });

    it("loses keys by an update in place, and keeps the share of a key with retain", async () => {
      const first = open(maker);
      const shares = { web: port(443, { retain: true }), gone: port(22), db: port(5432) };
      const { inputs } = await first.check(set, {}, program(shares));
      const held: Held = { inputs, ...(await first.create(set, inputs)) };
      world.nextRun();
      world.calls();

      const second = open(next);
      const { inputs: news, failures } = await second.check(set, held.inputs, program({ db: port(5432) }));
      expect(failures).toEqual([]);
      const { changes, replaces = [] } = await second.diff(set, held, news);
      expect([changes ?? true, replaces]).toEqual([true, []]);
      const { outputs, unfinished } = await second.update(set, held, news);
      expect(unfinished).toBeUndefined();
      const ids = held.outputs["ids"] as Record<string, string>;
      expect(outputs["ids"]).toEqual({ db: ids["db"] });
      expect(world.writes()).toEqual([`DELETE /ipsec-shares/${ids["gone"]}`]);
      expect(world.said).toEqual([expect.stringContaining(`shares["web"] (${ids["web"]}) stays at the service`)]);
    });
  },
);
