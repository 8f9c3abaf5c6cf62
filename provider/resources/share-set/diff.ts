import { type Planned, UNKNOWN, valueOf } from "../../fields/field";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import type { Diff } from "../lifecycle";
import { withServiceName } from "../notes";
import { type Comparison, compareShare, confirmShare } from "../share/diff";
import type { ShareInputs } from "../share/inputs";
import {
  defaultNames,
  type PlannedShare,
  plannedShares,
  setFields,
  setLabel,
  type ShareSetInputs,
  type ShareSetOutputs,
  sharesIn,
  type StateShare,
} from "./inputs";
import { adoptersIn, holdersOf, knownPorts, portsOf, refuseCycle } from "./ports";

type PlannedShares = ReturnType<typeof plannedShares>;

/** Refuses a cycle of ports that the state and the program show. @throws FrontdoorError `failed`. */
export function refuseKnownCycle(olds: ShareSetOutputs, news: Planned<ShareSetInputs>): void {
  const inState = sharesIn(olds);
  const wanted = knownPorts(plannedShares(news));
  refuseCycle(setLabel(news), holdersOf(portsOf(inState, adoptersIn(wanted, inState)), wanted));
}

/** Compares each share of the state with its key in the program. A set is replaced only if each of its shares would be. */
export async function diffSet(
  service: Service,
  olds: ShareSetOutputs,
  news: Planned<ShareSetInputs>,
  until: Until,
): Promise<Diff> {
  const planned = plannedShares(news);
  const inState = sharesIn(olds);
  const isReplaced = isTunnelReplaced(service, news, planned);
  const diffs = await Promise.all(
    [...inState].map(([key, each]) => compareKey(service, each, planned?.get(key), isReplaced, until)),
  );
  const isAny = (name: string) => diffs.some(({ replaces }) => replaces.includes(name));
  const replaces = ["frontdoorId", "ipsecTunnelId"].filter(isAny);
  const isAdded = planned === undefined || [...planned.keys()].some((key) => !inState.has(key));
  const isSetDifferent = setFields.some((name) => isDifferent(name, valueOf(olds, name), valueOf(news, name)));
  const changes = isAdded || isSetDifferent || diffs.some((diff) => diff.changes);
  // A set that changes owns nothing before its update: with replaceOnChanges, Pulumi may delete all its shares first.
  if (!changes && diffs.every(({ isConfirmed }) => isConfirmed))
    for (const [key, { id, outputs }] of inState) {
      const share = planned.get(key);
      confirmShare(service, id, outputs, share === undefined || share === UNKNOWN ? outputs.name : String(share.name));
    }
  return {
    changes,
    isOfInputs: changes && replaces.length === 0 && diffs.every((diff) => diff.isOfInputs || !diff.changes),
    replaces,
    deleteBeforeReplace: !replaces.includes("frontdoorId"),
  };
}

/** True if a value of the set itself changes. A default that the program no longer gives changes only the shares, if at all. */
const isDifferent = (name: string, old: unknown, now: unknown): boolean =>
  old !== now && now !== UNKNOWN && !(now === undefined && defaultNames.includes(name));

async function compareKey(
  service: Service,
  { id, outputs }: StateShare,
  share: PlannedShare | typeof UNKNOWN | undefined,
  isReplaced: boolean,
  until: Until,
): Promise<Comparison> {
  if (share !== undefined && share !== UNKNOWN) {
    const diff = await compareShare(service, id, outputs, withServiceName(outputs, share), until, share.name);
    if ((share.retain ?? false) === (outputs.__retain ?? false)) return diff;
    // `retain` is an input, and differs.
    return { ...diff, changes: true, isOfInputs: diff.isOfInputs || !diff.changes, isConfirmed: false };
  }
  // If the tunnel is replaced, the share of a removed key also has to go before the tunnel.
  const before: Planned<ShareInputs> = { ...outputs, ipsecTunnelId: UNKNOWN };
  if (isReplaced) return compareShare(service, id, outputs, before, until, outputs.name);
  return { changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true, isConfirmed: false };
}

/** True if Pulumi replaces the tunnel delete first: the tunnel is unknown, although check has seen no unknown tunnel. */
function isTunnelReplaced(
  service: Service,
  { ipsecTunnelId, frontdoorId }: Planned<ShareSetInputs>,
  planned: PlannedShares = new Map(),
): boolean {
  if (ipsecTunnelId !== UNKNOWN) return false;
  if (frontdoorId === UNKNOWN) return true;
  const { declarations } = service.frontDoor(frontdoorId).shares;
  return ![...planned.values()].some((share) => share !== UNKNOWN && declarations.named(share.name)?.hasUnknownTunnel);
}
