import type { EnforcementLevel, PolicyResource, ResourceValidationArgs } from "@pulumi/policy";
import type { About, ResourceRule, StackRule } from "./about";
import { excuse, excusing } from "./except";
import { keyed } from "../provider/resources/changes";
import { type Kind, kindOf } from "./resources";
import { isSet, type Member, sharesIn } from "./sets";
import { configSchemaOf, type Settings, settingsReader, type Shape } from "./settings";

/** What a policy says of itself, with its settings by their types. */
interface Described<S extends Shape> extends About {
  settings: S;
  /** What is wrong with settings that are right each by itself, as `setting: problem`. */
  problem?(settings: Settings<S>): string | undefined;
  strict: { enforcementLevel: EnforcementLevel } & { [Key in keyof S]?: unknown };
}

/** A text that holds names of resources and properties and values of settings, never the value of a property: any can be secret. */
type Report = (message: string) => void;
type ReportOn = (message: string, resource: Pick<PolicyResource, "urn"> & Partial<Member>) => void;

/** A violation, of a share in a set with its key. */
const told = (message: string, { key }: Partial<Member>, { fix }: Pick<About, "fix">) =>
  `${key === undefined ? "" : `${keyed("shares", key)}: `}${message}\nFix: ${fix}`;

/** A policy on one resource at a time, before it is made. */
export function resourceRule<S extends Shape>(
  about: Described<S>,
  on: Kind | readonly Kind[] | "any resource",
  check: (resource: ResourceValidationArgs, settings: Settings<S>, report: Report) => void,
  remedy?: (resource: ResourceValidationArgs, settings: Settings<S>) => Record<string, unknown> | undefined,
): ResourceRule {
  const settingsOf = settingsReader(about);
  const concerns = (type: string) => on === "any resource" || [on].flat().some((kind) => kind === kindOf(type));
  const sharesOf = (args: ResourceValidationArgs) =>
    isSet(args.type) && [on].flat().includes("share") ? sharesIn(args) : [];
  return {
    ...policyOf(about),
    validateResource: (args, reportViolation) => {
      const judged: (ResourceValidationArgs & Partial<Member>)[] = concerns(args.type) ? [args] : sharesOf(args);
      if (judged.length === 0) return;
      const settings = settingsOf(args.getConfig());
      const report = excusing(reportViolation, settings.exceptions, args.urn);
      for (const each of judged)
        check(each, settings, (message) => {
          report(told(message, each, about));
        });
    },
    ...(remedy && {
      remediateResource: (args: ResourceValidationArgs) => {
        if (!concerns(args.type)) return;
        const settings = settingsOf(args.getConfig());
        if (excuse(settings.exceptions, args.urn).isExcused) return;
        return remedy(args, settings);
      },
    }),
  };
}

/**
 * A policy on all resources of a stack together, at the end of a preview or update, as they are by then. What they are registered
 * with `look` is shown before.
 */
export function stackRule<S extends Shape>(
  about: Described<S>,
  check: (resources: readonly PolicyResource[], settings: Settings<S>, report: ReportOn) => void,
  look?: (resource: ResourceValidationArgs) => void,
): StackRule {
  const settingsOf = settingsReader(about);
  return {
    ...policyOf(about),
    ...(look && { validateResource: look }),
    validateStack: (args, reportViolation) => {
      const settings = settingsOf(args.getConfig());
      const report = excusing(reportViolation, settings.exceptions);
      // The engine sends them in any order; which of two is reported must not change from run to run.
      const resources = [...args.resources].sort((a, b) => (a.urn < b.urn ? -1 : 1));
      const judged = resources.flatMap((each) => [each, ...(isSet(each.type) ? sharesIn(each) : [])]);
      check(judged, settings, (message, resource) => {
        report(told(message, resource, about), resource.setUrn ?? resource.urn);
      });
    },
  };
}

const policyOf = <S extends Shape>(about: Described<S>) => ({
  name: about.name,
  description: about.description,
  enforcementLevel: about.baseline,
  severity: about.severity,
  remediationSteps: about.fix,
  configSchema: configSchemaOf(about.settings),
  tags: ["frontdoor", about.topic.toLowerCase().replace(" ", "-")],
  about,
});
