import type { ReportViolation, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { z } from "zod";

/** One resource that a policy lets be, for a reason and until a day. */
export interface Exception {
  /** Name or URN of the resource that the violation is reported on. */
  resource: string;
  /** The last day it holds, `YYYY-MM-DD` in UTC. */
  until: string;
  /** Why, for whoever finds it expired. */
  reason: string;
}

/** How exceptions are given, in a program and in `--policy-pack-config`. */
export const exceptionList = z.array(
  z.strictObject({
    resource: z.string().min(1),
    until: z.iso.date({ error: "must be a day such as 2027-03-01" }),
    reason: z.string().trim().min(1, { error: "must say why" }),
  }),
);

/** Whether violations on the resource are let be, and if not, what to say of an exception that has expired. */
export function excuse(
  exceptions: readonly Exception[],
  urn: string,
  now = new Date(),
): { isExcused: boolean; note: string } {
  const meant = exceptions.filter(({ resource }) => resource === urn || urn.endsWith(`::${resource}`));
  const today = now.toISOString().slice(0, 10);
  const note = meant.map(({ until, reason }) => `\nThe exception for it (${reason}) expired on ${until}.`).join("");
  return { isExcused: meant.some(({ until }) => until >= today), note };
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
