// #region published
import * as pulumi from "@pulumi/pulumi";
import { IpsecTunnel, publishedTunnel } from "pulumi-frontdoor";

const config = new pulumi.Config();

// Another location makes a new tunnel first and deletes the old one after it, once no share uses it any more.
const branch = new IpsecTunnel("branch-office", {
  peerPublicIp: config.require("peerPublicIp"),
  peerCidr: config.require("peerCidr"),
  locationId: config.require("locationId"),
});

/** Other stacks read this with `tunnelFrom(network, "tunnel")`, and declare shares on the tunnel. */
export const tunnel = publishedTunnel(branch);
// #endregion published

/** For the remote site, with the pre-shared key: secret here, and secret where another stack reads it. */
export const sampleConfig = branch.sampleConfig;
