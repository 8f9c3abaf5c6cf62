import { type Planned, UNKNOWN, valueOf } from "../fields/field";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import type { Diff } from "./lifecycle";
import type { Comparison } from "./managed";
import { withOwnName } from "./notes";
import type { ShareLifecycle } from "./share";
import type { ShareInputs } from "./share-inputs";
import {
  type Held,
  heldOf,
  ofSet,
  partsOf,
  type PlannedPart,
  setLabel,
  type ShareSetInputs,
  type ShareSetOutputs,
} from "./share-set-inputs";
import { adoptersIn, holdersOf, knownPlaces, placesOf, refuseCycle } from "./share-set-ports";

type Parts = ReturnType<typeof partsOf>;

/** Refuses ports that change places in a cycle, as the state and the program tell them. @throws FrontdoorError `failed`. */
export function refuseKnownCycle(olds: ShareSetOutputs, news: Planned<ShareSetInputs>): void {
  const held = heldOf(olds);
  const wanted = knownPlaces(partsOf(news));
  refuseCycle(setLabel(news), holdersOf(placesOf(held, adoptersIn(wanted, held)), wanted));
}

/** Compares each share of the state with what the program says under its key. A set replaces only what each of its shares would. */
export async function diffSet(
  share: ShareLifecycle,
  service: Service,
  olds: ShareSetOutputs,
  news: Planned<ShareSetInputs>,
  until: Until,
): Promise<Diff> {
  const parts = partsOf(news);
  const held = heldOf(olds);
  const isAsked = isAskedForTunnel(service, news, parts);
  const diffs = await Promise.all(
    [...held].map(([key, each]) => compared(share, each, parts?.get(key), isAsked, until)),
  );
  const isAny = (name: string) => diffs.some(({ replaces }) => replaces.includes(name));
  const replaces = ["frontdoorId", "ipsecTunnelId"].filter(isAny);
  const isAdded = parts === undefined || [...parts.keys()].some((key) => !held.has(key));
  const isOther = ofSet.some((name) => valueOf(olds, name) !== valueOf(news, name) && valueOf(news, name) !== UNKNOWN);
  const changes = isAdded || isOther || diffs.some((diff) => diff.changes);
  // A set that changes owns nothing before its update: the engine may replace the set (replaceOnChanges), and then all of it goes first.
  if (!changes && diffs.every(({ isRight }) => isRight))
    await Promise.all([...held.values()].map(({ id, outputs }) => share.foundRight(id, outputs, until)));
  return {
    changes,
    isOfInputs: changes && replaces.length === 0 && diffs.every((diff) => diff.isOfInputs || !diff.changes),
    replaces,
    deleteBeforeReplace: !replaces.includes("frontdoorId"),
  };
}

async function compared(
  share: ShareLifecycle,
  { id, outputs }: Held,
  part: PlannedPart | typeof UNKNOWN | undefined,
  isAsked: boolean,
  until: Until,
): Promise<Comparison> {
  if (part !== undefined && part !== UNKNOWN) {
    const diff = await share.compared(id, outputs, withOwnName(outputs, part), until, part.name);
    if ((part.retain ?? false) === (outputs.__retain ?? false)) return diff;
    return { ...diff, changes: true, isOfInputs: diff.isOfInputs || !diff.changes, isRight: false };
  }
  // A share without a key is in the way of its tunnel's replacement, as the others are.
  const before: Planned<ShareInputs> = { ...outputs, ipsecTunnelId: UNKNOWN };
  if (isAsked) return share.compared(id, outputs, before, until, outputs.name);
  return { changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true, isRight: false };
}

/** True if the engine asks for the sake of a tunnel that it replaces delete-first: the tunnel is unknown, and no preview planned that. */
function isAskedForTunnel(
  service: Service,
  { ipsecTunnelId, frontdoorId }: Planned<ShareSetInputs>,
  parts: Parts = new Map(),
): boolean {
  if (ipsecTunnelId !== UNKNOWN || frontdoorId === UNKNOWN) return ipsecTunnelId === UNKNOWN;
  const { moves } = service.frontDoor(frontdoorId).shares;
  return ![...parts.values()].some((part) => part !== UNKNOWN && moves.isPlanned(part.name));
}
