import { blockOf, blocksOf, isWithin } from "./networks";

/**
 * What answers on the agent's own machine, in its link or at its cloud with that machine's credentials: loopback, link-local and
 * unspecified addresses, and the addresses of metadata services and of what stands beside them outside these ranges.
 */
const ownNetworks = blocksOf([
  ...["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/127", "fe80::/10"],
  // Alibaba, Azure, Oracle, Amazon, Google, Oracle
  ...["100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::/32", "fd20:ce::/64", "fd00:c1::/32"],
]);

/** The same by name, each with what lies under it. */
const ownNames = [
  ...["localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback"],
  ...["metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.tencentyun.com"],
  ...["instance-data", "instance-data.ec2.internal"],
  ...["host.docker.internal", "gateway.docker.internal", "kubernetes.docker.internal", "host.containers.internal"],
  ...["host.minikube.internal", "host.k3d.internal", "host.lima.internal", "host.orb.internal"],
];

/** The API of a cluster, whatever the cluster's domain is. */
const clusterApi = /^kubernetes(?:\.default(?:\.svc(?:\.[a-z0-9.-]+)?)?)?$/;

/** IPv6 ranges whose last 32 bits are an IPv4 address: mapped, compatible, translated. */
const carriers = blocksOf(["::ffff:0:0/96", "::/96", "64:ff9b::/96"]);

/** Whether a host, as `hostPortOf` writes it, is the agent's own machine, its link, its cloud's metadata service or its cluster's API. */
export function isOwn(host: string): boolean {
  const block = blockOf(host);
  if (!block) return clusterApi.test(host) || ownNames.some((name) => isUnder(host, name));
  if (isWithin(block, ownNetworks)) return true;
  if (!isWithin(block, carriers)) return false;
  const bits = Number(block.first & 0xffff_ffffn);
  return isOwn([24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join("."));
}

/** Whether the host is the domain or in it. */
export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
