import { isArgument, valueOf } from "../../provider/fields/field";
import { tunnelFields } from "../../provider/fields/tunnel";
import type { ShareInputs, ShareOutputs } from "../../provider/resources/share/inputs";
import { notUnderstood, type Preview, type Step } from "./preview";
import { type Asked, certain, creation, deletion, inputsOf, replacement, type Request, update } from "./requests";
import { keyChanges, sharesOfSet } from "./sets";

/**
 * The meaning of a change to users of the tunnel or share. `moved`: the new one is ready before the old one is deleted, and has another
 * address. `removed`: deleted for good.
 */
export type Effect = "created" | "interrupted" | "moved" | "removed";

/** One tunnel or share that the preview changes. */
export interface Change extends Asked {
  kind: "tunnel" | "share";
  /** The logical name; of a share in a set `services["web"]`. */
  name: string;
  /** The id at the service; undefined if there is none yet. */
  id: string | undefined;
  urn: string;
  effect: Effect;
  /** In a set, the name of the share that has to leave its port first. */
  after?: string | undefined;
}

const effects: Record<Exclude<Request, "none">, Effect> = {
  ...{ POST: "created", PATCH: "interrupted", PUT: "interrupted", DELETE: "removed" },
  ...{ "DELETE+POST": "interrupted", "POST+DELETE": "moved" },
};

/** Returns the resource type in a URN, such as `IpsecShare`; undefined if it is none of this package. */
function typeOf(urn: string): string | undefined {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  return /^(?:pulumi-nodejs:dynamic\/frontdoor|frontdoor:index):(.+)$/.exec(type)?.[1];
}

const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");

/** Returns each tunnel and share that gets a request, in the order of the steps. @throws Misuse for a type it does not know. */
export function changesIn({ steps }: Preview): Change[] {
  const adopted = new Set(steps.flatMap(adoptedIn));
  return steps.flatMap((step) =>
    changesOf(step).flatMap(({ request, ...change }): Change[] => {
      // A share that another resource of the program adopts is not deleted.
      const isKept = request === "DELETE" && adopted.has(change.id ?? "");
      return request === "none" || isKept ? [] : [{ ...change, request, effect: effects[request] }];
    }),
  );
}

function changesOf(step: Step): Omit<Change, "effect">[] {
  const { op, urn, oldState } = step;
  const of = { urn, name: nameOf(urn), id: oldState?.id };
  switch (typeOf(urn)) {
    case undefined:
    case "IpsecSite":
    case "IpsecTunnelConnection":
      return [];
    case "IpsecTunnel":
      return [{ ...of, kind: "tunnel", ...tunnelRequest(step) }];
    case "IpsecShare":
      return [{ ...of, kind: "share", ...shareRequest(step) }];
    case "IpsecShareSet": {
      const isChange = ["create", "update", "replace", "delete"].includes(op);
      const named = (key: string) => `${of.name}[${JSON.stringify(key)}]`;
      return (isChange ? keyChanges(step) : []).map(({ key, after, ...change }) => ({
        ...{ ...change, urn, kind: "share", name: named(key) },
        after: after === undefined ? undefined : named(after),
      }));
    }
    default:
      throw notUnderstood(`this version of the command does not know the type of ${nameOf(urn)}`);
  }
}

const moves = Object.entries(tunnelFields).flatMap(([name, field]) =>
  isArgument(field) && field.onChange === "move" ? [name] : [],
);

function tunnelRequest(step: Step): Asked {
  switch (step.op) {
    case "create":
      // A tunnel that differs from the program is not adopted.
      return certain(adoptedIn(step).length > 0 ? "none" : "POST");
    case "delete":
      return deletion(step);
    case "replace":
      return replacement(step, moves);
    // The service cannot update a tunnel: Pulumi's update waits, or keeps another sample configuration.
    default:
      return certain("none");
  }
}

function shareRequest(step: Step): Asked {
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
function adoptedIn({ op, newState }: Step): string[] {
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
 * exists, as with a renamed share, or stays at the service, as with a renamed key that has `retain`.
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
      `The service will refuse share ${name}: share ${holder} still has ${port} when \`pulumi up\` creates it. ` +
        "Give it an alias or `adopt` if it is the same share, or first free the port in a separate `pulumi up`. [impact-refused]",
    ];
  });
}
