import { has, isArgument, type Planned, UNKNOWN, valueOf } from "../../provider/fields/field";
import { resourceTypes } from "../../provider/fields/resource-types";
import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import { tunnelFields } from "../../provider/fields/tunnel";
import type { Notes } from "../../provider/lifecycle/contract";
import { withFrontdoorName } from "../../provider/lifecycle/lifecycle";
import { shares } from "../../provider/resources/share";
import {
  type DeclaredShares,
  declaredShares,
  type ShareSetInputs,
  type ShareSetOutputs,
  sharesIn,
  type StateShare,
} from "../../provider/resources/share-set-inputs";
import { onlyTunnels, siteOf } from "../dashboard/page/site.js";
import { notUnderstood, type Preview, type Step } from "./preview";

/**
 * The meaning of a change to users of the tunnel or share. `moved`: the new one is ready before the old one is deleted, and has another
 * address. `removed`: deleted for good.
 */
export type Effect = "created" | "interrupted" | "moved" | "removed";

/** One tunnel or share that the preview changes. */
export interface Change extends PlannedRequest {
  kind: "tunnel" | "share";
  /** The logical name; of a share in a set `services["web"]`. */
  name: string;
  /** The id in the service; undefined if there is none yet. */
  id: string | undefined;
  /** Of a tunnel in the state. */
  frontdoorId?: string | undefined;
  urn: string;
  effect: Effect;
  /**
   * Of a tunnel: true if its site has no other tunnel in the stack after the change; undefined if the preview lacks unchanged resources, so
   * that the other tunnels of the site are not known.
   */
  isOnlyTunnel?: boolean;
}

/** The operations that take a resource out of the state. */
const leaving = ["delete", "delete-replaced", "remove-pending-replace", "discard", "discard-replaced"];

const effects: Record<Exclude<Request, "none">, Effect> = {
  POST: "created",
  PATCH: "interrupted",
  PUT: "interrupted",
  DELETE: "removed",
  "DELETE+POST": "interrupted",
  "POST+DELETE": "moved",
};

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== secretText ? value : undefined;

/** Returns the resource type in a URN, such as `IpsecShare`; undefined if it is none of this package. */
function typeOf(urn: string): string | undefined {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  return /^(?:pulumi-nodejs:dynamic\/frontdoor|frontdoor:index):(.+)$/.exec(type)?.[1];
}

const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");

/** Returns each tunnel and share that gets a request, in the order of the steps. @throws Misuse for a type it does not know. */
export function changesIn({ steps, hasUnchanged }: Preview): Change[] {
  const adopted = new Set(steps.flatMap(adoptedIn));
  const gone = new Set(steps.flatMap(deletedFirst));
  const isOnly = onlyTunnels(
    steps.filter(({ urn, op }) => typeOf(urn) === "IpsecTunnel" && !leaving.includes(op)),
    siteOfStep,
  );
  return steps.flatMap((step) =>
    changesOf(step).flatMap(({ request, ...change }): Change[] => {
      // A share that another resource of the program adopts is not deleted.
      const isKept = request === "DELETE" && (adopted.has(change.id ?? "") || isRetained(step, gone));
      const ofTunnel = change.kind === "tunnel" && hasUnchanged ? { isOnlyTunnel: isOnly(step) } : {};
      return request === "none" || isKept ? [] : [{ ...change, request, effect: effects[request], ...ofTunnel }];
    }),
  );
}

/** The id that a step deletes, unless another resource takes its place before. */
const deletedFirst = ({ op, oldState }: Step): string[] =>
  oldState?.id !== undefined && (op === "delete" || oldState.pendingReplacement) ? [oldState.id] : [];

/** True if the step deletes a share with `retain` that leaves its site, and the tunnel of the site stays. */
const isRetained = ({ urn, oldState }: Step, gone: ReadonlySet<string>): boolean =>
  typeOf(urn) === "IpsecShare" &&
  oldState?.outputs["__retain"] === true &&
  !gone.has(String(oldState.outputs["ipsecTunnelId"]));

function siteOfStep({ oldState, newState }: Step): string | undefined {
  const known = planned({ ...oldState?.outputs, ...newState?.outputs, ...newState?.inputs }) as object;
  return siteOf(textOf(valueOf(known, "frontdoorId")), textOf(valueOf(known, "peerCidr")));
}

function changesOf(step: Step): Omit<Change, "effect" | "isOnlyTunnel">[] {
  const { op, urn, oldState } = step;
  if (op === "same") return [];
  const name = nameOf(urn);
  const named = { urn, name, id: oldState?.id };
  const type = typeOf(urn);
  switch (type) {
    case undefined:
    case "IpsecSite":
      return [];
    case "IpsecTunnel":
      return [
        { ...named, kind: "tunnel", ...tunnelRequest(step), frontdoorId: textOf(oldState?.outputs["frontdoorId"]) },
      ];
    case "IpsecShare":
      return [{ ...named, kind: "share", ...shareRequest(step) }];
    case "IpsecShareSet": {
      const isChange = ["create", "update", "replace", "delete"].includes(op);
      return (isChange ? keyChanges(step) : []).map(({ key, ...change }) => ({
        ...{ ...change, urn, kind: "share", name: `${name}[${JSON.stringify(key)}]` },
      }));
    }
    default:
      // The other resources of this version are neither tunnels nor shares.
      if (resourceTypes.some((each) => each === type)) return [];
      throw notUnderstood(`this version of the command does not know the type of ${nameOf(urn)}`);
  }
}

const createFirst = Object.entries(tunnelFields).flatMap(([name, field]) =>
  isArgument(field) && field.onChange === "create first" ? [name] : [],
);

function tunnelRequest(step: Step): PlannedRequest {
  switch (step.op) {
    case "create":
      // A tunnel that differs from the program is not adopted.
      return certain(adoptedIn(step).length > 0 ? "none" : "POST");
    case "delete":
      return deletion(step);
    case "replace":
      return replacement(step, createFirst);
    // The service cannot update a tunnel: Pulumi's update waits, or keeps another sample configuration.
    default:
      return certain("none");
  }
}

function shareRequest(step: Step): PlannedRequest {
  const { op, oldState } = step;
  switch (op) {
    case "create":
      return creation(inputsOf(step));
    case "delete":
      return deletion(step);
    case "replace":
      return replacement(step);
    case "update":
      return update((oldState?.outputs ?? {}) as unknown as ShareOutputs, inputsOf(step) as ShareInputs);
    default:
      return certain("none");
  }
}

/** The ids that a step adopts. */
export function adoptedIn({ op, newState }: Step): string[] {
  const inputs = newState?.inputs ?? {};
  const { shares } = inputs;
  const parts = typeof shares === "object" && shares !== null ? Object.values(shares) : [];
  return [...(op === "create" ? [inputs] : []), ...(parts as unknown[])].flatMap((each) => {
    const adopt = typeof each === "object" && each !== null ? valueOf(each, "adopt") : undefined;
    return typeof adopt === "string" ? [adopt] : [];
  });
}

/** A share's port on its tunnel, as messages name it. */
const portOf = (share: object): string | undefined => {
  const [tunnel, port] = [valueOf(share, "ipsecTunnelId"), valueOf(share, "ingressPort")];
  return typeof tunnel === "string" && typeof port === "number" ? `port ${port} of tunnel ${tunnel}` : undefined;
};

/**
 * Returns the shares that the service refuses, each with its reason: another share leaves the program, but has the port until the new one
 * exists, as with a renamed share, or stays in the service, as with a renamed key that has `retain`.
 */
export function refusedIn({ steps }: Preview): string[] {
  const leaving = new Map<string, string>();
  const wanted: [name: string, port: string][] = [];
  for (const step of steps) {
    const { op, urn, oldState } = step;
    const [name, inputs, outputs] = [nameOf(urn), inputsOf(step), oldState?.outputs ?? {}];
    const isLate = op === "delete" && oldState?.pendingReplacement === false;
    if (typeOf(urn) === "IpsecShare") {
      const port = portOf(op === "create" && adoptedIn(step).length === 0 ? inputs : isLate ? outputs : {});
      if (port !== undefined && isLate) leaving.set(port, name);
      else if (port !== undefined) wanted.push([name, port]);
    } else if (typeOf(urn) === "IpsecShareSet") {
      const { olds, news } = sharesOfSet(step);
      const stays = (key: string) =>
        isLate || (op === "update" && news.get(key) === undefined && olds.get(key)?.isRetained);
      for (const [key, { share }] of olds) {
        const port = portOf(share);
        if (port !== undefined && stays(key)) leaving.set(port, `${name}[${JSON.stringify(key)}]`);
      }
      for (const [key, share] of ["create", "update"].includes(op) ? news : []) {
        const port = olds.has(key) || valueOf(share, "adopt") !== undefined ? undefined : portOf(share);
        if (port !== undefined) wanted.push([`${name}[${JSON.stringify(key)}]`, port]);
      }
    }
  }
  return wanted.flatMap(([name, port]) => {
    const holder = leaving.get(port);
    if (holder === undefined) return [];
    return [
      `Frontdoor will refuse the new share ${name}: when \`pulumi up\` creates it, share ${holder} still has ${port}. ` +
        "Give it an alias or `adopt` if it is the same share, or first free the port in a separate `pulumi up`. [impact-refused]",
    ];
  });
}

/** The change of one key. */
interface KeyChange extends PlannedRequest {
  key: string;
  id: string | undefined;
}

/** Returns the change of each key of a set. If its shares are secret, each one in the state may be updated. @throws Misuse. */
function keyChanges(step: Step): KeyChange[] {
  const outputs = step.oldState?.outputs;
  const olds = outputs && isMap(outputs, "shares") ? sharesIn(outputs as object as ShareSetOutputs) : undefined;
  const inputs = inputsOf(step) as Planned<ShareSetInputs>;
  const news = isMap(inputs, "shares") ? declaredShares(inputs) : undefined;
  if ((outputs && !olds) || (step.newState && !news)) return hiddenChanges(step, news);
  const [before, parts]: [Map<string, StateShare>, DeclaredShares] = [
    olds ?? new Map<string, StateShare>(),
    news ?? (new Map() as DeclaredShares),
  ];
  return [...new Set([...before.keys(), ...parts.keys()])].map((key) => ({
    key,
    id: before.get(key)?.id,
    ...keyRequest(step, before.get(key), parts.get(key)),
  }));
}

/** Returns the shares of a set in the state and in the program, as far as they are known. */
function sharesOfSet(step: Step): {
  olds: Map<string, { share: object; isRetained: boolean }>;
  news: Map<string, object>;
} {
  const outputs = step.oldState?.outputs;
  const before = outputs && isMap(outputs, "shares") ? sharesIn(outputs as object as ShareSetOutputs) : [];
  const inputs = inputsOf(step) as Planned<ShareSetInputs>;
  const planned = isMap(inputs, "shares") ? (declaredShares(inputs) ?? []) : [];
  return {
    olds: new Map(
      [...before].map(([key, { outputs: share }]) => [key, { share, isRetained: share.__retain === true }]),
    ),
    news: new Map([...planned].map(([key, share]) => [key, share === UNKNOWN ? {} : share])),
  };
}

const isMap = (from: object, name: string) => typeof valueOf(from, name) === "object";

function keyRequest(step: Step, old: StateShare | undefined, part: ReturnType<DeclaredShares["get"]>): PlannedRequest {
  if (!old) return part === UNKNOWN ? certain("POST") : creation(part ?? {});
  if (step.op === "replace" && part) return replacement(step);
  if (step.op !== "update") return deletion(step);
  if (!part) return certain(old.outputs.__retain ? "none" : "DELETE");
  return part === UNKNOWN ? possible("PATCH") : update(old.outputs, part);
}

/** Only the ids of the old shares are known, and the keys of the new ones if `news` are. */
function hiddenChanges(step: Step, news: DeclaredShares | undefined): KeyChange[] {
  const { ids: oldIds } = step.oldState?.outputs ?? {};
  if (typeof oldIds !== "object" || oldIds === null) throw notUnderstood("the shares of a set are secret or unknown");
  const known = new Map(Object.entries(oldIds as Record<string, string>));
  const planned = step.op === "delete" ? deletion(step) : step.op === "update" ? possible("PATCH") : replacement(step);
  // The plugin's preview also knows the keys of secret shares.
  const ids = valueOf(step.newState?.outputs ?? {}, "ids");
  const keys = news ?? (typeof ids === "object" && ids !== null ? new Map(Object.entries(ids)) : undefined);
  const isGone = (key: string) => step.op === "update" && keys?.has(key) === false;
  return [
    ...[...known].map(([key, id]) => ({ key, id, ...(isGone(key) ? possible("DELETE") : planned) })),
    ...[...(news ?? (new Map() as DeclaredShares))]
      .filter(([key]) => !known.has(key))
      .map(([key, share]) => ({ key, id: undefined, ...(share === UNKNOWN ? certain("POST") : creation(share)) })),
  ];
}

/** The request of a change, or both in their order. */
type Request = "POST" | "PATCH" | "PUT" | "DELETE" | "DELETE+POST" | "POST+DELETE" | "none";

interface PlannedRequest {
  request: Request;
  /** False if the preview does not show whether the request is sent. */
  isCertain: boolean;
}

const certain = (request: Request): PlannedRequest => ({ request, isCertain: true });
const possible = (request: Request): PlannedRequest => ({ request, isCertain: false });

/** Pulumi's text for a value that is not known before the run. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** Pulumi's text for a secret value, in a preview. */
const secretText = "[secret]";

/** Returns the value with UNKNOWN in the place of Pulumi's text for it. */
function planned(value: unknown): unknown {
  if (value === unknownText) return UNKNOWN;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(planned);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, planned(each)]));
}

const inputsOf = ({ newState }: Step): object => planned(newState?.inputs ?? {}) as object;

/** An adopted share is updated if it differs from the program. */
const creation = (inputs: object): PlannedRequest => (has(inputs, "adopt") ? possible("PATCH") : certain("POST"));

const deletion = ({ oldState }: Step): PlannedRequest => certain(oldState?.retainOnDelete ? "none" : "DELETE");

/** In Pulumi's preview of a delete-first replacement, the old state is pending. A change of one of `createFirst` creates first. */
function replacement({ oldState, replaceReasons: reasons }: Step, createFirst = ["frontdoorId"]): PlannedRequest {
  if (oldState?.retainOnDelete) return certain("POST");
  const isCreateFirst = !oldState?.pendingReplacement && createFirst.some((name) => reasons?.includes(name));
  const request = isCreateFirst ? "POST+DELETE" : "DELETE+POST";
  // With the reason `status`, the resource had failed or was gone before the preview.
  return reasons?.includes("status") ? possible(request) : certain(request);
}

/** The write of an update. It is certain if one of its fields has a known value. */
function update(olds: ShareOutputs, inputs: Planned<ShareInputs>): PlannedRequest {
  const news = withFrontdoorName(olds, inputs as Planned<ShareInputs> & Notes);
  const write = shares.plan(olds, news);
  const isKnown = (name: string) => name === "ipsecTunnelId" || valueOf(news, name) !== UNKNOWN;
  if (write) return Object.keys(write.before).some(isKnown) ? certain(write.method) : possible(write.method);
  const isHidden = Object.values(inputs).includes(secretText);
  return olds.status !== "DEPLOYED" || isHidden ? possible("PATCH") : certain("none");
}
