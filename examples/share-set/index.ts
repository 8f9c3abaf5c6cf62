import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { IpsecShareSet, IpsecTunnel, type SetShareArgs } from "pulumi-frontdoor";

const tunnel = new IpsecTunnel("branch-office", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });

// A new line is a new share, a line that goes deletes one, and another target or port is an update of that one alone.
const shares = JSON.parse(readFileSync(join(__dirname, "services.json"), "utf8")) as Record<string, SetShareArgs>;

const services = new IpsecShareSet("services", {
  ipsecTunnelId: tunnel.id,
  nlbDnsName: tunnel.nlbDnsName,
  envZId: new pulumi.Config().require("envZId"),
  shares,
});

/** `host:port` of each service, as the branch office reaches it. */
export const endpoints = services.endpoints;
