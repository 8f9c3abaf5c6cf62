import * as pulumi from "@pulumi/pulumi";
import { refuseInheritedKeys } from "./arguments";
import { isOfType, isPlain } from "./resource";
import {
  type AnyShare,
  type AnyShareSet,
  type AnyTunnel,
  type IpsecShareArgs,
  type IpsecShareFields,
  type IpsecShareSetArgs,
  type IpsecTunnelArgs,
  shareArguments,
  shareOutputs,
  shareSetArguments,
  shareSetOutputs,
  tunnelArguments,
  tunnelOutputs,
} from "./properties";

/** An application of a site. The site sets the tunnel and the front door. `formerly` and `protect` work only without `asSet`. */
export type SiteShareArgs = Omit<IpsecShareFields, "ipsecTunnelId" | "frontdoorId"> &
  Former &
  Keeping &
  SiteEnvironment;

interface Keeping {
  /**
   * If true, the share stays in Frontdoor when you remove its key. Set `retain`, run `pulumi up`, and then remove the key. In the edit that
   * removes the key, another resource can adopt the share. If you remove the whole site, or run `pulumi destroy`, Pulumi still deletes the
   * share. Default: false.
   */
  readonly retain?: pulumi.Input<boolean | undefined> | undefined;
  /** Pulumi's option `protect` for this share: Pulumi refuses to delete or replace it. The option of the site protects only its tunnel. */
  readonly protect?: boolean | undefined;
}

/** A key of another site. The site is given itself, or by its name if it has the same parent as this one, or none. */
export interface FormerPlace {
  /** The other site's name or URN, or in TypeScript the site itself. The name is enough if the site has the same parent, or none. */
  readonly site: pulumi.Input<string> | AnySite<AnyTunnel, AnyShare, AnyShareSet>;
  /** Key of the share in the other site. */
  readonly key: string;
}

interface Former {
  /**
   * Previous key of the share in `shares`, or the site and the key that it comes from. The share stays as it is when its key changes, and
   * moves to this site's tunnel by one PATCH. A site with another parent is given as an IpsecSite. Remove it after the next `pulumi up`.
   */
  readonly formerly?: string | FormerPlace | undefined;
}

type SiteEnvironment =
  | {
      /** Environment of the hosting agent. Here or as `envId`. Default: the site's. */
      readonly envZId?: pulumi.Input<string | undefined> | undefined;
      readonly envId?: undefined;
    }
  | {
      /** Another spelling of `envZId`. */
      readonly envId: pulumi.Input<string | undefined> | undefined;
      readonly envZId?: undefined;
    };

/** The arguments of an IpsecSite: those of the tunnel, and the applications on it. */
export interface IpsecSiteArgs extends IpsecTunnelArgs {
  /** The shares, by a key that you choose. The key is part of the share's logical name, and also its key in `endpoints`. */
  readonly shares: Readonly<Record<string, SiteShareArgs>>;
  /** Id of the hosting agent's environment, for shares without an `envZId` of their own. */
  readonly envZId?: pulumi.Input<string>;
  /** If true, one IpsecShareSet `<site>-shares` contains the shares, with the same keys. Use it for many similar shares. Default: false. */
  readonly asSet?: boolean;
}

/** The type of a site, for the dynamic provider and the plugin. */
export const siteToken = "frontdoor:index:IpsecSite";

/** Options without an effect on a site, and `deletedWith`, with which Pulumi would leave the children in Frontdoor. They are refused. */
const refusedOptions = [
  "deletedWith",
  "envVarMappings",
  "hideDiffs",
  "hooks",
  "id",
  "import",
  "pluginDownloadURL",
  "replaceWith",
  "stateMigrations",
  "urn",
  "version",
] as const;

/**
 * The options of an IpsecSite. Those with names of arguments apply to each child that has the argument, `protect` and `replacementTrigger` to
 * the tunnel.
 */
export type IpsecSiteOptions = Omit<pulumi.ComponentResourceOptions, (typeof refusedOptions)[number]> &
  Pick<Options, "deleteBeforeReplace" | "additionalSecretOutputs">;

type Options = pulumi.CustomResourceOptions;

/** The classes of a site's children: those of the dynamic provider, or those of the plugin. */
interface Classes<Tunnel, Share, ShareSet> {
  IpsecTunnel: new (name: string, args: IpsecTunnelArgs, opts: Options) => Tunnel;
  IpsecShare: new (name: string, args: IpsecShareArgs, opts: Options) => Share;
  IpsecShareSet: new (name: string, args: IpsecShareSetArgs, opts: Options) => ShareSet;
}

/**
 * A remote site in one declaration: an IPsec tunnel and its shares, as children. The option `protect` applies only to the tunnel. Options such
 * as `customTimeouts` apply to all children.
 */
export abstract class AnySite<Tunnel extends AnyTunnel, Share extends AnyShare, ShareSet extends AnyShareSet>
  extends pulumi.ComponentResource
{
  /** The tunnel with all its outputs. */
  readonly tunnel: Tunnel;
  /** The shares, by key. Empty with `asSet`. */
  readonly shares: Readonly<Record<string, Share>>;
  /** The set of all shares. Undefined without `asSet`. */
  readonly shareSet: ShareSet | undefined;
  /** Id of the tunnel. */
  readonly tunnelId: pulumi.Output<string>;
  /** DNS name of the load balancer. */
  readonly nlbDnsName: pulumi.Output<string>;
  /** Identifier of the VPN connection. */
  readonly vpnConnectionId: pulumi.Output<string>;
  /** Generated configuration for the remote site. It contains the pre-shared key and is always secret. Undefined with `storeSampleConfig: false`. */
  readonly sampleConfig: pulumi.Output<string | undefined>;
  /** `host:port` at which the remote site reaches each share, by key. */
  readonly endpoints: pulumi.Output<Record<string, string>>;
  /** Id of each share, by key. */
  readonly shareIds: pulumi.Output<Record<string, string>>;

  /** @internal */
  protected constructor(
    { IpsecTunnel, IpsecShare, IpsecShareSet }: Classes<Tunnel, Share, ShareSet>,
    name: string,
    args: IpsecSiteArgs,
    opts?: IpsecSiteOptions,
  ) {
    refuseWrongArguments(name, args);
    refuseWrongOptions(name, args.asSet === true ? ["tunnel", "set"] : ["tunnel", "share"], opts);
    refuseWrongValues(name, args, opts);
    super(siteToken, name, {}, ofSiteItself(opts ?? {}));
    const { shares, envZId, asSet = false, ...tunnelArgs } = args;
    const declared = Object.entries(shares);

    const optionsOf = (kind: Child, child: string, former?: string | FormerPlace): Options => ({
      ...childOptions(kind, opts),
      parent: this,
      aliases: [...childAliases(this, name, child), ...formerAliases(this, name, former, opts?.parent)],
    });
    this.tunnel = new IpsecTunnel(name, tunnelArgs, optionsOf("tunnel", name));
    // Not the tunnel's output: it is unknown during a replacement, so the preview would show replaced shares instead of moved ones.
    const { frontdoorId } = args;
    const place = { frontdoorId, ipsecTunnelId: this.tunnel.id };
    const made = (asSet ? [] : declared).map(([share, { formerly, protect = false, retain, ...each }]) => {
      const environment = each.envZId === undefined && each.envId === undefined ? { envZId } : {};
      // Check refuses a share without an environment.
      const hidden = retain === undefined ? {} : { __retain: retain };
      const shareArgs = { ...each, ...environment, ...place, ...hidden } as IpsecShareArgs;
      const options = { ...optionsOf("share", `${name}-${share}`, formerly), protect };
      return [share, new IpsecShare(`${name}-${share}`, shareArgs, options)] as const;
    });
    this.shares = Object.fromEntries(made);
    const ofSet = Object.fromEntries(declared.map(([share, { protect: _, ...each }]) => [share, each]));
    const setArgs = { ...place, envZId, shares: ofSet };
    const setOptions = optionsOf("set", `${name}-shares`);
    // A set without shares is declared, too: Pulumi would delete a set that leaves the program, also its shares with `retain`.
    this.shareSet = asSet ? new IpsecShareSet(`${name}-shares`, setArgs, setOptions) : undefined;

    this.tunnelId = this.tunnel.id;
    this.nlbDnsName = this.tunnel.nlbDnsName;
    this.vpnConnectionId = this.tunnel.vpnConnectionId;
    this.sampleConfig = this.tunnel.sampleConfig;
    // A set's output is secret as a whole if a part of it is. The URN orders the endpoints after the set without that secret.
    const ports = Object.fromEntries((asSet ? declared : made).map(([share, { ingressPort }]) => [share, ingressPort]));
    this.endpoints = pulumi
      .all([this.nlbDnsName, ports, this.shareSet?.urn])
      .apply(([host, all]) =>
        Object.fromEntries(Object.entries(all).map(([share, port]) => [share, `${host}:${port}`])),
      );
    const ids = Object.fromEntries(made.map(([share, { id }]) => [share, id]));
    this.shareIds = this.shareSet?.ids ?? pulumi.output(ids);
    const { tunnelId, nlbDnsName, vpnConnectionId, endpoints, shareIds } = this;
    // The sample configuration is already among the tunnel's outputs in the state.
    this.registerOutputs({ tunnelId, nlbDnsName, vpnConnectionId, endpoints, shareIds });
  }
}

/** The outputs of a site in every language. */
export const siteOutputs = [
  "tunnelId",
  "nlbDnsName",
  "vpnConnectionId",
  "sampleConfig",
  "endpoints",
  "shareIds",
] as const;

const isSite = (value: unknown): value is AnySite<AnyTunnel, AnyShare, AnyShareSet> => isOfType(value, siteToken);

/** Returns the logical name of a resource. */
const nameIn = (urn: string): string => urn.slice(urn.lastIndexOf("::") + 2);

/** Options with paths of arguments or outputs, which only the children have. */
const pathOptions = ["ignoreChanges", "replaceOnChanges", "additionalSecretOutputs"] as const;

const fieldsOf = {
  tunnel: [...tunnelArguments, ...tunnelOutputs],
  share: [...shareArguments, ...shareOutputs],
  set: [...shareSetArguments, ...shareSetOutputs],
};

type Child = keyof typeof fieldsOf;

/** True if the path begins with a field of the child. `*` is for every child. */
const isOf = (child: Child, path: string) => path === "*" || fieldsOf[child].includes(path.replace(/[.[].*/s, ""));

/** Options of a site that each child gets. Pulumi itself passes on most others. */
const options = ["customTimeouts", "deleteBeforeReplace", "retainOnDelete"] as const;
/** Options of a site that only its tunnel gets. */
const tunnelOptions = ["protect", "replacementTrigger"] as const;

/** Returns what a child gets of the options of its site. Paths go to the children that have the argument or output. */
function childOptions(child: Child, opts: IpsecSiteOptions = {}): Options {
  const passedOn = Object.fromEntries(
    [...options, ...(child === "tunnel" ? tunnelOptions : [])].flatMap((option) => {
      const value: unknown = opts[option];
      return value === undefined ? [] : [[option, value]];
    }),
  );
  const paths = Object.fromEntries(
    pathOptions.flatMap((option) => {
      const paths = opts[option]?.filter((path) => isOf(child, path));
      return paths ? [[option, paths]] : [];
    }),
  );
  // Without an own value, a share would have the `protect` of what the site is in.
  return { ...(child !== "tunnel" && { protect: false }), ...passedOn, ...paths };
}

/** Returns the options without those that only children use. Pulumi would hand `protect` to each child, and older language hosts drop a child's `false`. */
function ofSiteItself(opts: IpsecSiteOptions): pulumi.ComponentResourceOptions {
  const onlyOfChildren: readonly string[] = [...pathOptions, ...tunnelOptions];
  return Object.fromEntries(Object.entries(opts).filter(([option]) => !onlyOfChildren.includes(option)));
}

/** Refuses what no child would get. */
function refuseWrongOptions(name: string, children: Child[], opts: IpsecSiteOptions = {}): void {
  const refuse = (problem: string) => {
    throw new pulumi.RunError(`IpsecSite "${name}": ${problem} [invalid-input]`);
  };
  const unused = refusedOptions.find((option) => (opts as Options)[option] !== undefined);
  if (unused !== undefined)
    refuse(
      `a site can't have the option ${unused}. Nothing was sent for it. Remove it, or declare an IpsecTunnel and IpsecShares with it.`,
    );
  for (const option of pathOptions)
    for (const path of opts[option] ?? [])
      if (!children.some((child) => isOf(child, path)))
        refuse(
          `no resource of the site has ${JSON.stringify(path)} of ${option}. Nothing was sent for it. Write the name of an argument or output, or remove it.`,
        );
}

/**
 * Returns the aliases of a child under the previous names of its site. The engine passes a site's aliases on only if it finds the site by
 * one of them. It does not after a failed run, which leaves an empty site under the new name in the state.
 */
function childAliases(site: pulumi.Resource, name: string, child: string): pulumi.Alias[] {
  // The SDK's types hide the URNs of the aliases.
  const { __aliases: urns = [] } = site as unknown as { __aliases?: pulumi.Input<string>[] };
  return urns.map((parent) => ({
    name: pulumi.output(parent).apply((urn) => `${nameIn(urn)}${child.slice(name.length)}`),
    parent,
  }));
}

/** Returns the aliases of a share under its previous key, of this site or of another. */
function formerAliases(
  self: pulumi.Resource,
  name: string,
  former: string | FormerPlace | undefined,
  parent: pulumi.Resource | undefined,
): pulumi.Alias[] {
  if (former === undefined) return [];
  if (typeof former === "string")
    return [{ name: `${name}-${former}` }, ...childAliases(self, name, `${name}-${former}`)];
  const { site, key } = former;
  const formerSite = pulumi.output(isSite(site) ? site.urn : site);
  const urnOf = (named: string, above?: pulumi.Resource) =>
    named.startsWith("urn:pulumi:") ? pulumi.output(named) : pulumi.createUrn(named, siteToken, above);
  return [...new Set([parent, undefined])]
    .map((above) => formerSite.apply((named) => urnOf(named, above)))
    .map((urn) => ({ name: urn.apply((known) => `${nameIn(known)}-${key}`), parent: urn }));
}

/** Refuses wrong arguments before the site is registered: a failed run would leave an empty site in the state. A program without types can give anything. */
function refuseWrongArguments(name: string, args: object | undefined): void {
  const label = `IpsecSite "${name}"`;
  const refuse = (problem: string, code: string) => {
    throw new pulumi.RunError(`${label}: ${problem} [${code}]`);
  };
  const { shares } = (args ?? {}) as { shares?: unknown };
  const example = 'shares by name, such as { web: { target: "web.internal:443", ingressPort: 443 } }, or {} for none.';
  if (shares == null) refuse(`shares is required: ${example}`, "invalid-input");
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  if (!isObject(shares) || Array.isArray(shares) || !isPlain(shares))
    return refuse(`shares must be ${example}`, "invalid-input");
  refuseInheritedKeys(label, shares);
  const [wrong] = Object.entries<pulumi.Input<unknown>>({ ...shares }).find(([, share]) => !isPlain(share)) ?? [];
  if (wrong !== undefined) {
    const share =
      'must be a share, such as { target: "web.internal:443", ingressPort: 443 }. Only its properties can be outputs.';
    refuse(`shares[${JSON.stringify(wrong)}] ${share}`, "invalid-input");
  }
  const isSet = (args as { asSet?: unknown }).asSet === true;
  for (const [key, { formerly, protect }] of Object.entries<{ formerly?: unknown; protect?: unknown }>({ ...shares })) {
    const at = `shares[${JSON.stringify(key)}].formerly`;
    if (protect !== undefined && typeof protect !== "boolean")
      refuse(
        `shares[${JSON.stringify(key)}].protect must be true or false, and no output. Nothing was sent for it. Write the value itself.`,
        "invalid-input",
      );
    if (protect === true && isSet)
      refuse(
        `shares[${JSON.stringify(key)}].protect can't be true with asSet, because Pulumi protects only whole resources. Nothing was sent for it. Remove protect, or set retain: true, which keeps the share in Frontdoor if its key is removed.`,
        "invalid-input",
      );
    const { site, key: old } = (formerly ?? {}) as { site?: unknown; key?: unknown };
    if (
      formerly !== undefined &&
      typeof formerly !== "string" &&
      !((typeof site === "string" || pulumi.Output.isInstance(site) || isSite(site)) && typeof old === "string")
    )
      refuse(
        `${at} must be a key of this site, or { site, key } of another one: its name or URN, or in TypeScript the IpsecSite itself. Nothing was sent for it.`,
        "invalid-input",
      );
    if (formerly !== undefined && isSet)
      refuse(
        `${at} has no effect with asSet. Nothing was sent for it. Set adopt to the id of the share instead, and remove its old key in the same edit.`,
        "invalid-input",
      );
    if (typeof formerly === "string" && Object.hasOwn(shares, formerly)) {
      const problem = `${at} is ${JSON.stringify(formerly)}, which is still a key of shares`;
      refuse(`${problem}. Nothing was sent for it. Remove formerly, or that key.`, "invalid-input");
    }
  }
  const strange = Object.keys(args ?? {}).find((each) => !siteArguments.includes(each));
  if (strange === undefined) return;
  const meant = strange === "envId" ? "envZId" : checks().nearest(strange, siteArguments);
  const action = meant === undefined ? `Use one of: ${siteArguments.join(", ")}` : `Write ${meant} instead`;
  refuse(`${strange} is not an argument of IpsecSite. Nothing was sent for it. ${action}.`, "unknown-input");
}

/** Refuses wrong values of several resources at once. Pulumi shows those of one resource only. */
function refuseWrongValues(name: string, args: IpsecSiteArgs, opts: IpsecSiteOptions = {}): void {
  const isUnknown = (value: unknown) =>
    pulumi.Output.isInstance(value) || value instanceof Promise || pulumi.isUnknown(value);
  const problems = checks().problemsInSite({ name, args, isUnknown, ignoreChanges: opts.ignoreChanges });
  if (problems.length === 0) return;
  throw new pulumi.RunError(
    `IpsecSite "${name}": nothing was sent for it. Correct these arguments:\n${problems.join("\n")}`,
  );
}

/** Loads what only a program with a site needs. */
const checks = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  require("../provider/resources/site") as typeof import("../provider/resources/site");

const siteArguments: readonly string[] = [...tunnelArguments, "shares", "envZId", "asSet"];
