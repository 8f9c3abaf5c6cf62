import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { IpsecShareSet, IpsecTunnel, type SetShareArgs } from "pulumi-frontdoor";

const tunnel = new IpsecTunnel("customer-a-dc1", { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16" });

// Adding a line creates a share, removing a line deletes its share, and changing a target or port updates only that share.
const shares = JSON.parse(readFileSync(join(__dirname, "services.json"), "utf8")) as Record<string, SetShareArgs>;

const services = new IpsecShareSet("services", {
  ipsecTunnelId: tunnel.id,
  nlbDnsName: tunnel.nlbDnsName,
  envZId: new pulumi.Config().require("envZId"),
  shares,
});

/** `host:port` of each application, as the branch office reaches it. */
export const endpoints = services.endpoints;
