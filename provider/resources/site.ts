import { bracketed, withCode } from "../errors";
import { defined, UNKNOWN, valueOf } from "../fields/field";
import { shareSetFields } from "../fields/share-set";
import { tunnelFields } from "../fields/tunnel";
import type { Failure } from "../lifecycle/contract";
import { isWithin, keyed } from "../lifecycle/differences";
import { portTwice } from "../messages";
import { checkEach } from "./given";
import { shareInSet, shareOfSet, wrongKey } from "./share-of-set";

export { nearest } from "../nearest";

/** The arguments of a site. Any value can be an output. */
interface SiteArguments {
  shares: Readonly<Record<string, object>>;
  envZId?: unknown;
  asSet?: boolean;
}

/** A site as its class has it. */
interface Site {
  name: string;
  args: object & SiteArguments;
  /** True for a value that is not known before the run. */
  isUnknown: (value: unknown) => boolean;
  /** Paths of arguments that Pulumi replaces by those of the state. */
  ignoreChanges?: readonly string[] | undefined;
}

/**
 * Checks the arguments of a site as check does those of its resources, before the first one is registered. Returns a line for each problem if
 * several resources have one, or a key is wrong. A problem of one resource is left to check: Pulumi shows it, and stops at the first resource
 * that check refuses. So is a share without an environment, because a transform can add it.
 */
export function problemsInSite(site: Site): string[] {
  const { args, isUnknown, ignoreChanges = [] } = site;
  const { envZId, asSet = false } = args;
  const tunnel = defined(args, (each) => each in tunnelFields);
  const ofTunnel = checkEach({ table: tunnelFields, what: "IpsecTunnel" }, known(tunnel, isUnknown)).failures;
  const common = checkEach(
    { table: { envZId: shareSetFields.envZId }, what: "IpsecSite" },
    known({ envZId }, isUnknown),
  );
  const environment = common.failures.length > 0 ? UNKNOWN : common.inputs["envZId"];
  const ofShares = checkShares(site, {
    ...{ ipsecTunnelId: UNKNOWN, frontdoorId: UNKNOWN },
    ...(environment !== undefined && { envZId: environment }),
  });
  const isIgnored = ({ property }: Failure) =>
    ignoreChanges.some((path) => path === "*" || isWithin(property, path) || property.endsWith(`.${path}`));
  const ofChildren = asSet ? [[common.failures, ...ofShares].flat()] : [common.failures, ...ofShares];
  const byResource = [ofTunnel, ...ofChildren]
    .map((failures) => failures.filter((each) => !isIgnored(each)))
    .filter((failures) => failures.length > 0);
  const all = byResource.flat();
  const isHidden = byResource.length > 1 && !all.every(lacksEnvironment);
  // Check does not know the key of a single share.
  if (!isHidden && !all.some(isOfKey)) return [];
  return all.map(({ property, reason, value = valueOf(args, property) }) =>
    withCode(`${property}${bracketed(value)} ${reason}`, "invalid-input"),
  );
}

const known = (given: object, isUnknown: Site["isUnknown"]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, isUnknown(value) ? UNKNOWN : value]));

const isOfKey = ({ property }: Failure) => property.endsWith("]");

const lacksEnvironment = ({ property, value }: Failure) => property.endsWith(".envZId") && value === undefined;

/** Returns the problems of each share, by their paths. A tunnel has one listener on each port. */
function checkShares({ name, args: { shares, asSet = false }, isUnknown }: Site, ofSite: object): Failure[][] {
  const keyOn = new Map<number, string>();
  return Object.entries(shares).map(([key, share]) => {
    const { inputs, failures } = checkShare(key, known(share, isUnknown), ofSite, asSet);
    const port = valueOf(inputs, "ingressPort");
    const other = typeof port === "number" ? keyOn.get(port) : undefined;
    if (other !== undefined) {
      const holder = asSet ? keyed("shares", other) : `share "${name}-${other}" on the same tunnel`;
      failures.push({ property: ".ingressPort", reason: portTwice(holder), value: port });
    } else if (typeof port === "number") keyOn.set(port, key);
    return failures.map((each) => ({ ...each, property: `${keyed("shares", key)}${each.property}` }));
  });
}

/** Checks one share. The property of a problem is the path in the share: `.target`, or nothing for the share itself. */
function checkShare(key: string, share: Record<string, unknown>, ofSite: object, asSet: boolean) {
  const own = defined(share, (each) => !["formerly", "protect"].includes(each)) as Record<string, unknown>;
  const { given, problems } = asSet ? shareOfSet([key, own], ofSite) : shareOfSite([key, own], ofSite);
  const type = asSet ? shareInSet : { ...shareInSet, what: "IpsecShare" };
  const { inputs = {}, failures = [] } = given ? checkEach(type, given) : {};
  const all = [...problems, ...failures].map(({ property, reason }): Failure => {
    const value = valueOf(own, property);
    return { property: property === "" ? "" : `.${property}`, reason, value };
  });
  return { inputs, failures: all };
}

/** The site sets tunnel and front door of each share, and the environment of one without its own. */
function shareOfSite(
  [key, own]: [key: string, own: Record<string, unknown>],
  { envZId, ...place }: { envZId?: unknown },
): ReturnType<typeof shareOfSet> {
  const hasOwn = own["envZId"] !== undefined || own["envId"] !== undefined;
  const reason = wrongKey(key);
  return {
    given: { ...own, ...(!hasOwn && { envZId }), ...place },
    problems: reason === undefined ? [] : [{ property: "", reason }],
  };
}
