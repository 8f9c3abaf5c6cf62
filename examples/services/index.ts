// #region found
import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, tunnelFrom } from "pulumi-frontdoor";

const config = new pulumi.Config();

// The network team's stack. If it replaces its tunnel, the next `pulumi up` of this stack moves the shares to the new one.
const network = new pulumi.StackReference(config.require("networkStack"));
const tunnel = tunnelFrom(network, "tunnel");
// #endregion found

// #region declared
const services = {
  intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
  tickets: { target: "10.8.0.15:8443", ingressPort: 8443 },
};

export const endpoints: Record<string, pulumi.Output<string>> = {};
for (const [name, service] of Object.entries(services)) {
  const share = new IpsecShare(name, {
    ...service,
    ipsecTunnelId: tunnel.tunnelId,
    frontdoorId: tunnel.frontdoorId,
    envZId: config.require("envZId"),
  });
  endpoints[name] = pulumi.interpolate`${tunnel.nlbDnsName}:${share.ingressPort}`;
}
// #endregion declared
