import type { PolicyResource } from "@pulumi/policy";
import * as z from "zod";
import { isPublicIpv4 } from "../../provider/fields/values";
import { sitesOf } from "../names";
import {
  blockOf,
  blocksOf,
  type Claim,
  clashes,
  documentationNetworks,
  isWithin,
  overlaps,
  privateNetworks,
  unroutableNetworks,
} from "../networks";
import { resourceRule, stackRule } from "../rule";
import { read, text } from "../sdk";
import { networkList } from "../settings";

export const limitPeerNetworks = resourceRule(
  {
    name: "limit-peer-networks",
    topic: "Peers",
    description: "The network behind a tunnel's peer must be private and no wider than needed.",
    reason:
      "peerCidr decides which addresses of the site can use the tunnel, and where Frontdoor sends the replies. A wide block also takes the replies to other sites, and 0.0.0.0/0 takes all replies. If the block is public and the site does not own it, replies to the real owner go into the tunnel.",
    fix: "set peerCidr to the block that the site really uses. A public block that the site owns must be in allowedPublicNetworks.",
    severity: "high",
    settings: {
      widestPrefix: z
        .int()
        .min(1)
        .max(32)
        .default(12)
        .describe("Shortest allowed prefix of a peer network. The provider accepts only IPv4 networks."),
      allowedPublicNetworks: networkList([]).describe("Public blocks that peer networks may use."),
    },
    strict: { widestPrefix: 16 },
    sources: [
      {
        title: "RFC 6890",
        url: "https://www.rfc-editor.org/rfc/rfc6890",
        says: "space for special purposes, which cannot be a site's network",
      },
      { title: "RFC 1918", url: "https://www.rfc-editor.org/rfc/rfc1918", says: "private IPv4 space" },
      {
        title: "RFC 6598",
        url: "https://www.rfc-editor.org/rfc/rfc6598",
        says: "carrier-grade NAT space, counted as private",
      },
    ],
  },
  "tunnel",
  ({ props }, { widestPrefix, allowedPublicNetworks }, report) => {
    const block = blockOf(text(props, "peerCidr") ?? "");
    // The provider refuses every other block.
    if (block?.family !== 4) return;
    if (block.prefix === 0) report("peerCidr is the whole address space.");
    else if (overlaps(block, blocksOf(unroutableNetworks)))
      report(
        "peerCidr contains loopback, link-local, multicast or reserved space. No site can have this space, and no setting allows it.",
      );
    else if (block.prefix < widestPrefix) report(`peerCidr is wider than /${widestPrefix}.`);
    else if (![privateNetworks, allowedPublicNetworks].some((networks) => isWithin(block, blocksOf(networks))))
      report("peerCidr is public space that allowedPublicNetworks does not contain.");
  },
);

export const separatePeerNetworks = stackRule(
  {
    name: "separate-peer-networks",
    topic: "Peers",
    description: "The networks behind the peers of a stack's tunnels must not overlap.",
    reason:
      "If two sites, or a site and your own cloud, have the same addresses, traffic reaches only one of them. The other one is cut off, often only after the next rekey or restart.",
    fix: "use separate blocks for the sites (renumber or NAT at one site).",
    unknowns:
      "Tunnels of one front door with the same peerCidr count as one site, even if peerPublicIp differs. So the policy does not find two sites with exactly the same block. Networks on different front doors may overlap. The policy does not see other stacks: put their networks into reservedNetworks.",
    severity: "high",
    settings: {
      reservedNetworks: networkList([]).describe(
        "Networks that no site may use, such as the networks of your cloud side.",
      ),
    },
  },
  (resources, { reservedNetworks }, report) => {
    const claim = (cidr: string | undefined, tunnel?: PolicyResource): Claim[] => {
      const block = cidr === undefined ? undefined : blockOf(cidr);
      return block && cidr !== undefined ? [{ block, cidr, ...(tunnel && { tunnel }) }] : [];
    };
    // One tunnel stands for its site.
    const known = [...sitesOf(resources)].flatMap(([site, [tunnel]]) => (site !== undefined && tunnel ? [tunnel] : []));
    const frontDoors = Map.groupBy(known, ({ props }) => read(props, "frontdoorId"));
    const reserved = reservedNetworks.flatMap((cidr) => claim(cidr));
    for (const tunnels of frontDoors.values()) {
      const claims = tunnels.flatMap((tunnel) => claim(text(tunnel.props, "peerCidr"), tunnel));
      const reported = new Set<string>();
      for (const { tunnel, other } of clashes([...reserved, ...claims])) {
        if (reported.has(tunnel.urn)) continue;
        reported.add(tunnel.urn);
        const whose = other.tunnel
          ? `the network of tunnel "${other.tunnel.name}"`
          : `the reserved network ${other.cidr}`;
        report(`peerCidr overlaps ${whose}.`, tunnel);
      }
    }
  },
);

export const usePublicPeers = resourceRule(
  {
    name: "use-public-peers",
    topic: "Peers",
    description: "A tunnel's peer must have a publicly routable address.",
    reason:
      "Frontdoor and the remote site's device reach each other over the internet. If the internet does not route the address, the tunnel deploys, but its connection never comes up.",
    fix: "set peerPublicIp to the public address of the remote site's device. Ask the site: its LAN settings do not show it. For a lab or a private peering, add an exception with that reason.",
    severity: "high",
    settings: {
      allowDocumentationRanges: z
        .boolean()
        .default(true)
        .describe("If true, the documentation ranges of RFC 5737 pass. Examples use them."),
      refusedNetworks: networkList([]).describe(
        "Networks of refused peers, such as the public addresses of your own cloud, because a tunnel to them leads back to you.",
      ),
    },
    strict: { allowDocumentationRanges: false },
    sources: [
      {
        title: "IANA IPv4 Special-Purpose Address Registry",
        url: "https://www.iana.org/assignments/iana-ipv4-special-registry/",
        says: "ranges that are not globally reachable",
      },
      { title: "RFC 5737", url: "https://www.rfc-editor.org/rfc/rfc5737", says: "the three documentation ranges" },
    ],
  },
  "tunnel",
  ({ props }, { allowDocumentationRanges, refusedNetworks }, report) => {
    const address = text(props, "peerPublicIp");
    if (address === undefined) return;
    const block = blockOf(address);
    if (!block || !isPublicIpv4(address)) report("peerPublicIp is not a publicly routable IPv4 address.");
    else if (!allowDocumentationRanges && isWithin(block, blocksOf(documentationNetworks)))
      report("peerPublicIp is in a range kept for documentation (RFC 5737).");
    else if (isWithin(block, blocksOf(refusedNetworks))) report("peerPublicIp is in one of refusedNetworks.");
  },
);
