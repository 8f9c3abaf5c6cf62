import { z } from "zod";
import { text } from "../known";
import { blockOf, blocksOf, isWithin, overlaps, privateNetworks, unroutableNetworks } from "../networks";
import { resourceRule } from "../rule";
import { networkList } from "../settings";

const prefix = (family: string, longest: number, initial: number) =>
  z.int().min(1).max(longest).default(initial).describe(`Shortest allowed ${family} prefix of a peer network.`);

export const limitPeerNetworks = resourceRule(
  {
    name: "limit-peer-networks",
    topic: "Peers",
    description: "The network behind a tunnel's peer must be private and no wider than needed.",
    reason:
      "peerCidr becomes a route: the traffic from your side to the whole block goes to the remote site. A wide block also takes the traffic of other sites, and 0.0.0.0/0 takes all traffic. A public block takes traffic for other people's addresses.",
    fix: "set peerCidr to the block that the site really uses. A public block that the site owns must be in allowedPublicNetworks.",
    unknowns: "The policy skips an unknown peerCidr until it is known.",
    severity: "high",
    settings: {
      widestPrefix: prefix("IPv4", 32, 12),
      widestIpv6Prefix: prefix("IPv6", 128, 32),
      allowedPublicNetworks: networkList([]).describe("Public blocks in which peer networks may be."),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", widestPrefix: 16, widestIpv6Prefix: 48 },
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
      {
        title: "RFC 4193",
        url: "https://www.rfc-editor.org/rfc/rfc4193",
        says: "unique local IPv6 space, counted as private",
      },
    ],
  },
  "tunnel",
  ({ props }, { widestPrefix, widestIpv6Prefix, allowedPublicNetworks }, report) => {
    const block = blockOf(text(props, "peerCidr") ?? "");
    if (!block) return;
    const widest = block.family === 4 ? widestPrefix : widestIpv6Prefix;
    if (block.prefix === 0) report("peerCidr is the whole address space.");
    else if (overlaps(block, blocksOf(unroutableNetworks)))
      report(
        "peerCidr holds loopback, link-local, multicast or reserved space. No site can have this space, and no setting allows it.",
      );
    else if (block.prefix < widest) report(`peerCidr is wider than /${widest}.`);
    else if (![privateNetworks, allowedPublicNetworks].some((networks) => isWithin(block, blocksOf(networks))))
      report("peerCidr is public space that allowedPublicNetworks does not hold.");
  },
);
