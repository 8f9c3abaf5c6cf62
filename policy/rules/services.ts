import type { PolicyResource } from "@pulumi/policy";
import * as z from "zod";
import { ofKind, placedShares } from "../names";
import { blockOf, blocksOf, isOwn, isUnder, isWithin, privateNetworks, targetOf } from "../networks";
import { resourceRule, stackRule } from "../rule";
import { number, text } from "../sdk";
import { networkList } from "../settings";

export const avoidDuplicateTargets = stackRule(
  {
    name: "avoid-duplicate-targets",
    topic: "Applications",
    description: "A target must be published only once per tunnel and environment.",
    reason:
      "The second share is often a copy whose target nobody changed. If you want both, remember to change both when the application moves or is attacked.",
    fix: "correct the target, or use the existing share.",
    unknowns:
      "Two spellings of one name or address are one target. A name and its address count as different targets. Two ids of one environment count as different environments.",
    severity: "medium",
    settings: {
      perTunnel: z
        .boolean()
        .default(true)
        .describe(
          "If true, shares of different tunnels may have the same target, for example if several sites use one application.",
        ),
    },
  },
  (resources, { perTunnel }, report) => {
    const published = new Map<string, string>();
    for (const { share, place } of placedShares(resources)) {
      const environment = text(share.props, "envZId") ?? text(share.props, "envId");
      // Parsed into host and port, so letter case and the spelling of an address make no difference.
      const target = targetOf(share.props);
      if (environment === undefined || !target || (perTunnel && place === undefined)) continue;
      const service = JSON.stringify([environment, target.host, target.port, perTunnel && place]);
      const first = published.get(service);
      if (first === undefined) published.set(service, share.name);
      else report(`target and environment are the same as those of share "${first}".`, share);
    }
  },
);

/** Ports of administration, of databases, and of stores of secrets or state, by service. */
const dangerous: Record<string, readonly number[]> = {
  FTP: [21],
  SSH: [22],
  Telnet: [23],
  SMTP: [25],
  Kerberos: [88],
  "RPC portmapper": [111],
  "Windows RPC": [135],
  NetBIOS: [137, 138, 139],
  LDAP: [389, 636, 3268, 3269],
  SMB: [445],
  "rexec, rlogin and rsh": [512, 513, 514],
  IPMI: [623],
  rsync: [873],
  "SQL Server": [1433, 1434],
  Oracle: [1521],
  NFS: [2049],
  Docker: [2375, 2376],
  etcd: [2379, 2380],
  MySQL: [3306],
  RDP: [3389],
  PostgreSQL: [5432],
  Kibana: [5601],
  VNC: [5900],
  WinRM: [5985, 5986],
  Redis: [6379],
  "Kubernetes API": [6443],
  Vault: [8200],
  Consul: [8500],
  Cassandra: [9042],
  Kafka: [9092],
  Elasticsearch: [9200, 9300],
  kubelet: [10250, 10255],
  memcached: [11211],
  RabbitMQ: [15672],
  MongoDB: [27017, 27018, 27019],
};
const guardedPorts = new Set(Object.values(dangerous).flat());
const listed = Object.entries(dangerous).map(([service, ports]) => `${service} ${ports.join("/")}`);

export const guardDangerousPorts = resourceRule(
  {
    name: "guard-dangerous-ports",
    topic: "Applications",
    description: "Administration and database ports must be published only by exception.",
    reason:
      "These ports lead straight to logins and data. If you publish one on a tunnel, anyone at the remote site can try it, including an intruder.",
    fix: "publish a bastion or an application in front of the port, or add an exception with a reason and an end date.",
    unknowns: `The policy does not recognize an application on an unusual port. Built in: \`${listed.join(", ")}\`.`,
    severity: "high",
    settings: {
      extraPorts: z
        .record(z.string().regex(/^[1-9]\d{0,4}$/), z.string())
        .default({})
        .describe("More ports that need an exception, each with the name of its application."),
    },
    baseline: "advisory",
  },
  "share",
  ({ props }, { extraPorts }, report) => {
    const ways = {
      ingressPort: number(props, "ingressPort"),
      "the port of target": targetOf(props)?.port,
    };
    const guarded = Object.entries(ways).flatMap(([way, port]) =>
      port !== undefined && (guardedPorts.has(port) || String(port) in extraPorts) ? [way] : [],
    );
    if (guarded.length > 0) report(`These are guarded ports, which need an exception: ${guarded.join(" and ")}.`);
  },
);

export const keepIngressPortsUnique = stackRule(
  {
    name: "keep-ingress-ports-unique",
    topic: "Applications",
    description: "Each share of a tunnel must have its own ingress port.",
    reason:
      "We assume that a tunnel's load balancer has one listener for each port, and that Frontdoor refuses a second share on the same port. Otherwise the second share could take the traffic of the first.",
    fix: "change the ingressPort of one of the two shares.",
    unknowns: "The policy skips a share whose tunnel it cannot determine, and does not see shares of other stacks.",
    severity: "high",
    settings: {},
  },
  (resources, _settings, report) => {
    const taken = new Map<string, string>();
    for (const { share, place } of placedShares(resources)) {
      const port = number(share.props, "ingressPort");
      if (place === undefined || port === undefined) continue;
      const listener = JSON.stringify([place, port]);
      const first = taken.get(listener);
      if (first === undefined) taken.set(listener, share.name);
      else report(`ingressPort is the same as that of share "${first}" on the same tunnel.`, share);
    }
  },
);

/** Domains that are reserved for private use, or that are never delegated because private use is widespread. */
const privateSuffixes = ["internal", "local", "lan", "home.arpa", "intranet", "private", "corp"];
const exampleSuffixes = ["example", "test"];
/** Single labels that are no top-level domains. All names in a top-level domain belong to other people. */
const singleLabels = [...privateSuffixes, ...exampleSuffixes, "home", "localdomain", "invalid"];

const domainName =
  /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*$/;
/** Domains such as `co.uk`, in which anyone can have a name. */
const publicSecondLevel = /^(?:ac|co|com|edu|gov|gob|ne|net|or|org)\.[a-z]{2}$/;

const isOwnDomain = (suffix: string) =>
  domainName.test(suffix) &&
  (suffix.includes(".") || singleLabels.includes(suffix.toLowerCase())) &&
  !publicSecondLevel.test(suffix.toLowerCase());

const domainList = (initial: string[]) =>
  z
    .array(
      z
        .string()
        .refine(isOwnDomain, { error: "must be a domain of your own such as corp.example, without a dot at its end" }),
    )
    .default(initial);

/** Matches a single label with a dot at its end, such as `ai.`. It is a top-level domain, and search domains do not apply. */
const absoluteLabel = /^[^.:[\]]+\.:/;

export const keepTargetsPrivate = resourceRule(
  {
    name: "keep-targets-private",
    topic: "Applications",
    description: "A share's target must be a private address or a name in your own domains.",
    reason:
      "A share lets a remote site reach its target through your hosting agent. With a public target, the site reaches the internet from your address. The owner of the name then decides where the traffic ends.",
    fix: "publish a private address, or add the target's domain to allowedSuffixes, or its network to allowedNetworks.",
    unknowns:
      "The policy does not resolve names, so it cannot tell if a name leads to a public address. A name without a dot counts as private. List only your own domains in allowedSuffixes, since anyone can have a name in `com` or `co.uk`.",
    severity: "high",
    settings: {
      allowedSuffixes: domainList([...privateSuffixes, ...exampleSuffixes]).describe(
        "Domains of allowed targets. A domain includes its subdomains and itself.",
      ),
      allowedNetworks: networkList(privateNetworks).describe("Networks of allowed target addresses."),
      refusedSuffixes: domainList([]).describe(
        "Domains of refused targets. This list takes precedence over the allowed ones.",
      ),
      refusedNetworks: networkList([]).describe(
        "Networks of refused targets, such as your management network. This list takes precedence over the allowed ones.",
      ),
    },
    strict: { allowedSuffixes: privateSuffixes },
    sources: [
      { title: "RFC 2606", url: "https://www.rfc-editor.org/rfc/rfc2606", says: "`example` and `test`" },
      { title: "RFC 8375", url: "https://www.rfc-editor.org/rfc/rfc8375", says: "`home.arpa`" },
      {
        title: "ICANN resolution 2024.07.29.06",
        url: "https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en",
        says: "`internal` is reserved for private use",
      },
    ],
  },
  "share",
  ({ props }, { allowedSuffixes, allowedNetworks, refusedSuffixes, refusedNetworks }, report) => {
    const host = targetOf(props)?.host;
    if (host === undefined) return;
    const block = blockOf(host);
    const isUnderOne = (suffixes: readonly string[]) => suffixes.some((suffix) => isUnder(host, suffix.toLowerCase()));
    if (isOwn(host)) report("target is the agent's own machine, a metadata endpoint or the API of a cluster.");
    else if (block && isWithin(block, blocksOf(refusedNetworks))) report("target is in one of refusedNetworks.");
    else if (isUnderOne(refusedSuffixes)) report("target is in one of refusedSuffixes.");
    else if (absoluteLabel.test(text(props, "target") ?? "")) report("target is a top-level domain.");
    else if (block) {
      if (!isWithin(block, blocksOf(allowedNetworks))) report("target is an address outside allowedNetworks.");
    } else if (host.includes(".") && !isUnderOne(allowedSuffixes)) report("target is a name outside allowedSuffixes.");
  },
);

const isRange = (range: string) => {
  const [from = 0, to = from] = range.split("-").map(Number);
  return from >= 1 && from <= to && to <= 65535;
};

export const limitIngressPorts = resourceRule(
  {
    name: "limit-ingress-ports",
    topic: "Applications",
    description: "A share's ingress port must be in the ranges agreed with the sites.",
    reason:
      "Remote sites open their firewalls for agreed ranges. A share on another port deploys without an error, but the site cannot reach it, or has to open more than it should.",
    fix: "choose an ingressPort in one of allowedRanges, or agree with the site on another range and add it.",
    severity: "medium",
    settings: {
      allowedRanges: z
        .array(
          z
            .string()
            .regex(/^\d{1,5}(-\d{1,5})?$/, { error: 'must be a port or a range such as "443" or "8000-8999"' })
            .refine(isRange, { error: "must go upwards within 1 to 65535" }),
        )
        .min(1)
        .default(["1-65535"])
        .describe("Ports and ranges of ports that shares may use."),
    },
    strict: { allowedRanges: ["80", "443", "1024-65535"] },
  },
  "share",
  ({ props }, { allowedRanges }, report) => {
    const port = number(props, "ingressPort");
    if (port === undefined) return;
    const allowed = allowedRanges.some((range) => {
      const [from = 0, to = from] = range.split("-").map(Number);
      return from <= port && port <= to;
    });
    if (!allowed) report(`ingressPort is outside allowedRanges (${allowedRanges.join(", ")}).`);
  },
);

export const refuseLoopTargets = stackRule(
  {
    name: "refuse-loop-targets",
    topic: "Applications",
    description: "A share must not lead back into its own tunnel.",
    reason:
      "If the target is in the network of the tunnel's own peer, or is a tunnel's load balancer, the traffic goes back to its site, where it fails or loops. Such a share can also publish a host of one site to all others without that site's consent.",
    fix: "set target to a host on your own side that the hosting agent reaches without the tunnel.",
    unknowns:
      "The policy does not resolve names. If the tunnel is unknown or belongs to another stack, the policy compares the target only with this stack's load balancers.",
    severity: "high",
    settings: {},
  },
  (resources, _settings, report) => {
    const balancers = new Map<string, PolicyResource>();
    for (const tunnel of ofKind(resources, "tunnel")) {
      for (const host of [text(tunnel.props, "nlbPrivateIp"), text(tunnel.props, "nlbDnsName")])
        if (host !== undefined && host !== "") balancers.set(host.toLowerCase().replace(/\.$/, ""), tunnel);
    }
    for (const { share, tunnel } of placedShares(resources)) {
      const host = targetOf(share.props)?.host;
      if (host === undefined) continue;
      const balanced = balancers.get(host);
      const [address, behind] = [blockOf(host), tunnel && blockOf(text(tunnel.props, "peerCidr") ?? "")];
      if (balanced) report(`target is the load balancer of tunnel "${balanced.name}".`, share);
      else if (tunnel && address && behind && isWithin(address, [behind]))
        report(`target is in the network behind the peer of its own tunnel "${tunnel.name}".`, share);
    }
  },
);

export const refuseMetadataTargets = resourceRule(
  {
    name: "refuse-metadata-targets",
    topic: "Applications",
    description: "A share must not publish its agent's own machine, metadata endpoint or cluster API.",
    reason:
      "The hosting agent connects to the target from its own machine. Its loopback and link-local addresses, its cloud's metadata endpoint and its cluster's API trust requests from there. Everyone who reaches one of them through a share acts with the agent's permissions.",
    fix: "publish the application by its address on its network. For an application on the agent's machine, use that machine's address.",
    unknowns:
      "Only an exception allows such a target. The policy does not resolve names, and does not recognize a cluster's API or a metadata endpoint at an unusual address.",
    severity: "critical",
    settings: {},
    sources: [
      {
        title: "RFC 3927",
        url: "https://www.rfc-editor.org/rfc/rfc3927",
        says: "IPv4 link-local space, where most clouds have their metadata endpoint (169.254.169.254)",
      },
      { title: "RFC 6761", url: "https://www.rfc-editor.org/rfc/rfc6761", says: "`localhost` and what lies under it" },
    ],
  },
  "share",
  ({ props }, _settings, report) => {
    const host = targetOf(props)?.host;
    if (host !== undefined && isOwn(host))
      report("target is the agent's own machine, a metadata endpoint or the API of a cluster.");
  },
);
