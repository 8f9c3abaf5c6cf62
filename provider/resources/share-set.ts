import { isPresent, type WireShare } from "../api/wire";
import { failed } from "../errors";
import { pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import { rules } from "../fields/share";
import { shareKey } from "../fields/values";
import {
  type Imported,
  keyed,
  type Lifecycle,
  type Outcome,
  reportSpellings,
  type Timeouts,
} from "../lifecycle/lifecycle";
import { noSharesMatch, setImportIdWrong, setNotDeleted } from "../messages";
import type { Service } from "../operations/service";
import type { Until } from "../time";
import { setOriginOf } from "./names";
import { sharesOf } from "./owner";
import { checkShare, deleteShare, shareTimeouts } from "./share";
import { readShare } from "./share-outputs";
import { checkedSet } from "./share-set-check";
import {
  type DeclaredShare,
  defaultNames,
  inputsOfSet,
  isWildcardMatch,
  knownSetOutputs,
  plannedShares,
  setLabel,
  setOutputs,
  type ShareSetInputs,
  type ShareSetOutputs,
  sharesIn,
  type StateShare,
} from "./share-set-inputs";
import { diffSet, previewSet, refuseKnownCycle, updateSet } from "./share-set-update";
import { reportStaleKeys } from "./stale-records";

/** Sets of shares of one service: many shares of one tunnel as one resource. A set calls the functions of a single share. */
export const shareSetLifecycle = (service: Service): Lifecycle<ShareSetInputs, ShareSetOutputs> => ({
  timeoutsOf: ({ shares }) => timeoutsFor(service, shares === UNKNOWN ? 0 : Object.keys(shares).length),
  check(declared) {
    const checked = checkedSet((each) => checkShare(service, each), declared, service.config.frontdoorId);
    addLeavingKeys(service, declared.olds, checked.inputs);
    return checked;
  },
  async diff(_id, olds, news, until) {
    const origin = originOf(service, news);
    // A refresh also compares, before the program has run.
    if (origin !== undefined) refuseKnownCycle(olds, news);
    reportRemovedKeys(service, news);
    return diffSet(service, olds, news, until);
  },
  preview: (_id, olds, news, diff) => Promise.resolve(previewSet(olds, news, diff)),
  knownOutputs: knownSetOutputs,
  create: (inputs, _isNameDerived, until) => createSet(service, inputs, until),
  imported: (id) => importedSet(id, service.config.frontdoorId),
  read: (_id, olds, until) => readSet(service, olds, until),
  async update(id, olds, news, until) {
    const made = await updateSet(service, sharesIn(olds), news, until);
    reportSpellings(service, setLabel(news), spellingsIn(made.outputs), spellingsIn(olds));
    return { id, ...made };
  },
  inputsOf: inputsOfSet,
  delete: (_id, olds, until) => deleteSet(service, olds, until),
});

/** Returns the deadlines of a share, longer by the time in which the ceiling sends one write and one read for each share. */
function timeoutsFor({ config }: Service, count: number): Timeouts {
  const sendingSeconds = Math.ceil((2 * count) / config.requestsPerSecond);
  const { create, update, delete: remove } = shareTimeouts;
  return { create: create + sendingSeconds, update: update + sendingSeconds, delete: remove + sendingSeconds };
}

/** Creates every share of a set. @throws FrontdoorError if none has an id. */
async function createSet(service: Service, inputs: ShareSetInputs, until: Until): Promise<Outcome<ShareSetOutputs>> {
  const made = await updateSet(service, new Map(), inputs, until);
  reportRemovedKeys(service, inputs);
  reportSpellings(service, setLabel(inputs), spellingsIn(made.outputs));
  if (Object.keys(made.outputs.ids).length === 0 && made.unfinished) throw made.unfinished;
  return { id: inputs.name, ...made };
}

/** Returns undefined if the service has proved that every share is gone. A set without shares stays. */
async function readSet(service: Service, olds: ShareSetOutputs, until: Until): Promise<ShareSetOutputs | undefined> {
  const known =
    olds.__pattern === undefined ? sharesIn(olds) : await sharesMatching(olds.__pattern, olds, service, until);
  const seen = await Promise.all(
    [...known].map(async ([key, { id, outputs }]): Promise<[string, StateShare][]> => {
      const now = await readShare(service, id, outputs, until);
      return now ? [[key, { id, outputs: { ...outputs, __statusBefore: undefined, ...now } }]] : [];
    }),
  );
  const present = new Map(seen.flat());
  if (olds.__pattern === undefined) return present.size > 0 || known.size === 0 ? setOutputs(olds, present) : undefined;
  return present.size > 0 ? setOutputs({ ...olds, ...commonDefaults(present) }, present) : undefined;
}

/** Deletes every share of a set. If one fails, the state keeps all of them. @throws FrontdoorError. */
async function deleteSet(service: Service, olds: ShareSetOutputs, until: Until): Promise<void> {
  const shares = [...sharesIn(olds).values()];
  const ends = await Promise.allSettled(shares.map(({ id, outputs }) => deleteShare(service, id, outputs, until)));
  const [first, ...more] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
  if (first) throw more.length === 0 ? first : failed(setNotDeleted(first.message, more.length));
}

/** Records the shares of removed keys: this run frees their ports, so no preview may refuse them. */
function addLeavingKeys(service: Service, olds: object, news: Planned<ShareSetInputs>): void {
  const before =
    typeof valueOf(olds, "shares") === "object" ? plannedShares(olds as Planned<ShareSetInputs>) : undefined;
  const planned = typeof valueOf(news, "shares") === "object" ? plannedShares(news) : undefined;
  if (before === undefined || planned === undefined || news.frontdoorId === UNKNOWN) return;
  const { declarations } = service.frontDoor(news.frontdoorId).shares;
  for (const [key, share] of before)
    if (!planned.has(key) && share !== UNKNOWN && share.retain !== true && typeof share.name === "string")
      declarations.addLeaving(share.name);
}

/** Reports shares that an interrupted run began under keys that the program has removed. */
function reportRemovedKeys(service: Service, set: Planned<ShareSetInputs>): void {
  const origin = originOf(service, set);
  const planned = plannedShares(set);
  if (origin === undefined || planned === undefined || set.frontdoorId === UNKNOWN) return;
  const { shares } = service.frontDoor(set.frontdoorId);
  reportStaleKeys(shares, service, setLabel(set), origin, new Set(planned.keys()));
}

/** Returns the origin of the set, if check has seen one of its shares. */
function originOf(service: Service, { frontdoorId, shares }: Planned<ShareSetInputs>): string | undefined {
  if (frontdoorId === UNKNOWN || shares === UNKNOWN) return undefined;
  const { declarations } = service.frontDoor(frontdoorId).shares;
  for (const share of Object.values<Planned<DeclaredShare> | typeof UNKNOWN>(shares)) {
    const declared = share === UNKNOWN ? undefined : declarations.named(share.name);
    if (declared) return setOriginOf(declared.origin);
  }
  return undefined;
}

/** Returns what the service shows in another spelling than the given one, by path. */
const spellingsIn = ({ __shown = {} }: ShareSetOutputs): object =>
  Object.fromEntries(
    Object.entries(__shown).flatMap(([key, shown]) =>
      Object.entries(shown).map(([name, value]) => [`${keyed("shares", key)}.${name}`, value]),
    ),
  );

/** True for a pattern of names: letters, digits and hyphens, and `*` for any number of them. */
const isPattern = (text: string): boolean => /^[A-Za-z0-9*-]+$/.test(text);

/** Returns what the read of an imported set starts from: the tunnel and a pattern of names. @throws FrontdoorError `failed` if the id is malformed. */
export function importedSet(id: string, configured = ""): Imported<ShareSetOutputs> {
  const parts = id.split("/");
  const [frontdoorId = "", kind, ipsecTunnelId = "", __pattern = "*", ...more] =
    parts[0] === "tunnel" ? [configured, ...parts] : parts;
  if (kind !== "tunnel" || ipsecTunnelId === "" || !isPattern(__pattern) || more.length > 0)
    throw failed(setImportIdWrong(id));
  const olds = { ...setOutputs({ ipsecTunnelId, frontdoorId, name: id }, new Map()), __pattern };
  return { id, olds, missing: noSharesMatch(ipsecTunnelId, __pattern, frontdoorId) };
}

/** Returns the shares of a tunnel whose names match. The key of each is its name, with the id if the name cannot be a key. */
export async function sharesMatching(
  pattern: string,
  { frontdoorId, ipsecTunnelId }: ShareSetOutputs,
  service: Service,
  until: Until,
): Promise<Map<string, StateShare>> {
  const shares = (await sharesOf(service.frontDoor(frontdoorId), ipsecTunnelId, until)).filter(
    (share) => share.ipsecTunnelId === ipsecTunnelId && isPresent(share) && isWildcardMatch(share.name, pattern),
  );
  const isNoKey = (name: string) => !shareKey.safeParse(name).success;
  const keyOf = ({ name, id }: WireShare) =>
    isNoKey(name) || shares.some((other) => other.id !== id && other.name === name) ? `${name}-${id}` : name;
  return new Map(
    shares.map((share) => [keyOf(share), { id: share.id, outputs: rules.outputsOf(share, rules.blank(frontdoorId)) }]),
  );
}

/** Returns the values that all shares have, which a program can give once for the set. */
function commonDefaults(shares: ReadonlyMap<string, StateShare>): object {
  const [first, ...others] = [...shares.values()].map(({ outputs }) => outputs);
  const isCommon = (name: string) => first && others.every((each) => valueOf(each, name) === valueOf(first, name));
  return first ? pick(first, defaultNames.filter(isCommon)) : {};
}
