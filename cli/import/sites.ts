import { isFailed } from "../../provider/api/wire";
import type { Argument } from "../../provider/fields/field";
import type { ShareResult, TunnelResult } from "../../provider/functions/args";
import {
  argsOf,
  isStaying,
  type KindName,
  kinds,
  type LeftOut,
  logicalNames,
  type Plan,
  quoted,
  type Value,
  withLocationOf,
  yamlText,
} from "./import";
import { siteOf } from "../dashboard/page/site.js";

type Args = [name: string, value: Value][];

/** A tunnel and the shares on it, as a program declares them. */
export interface DeclaredSite {
  name: string;
  args: Args;
  shares: { key: string; args: Args }[];
  /** The names of the other tunnels that lead to the same site. */
  alternatives: string[];
}

export interface SitePlan extends Omit<Plan, "declared"> {
  sites: DeclaredSite[];
}

interface Part {
  kind: KindName;
  id: string;
  name: string;
  status: string;
  args: Args;
  reason: string | undefined;
}

/**
 * Plans one IpsecSite for each tunnel, with the shares on it. Each adopts what exists. A name that no program may give, or that two
 * resources have, is left out: what is adopted keeps its own. `elsewhere` is a front door that no configuration names.
 */
export function sitesOf(tunnels: TunnelResult[], shares: ShareResult[], elsewhere?: string): SitePlan {
  const partsOf = (kind: KindName, all: (TunnelResult | ShareResult)[]): Part[] =>
    all.map((seen) => {
      const { id, name, status } = seen;
      const isOwn = (kinds[kind].table.name as Argument).is.safeParse(name).success;
      const isOnly = all.every((other) => other.name !== name || other.id === id);
      const { args, wrong } = argsOf(kinds[kind].table, isOwn && isOnly ? seen : { ...seen, name: undefined });
      const reason = wrong.length > 0 ? `the provider refuses it: ${wrong.join("; ")}` : undefined;
      return { ...{ kind, id, name, status, reason }, args: [...args, ["adopt", id]] };
    });
  const known = { tunnels: tunnels.filter(isStaying), shares: shares.filter(isStaying) };
  const tunnelParts = partsOf("tunnel", known.tunnels).map((part) =>
    isFailed(part) ? { ...part, reason: `it is ${part.status}, and a site adopts only a tunnel that works` } : part,
  );
  const kept = tunnelParts.filter(({ reason }) => reason === undefined);
  const siteNames = logicalNames(kept);
  const nameOf = new Map(kept.map(({ id }, index) => [id, siteNames[index] ?? id]));

  const onTunnel = new Map(known.shares.map(({ id, ipsecTunnelId }) => [id, ipsecTunnelId]));
  const shareParts = partsOf("share", known.shares.map(withLocationOf(known.tunnels)))
    .map((part): Part => {
      const tunnelId = onTunnel.get(part.id) ?? "";
      return nameOf.has(tunnelId) ? part : { ...part, reason: `the import has no site with its tunnel ${tunnelId}` };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const added = shareParts.filter(({ reason }) => reason === undefined);

  // Pulumi tells shares apart by `<site>-<key>`, whatever their site.
  const taken = new Set<string>();
  const keys = new Map<string, string>();
  for (const [tunnelId, site] of nameOf) {
    const ofTunnel = added.filter(({ id }) => onTunnel.get(id) === tunnelId);
    const wanted = logicalNames(ofTunnel);
    for (const [index, { id }] of ofTunnel.entries()) {
      let key = wanted[index] ?? id;
      while (taken.has(`${site}-${key}`) || key in Object.prototype) key = `${key}-share`;
      taken.add(`${site}-${key}`);
      keys.set(id, key);
    }
  }

  const frontdoor: Args = elsewhere === undefined ? [] : [["frontdoorId", elsewhere]];
  const placeOf = new Map(known.tunnels.map(({ id, frontdoorId, peerCidr }) => [id, siteOf(frontdoorId, peerCidr)]));
  const isBesides = (id: string) => (other: Part) =>
    other.id !== id && placeOf.get(id) !== undefined && placeOf.get(other.id) === placeOf.get(id);
  const sites = kept.map(({ id, args }): DeclaredSite => {
    const ofTunnel = added.filter((share) => onTunnel.get(share.id) === id);
    const environments = new Set(
      ofTunnel.flatMap((share) => share.args.filter(([name]) => name === "envZId")).map(valueOf),
    );
    const [envZId] = environments;
    const isShared = environments.size === 1 && envZId !== undefined;
    const ofSite = ["ipsecTunnelId", ...(isShared ? ["envZId"] : [])];
    return {
      name: nameOf.get(id) ?? id,
      args: [...args, ...frontdoor, ...(isShared ? ([["envZId", envZId]] as Args) : [])],
      shares: ofTunnel.map((share) => ({
        key: keys.get(share.id) ?? share.id,
        args: share.args.filter(([name]) => !ofSite.includes(name)),
      })),
      alternatives: kept.filter(isBesides(id)).map((other) => nameOf.get(other.id) ?? other.id),
    };
  });
  const firstName = ({ name, alternatives }: DeclaredSite) => [name, ...alternatives].sort()[0] ?? name;
  sites.sort((a, b) => byText(firstName(a), firstName(b)) || byText(a.name, b.name));
  for (const { shares: each } of sites) each.sort((a, b) => byText(a.key, b.key));
  const leftOut = [...tunnelParts, ...shareParts].flatMap(({ kind, id, name, reason }): LeftOut[] =>
    reason === undefined ? [] : [{ kind, id, name, reason }],
  );
  const notReady = [...kept, ...added].flatMap(({ kind, id, name, status }) =>
    status === "DEPLOYED" ? [] : [{ kind, id, name, status }],
  );
  return { sites, leftOut, notReady };
}

const valueOf = ([, value]: Args[number]) => value;
const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

const about = [
  'Written by "pulumi-frontdoor import --sites". After "pulumi up" you can remove each "adopt".',
  'Each tunnel is protected. Remove "protect" from a site before you delete or replace its tunnel.',
];

const aboutSite = ({ alternatives }: DeclaredSite): string[] =>
  alternatives.length > 0 ? [`Another way to the same remote site: ${alternatives.join(", ")}.`] : [];

const textOf = (value: Value) => (typeof value === "number" ? String(value) : quoted(value as string));
const keyText = (key: string) => (/^[a-z]\w*$/.test(key) ? key : quoted(key));

function typescript(sites: DeclaredSite[]): string {
  const statement = (site: DeclaredSite) => {
    const shares = site.shares.flatMap(({ key, args }) => [
      `      ${keyText(key)}: {`,
      ...args.map(([name, value]) => `        ${name}: ${textOf(value)},`),
      "      },",
    ]);
    return [
      ...aboutSite(site).map((line) => `// ${line}`),
      ...["new IpsecSite(", `  ${quoted(site.name)},`, "  {"],
      ...site.args.map(([name, value]) => `    ${name}: ${textOf(value)},`),
      ...(shares.length === 0 ? ["    shares: {},"] : ["    shares: {", ...shares, "    },"]),
      ...["  },", "  { protect: true },", ");"],
    ].join("\n");
  };
  const comment = about.map((line) => `// ${line}`).join("\n");
  const imports = sites.length === 0 ? [] : ['import { IpsecSite } from "pulumi-frontdoor";'];
  return `${[comment, ...imports, ...sites.map(statement)].join("\n\n")}\n`;
}

function yaml(sites: DeclaredSite[]): string {
  const entry = (site: DeclaredSite) => {
    const shares = site.shares.flatMap(({ key, args }) => [
      `        ${key}:`,
      ...args.map(([name, value]) => `          ${name}: ${yamlText(value)}`),
    ]);
    return [
      ...aboutSite(site).map((line) => `  # ${line}`),
      ...[`  ${site.name}:`, "    type: frontdoor:index:IpsecSite", "    properties:"],
      ...site.args.map(([name, value]) => `      ${name}: ${yamlText(value)}`),
      ...(shares.length === 0 ? ["      shares: {}"] : ["      shares:", ...shares]),
      ...["    options:", "      protect: true"],
    ];
  };
  const resources = sites.length === 0 ? ["resources: {}"] : ["resources:", ...sites.flatMap(entry)];
  return `${[...about.map((line) => `# ${line}`), ...resources].join("\n")}\n`;
}

/** Returns a whole program that declares these sites. It holds no secret. */
export const siteProgramOf = (language: "ts" | "yaml", sites: DeclaredSite[]): string =>
  ({ ts: typescript, yaml })[language](sites);
