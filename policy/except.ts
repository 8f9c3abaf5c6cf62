import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { nearest } from "../provider/nearest";
import { dayIn, exceptionList } from "./exception-list";
import { isSet, shareUrnsOf } from "./names";

/** One resource that a policy excuses, for a reason and until a day. */
export interface Exception {
  /**
   * URN of the resource with the violation, or its type and name such as `IpsecShare::bastion`. For one share of a set, the set with the
   * share's key, such as `IpsecShareSet::services::bastion`.
   */
  resource: string;
  /** The last day of the exception, `YYYY-MM-DD` in UTC, at most a year ahead. */
  until: string;
  /** The reason. The violation shows it once the exception has expired. */
  reason: string;
}

/** Says if violations on any of the resources are excused. If not, `note` names the exceptions that have expired. */
export function excuse(exceptions: readonly Exception[], ...urns: string[]): { isExcused: boolean; note: string } {
  const matching = exceptions.filter(({ resource }) => urns.some((urn) => isNamedBy(resource, urn)));
  const today = dayIn(0);
  const note = matching.map(({ until, reason }) => `\nThe exception for it (${reason}) expired on ${until}.`).join("");
  return { isExcused: matching.some(({ until }) => until >= today), note };
}

/** True if the exception names the resource: by its URN, or by type and name, with or without the package. */
const isNamedBy = (resource: string, urn: string): boolean => spellingsOf(urn).includes(resource);

/** Returns the ways in which an exception can name a resource. The last one is the shortest. */
function spellingsOf(urn: string): [...string[], string] {
  const [, , types = "", ...name] = urn.split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  const short = type.slice(type.lastIndexOf(":") + 1);
  return [urn, [type, ...name].join("::"), [short, ...name].join("::")];
}

/** The exceptions of each policy, until they are compared with the resources of the stack. */
const uncompared = new Map<string, Set<readonly Exception[]>>();

/** Remembers the exceptions of a policy, to be compared with the resources once all of them are known. */
export function remember(policy: string, exceptions: readonly Exception[]): void {
  if (exceptions.length > 0) uncompared.set(policy, (uncompared.get(policy) ?? new Set()).add(exceptions));
}

/** An exception that names no resource of the stack, with the resource that may be meant. */
interface Stray {
  policy: string;
  resource: string;
  meant: string | undefined;
}

/**
 * Returns the exceptions that excuse nothing: their resource is misspelled or gone, or another stack has it. The URN of another stack may
 * stand in a configuration that several stacks have, and a set's keys may be unknown. Each exception is compared once.
 */
export function strayExceptions(resources: readonly Pick<PolicyResource, "type" | "urn" | "props">[]): Stray[] {
  const sets = resources.filter(({ type }) => isSet(type));
  const urns = [...resources.map(({ urn }) => urn), ...sets.flatMap((set) => shareUrnsOf(set) ?? [])];
  const setsOfUnknownKeys = new Set(sets.filter((set) => !shareUrnsOf(set)).flatMap(({ urn }) => spellingsOf(urn)));
  const stackOf = (urn: string) => urn.split("::").slice(0, 2).join("::");
  const stacks = new Set(urns.map(stackOf));
  const names = new Set(urns.flatMap(spellingsOf));
  const isHere = (resource: string) => names.has(resource) || setsOfUnknownKeys.has(resource.replace(/::[^:]*$/, ""));
  const found = [...uncompared].flatMap(([policy, lists]) =>
    [...lists]
      .flat()
      .filter(
        ({ resource }) => !isHere(resource) && (!resource.startsWith("urn:pulumi:") || stacks.has(stackOf(resource))),
      )
      .map(({ resource }): Stray => {
        const spellings = urns.map((urn) =>
          resource.startsWith("urn:pulumi:") ? urn : (spellingsOf(urn).at(-1) ?? urn),
        );
        return { policy, resource, meant: nearest(resource, spellings) };
      }),
  );
  uncompared.clear();
  return found;
}

/** How a policy of this package reports: `member` is the share of the set at `urn` that has the violation. Pulumi takes the first two. */
export type Reporter = (message: string, urn?: string, member?: string) => void;

/** Returns a report function that skips excused resources. */
export function excusing(report: Reporter, exceptions: readonly Exception[], urn?: string): Reporter {
  return (message, reported = urn, member = reported) => {
    const { isExcused, note } = excuse(exceptions, reported ?? "", member ?? "");
    if (!isExcused) report(message + note, reported, member);
  };
}

type Policy = ResourceValidationPolicy | StackValidationPolicy;

/**
 * Returns the same policy with exceptions. Until the end of the day `until` it neither reports nor remedies violations on these resources.
 * After that day it reports them again, with a note on the expired exception. @throws Error for an invalid list.
 */
export function except<P extends Policy>(policy: P, exceptions: readonly Exception[]): P {
  const parsed = exceptionList.safeParse(exceptions);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(
      `the exceptions of policy "${policy.name}" are wrong: ${problems.join("; ")}. Correct them in the program of the policy pack. [policy-settings]`,
    );
  }
  remember(policy.name, parsed.data);
  if ("validateStack" in policy) {
    const { validateStack } = policy;
    return {
      ...policy,
      validateStack: (args, report) => validateStack(args, excusing(report, parsed.data)),
    };
  }
  const { validateResource = [], remediateResource } = policy;
  return {
    ...policy,
    validateResource: [validateResource].flat().map(
      (validate): typeof validate =>
        (args, report) =>
          validate(args, excusing(report, parsed.data, args.urn)),
    ),
    ...(remediateResource && {
      remediateResource: ((args) =>
        excuse(parsed.data, args.urn).isExcused
          ? undefined
          : remediateResource(args)) satisfies typeof remediateResource,
    }),
  };
}
