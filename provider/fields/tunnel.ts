import * as z from "zod";
import { networkOf } from "../addresses";
import type { Table } from "./field";
import * as values from "./values";

/** Rows of required fields. */
const required = { whenOmitted: "refused", onChange: "replace", visible: "always" } as const;

/** The fields of an IPsec tunnel (spec: IPsec tunnel). The service has no update, so a change replaces the tunnel. */
export const tunnelFields = {
  peerPublicIp: { ...required, is: values.publicIpv4, doc: "Public IPv4 address of the remote site's IPsec device." },
  peerCidr: {
    ...required,
    is: values.network,
    doc: "CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`.",
    meaning: networkOf,
  },
  name: {
    ...required,
    is: values.tunnelName,
    doc: "Name of the tunnel.",
    more: "Default: derived from project, stack and the resource's name.",
    whenOmitted: "filled in",
  },
  locationId: {
    is: values.label("a location id"),
    doc: "Location of the tunnel; one tunnel is allowed per front door and location.",
    more: "Left out, the service decides. Removed later, the tunnel keeps its location.",
    whenOmitted: "unchanged",
    onChange: "move",
    visible: "maybe",
  },
  nlbPrivateIp: {
    is: values.privateIpv4,
    doc: "Private IPv4 address of the load balancer.",
    more: "Left out, the service picks a free one.",
    whenOmitted: "unchanged",
    onChange: "replace",
    visible: "by get",
  },
  frontdoorId: {
    is: values.id("a front door id"),
    doc: "Front door that owns the tunnel.",
    more: "Default: `frontdoor:frontdoorId`.",
    whenOmitted: "filled in",
    onChange: "move",
    visible: "in state",
  },
  storeSampleConfig: {
    is: z.boolean("must be true or false"),
    doc: "Keeps the sample configuration, which holds the pre-shared key, encrypted in the state as `sampleConfig`. Default: true.",
    whenOmitted: "unchanged",
    onChange: "update",
    visible: "nowhere",
  },
  adopt: {
    is: values.id("the id of an existing tunnel"),
    doc: "Id of an existing tunnel to make yours instead of creating one. The arguments must not differ from it.",
    more: "Used only when the resource is created.",
    whenOmitted: "unchanged",
    onChange: "ignore",
    visible: "nowhere",
  },
  status: { type: "string", doc: values.statusDoc, visible: "always" },
  nlbDnsName: { type: "string", doc: "DNS name of the load balancer, once DEPLOYED.", visible: "by get" },
  vpnConnectionId: { type: "string", doc: "Identifier of the VPN connection, once DEPLOYED.", visible: "by get" },
  tunnelConfig: {
    type: "TunnelConfig",
    doc: "The VPN connection's stable details: addresses, algorithms, lifetimes in seconds.",
    visible: "in state",
  },
  sampleConfig: {
    type: "string | undefined",
    doc: "Generated configuration for the remote site, with the pre-shared key: always secret. Undefined with `storeSampleConfig: false`.",
    visible: "in state",
  },
} satisfies Table;
