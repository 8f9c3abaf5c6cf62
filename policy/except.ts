import type { ReportViolation, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { dayIn, exceptionList } from "./exception-list";

/** One resource that a policy excuses, for a reason and until a day. */
export interface Exception {
  /** URN of the resource with the violation, or its type and name such as `IpsecShare::bastion`. */
  resource: string;
  /** The last day of the exception, `YYYY-MM-DD` in UTC, at most a year ahead. */
  until: string;
  /** The reason. The violation shows it once the exception has expired. */
  reason: string;
}

/** Says if violations on the resource are excused. If not, `note` names the exceptions that have expired. */
export function excuse(exceptions: readonly Exception[], urn: string): { isExcused: boolean; note: string } {
  const meant = exceptions.filter(({ resource }) => isMeant(resource, urn));
  const today = dayIn(0);
  const note = meant.map(({ until, reason }) => `\nThe exception for it (${reason}) expired on ${until}.`).join("");
  return { isExcused: meant.some(({ until }) => until >= today), note };
}

/** True if the exception names the resource: by its URN, or by type and name, with or without the package. */
function isMeant(resource: string, urn: string): boolean {
  const [, , types = "", ...name] = urn.split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  const own = [type, type.slice(type.lastIndexOf(":") + 1)].map((each) => [each, ...name].join("::"));
  return [urn, ...own].includes(resource);
}

/** Returns a report function that skips excused resources. */
export function excusing(report: ReportViolation, exceptions: readonly Exception[], urn?: string): ReportViolation {
  return (message, reported = urn) => {
    const { isExcused, note } = excuse(exceptions, reported ?? "");
    if (!isExcused) report(message + note, reported);
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
