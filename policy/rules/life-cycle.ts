import type { PolicyResource } from "@pulumi/policy";
import * as z from "zod";
import { mostShares, sameSpelling } from "../../provider/fields/values";
import { canBeDerivedNameOf } from "../../provider/resources/names";
import { strayExceptions } from "../except";
import {
  isConnection,
  isInProduction,
  isInStack,
  isKnownType,
  isNamed,
  kindOf,
  matches,
  ofKind,
  placedShares,
  placeOf,
  sitesOf,
} from "../names";
import { resourceRule, stackRule } from "../rule";
import { hidesSecrecy, read, text, UNKNOWN } from "../sdk";
import { patternList, production, strictProduction } from "../settings";

const packFixes = {
  stray: "Correct or remove the exception. If another stack has the resource, name it by its URN.",
  hidden: "Run npm dedupe, or install the minor version of @pulumi/policy that the pack's package.json names.",
};

export const checkThePack = stackRule(
  {
    name: "check-the-pack",
    topic: "Life cycle",
    description: "The pack must be able to check what its configuration asks for.",
    reason:
      "If the stack does not have the resource of an exception, the exception has no effect. Its name is misspelled, the resource is gone, or another stack has it. If @pulumi/policy hides which values are secret, keep-sample-config-secret, encrypt-pre-shared-keys and keep-credentials-secret can find nothing.",
    fix: `${packFixes.stray} ${packFixes.hidden}`,
    unknowns: "A pack of your own gets these warnings only if it contains this policy.",
    severity: "medium",
    settings: {},
    baseline: "advisory",
    // The program of one stack cannot mend the pack of all stacks.
    strict: { enforcementLevel: "advisory" },
  },
  (checked, _settings, report) => {
    // The set holds the properties of its shares.
    const resources = checked.filter((each) => !("setUrn" in each));
    const [first] = resources;
    if (!first) return;
    const root = resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? first;
    for (const { policy, resource, meant } of strayExceptions(resources))
      report(
        `An exception of policy "${policy}" names ${resource}, and this stack has no such resource. The exception excuses nothing here.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
        root,
        packFixes.stray,
      );
    if (hidesSecrecy(resources))
      report(
        "The pack cannot judge what is secret, because this copy of @pulumi/policy hides it: a version that differs inside, or another copy than the pack's. keep-sample-config-secret, encrypt-pre-shared-keys and keep-credentials-secret find nothing.",
        root,
        packFixes.hidden,
      );
  },
);

const explained =
  "`*` is any run of characters, `?` any character, `#` a digit, `@` a lower-case letter; `{project}` and `{stack}` are their names";

export const followNamingConvention = resourceRule(
  {
    name: "follow-naming-convention",
    topic: "Life cycle",
    description: "Tunnels and shares must follow the naming convention.",
    reason:
      "Frontdoor has no tags, so only the name can tell which stack a tunnel belongs to. Without a convention, nobody finds an abandoned tunnel.",
    fix: "omit name (the provider derives it from project, stack and resource name), or choose a name that fits the pattern.",
    unknowns:
      "Derived names pass, even shortened ones. Names that were kept after a rename, or that `pulumi:autonaming` proposed, must match the patterns.",
    severity: "low",
    settings: {
      tunnelNames: patternList(["*"]).describe(
        `Patterns for the names of tunnels. A name must fit one of them. In a pattern, ${explained}.`,
      ),
      shareNames: patternList(["*"]).describe("Patterns for the names of shares, in the same form."),
    },
    baseline: "advisory",
    strict: {
      tunnelNames: ["{project}-{stack}-*"],
      shareNames: ["{project}-{stack}-*"],
    },
  },
  ["tunnel", "share"],
  ({ type, urn, props }, { tunnelNames, shareNames }, report) => {
    const name = text(props, "name");
    if (name === undefined || canBeDerivedNameOf(urn, name)) return;
    const patterns = kindOf(type) === "tunnel" ? tunnelNames : shareNames;
    const { project, stack } = placeOf(urn);
    const fit = patterns.some((pattern) =>
      matches(pattern.replaceAll("{project}", asInNames(project)).replaceAll("{stack}", asInNames(stack)), name),
    );
    if (!fit) report(`name fits none of ${patterns.map((pattern) => `"${pattern}"`).join(", ")}.`);
  },
);

/** Returns a text as in derived names: a hyphen replaces each character that the service does not accept. */
const asInNames = (text: string) => text.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");

/** The properties that the policies check, by kind. */
const checkedProperties = {
  tunnel: ["peerPublicIp", "peerCidr", "locationId", "frontdoorId", "nlbPrivateIp", "name", "storeSampleConfig"],
  share: ["ipsecTunnelId", "target", "ingressPort", "envZId", "envId", "locationId", "frontdoorId", "name"],
};

/** Each violation has only its own fix. */
const fixes = {
  ignored: "remove the property from ignoreChanges. If Pulumi is not to manage an input, omit it.",
  adopted: "Review an adopted resource, and add its id to approvedAdoptions.",
};

export const guardLifeCycleOptions = resourceRule(
  {
    name: "guard-life-cycle-options",
    topic: "Life cycle",
    description: "Pulumi options and `adopt` must not bypass the policies on a tunnel or share.",
    reason:
      "If ignoreChanges names a checked property, the old value stays, whatever the program says. Reviewers then see another network or port than the one in use. An adopted resource comes with all the settings that someone else made.",
    fix: `${fixes.ignored} ${fixes.adopted}`,
    unknowns:
      "An unknown `adopt` counts as not approved. The policy does not see `retainOnDelete`, `deletedWith` or `import`, which Pulumi does not pass to a pack.",
    severity: "medium",
    settings: {
      approvedAdoptions: z
        .array(z.string().min(1).max(128))
        .default([])
        .describe("Ids of existing tunnels and shares that may be adopted."),
      ignorable: z
        .array(z.string().min(1).max(200))
        .default([])
        .describe("Properties that may be in ignoreChanges although a policy checks them."),
    },
    baseline: "advisory",
  },
  ["tunnel", "share"],
  ({ type, props, opts }, { approvedAdoptions, ignorable }, report) => {
    const kind = kindOf(type);
    const names = kind === undefined ? [] : checkedProperties[kind].filter((name) => !ignorable.includes(name));
    // The engine's paths are `target`, `["target"]` and `*`.
    const firsts = opts.ignoreChanges.map((path) => /^(?:\["?)?([^.["\]]*)/.exec(path)?.[1] ?? path);
    const ignored = firsts.includes("*") ? names : names.filter((name) => firsts.includes(name));
    if (ignored.length > 0)
      report(`ignoreChanges names properties that the policies check: ${ignored.join(", ")}.`, fixes.ignored);
    const adopted = read(props, "adopt");
    const isApproved = adopted !== UNKNOWN && approvedAdoptions.includes(String(adopted));
    if (adopted !== undefined && !isApproved)
      report("adopt names a resource that approvedAdoptions does not contain.", fixes.adopted);
  },
);

export const limitSharesPerTunnel = stackRule(
  {
    name: "limit-shares-per-tunnel",
    topic: "Life cycle",
    description: "A tunnel must not carry too many shares.",
    reason:
      "A tunnel is one load balancer and one VPN connection, so all its shares fail together. To delete or replace the tunnel, Pulumi has to wait for every share.",
    fix: "spread the shares over several tunnels, or raise maxShares.",
    unknowns:
      "The policy counts single shares and shares of sets. It does not count shares of other stacks, or shares whose tunnel it cannot determine.",
    severity: "low",
    settings: {
      maxShares: z
        .int()
        .min(1)
        .default(mostShares)
        .describe("Largest number of shares on a tunnel. The default is the limit of one IpsecShareSet."),
    },
    strict: { maxShares: 50 },
  },
  (resources, { maxShares }, report) => {
    const carried = new Map<string, { count: number; carrier: PolicyResource }>();
    for (const { share, tunnel, place } of placedShares(resources)) {
      if (place === undefined) continue;
      const { count, carrier } = carried.get(place) ?? { count: 0, carrier: tunnel ?? share };
      carried.set(place, { count: count + 1, carrier });
    }
    for (const { count, carrier } of carried.values()) {
      if (count > maxShares) report(`${count} shares are on one tunnel. At most ${maxShares} are allowed.`, carrier);
    }
  },
);

export const matchShareLocations = stackRule(
  {
    name: "match-share-locations",
    topic: "Life cycle",
    description: "A share must be in the location of its tunnel.",
    reason:
      "A share listens on its tunnel's load balancer. We assume that a share in another location fails to deploy, or that its traffic takes a detour.",
    fix: "set the share's locationId to the location of its tunnel (locationId: tunnel.locationId).",
    severity: "medium",
    settings: {},
  },
  (resources, _settings, report) => {
    for (const { share, tunnel } of placedShares(resources)) {
      const ours = text(share.props, "locationId");
      const theirs = tunnel && text(tunnel.props, "locationId");
      if (tunnel && ours !== undefined && theirs !== undefined && !sameSpelling(ours, theirs))
        report(`locationId is not the location of its tunnel "${tunnel.name}".`, share);
    }
  },
);

export const protectProductionTunnels = resourceRule(
  {
    name: "protect-production-tunnels",
    topic: "Life cycle",
    description: "Tunnels of production stacks must be protected.",
    reason:
      "A replaced tunnel gets a new key and a new address, and most changes replace it. The remote site is cut off until someone there changes its device. With `protect`, a delete or a replacement fails in the preview.",
    fix: "add protect: true to the tunnel's options. Before you delete or replace the tunnel, give it an exception in the pack's configuration, and remove this option in a separate change.",
    severity: "high",
    settings: production,
    strict: { ...strictProduction },
  },
  "tunnel",
  ({ urn, opts }, settings, report) => {
    if (isInProduction(urn, settings) && !opts.protect)
      report("The tunnel is in a production stack, and it is not protected.");
  },
);

/** Matches the package's own tokens, of the dynamic provider and the plugin. Other packages have their own name before the colon. */
const ownToken = /^(?:pulumi-[a-z]+:dynamic\/)?frontdoor:/;

/** Matches the dynamic resources of any language. */
const dynamicToken = /^pulumi-[a-z]+:dynamic[:/]/;
/** The inputs of a tunnel, a share and a set. */
const inputsOfOurTypes = [
  ["peerPublicIp", "peerCidr"],
  ["ipsecTunnelId", "target", "ingressPort"],
  ["ipsecTunnelId", "shares"],
];

export const refuseUnknownTypes = resourceRule(
  {
    name: "refuse-unknown-types",
    topic: "Life cycle",
    description: "Every resource of this provider must have a type that these policies know.",
    reason:
      "Policies skip unknown types. An unknown type comes from a newer version of the package, or the program invented it to get past the policies.",
    fix: "use the classes of this package, or update the policy pack to a version that knows the type.",
    unknowns:
      "The policy does not find a dynamic resource whose inputs have different names, or code that calls Frontdoor directly.",
    severity: "high",
    settings: {},
  },
  "any resource",
  ({ type, props }, _settings, report) => {
    if (isKnownType(type)) return;
    if (ownToken.test(type)) report(`No policy in this pack checks resources of type ${type}.`);
    else if (
      dynamicToken.test(type) &&
      inputsOfOurTypes.some((names) => names.every((name) => read(props, name) !== undefined))
    )
      report(
        "No policy in this pack checks a dynamic resource of this type, and it has the inputs of a tunnel or share.",
      );
  },
);

export const requireLocations = resourceRule(
  {
    name: "require-locations",
    topic: "Life cycle",
    description: "Tunnels and shares must be in locations and on front doors that are allowed for their stack.",
    reason:
      "The location of a tunnel decides which country its traffic goes through. If Frontdoor chooses, any location is possible. If someone copies the wrong id, a stack's traffic goes through another stack's front door.",
    fix: "set locationId and frontdoorId to values that `allowed` lists for the stack, or add them to `allowed`.",
    unknowns:
      "If frontdoorId is omitted, the policy does not check the front door. We assume that a share without a location gets its tunnel's location.",
    severity: "medium",
    settings: {
      allowed: z
        .array(
          z.strictObject({
            stacks: patternList(["*"]),
            locations: patternList(["*"]),
            frontdoors: patternList(["*"]),
          }),
        )
        .default([])
        .describe(
          "A list of entries. Each entry names `stacks`, and the `locations` and `frontdoors` that these stacks may use. All three are lists of patterns as in productionStacks, by default `*`. If several entries name a stack, it may use what any of these entries allows. If one of these entries allows the location `*`, the stack needs no locationId. The letter case of a location does not count. If the list is empty, all stacks may use all locations and front doors.",
        ),
      requireLocation: z.boolean().default(false).describe("If true, the policy refuses tunnels without a locationId."),
    },
    strict: { requireLocation: true },
  },
  ["tunnel", "share"],
  ({ type, urn, props }, { allowed, requireLocation }, report) => {
    const ours = allowed.filter(({ stacks }) => isInStack(urn, stacks));
    const isUnset = kindOf(type) === "tunnel" && read(props, "locationId") === undefined;
    const isLimited = ours.length > 0 && ours.every(({ locations }) => !locations.includes("*"));
    if (isUnset && (requireLocation || isLimited)) report("locationId is not set.");
    if (allowed.length === 0) return;
    if (ours.length === 0) {
      report(`The setting "allowed" has no entry for stack "${placeOf(urn).stack}".`);
      return;
    }
    const [location, frontDoor] = [text(props, "locationId"), text(props, "frontdoorId")];
    const fits = (patterns: readonly string[], id: string | undefined) =>
      id === undefined || patterns.some((pattern) => matches(pattern, id));
    // The letter case of a location does not count.
    const isAllowed = ({ locations }: (typeof ours)[number]) =>
      fits(
        locations.map((pattern) => pattern.toLowerCase()),
        location?.toLowerCase(),
      );
    if (ours.some((entry) => isAllowed(entry) && fits(entry.frontdoors, frontDoor))) return;
    const isLocation = !ours.some(isAllowed);
    const name = isLocation ? "locationId" : "frontdoorId";
    report(`${name} is not one that the setting "allowed" has for stack "${placeOf(urn).stack}".`);
  },
);

export const requireTwoTunnels = stackRule(
  {
    name: "require-two-tunnels",
    topic: "Life cycle",
    description: "A site with critical applications must have two tunnels, in two locations.",
    reason:
      "With one tunnel, a replacement, maintenance or a failed line cuts the site off from every application. The policy checks nothing until `critical` names applications or tunnels.",
    fix: "declare the site a second time, under another name and in another location. Give each of its tunnels an IpsecTunnelConnection, or none of them.",
    unknowns:
      "Tunnels of one front door with the same peerCidr count as one site. The policy does not see tunnels of other stacks. It also does not see if a connection goes DOWN later.",
    severity: "medium",
    settings: {
      critical: z
        .array(z.string().min(1).max(200))
        .default([])
        .describe(
          "Patterns as in productionStacks, such as `*critical*` or `customer-a-*`. A site is critical if one of them matches the name of its tunnel or of one of its shares, in the program or in Frontdoor.",
        ),
    },
  },
  (resources, { critical }, report) => {
    const isCritical = ({ name, props }: PolicyResource) =>
      [name, text(props, "name") ?? name].some((each) => isNamed(each, critical));
    const carriers = placedShares(resources).flatMap(({ share, tunnel }) =>
      isCritical(share) ? (tunnel?.urn ?? []) : [],
    );
    const connections = resources.filter(({ type }) => isConnection(type));
    const connected = connections.flatMap(({ propertyDependencies }) =>
      ofKind(propertyDependencies["tunnelId"] ?? [], "tunnel").map(({ urn }) => urn),
    );
    const sites = sitesOf(resources);
    // A tunnel whose network or front door is not known can be the second one of any site.
    if (sites.has(undefined)) return;
    for (const tunnels of sites.values()) {
      const [first, second] = tunnels;
      if (!first || !tunnels.some((each) => carriers.includes(each.urn) || isCritical(each))) continue;
      const locations = tunnels.map(({ props }) => text(props, "locationId"));
      const isOnePlace = locations.every((each) => each !== undefined && sameSpelling(each, locations[0] ?? ""));
      const without = tunnels.filter(({ urn }) => !connected.includes(urn));
      if (!second) report("The site of this tunnel is critical, and the stack has no second tunnel for it.", first);
      else if (isOnePlace) report("All tunnels of this critical site are in one location.", second);
      else if (without[0] && tunnels.length - without.length === 1)
        report("Another tunnel of this critical site has an IpsecTunnelConnection, and this one has none.", without[0]);
    }
  },
);

const seconds = (initial: number) => z.int().min(1).max(86_400).default(initial);

/** The provider's default. */
const byDefault = 3600;

export const timeTunnelDeletes = resourceRule(
  {
    name: "time-tunnel-deletes",
    topic: "Life cycle",
    description: "The delete timeout of a tunnel in a production stack must be neither too short nor too long.",
    reason:
      "Most replacements of a tunnel delete it first. If the timeout is too short, the update stops halfway and leaves the site without a tunnel. If it is too long, a stuck teardown blocks the stack for hours.",
    fix: 'set customTimeouts: { delete: "60m" } on the tunnel, or another time within the limits. The default is 60 minutes.',
    unknowns:
      "If a transform sets a timeout, the policy checks that one. But the dynamic provider uses the timeout of the constructor, which the policy then does not see.",
    severity: "medium",
    settings: {
      ...production,
      minSeconds: seconds(600).describe("Shortest allowed delete timeout."),
      maxSeconds: seconds(7200).describe("Longest allowed delete timeout. Must not be less than minSeconds."),
    },
    problem: ({ minSeconds, maxSeconds }) =>
      minSeconds > maxSeconds ? "minSeconds: must not be above maxSeconds" : undefined,
    strict: { ...strictProduction, maxSeconds: 3600 },
  },
  "tunnel",
  ({ urn, opts }, settings, report) => {
    if (!isInProduction(urn, settings)) return;
    // 0 stands for none.
    const timeout = opts.customTimeouts.deleteSeconds || byDefault;
    if (timeout < settings.minSeconds) report(`The tunnel's delete timeout is under ${settings.minSeconds} seconds.`);
    else if (timeout > settings.maxSeconds)
      report(`The tunnel's delete timeout is over ${settings.maxSeconds} seconds.`);
  },
);
