import { problemIn, safeText, settingCodes, withoutCode } from "./errors";

// Each message: problem, effect, one action, code. At most 60 words.

/** A resource of the service, as messages name it. Secret names are redacted with every message. */
interface Mentioned {
  id: string;
  name: string;
}

const mention = ({ id, name }: Mentioned): string => (name === "" ? id : `"${safeText(name, 80)}" (${id})`);

const mostNamed = 10;

/** Returns the first texts, and the number of the others. */
export const firstOf = (texts: string[], most = mostNamed): string[] =>
  texts.length > most ? [...texts.slice(0, most), `and ${texts.length - most} more`] : texts;

/** Returns the action after a failure, without a full stop. With the same settings, another run would fail for the same reason. */
export function runAfter(reason: string, command: string): string {
  const cause = [...settingCodes, "clock-behind"].find((code) => reason.includes(`[${code}]`));
  return cause === undefined
    ? `Run ${command}`
    : `Correct the settings (\`npx pulumi-frontdoor explain ${cause}\`). Then run ${command}`;
}

/** At the end of a run: nothing else names what a killed run has created, once the edit is reverted. */
export const createsLeft = (left: string[]): string =>
  `frontdoor: an earlier run was interrupted while it created ${safeText(firstOf(left, 2).join("; "), 300)}. No resource of this run asked for it, and nothing manages it. ` +
  "Delete it in Frontdoor, or set `adopt` to its id. `npx pulumi-frontdoor doctor` shows the creation record. [creates-left]";

/** Nobody tells the provider if another resource of the state has it, after a rename, or the old one, with `--replace` or a taint. */
export const identicalExists = (label: string, id: string, isIdentical: boolean, isNameDerived: boolean): string =>
  `${label}: ${isIdentical ? `an identical resource (${id}) already exists` : `${id} already has this derived name`}. Nothing was created. ` +
  // A derived name already tells the stack.
  (isNameDerived ? "If another stack manages it, set another `name`. " : "Is the right stack selected? ") +
  "After a rename, add `aliases` (a site's key: `formerly`); with `--replace` or a taint, set another `rotation` or `deleteBeforeReplace: true`; " +
  `if no other stack manages it, set \`adopt: "${id}"\`${isIdentical && isNameDerived ? ", or run once with `FRONTDOOR_TAKE_OVER=alike`" : ""}. [identical-exists]`;

/** With `replacementTrigger`, Pulumi asks for no order, and creates first. */
export const replacedUnasked = (label: string, id: string): string =>
  `${label}: Pulumi creates the replacement first, but ${id} still has its name. Nothing was created. ` +
  `Set another \`rotation\` (of the tunnel) instead, or the option \`deleteBeforeReplace: true\`. [replace-order]`;

/** The old resource, or one that was renamed without an alias: the delete does not tell which. */
export const replacedByItself = (label: string): string =>
  `${label}: \`FRONTDOOR_TAKE_OVER=alike\` made a create of this run adopt it. Nothing was deleted. ` +
  `Run \`pulumi up\` again without the variable: after a rename, nothing else is to do. To replace the resource, also set another \`rotation\` or \`deleteBeforeReplace: true\`. [replace-order]`;

/** The message about a read that was refused in a refresh, whose settings are those of the last run. */
export const refreshRefused = (message: string, code: string): string =>
  `${withoutCode(message)}. A refresh uses the settings of the last run. ` +
  `If you have corrected them, run \`pulumi up --refresh=false\`, or add \`--run-program\`. [${code}]`;

/** The message about every further read that a refresh was refused. */
export const refreshRefusedToo = (message: string, code: string): string =>
  `${message.split(": ", 1).join("")}: refused for the same reason. Another error of this run says what to do. [${code}]`;

/** A warning. `cause` is the code of the file system. */
export const logNotWritten = (file: string, cause: string): string =>
  `frontdoor: the request log ${safeText(file, 200)} cannot be written (${cause}). The run continues without it. ` +
  "Set FRONTDOOR_LOG to a file in a folder that you can write to. [log-not-written]";

/** A warning: a preview that reads nothing is not refused. */
export const tokenExpired = (source: string, endMs: number): string =>
  `frontdoor: the token in ${source} has expired at ${new Date(endMs).toISOString()}. Frontdoor will refuse requests with it. ` +
  "Set a new token there. [token-expired]";

export const tokenRetried = (message: string): string =>
  `${problemIn(message)}. Nothing was sent to Frontdoor. The provider tries again, up to ten times. No action is needed yet. [token-retried]`;

export const resumeRefused = (label: string, id: string): string =>
  `${label}: an interrupted run may have created ${id}, but its record is more than a day old, and another stack may use it. ` +
  `Nothing was created. To use ${id}, set \`adopt: "${id}"\` in the arguments. [resume-refused]`;

export const resumed = (label: string, id: string): string =>
  `${label}: an interrupted run created ${id}, and this run resumed that create. ` +
  "If Pulumi warns of pending operations, run `pulumi refresh --clear-pending-creates`. [resumed]";

export const adopted = (label: string, id: string): string =>
  `${label}: adopted the identical resource ${id}, because \`FRONTDOOR_TAKE_OVER\` is \`alike\`. Nothing was created. ` +
  `Check that no other stack uses ${id}. [adopted]`;

export const notShown = (label: string): string =>
  `${label}: Frontdoor accepted the create, but does not show the resource. It is not in the state. ` +
  `Run \`pulumi up\` again: the provider reads Frontdoor before it sends another create. [not-shown]`;

export const notProvenGone = (label: string): string =>
  `${label}: Frontdoor answers "not found", but its lists do not confirm that the resource is gone. The resource stays in the state. Try again later. [not-proved-gone]`;

/** `isAgain` is true if Frontdoor has refused the DELETE because an earlier one is under way, or if the state already says so. */
export const notDeleted = (label: string, reason: string, id: string, isAgain = false): string =>
  `${label}: the delete has not finished: ${reason}. The resource stays in the state. ${
    isAgain
      ? `An earlier delete was already under way. Ask NetFoundry about ${id}`
      : `${runAfter(reason, "the command again")}. If it ends in the same way, ask NetFoundry about ${id}`
  }. [not-deleted]`;

export const replacementNeeded = (label: string, properties: readonly string[]): string =>
  `${label}: changing ${properties.map((property) => `\`${property}\``).join(", ")} replaces the resource, and this command can only update it. ` +
  `The resource was not changed. Make the change in a program with \`pulumi up\`. [replacement-needed]`;

export const ownedByOther = (label: string): string =>
  `${label}: not deleted in Frontdoor, because another resource of the program has this id now. No action is needed. [not-deleted-owned]`;

export const adoptMissing = (id: string, frontdoorId: string, isDeleting: boolean): string =>
  `${isDeleting ? `Frontdoor is deleting ${id}` : `front door ${frontdoorId} has no resource ${id} of this kind`}. Nothing was adopted. ` +
  `${isDeleting ? "Remove `adopt`" : "If it was deleted, remove `adopt`. Otherwise correct the id"}. [adopt-missing]`;

/** `urn` is that of a single resource. A key of a set has none. */
export const adoptDiffersFromState = (label: string, id: string, adopt: string, urn: string | undefined): string =>
  `${label}: the state has ${id}, and \`adopt\` names ${adopt}. Nothing was changed. To keep ${id}, remove \`adopt\`. To adopt ${adopt}, and leave ${id} in Frontdoor, ${
    urn === undefined
      ? `set \`retain: true\` instead of \`adopt\`, run \`pulumi up\`, and replace the key with a new one that has \`adopt: "${adopt}"\``
      : `run \`pulumi state delete '${urn}'\` (Pulumi names what depends on it), then \`pulumi up\``
  }. [adopt-differs-from-state]`;

export const adoptDiffers = (label: string, id: string, differences: string): string =>
  `${label}: ${id} differs from the program in ${differences}, and Frontdoor cannot change a tunnel. Nothing was adopted. ` +
  `Set these arguments to the values of ${id}. [adopt-differs]`;

export const tunnelInUse = (label: string, shares: Mentioned[]): string =>
  `${label}: these IPsec shares still use the tunnel: ${firstOf(shares.map(mention)).join(", ")}. The tunnel was not deleted. ` +
  `First delete or move these shares, each in the stack that declares it. [tunnel-in-use]`;

export const pendingDelete = (label: string, id: string, reason: string): string =>
  `${label}: the previous resource ${id} still has the name or the port: ${reason}. Nothing was created. ${runAfter(reason, "`pulumi up` again")}. [pending-delete]`;

/** `isAgain` is true if an earlier run has waited for the same, and this one has sent nothing new. */
export const deadline = (label: string, reason: string, isAgain = false): string =>
  `${label}: ${reason}. The resource is in the state. ${
    isAgain
      ? "It was NEW before this run too. To recreate it, remove it from the program, run `pulumi up`, add it again, and run `pulumi up`."
      : "Run `pulumi up` again to resume the wait."
  } [deadline]`;

export const detailUnread = (label: string, reason: string, output: string): string =>
  `${label}: ${reason}. The tunnel is ready, but its output \`${output}\` is not updated. Run \`pulumi refresh\` to read it again. [tunnel-config-unread]`;

/** Names a refresh, because the tunnel of the share can also be gone. */
export const resourceGone = (label: string, reason: string, noun: string, code: string): string =>
  `${label}: ${reason}. The resource is in the state. Run \`pulumi up --refresh\` to create the ${noun} again. [${code}]`;

/** `repair` is the effect of the next run, such as "send the share again". */
export const unfinishedResource = (label: string, reason: string, repair: string, code: string): string =>
  `${label}: ${reason}. The resource is in the state. ${runAfter(reason, `\`pulumi up\` again to ${repair}`)}. [${code}]`;

export const connectionDown = (label: string, reason: string): string =>
  `${label}: ${reason}. The tunnel stays. ` +
  "On the device, check that UDP 500 and ESP pass (UDP 4500 behind a NAT), that key, proposals and selectors match, and that something sends traffic. Then run `pulumi up` again. [connection-down]";

export const waitStopped = (label: string, reason: string): string =>
  `${label}: ${reason}. Nothing was created. Run \`pulumi up\` again to resume the wait. [stopped]`;

export const tunnelEnded = (label: string, reason: string): string =>
  `${label}: ${reason}, so its connection cannot be UP. Nothing was created. Run \`pulumi up --refresh\`. [tunnel-ended]`;

/** `reason` is what check says of a wrong value. The value it proposes may be a secret. */
export const changedAfterCheck = (property: string, reason: string): string =>
  `${property} ${problemIn(reason).replace(/\. Did you mean .*/s, "")}. Nothing was sent for this resource. ` +
  `A policy has changed the arguments after the check. Correct the policy. [invalid-input]`;

export const changedByPolicy = (properties: string[]): string =>
  `a policy changes ${firstOf(properties, 3).join(", ")}, and Pulumi loses that in a replacement. This resource was not changed. ` +
  `Write the value into the program. [changed-by-policy]`;

export const importIdWrong = (id: string): string =>
  `${id} has too many parts for an id. Nothing was sent. Write <id>, or <frontdoorId>/<id> for another front door. [import-id]`;

export const noneOfThisId = (label: string, frontdoorId: string): string =>
  `${label}: front door ${frontdoorId} has no resource of this kind with this id. ` +
  "Correct the id, or run `pulumi up --refresh` if somebody has deleted it. [not-found]";

export const beingDeleted = (label: string): string =>
  `${label}: Frontdoor is deleting this resource, so it can't be imported, or read by its id. Use another id. [not-found]`;

export const keyNotFound = (label: string, missing: string): string =>
  `${label}: The program got no pre-shared key, ${missing}. Use getSampleConfig for the whole text. [key-not-found]`;

/** `meant` are resources whose names are near, as messages name them. */
export function notOneMatch(label: string, frontdoorId: string, ids: string[], meant: string[]): string {
  const problem = `${label}: front door ${frontdoorId} has`;
  if (ids.length > 0)
    return `${problem} ${ids.length} resources with this name: ${firstOf(ids).join(", ")}. Use an id instead. [not-one-match]`;
  const action = meant.length === 0 ? "Correct the name." : `Did you mean ${meant.join(" or ")}?`;
  return `${problem} no resource with this name. ${action} [not-one-match]`;
}

export const wrongFrontDoor =
  "frontdoorId must be 1 to 128 letters, digits or characters of `._:~-`. Nothing was sent. " +
  "Correct the front door in the id of the import or in the state. [front-door-id]";

export const seenElsewhere = (label: string, here: string, there: string): string =>
  `${label}: ${here} does not show it, and it was last seen at ${there}. It stays in the state. ` +
  "If the URL is wrong, set `frontdoor:baseUrl` back, and run `pulumi up --refresh=false`. " +
  "If Frontdoor has moved and the resource is gone, run `pulumi state delete <URN>`. [seen-elsewhere]";

/** The reason of a failure on `frontdoorId`. An explicit `Provider` does not read the stack's configuration. */
export const frontDoorDiffers = (variable: string, frontdoorId: string, inState: string): string =>
  `comes from ${variable} (${frontdoorId}), but the state has this resource on front door ${inState}. This resource was not changed. ` +
  `To keep it there, run \`pulumi config set frontdoor:frontdoorId ${inState}\`, or set the \`frontdoorId\` of its \`Provider\`. [front-door-differs]`;

export const serviceClosed =
  "The run was ending, and the provider had closed its connection. Nothing was sent. Run the command again. [closed]";

export const notConfigured =
  "Pulumi has not configured the provider. Nothing was sent. Run the command again. If it happens again, report this message. [not-configured]";

// The messages about two resources of the program, or an old and a new one, with one id, name, port or location.

export const idTwice = (id: string, ...names: [string, string]): string => {
  const [first, second] = names.sort();
  return `${id} is the id of two resources of the program, "${first}" and "${second}". This resource was not changed. Keep only one of the two in the program. [id-twice]`;
};

/** Pulumi replaces the tunnel of the share delete first, before it looks at what adopts the share. */
export const adoptsLeaving = (id: string): string =>
  `${id} would be deleted with its tunnel, which this edit replaces. This resource was not changed. First adopt ${id} in a separate \`pulumi up\`. [adopt-leaving]`;

export const nameTwice = (name: string, frontdoorId: string, ...names: [string, string]): string =>
  `resources "${names[0]}" and "${names[1]}" have the same name "${name}" on front door ${frontdoorId}. This resource was not changed. ` +
  `Set another \`name\` for the newer resource. [name-twice]`;

export const portTwice = (holder: string): string =>
  `is also the port of ${holder}. Change the port of one of the two shares. [port-twice]`;

export const placeTwice = (holder: string): string =>
  `is also the location of tunnel "${holder}". The specification allows one tunnel for a front door and location. Change one of the two locations. If your front door allows both, set \`frontdoor:oneTunnelPerLocation\` to \`false\`. [place-twice]`;

/** A warning. `names` are the logical names of two tunnels. */
export const placeShared = (locationId: string, ...names: [string, string]): string =>
  `frontdoor: IPsec tunnels "${names[0]}" and "${names[1]}" are both at location ${locationId}. \`frontdoor:oneTunnelPerLocation\` is \`false\`, so Frontdoor decides. ` +
  "If it refuses one of them, move that tunnel to another location. [place-twice]";

/** `names` are the logical names of two tunnels. */
export const locationsOpen = (frontdoorId: string, ...names: [string, string]): string => {
  const [first, second] = names.sort();
  return `IPsec tunnels "${first}" and "${second}" of front door ${frontdoorId} have no \`locationId\`. The specification allows one tunnel for a front door and location, so Frontdoor can refuse the second one. Set a different \`locationId\` for each. [location-open]`;
};

/** A warning. Without the address, which can be a secret. */
export const peerNotPublic = (label: string): string =>
  `${label}: \`peerPublicIp\` is not a public address, so the internet does not reach the device. It is sent, and Frontdoor decides. ` +
  "If the device has a public address, set that one. [peer-not-public]";

/** The reason of a failure on the property that has the tunnel's id. */
export const tunnelReplaced = (id: string, property: string): string =>
  `is ${id}, a tunnel that this edit replaces. This resource was not changed. ` +
  `Remove \`${property}\` from the option \`ignoreChanges\`, or use the tunnel's \`id\` instead of a text. [tunnel-replaced]`;

export const tunnelRetained = (label: string): string =>
  `${label}: a tunnel with \`retainOnDelete\` cannot be replaced at its location, because the old one stays there. ` +
  "This tunnel was not changed. Undo the change, or also change `locationId` in the same edit. [retained-tunnel]";

// Messages about answers that do not show which resource they mean. At most 60 words each.

export const mayTakeEffect = (label: string): string =>
  `${label}: an earlier create or delete may still go through, and Frontdoor does not show its end yet. ` +
  `Nothing was sent. Run \`pulumi up\` again in a minute. [create-pending]`;

export const answeredIdWrong = (label: string, id: unknown): string =>
  `${label}: Frontdoor accepted the create, but its response has an id that the provider can't use: ${safeText(JSON.stringify(id), 160)}. ` +
  `The resource is not in the state. Find it in Frontdoor by its name. [unusable-answer]`;

export const listedIdWrong = (id: unknown): string =>
  `Frontdoor lists a resource of this name with an id that the provider can't use: ${safeText(JSON.stringify(id), 160)}. ` +
  `No other create is sent. Delete that resource in Frontdoor, or use another name. [unusable-answer]`;

/** Returns the value of a field as messages show it: of a secret argument none, also not the one that Frontdoor shows. */
const valueIn = (values: object, field: string, secrets: readonly string[] = []): string =>
  secrets.includes(field) ? "[secret]" : safeText(JSON.stringify((values as Record<string, unknown>)[field]), 80);

/** Returns what an entry shows of these fields, and what was sent. */
export const differencesOf = (
  fields: readonly string[],
  seen: object,
  sent: object,
  secrets?: readonly string[],
): string[] =>
  fields.map((name) => `\`${name}\` ${valueIn(seen, name, secrets)} instead of ${valueIn(sent, name, secrets)}`);

/** `differences` say what the service shows instead of what was sent. The service cannot change a tunnel, so no value of one can be corrected there. */
export const valueDiffers = (label: string, differences: readonly string[], isTunnel: boolean): string =>
  `${label}: Frontdoor shows ${firstOf([...differences]).join(", ")}. The resource is in the state with Frontdoor's values. ` +
  (isTunnel
    ? "Write Frontdoor's value into the program, and run `pulumi up`. [value-differs]"
    : "The next `pulumi up` sends the program's value again. To keep Frontdoor's, write it into the program first. [value-differs]");

/** Frontdoor cannot change a tunnel, so a value that is not as declared is its spelling or its choice. */
export const driftTold = (label: string, differences: readonly string[]): string =>
  `${label}: Frontdoor shows ${firstOf([...differences]).join(", ")}. Nothing is replaced for that. ` +
  "Write Frontdoor's value into the program, or set another `rotation` to rebuild the tunnel. [value-differs]";

/** The rule for failed tunnels, for who does not know if one has worked, and for the end of its first create. */
export const failedTunnelRule =
  "The next `pulumi up` replaces a tunnel that has never been DEPLOYED. About one that has, first ask NetFoundry: another `rotation` rebuilds it, with a new key and address.";

export const tunnelNeverDeployed = (label: string, reason: string): string =>
  `${label}: ${reason}. The tunnel is in the state. ${failedTunnelRule} [tunnel-error]`;

/** `names` are those of the properties, as Frontdoor writes them. */
export const settingsReset = (label: string, names: readonly string[]): string =>
  `${label}: Frontdoor refuses a property in the PUT that the provider does not know and only sends back. The PUT was sent without ${firstOf(
    names.map((name) => `\`${safeText(name, 60)}\``),
    5,
  ).join(", ")}, so Frontdoor may have reset them. ` + "Check them in Frontdoor. [settings-reset]";

/** `fields` are written again, and Frontdoor shows other values of them than the state has. */
export const changedOutside = (
  label: string,
  fields: readonly string[],
  shown: object,
  secrets?: readonly string[],
): string => {
  const changes = fields.map((name) => `\`${name}\` to ${valueIn(shown, name, secrets)}`);
  return `${label}: changed outside Pulumi: ${firstOf(changes).join(", ")}. This update restores the program's value. No action is needed. [changed-outside]`;
};

export const adoptOtherKind = (id: string, missing: readonly string[]): string =>
  `${id} is not a resource of this kind: Frontdoor shows it without ${missing.slice(0, 5).join(", ")}. ` +
  `That resource was not changed. Correct the id in \`adopt\`. [adopt-missing]`;

// The causes of refusals: problem, the words of the service, effect, one action, code.

/** `words` are the service's own, if it has refused something. */
const quoted = (words: string): string => (words === "" ? "" : ` (${words})`);

/**
 * The holder of a needed place. `canBeRemoved`: its name is derived in this stack, of which the program declares no such resource.
 * `canBeAdopted`: the state does not have the resource that needs the place.
 */
interface Holder extends Mentioned {
  isOfProgram: boolean;
  otherStack?: string | undefined;
  canBeRemoved?: boolean;
  canBeAdopted?: boolean;
}

/** Returns what to do about a place that is taken. With `--replace`, the provider does not learn that the state has the resource. */
function wayOut({ id, isOfProgram, otherStack, canBeRemoved, canBeAdopted }: Holder, argument: string): string {
  const ofList = "If names follow the order of a list, use keys instead.";
  if (isOfProgram)
    return `Choose another \`${argument}\`, or first move or remove ${id} in a separate \`pulumi up\`. ${ofList}`;
  if (canBeRemoved) return `If this edit removes ${id}, remove it first, in a separate \`pulumi up\`. ${ofList}`;
  if (otherStack !== undefined)
    return `It looks like one of stack "${safeText(otherStack, 80)}": is the right stack selected? If it is, choose another \`${argument}\`.`;
  if (!canBeAdopted) return `Choose another \`${argument}\`, or first remove ${id} where it was created.`;
  return (
    `Choose another \`${argument}\`. If it's yours: after a rename, add \`aliases\`${argument === "ingressPort" ? " (a site's key: `formerly`)" : ""}; with \`--replace\` or \`replaceWith\`, set \`deleteBeforeReplace: true\`; ` +
    `if no state has it, set \`adopt: "${id}"\`.`
  );
}

export const portInUse = (
  label: string,
  { ingressPort, ipsecTunnelId }: { ingressPort: number; ipsecTunnelId: string },
  holder: Holder,
  words: string,
): string =>
  `${label}: share ${mention(holder)} has port ${ingressPort} of tunnel ${ipsecTunnelId}${quoted(words)}. Your share was not written. ` +
  `${wayOut(holder, "ingressPort")} [port-in-use]`;

/** A tunnel that refuses a share: `isDeclared` if the program has the tunnel, `isCreate` if the share was to be created. */
interface RefusingTunnel {
  frontdoorId: string;
  tunnelId: string;
  status: string;
  isDeclared: boolean;
  isCreate: boolean;
  words: string;
}

export function tunnelGone(
  label: string,
  { frontdoorId, tunnelId, status, isDeclared, isCreate, words }: RefusingTunnel,
): string {
  const problem =
    status === "missing" ? `${frontdoorId} has no tunnel ${tunnelId}` : `tunnel ${tunnelId} is ${safeText(status, 30)}`;
  const action = isDeclared
    ? "Run `pulumi up --refresh` for the whole program."
    : "Correct `ipsecTunnelId` (`npx pulumi-frontdoor tunnels` lists the ids), or run `pulumi up` in the stack that declares it.";
  return `${label}: ${problem}${quoted(words)}. The share was not ${isCreate ? "created" : "changed"}. ${action} [tunnel-missing]`;
}

export const placePending = (
  label: string,
  locationId: string,
  holder: Mentioned,
  reason: string,
  words: string,
): string =>
  `${label}: location ${safeText(locationId, 80)} is occupied by tunnel ${mention(holder)}, which is still being deleted: ${reason}${quoted(words)}. ` +
  `Nothing was created. Run \`pulumi up\` again. [pending-delete]`;

export const placeTaken = (label: string, locationId: string, holder: Holder, words: string): string =>
  `${label}: location ${safeText(locationId, 80)} is occupied by tunnel ${mention(holder)}${quoted(words)}. Your tunnel was not created. ` +
  `${wayOut(holder, "locationId")} [place-taken]`;

export const staysAtService = (label: string): string =>
  `${label} stays in Frontdoor, because it had \`retain: true\`. No action is needed. [retained]`;
