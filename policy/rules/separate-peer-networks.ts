import type { PolicyResource } from "@pulumi/policy";
import { read, text, UNKNOWN } from "../known";
import { blockOf, type Claim, clashes } from "../networks";
import { ofKind } from "../resources";
import { stackRule } from "../rule";
import { networkList } from "../settings";

export const separatePeerNetworks = stackRule(
  {
    name: "separate-peer-networks",
    topic: "Peers",
    description: "The networks behind the peers of a stack's tunnels must not overlap.",
    reason:
      "Where two sites, or a site and your own cloud, claim the same addresses, traffic reaches one of them and the other is cut off, often only after the next rekey or restart.",
    fix: "give the sites separate blocks (renumber or NAT at one site); for two tunnels to one site whose devices have different addresses, add an exception that says so.",
    unknowns:
      "A tunnel whose peerCidr or frontdoorId is unknown is left out. Two tunnels to one peerPublicIp with the same peerCidr are one site with two ways to it, and are no overlap; networks on different front doors are apart. Only the tunnels of one stack are compared; put the networks of others into reservedNetworks.",
    severity: "high",
    settings: {
      reservedNetworks: networkList([]).describe("Networks no site may claim, such as those of your cloud side."),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, { reservedNetworks }, report) => {
    const claim = (cidr: string | undefined, tunnel?: PolicyResource): Claim[] => {
      const block = cidr === undefined ? undefined : blockOf(cidr);
      return block && cidr !== undefined ? [{ block, cidr, ...(tunnel && { tunnel }) }] : [];
    };
    const frontDoors = new Map<unknown, Map<string, PolicyResource>>();
    for (const tunnel of ofKind(resources, "tunnel")) {
      const frontDoor = read(tunnel.props, "frontdoorId");
      if (frontDoor === UNKNOWN) continue;
      const sites = frontDoors.get(frontDoor) ?? new Map<string, PolicyResource>();
      frontDoors.set(frontDoor, sites);
      // One peer with one network is one site, however many tunnels lead to it.
      const site = JSON.stringify([text(tunnel.props, "peerPublicIp") ?? tunnel.urn, text(tunnel.props, "peerCidr")]);
      if (!sites.has(site)) sites.set(site, tunnel);
    }
    const reserved = reservedNetworks.flatMap((cidr) => claim(cidr));
    for (const sites of frontDoors.values()) {
      const claims = [...sites.values()].flatMap((tunnel) => claim(text(tunnel.props, "peerCidr"), tunnel));
      const told = new Set<string>();
      for (const { tunnel, other } of clashes([...reserved, ...claims])) {
        if (told.has(tunnel.urn)) continue;
        told.add(tunnel.urn);
        const whose = other.tunnel ? `that of tunnel "${other.tunnel.name}"` : `the reserved network ${other.cidr}`;
        report(`peerCidr overlaps ${whose}.`, tunnel);
      }
    }
  },
);
