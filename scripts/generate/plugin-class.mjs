// The classes of the plugin's, in TypeScript; `said` is the comment of the dynamic one, so that both say the same.

const readById = "Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`.";
const readByTunnel =
  "Reads the shares of a tunnel that another program manages, by `tunnel/<tunnelId>`, `tunnel/<tunnelId>/<pattern of names>` or `<frontdoorId>/tunnel/<tunnelId>`.";

/** Of a resource. */
export const pluginClass = (
  { title, noun, key, file, each },
  said,
) => `// Generated from sdk/${file}.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { Any${noun}, ${noun === "Tunnel" ? "hideSampleConfig, " : ""}${key}Of } from "../any-${file}";
import { isOfType, pluginToken, ShortStacks } from "../resource";
import type { ${title}Args } from "../${file}-properties";
import { plugin } from "./plugin";

${said}
export class ${title} extends Any${noun} {
  constructor(name: string, args: ${title}Args, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as \`get\` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: ${title}Args | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...${key}Of(plugin, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
${noun === "Tunnel" ? "    hideSampleConfig(this);\n" : ""}  }

  /** ${each ? readByTunnel : readById} */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${title} {
    return new ${title}(name, undefined, { ...opts, id });
  }

  /** True for an ${title} of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is ${title} {
    return isOfType(value, pluginToken("${title}"));
  }
}
`;

/** Of a site. */
export const pluginSite = (said) => `// Generated from sdk/site.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { AnySite, type IpsecSiteArgs, siteToken } from "../any-site";
import { isOfType } from "../resource";
import { IpsecShare } from "./share";
import { IpsecShareSet } from "./share-set";
import { IpsecTunnel } from "./tunnel";

${said}
export class IpsecSite extends AnySite<IpsecTunnel, IpsecShare, IpsecShareSet> {
  constructor(name: string, args: IpsecSiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super({ IpsecTunnel, IpsecShare, IpsecShareSet }, name, args, opts);
  }

  /** True for an IpsecSite of the dynamic provider or the plugin, also of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecSite {
    return isOfType(value, siteToken);
  }
}
`;
