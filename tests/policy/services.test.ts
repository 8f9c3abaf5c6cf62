import * as all from "../../policy/index";
import { type Props, unknown, checks, each, share, tunnel } from "./checking";

const to = (target: string) => share({ target });
const ownTargets = [
  ...["localhost:80", "LOCALHOST.:80", "app.localhost:80", "loopback:80", "127.0.0.1:80", "0.0.0.0:80", "[::1]:80"],
  ...["metadata.google.internal:80", "metadata:80", "api.metadata.cloud.ibm.com:80", "[::]:80", "[fe80::1]:80"],
  ...["100.100.100.200:80", "169.254.169.254:80", "169.254.170.2:80", "168.63.129.16:80", "[fd00:ec2::254]:80"],
  ...["[fd20:ce::254]:80", "[::ffff:169.254.169.254]:80", "[::ffff:7f00:1]:80", "[64:ff9b::a9fe:a9fe]:80"],
  ...["[64:ff9b:1::a9fe:a9fe]:80", "[::ffff:0:a9fe:a9fe]:80", "[2002:a9fe:a9fe::1]:80", "[::127.0.0.1]:80"],
  ...["openshift.default.svc:443", "kubernetes:443", "kubernetes.default.svc:443", "vm.docker.internal:2375"],
];
const otherTargets = ["10.8.0.1:80", "100.100.100.100:80", "metadata.corp.example:443", "kubernetes.corp.example:443"];
checks(all.refuseMetadataTargets, [
  ...each(otherTargets, (target) => [`lets ${target} pass`, to(target)]),
  ["leaves what is no target to the provider", to("http://169.254.169.254/")],
  ["leaves tunnels alone", tunnel({ target: "localhost:53" })],
  ...each(ownTargets, (target) => [`refuses ${target}`, to(target), "web: target is the agent's own machine, a meta"]),
]);

const privates = ["10.8.0.1:80", "192.168.1.1:80", "100.64.0.1:80", "[fd00::1]:80", "[::ffff:10.8.0.1]:80"];
const outside = ["www.pulumi.com:443", "notinternal.com:1", "internal.attacker.com:1"];
const everywhere = {
  allowedSuffixes: ["internal", "google.internal", "localdomain", "svc.cluster.local"],
  allowedNetworks: ["0.0.0.0/0", "::/0"],
};
const refusedHere = [to("db.mgmt.corp.example:1"), to("10.9.0.1:1"), to("[::ffff:10.9.0.1]:1"), to("10.8.0.1:1")];
checks(all.keepTargetsPrivate, [
  ...each([...privates, "db:5432", "Web.INTERNAL:443", "a.corp.example:1"], (one) => [`lets ${one} pass`, to(one)]),
  ["refuses an address outside", ["8.8.8.8:53", "[2001:db8::1]:80"].map(to), Array(2).fill("target is an address out")],
  ["refuses a name outside", outside.map(to), outside.map(() => "web: target is a name outside")],
  ["leaves what is no target to the provider", to("http://x")],
  ["refuses a public one as IPv6", to("[::ffff:8.8.8.8]:53"), "address outside", { allowedNetworks: ["::/0"] }],
  ["refuses a top-level domain", to("ai.:443"), "target is a top-level domain"],
  ["refuses the agent's own, too", ownTargets.map(to), ownTargets.map(() => "the agent's own"), everywhere],
  [
    ...(["refuses what is refused, whatever is allowed", refusedHere] as const),
    ["in one of refusedSuffixes", "in one of refusedNetworks", "in one of refusedNetworks"],
    { refusedSuffixes: ["mgmt.corp.example"], refusedNetworks: ["10.9.0.0/16"] },
  ],
  ["leaves tunnels alone", tunnel({ target: "8.8.8.8:53" })],
  ["takes other suffixes", to("db.ours.com:1"), [], { allowedSuffixes: ["OURS.com"] }],
  ["takes other networks", to("10.8.0.1:80"), "an address outside", { allowedNetworks: ["10.9.0.0/16"] }],
]);

const on = (ingressPort: unknown) => share({ ingressPort });
const ranges = { allowedRanges: ["443", "8000-8999"] };
checks(all.limitIngressPorts, [
  ["lets every port pass by default", on(1)],
  ["lets ports in the ranges pass", [on(443), on(8500)], [], ranges],
  ["refuses one outside", on(9000), "outside allowedRanges (443, 8000-8999)", ranges],
]);

const guarded = [
  ...[22, 25, 88, 111, 137, 389, 636, 512, 513, 514, 623, 873, 1434, 2049, 2380, 5601, 8200, 8500, 9042, 9092, 10255],
  ...[15672, 27018],
];
checks(all.guardDangerousPorts, [
  ["lets others pass", on(443)],
  ...each(guarded, (port) => [`guards ${port}`, on(port), `guarded ports, which need an exception: ingressPort.`]),
  [
    "guards RDP behind another",
    share({ target: "a.internal:3389", ingressPort: 8443 }),
    "exception: the port of target.",
  ],
  ["says both at once", share({ target: "10.0.0.5:5432", ingressPort: 5432 }), "ingressPort and the port of target."],
  ["sees it beside an unknown", share({ target: "a.internal:22", ingressPort: unknown }), "the port of target."],
  ["takes more ports, and keeps its own", [on(22), on(8080)], ["port", "port"], { extraPorts: { "8080": "Jenkins" } }],
]);

const hq = tunnel();
const branch = tunnel({}, { name: "branch" });
const first = share();
const second = (bend: Props, rest: object = {}) => share(bend, { name: "web2", ...rest });
const onBranch = { dependsOn: { ipsecTunnelId: ["branch"] } };
const onBoth = { dependsOn: { ipsecTunnelId: ["hq", "branch"] } };
const onAnother = { dependsOn: {} };
const later = { ipsecTunnelId: unknown };

const samePort = "web2: ingressPort is the same";
checks(all.keepIngressPortsUnique, [
  ["lets different ports pass", [hq, first, second({ ingressPort: 444 })]],
  ["sees the same port", [hq, first, second({})], `${samePort} as that of share "web"`],
  ["lets other tunnels have it", [hq, branch, first, second({ ipsecTunnelId: "tnl-2" }, onBranch)]],
  ["tells new tunnels apart by what the id depends on", [hq, branch, share(later), second(later, onBranch)]],
  ["sees the same port on a new tunnel", [hq, share(later), second(later)], samePort],
  ["knows a tunnel by its id too", [hq, first, second({}, onAnother)], samePort],
  ["knows a tunnel of another stack by its id", [share({}, onAnother), second({}, onAnother)], samePort],
  ["goes by the id once it is known, whatever it depends on", [hq, branch, first, second({}, onBranch)], samePort],
  ["passes over an id that depends on two tunnels", [hq, branch, first, second(later, onBoth)]],
  ["passes over an unknown port", [hq, first, second({ ingressPort: unknown })]],
]);

const elsewhere = { ingressPort: 444 };
const twice = [hq, branch, first, second({ ipsecTunnelId: "tnl-2" }, onBranch)];
const written = [share({ target: "10.8.0.9:443" }), second({ ...elsewhere, target: "[::ffff:a08:9]:443" })];
checks(all.avoidDuplicateTargets, [
  ["lets different targets pass", [hq, first, second({ ...elsewhere, target: "mail.internal:443" })]],
  ["lets different environments pass", [hq, first, second({ ...elsewhere, envZId: "env-2" })]],
  ["sees the same target", [hq, first, second(elsewhere)], 'same as those of share "web"'],
  ["sees it in capitals", [hq, first, second({ ...elsewhere, target: "WEB.internal:443" })], "web2: "],
  ["sees it in another spelling of the address", [hq, ...written], "web2: "],
  ["sees it by envId", [hq, first, second({ ...elsewhere, envZId: undefined, envId: "env-1" })], "web2: "],
  ["lets other tunnels have it: two sites use one wiki", twice],
  ["sees it on another tunnel if it is to be published once", twice, "web2: ", { perTunnel: false }],
]);

const balanced = tunnel({ nlbPrivateIp: "10.8.0.4", nlbDnsName: "Nlb-1.example." });
const atPeer = { target: "10.20.7.7:443" };
const balancer = 'the load balancer of tunnel "hq"';
checks(all.refuseLoopTargets, [
  ["lets other targets pass", [balanced, first, second({ ...elsewhere, target: "10.8.0.5:443" })]],
  ["refuses the load balancer by its address", [balanced, to("10.8.0.4:443")], `web: target is ${balancer}`],
  ["refuses it in another spelling", [balanced, to("[::ffff:10.8.0.4]:443")], balancer],
  ["refuses the load balancer by its name, whatever the port", [balanced, to("nlb-1.EXAMPLE:8443")], balancer],
  ["refuses the one of another tunnel", [balanced, branch, share({ target: "10.8.0.4:443" }, onBranch)], balancer],
  ["refuses a target behind the tunnel's own peer", [hq, share(atPeer)], 'behind the peer of its own tunnel "hq"'],
  ["lets one behind another peer pass", [tunnel({ peerCidr: "10.30.0.0/16" }), branch, share(atPeer)]],
  ["passes over a share whose tunnel is not known", [hq, share(atPeer, onAnother)]],
  ["passes over an unknown network", [tunnel({ peerCidr: unknown }), share(atPeer)]],
]);
