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
      "If two sites, or a site and your own cloud, claim the same addresses, traffic reaches only one of them. The other is cut off, often only after the next rekey or restart.",
    fix: "give the sites separate blocks (renumber or NAT at one site). For two tunnels to one site with different peer addresses, add an exception with that reason.",
    unknowns:
      "The policy skips a tunnel whose peerCidr or frontdoorId is unknown. Two tunnels with the same peerPublicIp and peerCidr are two ways to one site, and do not overlap. Networks on different front doors are separate. The policy compares only the tunnels of one stack. Put the networks of other stacks into reservedNetworks.",
    severity: "high",
    settings: {
      reservedNetworks: networkList([]).describe(
        "Networks that no site may use, such as the networks of your cloud side.",
      ),
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
      // One peer with one network is one site, also with several tunnels.
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
        const whose = other.tunnel
          ? `the network of tunnel "${other.tunnel.name}"`
          : `the reserved network ${other.cidr}`;
        report(`peerCidr overlaps ${whose}.`, tunnel);
      }
    }
  },
);
