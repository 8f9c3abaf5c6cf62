import { baseline, strict } from "../../policy/index";
import { derivedName } from "../../provider/resources/names";
import { type Given, type Props, secret, verdicts, tokens } from "./checking";

// Designs that are sound: no policy may say anything of them, in neither preset.

const algorithms = (phase: 1 | 2, encryption: string[], integrity: string[]) => ({
  [`phase${phase}EncryptionAlgorithms`]: encryption,
  [`phase${phase}IntegrityAlgorithms`]: integrity,
  [`phase${phase}DHGroupNumbers`]: [14, 19, 20],
  [`phase${phase}LifetimeSeconds`]: phase === 1 ? 28_800 : 3600,
});
const offers = (encryption: string[], integrity: string[]) => ({
  ...{ ikeVersions: ["ikev2"], ...algorithms(1, encryption, integrity), ...algorithms(2, encryption, integrity) },
});
const offer = offers(["AES256", "AES256-GCM-16"], ["SHA2-256", "SHA2-384"]);
const key = "mQ3v/Jk8sT+1xWzR";
const sample = `crypto ikev2 keyring front-door\n peer front-door\n  pre-shared-key ${key}\ncrypto ikev2 profile front-door\n`;

interface Design {
  it: string;
  stack?: string;
  /** One tunnel "hq" by default. */
  tunnels?: Record<string, Props>;
  /** By name, each with the name of its tunnel under `on`; without one it is on a tunnel of another stack. */
  shares?: Record<string, Props & { on?: string }>;
  others?: Given[];
  /** Options of the tunnels. */
  opts?: Given["opts"];
}

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

const onHq = (port: number, target?: string) => ({ on: "hq", ...web(port, target) });
const five = numbered(5, (number) => [`site-${number}`, site(number)]);
const elsewhere = { type: "pulumi:pulumi:StackReference", name: "network" };
const talk = { usePsk: "true", note: "PSK rotated on 2027-03-01", handler: "psk-rotation-lambda-v2" };
const vault = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/psk-AbCdEf";
const onOtherFrontDoor = { peerCidr: site(1).peerCidr, frontdoorId: "fd-2" };
const handedOut = { tunnelId: "tnl-hq", nlbDnsName: "nlb.example", sampleConfig: secret(sample) };

const designs: Design[] = [
  {
    it: "one site, its sample configuration handed on as a secret and without its key, and keys in a vault",
    shares: { web: onHq(443) },
    others: [
      device({ settings: secret(sample), site: "hq", ...talk, psk: vault }),
      stackOutputs({ ...handedOut, handOut: sample.replace(key, "***") }),
    ],
  },
  {
    it: "hub and spoke: five sites use one wiki and one printer",
    tunnels: five,
    shares: {
      ...numbered(5, (number) => [`wiki-${number}`, { on: `site-${number}`, ...web(443) }]),
      ...numbered(5, (number) => [`print-${number}`, { on: `site-${number}`, ...web(8631, "172.16.4.9:9100") }]),
    },
  },
  {
    it: "one site in two locations, with the same services on both tunnels, and its network on another front door",
    tunnels: { east: site(1), west: { ...site(1), locationId: "loc-2" }, lab: { ...site(2), ...onOtherFrontDoor } },
    shares: { east: { on: "east", ...web(443) }, west: { on: "west", ...web(443) } },
  },
  {
    it: "shares on a tunnel of another stack",
    tunnels: {},
    shares: { web: web(443), mail: web(8443, "mail.internal:443"), files: web(8445, "172.16.0.9:8445") },
    others: [{ ...elsewhere, props: { name: "acme/network/prod", outputs: { tunnelId: "tnl-9" } } }],
  },
  { it: "production", stack: "eu-prod-1", opts: { protect: true }, shares: { web: onHq(443) } },
  {
    it: "IPv6 on both sides",
    tunnels: { hq: { ...site(1), peerCidr: "fd12:3456:789a::/48" } },
    shares: { web: onHq(443, "[fd00:8::15]:443") },
  },
  {
    it: "fifty services on one tunnel, one of them also by another agent",
    shares: {
      ...numbered(49, (number) => [`s${number}`, onHq(8000 + number, `s${number}.internal:8443`)]),
      b: { ...onHq(8443, "s1.internal:8443"), envZId: "env-2" },
    },
  },
  {
    it: "a site behind carrier-grade NAT, an address of one's own choice, and authenticated encryption only",
    tunnels: {
      hq: {
        ...{ ...site(1), peerCidr: "100.64.8.0/22", nlbPrivateIp: "172.16.9.4" },
        tunnelConfig: offers(["AES256-GCM-16"], ["NONE"]),
      },
    },
    shares: { web: onHq(443, "172.16.9.5:443") },
  },
  {
    it: "sites as components",
    tunnels: { "hq-tunnel": site(1) },
    shares: { "hq-web": { on: "hq-tunnel", ...web(443) } },
    others: [{ type: "frontdoor:index:IpsecSite", name: "hq", props: { tunnelId: "tnl-hq-tunnel" } }],
  },
];

/** The resources of a design, deployed, with classes of either host. */
function resourcesOf(design: Design, host: keyof typeof tokens): Given[] {
  const { stack = "dev", tunnels = { hq: site(1) }, shares = {}, others = [], opts = {} } = design;
  const [tunnelType, shareType] = tokens[host];
  const made = (type: string, name: string, given: Props, shown: Props = {}) => {
    const derived = derivedName(`organization::urn:pulumi:${stack}::project::${type}::${name}`);
    const inputs = { name: derived, frontdoorId: "fd-1", ...given };
    return { type, name, stack, inputs, props: { ...shown, ...inputs } };
  };
  const shown = { tunnelConfig: offer, nlbPrivateIp: "10.255.0.4", nlbDnsName: "nlb.example" };
  return [
    ...others.map((each) => ({ ...each, stack })),
    ...Object.entries(tunnels).map(([name, props]) => ({
      ...made(tunnelType, name, { storeSampleConfig: false, ...props }, shown),
      opts,
    })),
    ...Object.entries(shares).map(([name, { on, ...props }]) => ({
      ...made(shareType, name, { envZId: "env-1", ipsecTunnelId: `tnl-${on ?? "elsewhere"}`, ...props }),
      dependsOn: { ipsecTunnelId: on === undefined ? [] : [on] },
    })),
  ];
}

describe.each(["dynamic", "plugin"] as const)("sound designs with %s resources", (host) => {
  describe.each(Object.entries({ baseline, strict }))("in the preset %s", (_name, preset) => {
    it.each(designs)("no policy says anything of: $it", async (design) => {
      expect(await verdicts(resourcesOf(design, host), preset)).toEqual([]);
    });
  });
});
