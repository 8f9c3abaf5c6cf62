import { z } from "zod";
import { isPublicIpv4 } from "../../provider/addresses";
import { text } from "../known";
import { blockOf, blocksOf, documentationNetworks, isWithin } from "../networks";
import { resourceRule } from "../rule";
import { networkList } from "../settings";

export const usePublicPeers = resourceRule(
  {
    name: "use-public-peers",
    topic: "Peers",
    description: "A tunnel's peer must have a publicly routable address.",
    reason:
      "The service reaches the remote site's device over the internet. If the internet does not route the address, the tunnel deploys, but its connection never comes up.",
    fix: "set peerPublicIp to the public address of the remote site's device. Ask the site: its LAN settings do not show it.",
    unknowns: "The policy skips an unknown peerPublicIp until it is known.",
    severity: "high",
    settings: {
      allowDocumentationRanges: z
        .boolean()
        .default(true)
        .describe("If true, the documentation ranges of RFC 5737 pass. Examples use them."),
      refusedNetworks: networkList([]).describe(
        "Networks of refused peers, such as your cloud's own public addresses, from which a tunnel leads back to you.",
      ),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", allowDocumentationRanges: false },
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
