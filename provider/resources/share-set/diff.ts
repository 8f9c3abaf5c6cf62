import { type Planned, UNKNOWN, valueOf } from "../../fields/field";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import type { Diff } from "../lifecycle";
import { withOwnName } from "../notes";
import { type Comparison, compareShare, confirmShare } from "../share/diff";
import type { ShareInputs } from "../share/inputs";
import {
  ofSet,
  partsOf,
  type PlannedPart,
  setLabel,
  type ShareSetInputs,
  type ShareSetOutputs,
  sharesIn,
  type StateShare,
} from "./inputs";
import { adoptersIn, holdersOf, knownPlaces, placesOf, refuseCycle } from "./ports";

type Parts = ReturnType<typeof partsOf>;

/** Refuses ports that change places in a cycle, as the state and the program tell them. @throws FrontdoorError `failed`. */
export function refuseKnownCycle(olds: ShareSetOutputs, news: Planned<ShareSetInputs>): void {
  const inState = sharesIn(olds);
  const wanted = knownPlaces(partsOf(news));
  refuseCycle(setLabel(news), holdersOf(placesOf(inState, adoptersIn(wanted, inState)), wanted));
}

/** Compares each share of the state with its key in the program. A set is replaced only if each of its shares would be. */
export async function diffSet(
  service: Service,
  olds: ShareSetOutputs,
  news: Planned<ShareSetInputs>,
  until: Until,
): Promise<Diff> {
  const parts = partsOf(news);
  const inState = sharesIn(olds);
  const isAsked = isAskedForTunnel(service, news, parts);
  const diffs = await Promise.all(
    [...inState].map(([key, each]) => compared(service, each, parts?.get(key), isAsked, until)),
  );
  const isAny = (name: string) => diffs.some(({ replaces }) => replaces.includes(name));
  const replaces = ["frontdoorId", "ipsecTunnelId"].filter(isAny);
  const isAdded = parts === undefined || [...parts.keys()].some((key) => !inState.has(key));
  const isOther = ofSet.some((name) => valueOf(olds, name) !== valueOf(news, name) && valueOf(news, name) !== UNKNOWN);
  const changes = isAdded || isOther || diffs.some((diff) => diff.changes);
  // A set that changes owns nothing before its update: if Pulumi replaces the set (replaceOnChanges), all of it goes first.
  if (!changes && diffs.every(({ isConfirmed }) => isConfirmed))
    for (const [key, { id, outputs }] of inState) {
      const part = parts.get(key);
      confirmShare(service, id, outputs, part === undefined || part === UNKNOWN ? outputs.name : String(part.name));
    }
  return {
    changes,
    isOfInputs: changes && replaces.length === 0 && diffs.every((diff) => diff.isOfInputs || !diff.changes),
    replaces,
    deleteBeforeReplace: !replaces.includes("frontdoorId"),
  };
}

async function compared(
  service: Service,
  { id, outputs }: StateShare,
  part: PlannedPart | typeof UNKNOWN | undefined,
  isAsked: boolean,
  until: Until,
): Promise<Comparison> {
  if (part !== undefined && part !== UNKNOWN) {
    const diff = await compareShare(service, id, outputs, withOwnName(outputs, part), until, part.name);
    if ((part.retain ?? false) === (outputs.__retain ?? false)) return diff;
    return { ...diff, changes: true, isOfInputs: diff.isOfInputs || !diff.changes, isConfirmed: false };
  }
  // The share of a removed key is in the way of its tunnel's replacement, as the others are.
  const before: Planned<ShareInputs> = { ...outputs, ipsecTunnelId: UNKNOWN };
  if (isAsked) return compareShare(service, id, outputs, before, until, outputs.name);
  return { changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true, isConfirmed: false };
}

/** True if Pulumi asks on behalf of a tunnel that it replaces delete-first: no check has seen the unknown tunnel. */
function isAskedForTunnel(
  service: Service,
  { ipsecTunnelId, frontdoorId }: Planned<ShareSetInputs>,
  parts: Parts = new Map(),
): boolean {
  if (ipsecTunnelId !== UNKNOWN || frontdoorId === UNKNOWN) return ipsecTunnelId === UNKNOWN;
  const { declarations } = service.frontDoor(frontdoorId).shares;
  return ![...parts.values()].some((part) => part !== UNKNOWN && declarations.named(part.name)?.hasUnknownTunnel);
}
