import * as pulumi from "@pulumi/pulumi";
import { IpsecTunnel, Provider } from "pulumi-frontdoor/plugin";

const config = new pulumi.Config();
const east = new Provider("east", { frontdoorId: "fd-1", token: config.requireSecret("eastToken") });
const west = new Provider("west", { frontdoorId: "fd-2", token: config.requireSecret("westToken") });

const site = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const eastTunnel = new IpsecTunnel("east-office", site, { provider: east });
const westTunnel = new IpsecTunnel("west-office", site, { provider: west });

export const ids = [eastTunnel.id, westTunnel.id];
