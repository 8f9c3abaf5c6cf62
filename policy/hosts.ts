import { hostPortOf } from "../provider/addresses";
import { text } from "./known";
import { blockOf, blocksOf, isWithin } from "./networks";

/**
 * Returns host and port of a share's target; undefined if the target is invalid or unknown. It returns an IPv4 address in IPv6 form
 * (`::ffff:10.0.0.1`) as the IPv4 address.
 */
export function targetOf(props: object): { host: string; port: number } | undefined {
  const target = hostPortOf(text(props, "target") ?? "");
  if (!target?.host.startsWith("::ffff:")) return target;
  const block = blockOf(target.host);
  return block && isWithin(block, mapped) ? { ...target, host: ipv4In(block.first) } : target;
}

const mapped = blocksOf(["::ffff:0:0/96"]);

/** Returns the IPv4 address in the last 32 bits. */
const ipv4In = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join(".");

/**
 * Networks of the agent's own machine, link and cloud, whose services act with the machine's credentials. They are the loopback,
 * link-local and unspecified addresses, and the metadata services outside these ranges.
 */
const ownNetworks = blocksOf([
  ...["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/127", "fe80::/10"],
  // Alibaba, Azure, Oracle, Amazon, Google, Oracle
  ...["100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::/32", "fd20:ce::/64", "fd00:c1::/32"],
]);

/** The same by name, with all names in these domains. */
const ownNames = [
  ...["localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback", "loopback"],
  ...["metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.tencentyun.com"],
  ...["instance-data", "instance-data.ec2.internal"],
  ...["metadata.platformequinix.com", "api.metadata.cloud.ibm.com"],
  ...["docker.internal", "docker.for.mac.host.internal", "docker.for.win.host.internal", "host.containers.internal"],
  ...["host.minikube.internal", "host.k3d.internal", "host.lima.internal", "host.rancher-desktop.internal"],
  ...["host.orb.internal"],
];

/** Matches the API of a cluster, in any domain. */
const clusterApi = /^(?:kubernetes|(?:kubernetes|openshift)\.default(?:\.svc(?:\.[a-z0-9.-]+)?)?)$/;

/** IPv6 ranges with an IPv4 address inside, and the number of bits after it: mapped, compatible, translated, 6to4. */
const carriers = [
  { ranges: blocksOf(["::ffff:0:0/96", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"]), behind: 0n },
  { ranges: blocksOf(["2002::/16"]), behind: 80n },
];

/** True if a host from `targetOf` is the agent's machine, its link, its cloud's metadata service or its cluster's API. */
export function isOwn(host: string): boolean {
  const block = blockOf(host);
  if (!block) return clusterApi.test(host) || ownNames.some((name) => isUnder(host, name));
  if (isWithin(block, ownNetworks)) return true;
  return carriers.some(({ ranges, behind }) => isWithin(block, ranges) && isOwn(ipv4In(block.first >> behind)));
}

/** True if the host is the domain or in the domain. */
export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
