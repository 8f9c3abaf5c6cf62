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

export interface Row {
  it: string;
  given: Given[];
  config?: object;
  /** Part of each violation expected, in order; none by default. */
  says?: string[];
}

/** Runs every row with both sets of type tokens, then once more with every property unknown, which nothing may come of. */
export function checks(policy: FrontdoorPolicy, rows: Row[]): void {
  describe(policy.name, () => {
    for (const [host, [tunnelType, shareType]] of Object.entries(tokens)) {
      const typed = (each: Given): Given => ({
        ...each,
        type: each.type === "tunnel" ? tunnelType : each.type === "share" ? shareType : each.type,
      });
      describe(`on ${host} resources`, () => {
        it.each(rows)("$it", async ({ given, config, says = [] }) => {
          const found = await violations(policy, given.map(typed), config);
          expect(found).toEqual(says.map((part) => expect.stringContaining(part) as string));
          // Every violation ends with what to do.
          for (const text of found) expect(text).toContain(`\nFix: ${policy.about.fix}`);
        });

        it.each(rows.filter(({ says }) => says))("nothing while all is unknown: $it", async ({ given, config }) => {
          const unknowns = given.map(({ props = {}, ...rest }) => ({
            ...typed(rest),
            // Left out, storeSampleConfig is known to be true.
            props: Object.fromEntries([...Object.keys(props), "storeSampleConfig"].map((key) => [key, unknown])),
          }));
          const { topic } = policy.about;
          // Options, types, the stack and what is left out are always known, and so is how many shares there are.
          const known = topic === "Life cycle" && /protect|time|limit|types|options|require/.test(policy.name);
          if (!known) expect(await violations(policy, unknowns, config)).toEqual([]);
        });
      });
    }
  });
}
