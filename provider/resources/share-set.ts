import { isPresent, type WireShare } from "../api/wire";
import { sharesOf } from "../converge/refusal";
import { failed, isSeenElsewhere } from "../errors";
import { type Planned, UNKNOWN, valueOf } from "../fields/field";
import { rules } from "../fields/share";
import { setShareFields, shareSetFields } from "../fields/share-set";
import { shareKey } from "../fields/values";
import type { Comparison, Diff, Imported, Lifecycle, Outcome } from "../lifecycle/contract";
import { keyed } from "../lifecycle/differences";
import { withFrontdoorName } from "../lifecycle/lifecycle";
import { differencesOf, valueDiffers } from "../messages";
import { keysDiffer, noSharesOn, setImportIdWrong, setNotDeleted, setReplacedLater } from "../share-set-messages";
import { interruptedIn, replaceRequests } from "../preview-lines";
import type { Context, Service } from "../run/service";
import {
  compareForTunnel,
  compareShare,
  deleteShare,
  noChange,
  shares as single,
  shareTimeouts,
  wasReplaced,
} from "./share";
import * as set from "./share-set-inputs";
import type { ShareSetInputs, ShareSetOutputs, StateShare } from "./share-set-inputs";
import { portHolders, refuseCycle, updateSet } from "./share-set-update";

/** The resource, for its classes, schema and pages. */
export const shareSet = {
  doc: "Manages many shares of one tunnel as a single resource. A key identifies each share. In an update, the provider writes only the shares that differ. If some shares fail, the state has the others, and the next `pulumi up` does the rest.",
  fields: shareSetFields,
  each: setShareFields,
  lifecycle: shareSetLifecycle,
};

/** Sets of shares of one service: many shares of one tunnel as one resource. A set calls the functions of a single share. */
export function shareSetLifecycle(service: Service): Lifecycle<ShareSetInputs, ShareSetOutputs> {
  return {
    label: set.setLabel,
    timeoutsOf: ({ shares }, state) =>
      timeoutsFor(service, { ...state?.shares, ...(shares === UNKNOWN ? {} : shares) }),
    check: (declared) => set.checkSet(service, declared),
    wrongIn: set.wrongInSet,
    diff: (_id, state, inputs, context) => diffSet(context, state, inputs),
    idsIn: (_id, state) => {
      const kind = service.frontDoor(state.frontdoorId).shares;
      const labelOf = (key: string) => `${set.setLabel(state)}: ${keyed("shares", key)}`;
      return [...set.sharesIn(state)].map(([key, { id, outputs }]) => ({
        ...{ kind, id, key, state: outputs },
        label: labelOf(key),
      }));
    },
    preview: (_id, state, inputs, diff, context) => Promise.resolve(previewSet(state, inputs, diff, context)),
    knownOutputs: set.knownSetOutputs,
    create: (inputs, _isNameDerived, context) => createSet(context, inputs),
    imported: (id) => importedSet(id, service.config.frontdoorId),
    read: (_id, state, context) => readSet(context, state),
    update: async (id, state, inputs, context) => ({ id, ...(await updateSet(context, set.sharesIn(state), inputs)) }),
    inputsOf: set.inputsOfSet,
    delete: (_id, state, context) => deleteSet(context, state),
  };
}

/** Returns the deadlines of a share, longer by the time in which the ceiling sends one write and one read for each share of the set. */
function timeoutsFor({ config }: Service, shares: object): typeof shareTimeouts {
  const sendSeconds = Math.ceil((2 * Object.keys(shares).length) / config.requestsPerSecond);
  const { create, update, delete: remove } = shareTimeouts;
  return { create: create + sendSeconds, update: update + sendSeconds, delete: remove + sendSeconds };
}

/** Compares each share of the state with its key in the program. A set is replaced if one of its shares would be. */
async function diffSet(context: Context, state: ShareSetOutputs, inputs: Planned<ShareSetInputs>): Promise<Comparison> {
  const declared = set.declaredShares(inputs);
  const inState = set.sharesIn(state);
  const { frontdoorId } = inputs;
  const kind = frontdoorId === UNKNOWN ? undefined : context.service.frontDoor(frontdoorId).shares;
  // What check has recorded about one of the shares: all have the same tunnel. A refresh also compares, before the program has run.
  const [checked] = [...(declared?.values() ?? [])].flatMap((share) =>
    share === UNKNOWN ? [] : (kind?.register.named(share.name) ?? []),
  );
  const holders = portHolders(inState, declared);
  if (checked) refuseCycle(set.setLabel(inputs), holders);
  if (isImported(inState)) refuseOtherKeys(set.setLabel(inputs), inState, declared, holders);
  // If check has seen no unknown tunnel, Pulumi replaces the tunnel delete first.
  const isReplaced = inputs.ipsecTunnelId === UNKNOWN && !(checked?.hasUnknownTunnel ?? context.isChecked ?? false);
  const diffs = await Promise.all(
    [...inState].map(([key, each]) => compareKey(context, each, declared?.get(key), isReplaced)),
  );
  const replaces = ["frontdoorId", "ipsecTunnelId"].filter((name) =>
    diffs.some((diff) => diff.replaces.includes(name)),
  );
  const isAdded = !declared || [...declared.keys()].some((key) => !inState.has(key));
  const isSetDifferent = set.setFields.some((name) => isDifferent(name, valueOf(state, name), valueOf(inputs, name)));
  const changes = isAdded || isSetDifferent || diffs.some((diff) => diff.changes);
  return {
    changes,
    isOfInputs: changes && replaces.length === 0 && diffs.every((diff) => diff.isOfInputs || !diff.changes),
    replaces,
    deleteBeforeReplace: !replaces.includes("frontdoorId"),
    // A set that changes owns nothing before its update: with replaceOnChanges, Pulumi may delete all its shares first.
    isConfirmed: !changes && diffs.every(({ isConfirmed }) => isConfirmed),
  };
}

/** True from an import until the first update, which notes what the program gives. */
const isImported = (inState: ReadonlyMap<string, StateShare>): boolean =>
  [...inState.values()].some(({ outputs }) => outputs.__set === undefined);

/**
 * An import takes the names of the shares as keys. Refuses a program with other keys: all shares would be deleted and created again.
 * @throws FrontdoorError `failed` that names the ids to adopt.
 */
function refuseOtherKeys(
  label: string,
  inState: ReadonlyMap<string, StateShare>,
  declared: set.DeclaredShares | undefined,
  holders: ReadonlyMap<string, string>,
): void {
  const adopts = [...holders].flatMap(([key, holder]) => {
    const { id = "" } = inState.get(holder) ?? {};
    return inState.has(key) || declared?.has(holder) ? [] : [`${keyed("shares", key)}: "${id}"`];
  });
  if (adopts.length > 0) throw failed(keysDiffer(label, adopts));
}

/** True if a value of the set itself changes. A default that the program begins or ceases to give changes only the shares, if at all. */
const isDifferent = (name: string, old: unknown, now: unknown): boolean =>
  old !== now && now !== UNKNOWN && !([old, now].includes(undefined) && set.defaultNames.some((each) => each === name));

async function compareKey(
  context: Context,
  { id, outputs }: StateShare,
  declared: ReturnType<set.DeclaredShares["get"]>,
  isReplaced: boolean,
): Promise<Comparison> {
  if (declared !== undefined && declared !== UNKNOWN) {
    const diff = await compareShare(context, id, outputs, withFrontdoorName(outputs, declared));
    if ((declared.retain ?? false) === (outputs.__retain ?? false)) return diff;
    // `retain` is an input, and differs.
    return { ...diff, changes: true, isOfInputs: diff.isOfInputs || !diff.changes, isConfirmed: false };
  }
  if (!isReplaced) return { ...noChange, changes: true, isOfInputs: true };
  // If the tunnel is replaced, the share of a removed key also has to go before the tunnel.
  return compareForTunnel(context, id, outputs, { ...outputs, __derivedName: undefined });
}

/** Returns the line that a preview shows beside a set: the number of requests of each kind. */
function previewSet(
  state: ShareSetOutputs,
  inputs: Planned<ShareSetInputs>,
  diff: Diff,
  context: Context,
): string | undefined {
  if (wasReplaced(context, state, inputs.ipsecTunnelId)) return undefined;
  const inState = set.sharesIn(state);
  if (diff.replaces.length > 0) return `${inState.size} shares: ${replaceRequests(diff)}`;
  const declared = set.declaredShares(inputs);
  if (!declared) return undefined;
  const writes = [...declared].map(([key, share]) => {
    const before = inState.get(key)?.outputs;
    if (!before) return share !== UNKNOWN && share.adopt !== undefined ? "adopt" : "POST";
    return share === UNKNOWN ? undefined : single.plan(before, withFrontdoorName(before, share))?.method;
  });
  const deletes = [...inState].map(([key, { outputs }]) => (declared.has(key) || outputs.__retain ? "" : "DELETE"));
  const countOf = (method: string) => [...writes, ...deletes].filter((each) => each === method).length;
  const methods = ["POST", "adopt", "PATCH", "PUT", "DELETE"].filter((method) => countOf(method) > 0);
  if (methods.length === 0) return undefined;
  const line = methods.map((method) => `${countOf(method)} × ${method}`).join(", ");
  const recreated = countOf("PATCH") + countOf("PUT");
  return recreated > 0 ? interruptedIn(recreated, inState.size, line) : line;
}

/** Creates every share of a set. @throws FrontdoorError if none has an id. */
async function createSet(context: Context, inputs: ShareSetInputs): Promise<Outcome<ShareSetOutputs>> {
  const made = await updateSet(context, new Map(), inputs);
  if (Object.keys(made.outputs.ids).length === 0 && made.unfinished) throw made.unfinished;
  return { id: inputs.name, ...made };
}

/** Returns undefined if the service has proved that every share is gone. A set without shares stays. */
async function readSet(context: Context, state: ShareSetOutputs): Promise<ShareSetOutputs | undefined> {
  // The state of an import has no status.
  const isImport = state.status === "";
  const known = isImport ? await sharesOnTunnel(context, state) : set.sharesIn(state);
  const read = await Promise.all(
    [...known].map(async ([key, { id, outputs }]) => {
      const { __defaults, __derivedName, __adopt, __retain } = outputs;
      const now = await single.read(context, id, outputs);
      return now ? [[key, { id, outputs: { ...now, __defaults, __derivedName, __adopt, __retain } }] as const] : [];
    }),
  );
  const present = new Map(read.flat());
  if (!isImport) sayMoved(context, state, present);
  if (present.size === 0 && (known.size > 0 || isImport)) return undefined;
  // A program can give once for the set what all its shares have. Their location can be Frontdoor's choice.
  const [envZId, ...others] = new Set([...present.values()].map(({ outputs }) => outputs.envZId));
  return set.setOutputs(isImport && others.length === 0 ? { ...state, envZId } : state, present);
}

/** Says which shares are on another tunnel than their set. The inputs of a share do not have its tunnel, so Pulumi shows no difference. */
function sayMoved(
  { service, secrets }: Context,
  state: ShareSetOutputs,
  shares: ReadonlyMap<string, StateShare>,
): void {
  for (const [key, { id, outputs }] of shares) {
    if (outputs.ipsecTunnelId === state.ipsecTunnelId) continue;
    const label = `${set.setLabel(state)}: ${keyed("shares", key)} (${id})`;
    service.say(valueDiffers(label, differencesOf(["ipsecTunnelId"], outputs, state, secrets), false));
  }
}

/** Returns what the read of an imported set starts from. @throws FrontdoorError `failed` if the id is malformed. */
function importedSet(id: string, configured = ""): Imported<ShareSetOutputs> {
  const [ipsecTunnelId = "", kind, frontdoorId = configured, ...more] = id.split("/").reverse();
  if (kind !== "tunnel" || ipsecTunnelId === "" || more.length > 0) throw failed(setImportIdWrong(id));
  const state = { ...set.setOutputs({ ipsecTunnelId, frontdoorId, name: id }, new Map()), status: "" };
  return { id, state, missing: noSharesOn(ipsecTunnelId, frontdoorId) };
}

/** Returns the shares of a tunnel. The key of each is its name, with the id if the name cannot be a key. */
async function sharesOnTunnel(
  context: Context,
  { frontdoorId, ipsecTunnelId }: ShareSetOutputs,
): Promise<Map<string, StateShare>> {
  const shares = (await sharesOf(context.service.frontDoor(frontdoorId), ipsecTunnelId, context)).filter(
    (share) => share.ipsecTunnelId === ipsecTunnelId && isPresent(share),
  );
  const isKey = (name: string) =>
    shareKey.safeParse(name).success && shares.filter((other) => other.name === name).length === 1;
  const keyOf = ({ name, id }: WireShare) => (isKey(name) ? name : `${name}-${id}`);
  return new Map(
    shares.map((share) => [keyOf(share), { id: share.id, outputs: rules.outputsOf(share, rules.blank(frontdoorId)) }]),
  );
}

/**
 * Deletes every share of a set. If one fails, the state keeps all of them. A set whose successor is unfinished stays: with
 * `--continue-on-error`, Pulumi asks for its delete nevertheless. @throws FrontdoorError.
 */
async function deleteSet(context: Context, state: ShareSetOutputs): Promise<void> {
  if (context.service.register.id(state.name).isUnfinished)
    throw failed(setReplacedLater(set.setLabel(state), state.frontdoorId));
  const shares = [...set.sharesIn(state).values()];
  const ends = await Promise.allSettled(shares.map(({ id, outputs }) => deleteShare(context, id, outputs)));
  const [first, ...more] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
  if (first)
    throw more.length === 0 || isSeenElsewhere(first) ? first : failed(setNotDeleted(first.message, more.length));
}
