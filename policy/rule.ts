import type { EnforcementLevel, PolicyResource, ResourceValidationArgs } from "@pulumi/policy";
import type { About, ResourceRule, StackRule } from "./about";
import { keyed } from "../provider/lifecycle/differences";
import { excuse, excusing, type Reporter } from "./except";
import { isSet, type Kind, kindOf, type Member, sharesIn } from "./names";
import { configSchemaOf, type Settings, settingsReader, type Shape } from "./settings";

/** The description of a policy, with typed settings. */
interface Described<S extends Shape> extends About {
  settings: S;
  /** Returns a problem of settings that are valid only separately, as `setting: problem`. */
  problem?(settings: Settings<S>): string | undefined;
  strict?: { [Key in keyof S]?: unknown } & { enforcementLevel?: EnforcementLevel };
}

/** Reports a text, with the policy's fix or another one. It may hold names of resources and properties and values of settings. It never holds the value of a property, which can be secret. */
type Report = (message: string, fix?: string) => void;
type ReportOn = (message: string, resource: Pick<PolicyResource, "urn"> & Partial<Member>, fix?: string) => void;

/** Returns the text of a violation. For a share of a set it begins with the key. */
const violationText = (message: string, { key }: Partial<Member>, fix: string) =>
  `${key === undefined ? "" : `${keyed("shares", key)}: `}${message}\nFix: ${fix}`;

/** Returns a report function that reports each text about a resource once. */
function once(report: Reporter): Reporter {
  const reported = new Set<string>();
  return (message, urn, member) => {
    const key = `${urn ?? ""} ${message}`;
    if (!reported.has(key)) report(message, urn, member);
    reported.add(key);
  };
}

/** Returns a policy that checks one resource at a time, before its registration. */
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
      // A stack without a resource of the kind reads them too, so that its exceptions are compared with its resources.
      const settings = settingsOf(args.getConfig());
      const checked: (ResourceValidationArgs & Partial<Member>)[] = concerns(args.type) ? [args] : sharesOf(args);
      if (checked.length === 0) return;
      const report = once(excusing(reportViolation, settings.exceptions, args.urn));
      for (const each of checked)
        check(each, settings, (message, fix = about.fix) => {
          report(violationText(message, each, fix), args.urn, each.urn);
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
 * Returns a policy that checks all resources of a stack together, at the end of a preview or update. `observe` sees the inputs of each
 * resource before.
 */
export function stackRule<S extends Shape>(
  about: Described<S>,
  check: (resources: readonly PolicyResource[], settings: Settings<S>, report: ReportOn) => void,
  observe?: (resource: ResourceValidationArgs) => void,
): StackRule {
  const settingsOf = settingsReader(about);
  return {
    ...policyOf(about),
    ...(observe && { validateResource: observe }),
    validateStack: (args, reportViolation) => {
      const settings = settingsOf(args.getConfig());
      const report = once(excusing(reportViolation, settings.exceptions));
      // The engine sends them in any order. The sort makes each run report the same one of two.
      const resources = [...args.resources].sort((a, b) => (a.urn < b.urn ? -1 : 1));
      const checked = resources.flatMap((each) => [each, ...(isSet(each.type) ? sharesIn(each) : [])]);
      check(checked, settings, (message, resource, fix = about.fix) => {
        report(violationText(message, resource, fix), resource.setUrn ?? resource.urn, resource.urn);
      });
    },
  };
}

const policyOf = <S extends Shape>(about: Described<S>) => ({
  name: about.name,
  // With --diff, Pulumi prints it directly after the name of the resource.
  description: ` ${about.description}`,
  enforcementLevel: about.baseline ?? "mandatory",
  severity: about.severity,
  remediationSteps: about.fix,
  configSchema: configSchemaOf(about.settings),
  tags: ["frontdoor", about.topic.toLowerCase().replace(" ", "-")],
  about,
});
