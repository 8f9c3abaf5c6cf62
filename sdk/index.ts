export type { TunnelConfig } from "../provider/hosts/types";
export { IpsecShare, type IpsecShareArgs } from "./share";
export { IpsecTunnel, type IpsecTunnelArgs } from "./tunnel";
