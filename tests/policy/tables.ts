import { type FrontdoorPolicy, strict } from "../../policy/index";
import { type Given, type Props, unknown, violations } from "./checking";

export const tokens = {
  dynamic: ["pulumi-nodejs:dynamic/frontdoor:IpsecTunnel", "pulumi-nodejs:dynamic/frontdoor:IpsecShare"],
  plugin: ["frontdoor:index:IpsecTunnel", "frontdoor:index:IpsecShare"],
} as const;

/** A valid tunnel; `bend` replaces properties, undefined takes them out. */
export const tunnel = (bend: Props = {}, rest: Partial<Given> = {}): Given => ({
  type: "tunnel",
  name: "hq",
  ...rest,
  props: bent(
    { name: "project-dev-hq", frontdoorId: "fd-1", peerPublicIp: "198.51.100.7", peerCidr: "10.20.0.0/16" },
    bend,
  ),
});

/** A valid share on the tunnel `hq`. */
export const share = (bend: Props = {}, rest: Partial<Given> = {}): Given => ({
  type: "share",
  name: "web",
  dependsOn: { ipsecTunnelId: ["hq"] },
  ...rest,
  props: bent(
    { name: "project-dev-web", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 },
    bend,
  ),
});

const bent = (valid: Props, bend: Props) =>
  Object.fromEntries(Object.entries({ ...valid, ...bend }).filter(([, value]) => value !== undefined));

/** The settings of a policy in the preset `strict`. */
export const settingsOf = (policy: string) =>
  Object.fromEntries(
    Object.entries(strict[policy] as Record<string, unknown>).filter(([key]) => key !== "enforcementLevel"),
  );

/** A case: what is given, part of each violation expected in order (none by default), and the policy's settings. */
export type Row = [it: string, given: Given | Given[], says?: string | readonly string[], config?: object];

/** Rows that differ in one value. */
export const each = <T>(values: readonly T[], row: (value: T) => Row): Row[] => values.map(row);

const listOf = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

/** Options, types, the stack and what is left out are always known, and so is how many shares there are. */
const isAlwaysKnown = ({ about, name }: FrontdoorPolicy) =>
  about.topic === "Life cycle" && /protect|time|limit|types|options|require/.test(name);

/** Runs each row with both sets of type tokens, and again with every property unknown, of which no policy says anything. */
export function checks(policy: FrontdoorPolicy, rows: Row[]): void {
  describe.each(Object.entries(tokens))(`${policy.name} on %s resources`, (_host, [tunnelType, shareType]) => {
    const typed = (each: Given): Given => ({
      ...each,
      type: each.type === "tunnel" ? tunnelType : each.type === "share" ? shareType : each.type,
    });
    it.each(rows)("%s", async (_it, given, says = [], config = {}) => {
      const found = await violations(policy, listOf(given).map(typed), config);
      expect(found).toEqual(listOf(says).map((part) => expect.stringContaining(part) as string));
      // Every violation ends with what to do.
      // A violation can have only its own part of the policy's fix.
      for (const text of found) expect(policy.about.fix).toContain(text.split("\nFix: ")[1] ?? "no fix");
      if (says.length === 0 || isAlwaysKnown(policy)) return;
      const unknowns = listOf(given).map(({ props = {}, ...rest }) => ({
        ...typed(rest),
        // Left out, storeSampleConfig is known to be true.
        props: Object.fromEntries([...Object.keys(props), "storeSampleConfig"].map((key) => [key, unknown])),
      }));
      expect(await violations(policy, unknowns, config)).toEqual([]);
    });
  });
}
