import type * as pulumi from "@pulumi/pulumi";
import { AnySite, type IpsecSiteArgs } from "./any-site";
import { IpsecShare } from "./share";
import { IpsecShareSet } from "./share-set";
import { IpsecTunnel } from "./tunnel";

/**
 * A remote site in one declaration: an IPsec tunnel and the shares published on it, as children.
 * Two shares on one ingress port are refused before anything is sent. `protect`, `customTimeouts` and such hold for all of it.
 */
export class IpsecSite extends AnySite<IpsecTunnel, IpsecShare, IpsecShareSet> {
  constructor(name: string, args: IpsecSiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super({ IpsecTunnel, IpsecShare, IpsecShareSet }, name, args, opts);
  }
}
