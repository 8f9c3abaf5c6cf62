export type { SetShare, SetShareArgs, ShareArgs, ShareSetArgs, TunnelArgs, TunnelConfig } from "../fields/types";
