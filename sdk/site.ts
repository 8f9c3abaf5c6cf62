// Generated from sdk/any-site.ts by "npm run docs": change that, not this.
import { AnySite, type IpsecSiteArgs, type IpsecSiteOptions, siteToken } from "./any-site";
import { refusePluginProvider } from "./dynamic";
import { isOfType } from "./resource";
import { IpsecShare } from "./share";
import { IpsecShareSet } from "./share-set";
import { IpsecTunnel } from "./tunnel";

/**
 * A remote site in one declaration: an IPsec tunnel and its shares, as children. The option `protect` applies to the tunnel, others
 * such as `customTimeouts` to all children.
 */
export class IpsecSite extends AnySite<IpsecTunnel, IpsecShare, IpsecShareSet> {
  constructor(name: string, args: IpsecSiteArgs, opts?: IpsecSiteOptions) {
    refusePluginProvider(`IpsecSite "${name}"`, opts ?? {});
    super({ IpsecTunnel, IpsecShare, IpsecShareSet }, name, args, opts);
  }

  /** True for an IpsecSite of the dynamic provider or the plugin, also of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecSite {
    return isOfType(value, siteToken);
  }
}
