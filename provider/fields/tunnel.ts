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
    doc: "Location of the tunnel. A front door has at most one tunnel per location.",
    more: "Default: the service chooses. If you remove it later, the tunnel keeps its location.",
    whenOmitted: "unchanged",
    onChange: "move",
    visible: "maybe",
  },
  nlbPrivateIp: {
    is: values.privateIpv4,
    doc: "Private IPv4 address of the load balancer.",
    more: "Default: the service chooses a free one.",
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
    doc: "If true, the state keeps the sample configuration, encrypted, as `sampleConfig`. It holds the pre-shared key. Default: true.",
    whenOmitted: "unchanged",
    onChange: "update",
    visible: "nowhere",
  },
  adopt: {
    is: values.id("the id of an existing tunnel"),
    doc: "Id of an existing tunnel that this resource adopts instead of creating a tunnel. The arguments must equal those of the existing tunnel.",
    more: "It is used only when the resource is created.",
    whenOmitted: "unchanged",
    onChange: "ignore",
    visible: "nowhere",
  },
  status: { type: "string", doc: values.statusDoc, visible: "always" },
  nlbDnsName: {
    type: "string",
    doc: "DNS name of the load balancer, known once the tunnel is DEPLOYED.",
    visible: "by get",
  },
  vpnConnectionId: {
    type: "string",
    doc: "Identifier of the VPN connection, known once the tunnel is DEPLOYED.",
    visible: "by get",
  },
  tunnelConfig: {
    type: "TunnelConfig",
    doc: "Addresses, algorithms and lifetimes of the VPN connection. Its status is not among them, because it changes by itself.",
    visible: "in state",
  },
  sampleConfig: {
    type: "string | undefined",
    doc: "Generated configuration for the remote site. It holds the pre-shared key and is always secret. Undefined with `storeSampleConfig: false`.",
    visible: "in state",
  },
} satisfies Table;
