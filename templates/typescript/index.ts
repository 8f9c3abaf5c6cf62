import * as pulumi from "@pulumi/pulumi";
import { IpsecSite } from "pulumi-frontdoor";

const config = new pulumi.Config();

// The remote site's VPN tunnel, and the private applications that the site reaches through it. `pulumi up` waits until Frontdoor has
// deployed them.
const site = new IpsecSite("site", {
  peerPublicIp: config.require("peerPublicIp"), // the remote site's IPsec device
  peerCidr: config.require("peerCidr"), // the network behind it
  locationId: config.get("locationId"), // where the front door runs the tunnel
  envZId: config.require("envZId"), // the hosting agent that reaches the targets
  shares: {
    app: { target: config.require("target"), ingressPort: config.requireNumber("ingressPort") },
  },
});

// Where the remote site reaches each application.
export const { endpoints } = site;
// For the remote site's administrator. It is secret, because it contains the pre-shared key.
export const { sampleConfig } = site;
