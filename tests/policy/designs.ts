import { derivedName } from "../../provider/resources/origin";
import { type Given, type Props, secret, unknown } from "./checking";
import { tokens } from "./tables";

// Designs that are sound: no policy may say anything of them, in neither preset.

const offer = {
  ikeVersions: ["ikev2"],
  phase1EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
  phase1IntegrityAlgorithms: ["SHA2-256", "SHA2-384"],
  phase1DHGroupNumbers: [14, 19, 20],
  phase1LifetimeSeconds: 28_800,
  phase2EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
  phase2IntegrityAlgorithms: ["SHA2-256", "SHA2-384"],
  phase2DHGroupNumbers: [14, 19, 20],
  phase2LifetimeSeconds: 3600,
};
const key = "mQ3v/Jk8sT+1xWzR";
const sample = `crypto ikev2 keyring front-door\n peer front-door\n  pre-shared-key ${key}\ncrypto ikev2 profile front-door\n`;

export interface Design {
  it: string;
  stack?: string;
  tunnels?: Record<string, Props>;
  /** By name, each with the name of its tunnel under `on`; without one it is on a tunnel of another stack. */
  shares?: Record<string, Props & { on?: string }>;
  others?: Given[];
  /** Options of the tunnels. */
  opts?: Given["opts"];
}

const protectedFor = (deleteSeconds: number): Design["opts"] => ({
  protect: true,
  customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds },
});
const site = (number: number) => ({
  peerPublicIp: `11.0.${Math.floor(number / 250)}.${1 + (number % 250)}`,
  peerCidr: `10.${Math.floor(number / 250)}.${number % 250}.0/24`,
  locationId: `loc-${number}`,
});
const web = (ingressPort: number, target = "wiki.internal:443") => ({ target, ingressPort });
const numbered = <T>(count: number, of: (number: number) => [string, T]) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => of(number)));
const stackOutputs = (props: Props): Given => ({ type: "pulumi:pulumi:Stack", name: "project-dev", props });
const device = (inputs: Props): Given => ({ type: "company:site:Device", name: "router", props: {}, inputs });

export const designs: Design[] = [
  { it: "one site", tunnels: { hq: site(1) }, shares: { web: { on: "hq", ...web(443) } } },
  {
    it: "hub and spoke: five sites use one wiki and one printer",
    tunnels: numbered(5, (number) => [`site-${number}`, site(number)]),
    shares: {
      ...numbered(5, (number) => [`wiki-${number}`, { on: `site-${number}`, ...web(443) }]),
      ...numbered(5, (number) => [`print-${number}`, { on: `site-${number}`, ...web(8631, "172.16.4.9:9100") }]),
    },
  },
  {
    it: "one site in two locations, with the same services on both tunnels",
    tunnels: { east: site(1), west: { ...site(1), locationId: "loc-2" } },
    shares: { east: { on: "east", ...web(443) }, west: { on: "west", ...web(443) } },
  },
  { it: "forty sites", tunnels: numbered(40, (number) => [`site-${number}`, site(number)]) },
  {
    it: "shares on a tunnel of another stack",
    shares: { web: web(443), mail: web(8443, "mail.internal:443"), files: web(8445, "172.16.0.9:8445") },
    others: [
      {
        type: "pulumi:pulumi:StackReference",
        name: "network",
        props: { name: "acme/network/prod", outputs: { tunnelId: "tnl-9" } },
      },
    ],
  },
  {
    it: "a tunnel for other stacks",
    tunnels: { hq: site(1) },
    others: [stackOutputs({ tunnelId: "tnl-hq", nlbDnsName: "nlb.example", sampleConfig: secret(sample) })],
  },
  {
    it: "names too long for the service",
    stack: "testing",
    tunnels: { [`the-headquarters-${"of-the-company-".repeat(4)}`]: site(1) },
    shares: { [`the-wiki-${"of-the-company-".repeat(4)}`]: web(443) },
  },
  {
    it: "production, protected, with time for deletes",
    stack: "eu-prod-1",
    tunnels: { hq: site(1) },
    opts: protectedFor(2700),
    shares: { web: { on: "hq", ...web(443) } },
  },
  { it: "production with the default timeouts", stack: "Production", tunnels: { hq: site(1) }, opts: protectedFor(0) },
  { it: "a stack whose name only looks like production", stack: "demo", tunnels: { hq: site(1) } },
  {
    it: "IPv6 on both sides",
    tunnels: { hq: { ...site(1), peerCidr: "fd12:3456:789a::/48" } },
    shares: { web: { on: "hq", ...web(443, "[fd00:8::15]:443") } },
  },
  {
    it: "the same network on two front doors",
    tunnels: { hq: site(1), lab: { ...site(2), peerCidr: site(1).peerCidr, frontdoorId: "fd-2" } },
  },
  {
    it: "fifty services on one tunnel",
    tunnels: { hq: site(1) },
    shares: numbered(50, (number) => [`s${number}`, { on: "hq", ...web(8000 + number, `s${number}.internal:8443`) }]),
  },
  {
    it: "one service by two agents",
    tunnels: { hq: site(1) },
    shares: { a: { on: "hq", ...web(443) }, b: { on: "hq", ...web(8443), envZId: "env-2" } },
  },
  {
    it: "the sample configuration handed on as a secret",
    tunnels: { hq: site(1) },
    others: [device({ settings: secret(sample), site: "hq" }), stackOutputs({ forSite: secret(sample) })],
  },
  {
    it: "a hand-out of the sample with its key taken out",
    tunnels: { hq: site(1) },
    others: [device({ settings: secret(sample) }), stackOutputs({ handOut: sample.replace(key, "***") })],
  },
  {
    it: "keys in a vault, and talk of them",
    tunnels: { hq: site(1) },
    others: [
      device({
        usePsk: "true",
        psk: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/psk-AbCdEf",
        note: "PSK rotated on 2027-03-01",
        handler: "psk-rotation-lambda-v2",
      }),
    ],
  },
  {
    it: "a site behind carrier-grade NAT, and an address of one's own choice",
    tunnels: { hq: { ...site(1), peerCidr: "100.64.8.0/22", nlbPrivateIp: "172.16.9.4" } },
    shares: { web: { on: "hq", ...web(443, "172.16.9.5:443") } },
  },
  {
    it: "a first preview, with everything unknown that can be",
    tunnels: { hq: { ...site(1), nlbPrivateIp: unknown, tunnelConfig: unknown, sampleConfig: unknown } },
    shares: {
      web: { on: "hq", ...web(443), ipsecTunnelId: unknown },
      mail: { on: "hq", ...web(8443, "mail.internal:25443"), ipsecTunnelId: unknown },
    },
  },
  {
    it: "a tunnel that offers authenticated encryption alone",
    tunnels: {
      hq: {
        ...site(1),
        tunnelConfig: {
          ...offer,
          phase1EncryptionAlgorithms: ["AES256-GCM-16"],
          phase1IntegrityAlgorithms: ["NONE"],
          phase2EncryptionAlgorithms: ["AES256-GCM-16"],
          phase2IntegrityAlgorithms: ["NONE"],
        },
      },
    },
  },
  {
    it: "sites as components",
    tunnels: { "hq-tunnel": site(1) },
    shares: { "hq-web": { on: "hq-tunnel", ...web(443) } },
    others: [{ type: "frontdoor:index:IpsecSite", name: "hq", props: { tunnelId: "tnl-hq-tunnel" } }],
  },
];

/** The resources of a design, deployed, with classes of either host. */
export function resourcesOf(
  { stack = "dev", tunnels = {}, shares = {}, others = [], opts = {} }: Design,
  host: keyof typeof tokens,
): Given[] {
  const [tunnelType, shareType] = tokens[host];
  const named = (type: string, name: string) =>
    derivedName(`organization::urn:pulumi:${stack}::project::${type}::${name}`);
  return [
    ...others.map((each) => ({ ...each, stack })),
    ...Object.entries(tunnels).map(([name, props]) => {
      const inputs = { name: named(tunnelType, name), frontdoorId: "fd-1", storeSampleConfig: false, ...props };
      return {
        type: tunnelType,
        name,
        stack,
        opts,
        inputs,
        props: { tunnelConfig: offer, nlbPrivateIp: "10.255.0.4", nlbDnsName: "nlb.example", ...inputs },
      };
    }),
    ...Object.entries(shares).map(([name, { on, ...props }]) => {
      const id = on === undefined ? "tnl-elsewhere" : `tnl-${on}`;
      const inputs = {
        name: named(shareType, name),
        frontdoorId: "fd-1",
        envZId: "env-1",
        ipsecTunnelId: id,
        ...props,
      };
      return {
        type: shareType,
        name,
        stack,
        inputs,
        props: inputs,
        dependsOn: { ipsecTunnelId: on === undefined ? [] : [on] },
      };
    }),
  ];
}
