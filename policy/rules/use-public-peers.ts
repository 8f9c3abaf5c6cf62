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
      "The service reaches the remote site's device over the internet. With a private, reserved or documentation address the tunnel deploys and never comes up.",
    fix: "set peerPublicIp to the address under which the remote site's device is seen from the internet (ask the site, not its LAN settings).",
    unknowns: "An unknown peerPublicIp is passed over until it is known.",
    severity: "high",
    settings: {
      allowDocumentationRanges: z
        .boolean()
        .default(true)
        .describe("Let the documentation ranges of RFC 5737 pass; examples use them."),
      refusedNetworks: networkList([]).describe(
        "Networks that no peer may be in, such as your cloud's own public addresses: a tunnel from there leads back to yourself.",
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
