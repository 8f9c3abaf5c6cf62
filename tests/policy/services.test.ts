import {
  avoidDuplicateTargets,
  guardDangerousPorts,
  keepIngressPortsUnique,
  keepTargetsPrivate,
  limitIngressPorts,
  refuseLoopTargets,
  refuseMetadataTargets,
} from "../../policy/index";
import { type Props, unknown } from "./checking";
import { checks, share, tunnel } from "./tables";

const to = (target: string) => [share({ target })];
const ownTargets = [
  "localhost:80",
  "LOCALHOST.:80",
  "app.localhost:80",
  "metadata.google.internal:80",
  "metadata:80",
  "100.100.100.200:80",
  "169.254.169.254:80",
  "169.254.170.2:80",
  "168.63.129.16:80",
  "127.0.0.1:80",
  "0.0.0.0:80",
  "[::1]:80",
  "[::]:80",
  "[fe80::1]:80",
  "[fd00:ec2::254]:80",
  "[fd20:ce::254]:80",
  "[::ffff:169.254.169.254]:80",
  "[::ffff:7f00:1]:80",
  "[64:ff9b::a9fe:a9fe]:80",
  "[64:ff9b:1::a9fe:a9fe]:80",
  "[::ffff:0:a9fe:a9fe]:80",
  "[2002:a9fe:a9fe::1]:80",
  "[::127.0.0.1]:80",
  "loopback:80",
  "openshift.default.svc:443",
  "docker.for.mac.host.internal:2375",
  "vm.docker.internal:2375",
  "api.metadata.cloud.ibm.com:80",
  "kubernetes:443",
  "kubernetes.default:443",
  "kubernetes.default.svc:443",
  "kubernetes.default.svc.cluster.local:443",
  "host.docker.internal:2375",
];
checks(refuseMetadataTargets, [
  ...["10.8.0.1:80", "100.100.100.100:80", "metadata.corp.example:443", "kubernetes.corp.example:443", "db:1"].map(
    (target) => ({
      it: `lets ${target} pass`,
      given: to(target),
    }),
  ),
  { it: "leaves what is no target to the provider", given: to("http://169.254.169.254/") },
  { it: "leaves tunnels alone", given: [tunnel({ target: "localhost:53" })] },
  ...ownTargets.map((target) => ({
    it: `refuses ${target}`,
    given: to(target),
    says: ["web: target is the agent's own machine, a metadata service or the API of a cluster"],
  })),
]);
checks(keepTargetsPrivate, [
  ...[
    "10.8.0.1:80",
    "192.168.1.1:80",
    "100.64.0.1:80",
    "[fd00::1]:80",
    "db:5432",
    "Web.INTERNAL:443",
    "a.corp.example:1",
    "corp:1",
  ].map((target) => ({ it: `lets ${target} pass`, given: to(target) })),
  ...["8.8.8.8:53", "[2001:db8::1]:80"].map((target) => ({
    it: `refuses ${target}`,
    given: to(target),
    says: ["web: target is an address outside"],
  })),
  ...["www.pulumi.com:443", "notinternal.com:1", "internal.attacker.com:1"].map((target) => ({
    it: `refuses ${target}`,
    given: to(target),
    says: ["web: target is a name outside"],
  })),
  { it: "leaves what is no target to the provider", given: to("http://x") },
  { it: "lets a private address written as IPv6 pass", given: to("[::ffff:10.8.0.1]:80") },
  {
    it: "refuses a public address written as IPv6",
    given: to("[::ffff:8.8.8.8]:53"),
    config: { allowedNetworks: ["::/0"] },
    says: ["target is an address outside"],
  },
  { it: "refuses a top-level domain", given: to("ai.:443"), says: ["target is a top-level domain"] },
  {
    it: "refuses what is the agent's own, whatever is allowed",
    given: ownTargets.map((target) => share({ target })),
    config: {
      allowedSuffixes: ["internal", "google.internal", "localdomain", "svc.cluster.local"],
      allowedNetworks: ["0.0.0.0/0", "::/0"],
    },
    says: ownTargets.map(() => "target is the agent's own machine"),
  },
  {
    it: "refuses what is refused, whatever is allowed",
    given: [
      share({ target: "db.mgmt.corp.example:1" }),
      share({ target: "10.9.0.1:1" }),
      share({ target: "[::ffff:10.9.0.1]:1" }),
      share({ target: "10.8.0.1:1" }),
    ],
    config: { refusedSuffixes: ["mgmt.corp.example"], refusedNetworks: ["10.9.0.0/16"] },
    says: ["in one of refusedSuffixes", "in one of refusedNetworks", "in one of refusedNetworks"],
  },
  { it: "leaves tunnels alone", given: [tunnel({ target: "8.8.8.8:53" })] },
  { it: "takes other suffixes", given: to("db.ours.com:1"), config: { allowedSuffixes: ["OURS.com"] } },
  {
    it: "takes other networks",
    given: to("10.8.0.1:80"),
    config: { allowedNetworks: ["10.9.0.0/16"] },
    says: ["an address outside"],
  },
]);

const on = (ingressPort: unknown) => [share({ ingressPort })];
checks(limitIngressPorts, [
  { it: "lets every port pass by default", given: on(1) },
  { it: "lets a port in a range pass", given: on(8500), config: { allowedRanges: ["443", "8000-8999"] } },
  { it: "lets a single port pass", given: on(443), config: { allowedRanges: ["443", "8000-8999"] } },
  {
    it: "refuses one outside",
    given: on(9000),
    config: { allowedRanges: ["443", "8000-8999"] },
    says: ["outside allowedRanges (443, 8000-8999)"],
  },
]);

checks(guardDangerousPorts, [
  { it: "lets others pass", given: on(443) },
  { it: "guards SSH", given: on(22), says: ["one of the guarded ports: ingressPort."] },
  {
    it: "guards RDP behind another port",
    given: [share({ target: "desk.internal:3389", ingressPort: 8443 })],
    says: ["one of the guarded ports: the port of target."],
  },
  {
    it: "says both at once",
    given: [share({ target: "10.0.0.5:5432", ingressPort: 5432 })],
    says: ["ingressPort and the port of target."],
  },
  {
    it: "still sees the target beside an unknown port",
    given: [share({ target: "a.internal:22", ingressPort: unknown })],
    says: ["the port of target."],
  },
  {
    it: "takes more ports, and keeps its own",
    given: [...on(22), ...on(8080)],
    config: { extraPorts: { "8080": "Jenkins" } },
    says: ["ingressPort.", "ingressPort."],
  },
  ...[
    ...[25, 88, 111, 137, 389, 636, 512, 513, 514, 623, 873, 1434, 2049, 2380, 5601, 8200, 8500, 9042, 9092, 10255],
    ...[15672, 27018],
  ].map((port) => ({ it: `guards ${port}`, given: on(port), says: ["ingressPort."] })),
  {
    it: "lets an exception pass",
    given: on(22),
    config: {
      exceptions: [{ resource: "IpsecShare::web", until: new Date().toISOString().slice(0, 10), reason: "bastion" }],
    },
  },
]);

const hq = tunnel();
const branch = tunnel({}, { name: "branch" });
const first = share();
const second = (bend: Props, rest: object = {}) => share(bend, { name: "web2", ...rest });
const onBranch = { dependsOn: { ipsecTunnelId: ["branch"] } };

checks(keepIngressPortsUnique, [
  { it: "lets different ports pass", given: [hq, first, second({ ingressPort: 444 })] },
  {
    it: "sees the same port",
    given: [hq, first, second({})],
    says: ['web2: ingressPort is the same as that of share "web"'],
  },
  { it: "lets other tunnels have it", given: [hq, branch, first, second({ ipsecTunnelId: "tnl-2" }, onBranch)] },
  {
    it: "tells new tunnels apart by what the id depends on",
    given: [hq, branch, share({ ipsecTunnelId: unknown }), second({ ipsecTunnelId: unknown }, onBranch)],
  },
  {
    it: "sees the same port on a new tunnel",
    given: [hq, share({ ipsecTunnelId: unknown }), second({ ipsecTunnelId: unknown })],
    says: ["web2: ingressPort is the same"],
  },
  {
    it: "knows a tunnel by its id too",
    given: [hq, first, second({}, { dependsOn: {} })],
    says: ["web2: ingressPort is the same"],
  },
  {
    it: "knows a tunnel of another stack by its id",
    given: [share({}, { dependsOn: {} }), second({}, { dependsOn: {} })],
    says: ["web2: ingressPort is the same"],
  },
  {
    it: "goes by the id, once it is known, whatever it depends on",
    given: [hq, branch, first, second({}, onBranch)],
    says: ["web2: ingressPort is the same"],
  },
  {
    it: "passes over an id that depends on two tunnels",
    given: [hq, branch, first, second({ ipsecTunnelId: unknown }, { dependsOn: { ipsecTunnelId: ["hq", "branch"] } })],
  },
  { it: "passes over an unknown port", given: [hq, first, second({ ingressPort: unknown })] },
]);

const elsewhere = { ingressPort: 444 };
checks(avoidDuplicateTargets, [
  { it: "lets different targets pass", given: [hq, first, second({ ...elsewhere, target: "mail.internal:443" })] },
  { it: "lets different environments pass", given: [hq, first, second({ ...elsewhere, envZId: "env-2" })] },
  { it: "sees the same target", given: [hq, first, second(elsewhere)], says: ['same as those of share "web"'] },
  {
    it: "sees it in other letters",
    given: [hq, first, second({ ...elsewhere, target: "WEB.internal:443" })],
    says: ["web2: "],
  },
  {
    it: "sees it in another spelling of the address",
    given: [hq, share({ target: "10.8.0.9:443" }), second({ ...elsewhere, target: "[::ffff:a08:9]:443" })],
    says: ["web2: "],
  },
  {
    it: "sees it by envId",
    given: [hq, first, second({ ...elsewhere, envZId: undefined, envId: "env-1" })],
    says: ["web2: "],
  },
  {
    it: "lets other tunnels have it: two sites use one wiki",
    given: [hq, branch, first, second({ ipsecTunnelId: "tnl-2" }, onBranch)],
  },
  {
    it: "sees it on another tunnel where it is to be published once",
    given: [hq, branch, first, second({ ipsecTunnelId: "tnl-2" }, onBranch)],
    config: { perTunnel: false },
    says: ["web2: "],
  },
]);

const balanced = tunnel({ nlbPrivateIp: "10.8.0.4", nlbDnsName: "Nlb-1.example." });
checks(refuseLoopTargets, [
  { it: "lets other targets pass", given: [balanced, first, second({ ...elsewhere, target: "10.8.0.5:443" })] },
  {
    it: "refuses the load balancer by its address",
    given: [balanced, share({ target: "10.8.0.4:443" })],
    says: ['web: target is the load balancer of tunnel "hq"'],
  },
  {
    it: "refuses it in another spelling",
    given: [balanced, share({ target: "[::ffff:10.8.0.4]:443" })],
    says: ["the load balancer of tunnel"],
  },
  {
    it: "refuses the load balancer by its name, whatever the port",
    given: [balanced, share({ target: "nlb-1.EXAMPLE:8443" })],
    says: ["the load balancer of tunnel"],
  },
  {
    it: "refuses the load balancer of another tunnel",
    given: [balanced, branch, share({ target: "10.8.0.4:443" }, onBranch)],
    says: ['the load balancer of tunnel "hq"'],
  },
  {
    it: "refuses a target behind the tunnel's own peer",
    given: [hq, share({ target: "10.20.7.7:443" })],
    says: ['web: target is in the network behind the peer of its own tunnel "hq"'],
  },
  {
    it: "refuses one there in another spelling",
    given: [hq, share({ target: "[::ffff:10.20.7.7]:443" })],
    says: ["in the network behind the peer"],
  },
  {
    it: "lets a target behind another peer pass",
    given: [tunnel({ peerCidr: "10.30.0.0/16" }), tunnel({}, { name: "branch" }), share({ target: "10.20.7.7:443" })],
  },
  {
    it: "passes over a share of a tunnel that cannot be told",
    given: [hq, share({ target: "10.20.7.7:443" }, { dependsOn: {} })],
  },
  { it: "passes over an unknown network", given: [tunnel({ peerCidr: unknown }), share({ target: "10.20.7.7:443" })] },
]);
