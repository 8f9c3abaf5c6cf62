import { policies } from "../../policy/index";
import { type Given, type Props, secret, tellConfiguration, violations } from "./checking";
import { share, tokens, tunnel } from "./tables";

// A policy sees secrets in the clear, and any input can be secret. So no text may depend on a value: every policy is given two
// stacks that differ in the values of their (all secret) properties alone, and must say the same of both.
const hq = (props: Props) => ({ ...tunnel(), props });
const web = (props: Props) => ({ ...share(), props });
const two = (a: Props, b: Props) => [web(a), { ...share({}, { name: "second" }), props: b }];
const note = (props: Props): Given => ({ type: "aws:s3/bucketObject:BucketObject", name: "note", props });
const sample = (key: string) => `peer front-door\n pre-shared-key ${key}\n`;

const same = (props: Props) => two(props, props);
const wide = (peerCidr: string) => ({ ...hq({ peerCidr }), name: "a" });
const config = (tunnelConfig: Props) => [hq({ tunnelConfig })];
const token = (value: string): Given[] => [{ type: "pulumi:providers:frontdoor", props: { token: value } }];
const other = (canary: string): Given[] => [{ type: "frontdoor:index:Other", props: { canary } }];
const lisbon = { allowed: [{ locations: ["lisbon"] }] };
const named = { productionStacks: ["dev"] };
const place = (locationId: string, frontdoorId: string) => [web({ locationId, frontdoorId })];

const pairs: Record<string, [Given[], Given[], object?]> = {
  "use-public-peers": [[hq({ peerPublicIp: "10.66.6.1" })], [hq({ peerPublicIp: "canary" })]],
  "limit-peer-networks": [[hq({ peerCidr: "8.66.0.0/16" })], [hq({ peerCidr: "9.0.0.0/12" })]],
  "separate-peer-networks": [
    [hq({ peerCidr: "10.66.1.0/24" }), wide("10.66.0.0/16")],
    [hq({ peerCidr: "10.7.1.0/25" }), wide("10.0.0.0/8")],
  ],
  "keep-targets-private": [[web({ target: "canary.com:66" })], [web({ target: "bird.net:7" })]],
  "refuse-metadata-targets": [[web({ target: "169.254.66.6:66" })], [web({ target: "localhost:7" })]],
  "refuse-loop-targets": [
    [hq({ nlbPrivateIp: "10.66.6.1" }), web({ target: "10.66.6.1:66" })],
    [hq({ nlbPrivateIp: "10.7.7.7" }), web({ target: "10.7.7.7:7" })],
  ],
  "limit-ingress-ports": [[web({ ingressPort: 666 })], [web({ ingressPort: 777 })], { allowedRanges: ["443"] }],
  "guard-dangerous-ports": [[web({ ingressPort: 22 })], [web({ ingressPort: 27017 })]],
  "keep-ingress-ports-unique": [
    same({ ipsecTunnelId: "canary", ingressPort: 666 }),
    same({ ipsecTunnelId: "bird", ingressPort: 7 }),
  ],
  "avoid-duplicate-targets": [
    same({ envZId: "canary", target: "canary:66" }),
    same({ envId: "bird", target: "bird:7" }),
    { perTunnel: false },
  ],
  "refuse-unknown-types": [other("66"), other("7")],
  "protect-production-tunnels": [[hq({ name: "canary" })], [hq({ name: "bird" })], named],
  "time-tunnel-deletes": [[hq({ name: "canary" })], [hq({ name: "bird" })], { ...named, minSeconds: 5400 }],
  "guard-life-cycle-options": [[web({ adopt: "canary" })], [web({ adopt: "bird" })]],
  "require-locations": [place("canary", "canary-66"), place("bird", "bird-7"), lisbon],
  "match-share-locations": [
    [hq({ locationId: "canary" }), web({ locationId: "cage" })],
    [hq({ locationId: "bird" }), web({ locationId: "tree" })],
  ],
  "follow-naming-convention": [[web({ name: "canary" })], [web({ name: "bird" })], { shareNames: ["x-*"] }],
  "limit-shares-per-tunnel": [same({ ipsecTunnelId: "canary" }), same({ ipsecTunnelId: "bird" }), { maxShares: 1 }],
  "keep-sample-config-secret": [
    [hq({ sampleConfig: sample("canary-6666") }), note({ plain: "say canary-6666" })],
    [hq({ sampleConfig: sample("bird-777777") }), note({ plain: "bird-777777" })],
  ],
  "encrypt-pre-shared-keys": [[note({ plain: "psk canary-6666" })], [note({ plain: sample("bird-777777") })]],
  "avoid-stored-keys": [[hq({ name: "canary" })], [hq({ name: "bird", storeSampleConfig: true })]],
  "keep-credentials-secret": [token("canary"), token("bird")],
  "refuse-weak-crypto": [
    config({ phase1DHGroupNumbers: [2], ikeVersions: ["ikev1"] }),
    config({ phase1DHGroupNumbers: [14, 24], ikeVersions: ["IKE-1"] }),
  ],
  "limit-key-lifetimes": [config({ phase1LifetimeSeconds: 666_000 }), config({ phase1LifetimeSeconds: 90_000 })],
};

/** All properties secret, but for what a policy on secrets is to find plain. */
const hidden = (each: Given): Given => ({
  ...each,
  type: each.type === "tunnel" ? tokens.dynamic[0] : each.type === "share" ? tokens.dynamic[1] : each.type,
  props: Object.fromEntries(
    Object.entries(each.props ?? {}).map(([key, value]) => [
      key,
      "plain" in (each.props ?? {}) ? value : secret(value),
    ]),
  ),
});

it.each(policies.map((policy) => [policy.name, policy] as const))(
  "%s says nothing of secret values",
  async (name, policy) => {
    const [canary = [], bird = [], config] = pairs[name] ?? [];
    tellConfiguration({ "frontdoor:token": "canary" }, []);
    const said = await violations(policy, canary.map(hidden), config);
    expect(said.length).toBeGreaterThan(0);
    tellConfiguration({ "frontdoor:token": "bird" }, []);
    expect(await violations(policy, bird.map(hidden), config)).toEqual(said);
    expect(said.join("\n")).not.toMatch(/canary|66/);
  },
);
