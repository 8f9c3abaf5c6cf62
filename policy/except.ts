import type { ReportViolation, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { dayIn, exceptionList } from "./exception-list";

/** One resource that a policy lets be, for a reason and until a day. */
export interface Exception {
  /** URN of the resource that the violation is reported on, or its type and name such as `IpsecShare::bastion`. */
  resource: string;
  /** The last day it holds, `YYYY-MM-DD` in UTC, at most a year ahead. */
  until: string;
  /** Why, for whoever finds it expired. */
  reason: string;
}

/** Whether violations on the resource are let be, and if not, what to say of an exception that has expired. */
export function excuse(exceptions: readonly Exception[], urn: string): { isExcused: boolean; note: string } {
  const meant = exceptions.filter(({ resource }) => isMeant(resource, urn));
  const today = dayIn(0);
  const note = meant.map(({ until, reason }) => `\nThe exception for it (${reason}) expired on ${until}.`).join("");
  return { isExcused: meant.some(({ until }) => until >= today), note };
}

/** By the whole URN, or by name and type, with or without the package that the type is of. */
function isMeant(resource: string, urn: string): boolean {
  const [, , types = "", ...name] = urn.split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  const own = [type, type.slice(type.lastIndexOf(":") + 1)].map((each) => [each, ...name].join("::"));
  return [urn, ...own].includes(resource);
}

/** Reports through to the policy, except where the resource is excused. */
export function excusing(report: ReportViolation, exceptions: readonly Exception[], urn?: string): ReportViolation {
  return (message, reported = urn) => {
    const { isExcused, note } = excuse(exceptions, reported ?? "");
    if (!isExcused) report(message + note, reported);
  };
}

type Policy = ResourceValidationPolicy | StackValidationPolicy;

/**
 * The same policy with exceptions: it is neither reported nor remedied on the resources named, up to and on the day `until`.
 * From the next day on the violation is reported again and says that the exception has expired. @throws Error for a list that is not right.
 */
export function except<P extends Policy>(policy: P, exceptions: readonly Exception[]): P {
  const parsed = exceptionList.safeParse(exceptions);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`the exceptions of policy "${policy.name}" are wrong: ${problems.join("; ")}`);
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
