import { strayExceptions } from "../except";
import { stackRule } from "../rule";
import { hidesSecrecy } from "../sdk";

const fixes = {
  stray: "Correct or remove the exception. If another stack has the resource, name it by its URN.",
  hidden: "Run npm dedupe, or install the minor version of @pulumi/policy that the pack's package.json names.",
};

export const checkThePack = stackRule(
  {
    name: "check-the-pack",
    topic: "Life cycle",
    description: "The pack must be able to check what its configuration asks for.",
    reason:
      "An exception for a resource that the stack does not have excuses nothing: it is misspelled, its resource is gone, or another stack has it. If @pulumi/policy hides which values are secret, keep-sample-config-secret, encrypt-pre-shared-keys and keep-credentials-secret can find nothing.",
    fix: `${fixes.stray} ${fixes.hidden}`,
    unknowns: "A pack of your own gets these warnings only if it contains this policy.",
    severity: "medium",
    settings: {},
    baseline: "advisory",
    // The program of one stack cannot mend the pack of all stacks.
    strict: { enforcementLevel: "advisory" },
  },
  (checked, _settings, report) => {
    // The set holds the properties of its shares.
    const resources = checked.filter((each) => !("setUrn" in each));
    const [first] = resources;
    if (!first) return;
    const root = resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? first;
    for (const { policy, resource, meant } of strayExceptions(resources))
      report(
        `An exception of policy "${policy}" names ${resource}, and this stack has no such resource. The exception excuses nothing here.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
        root,
        fixes.stray,
      );
    if (hidesSecrecy(resources))
      report(
        "The pack cannot judge what is secret, because this copy of @pulumi/policy hides it: a version that differs inside, or another copy than the pack's. keep-sample-config-secret, encrypt-pre-shared-keys and keep-credentials-secret find nothing.",
        root,
        fixes.hidden,
      );
  },
);
