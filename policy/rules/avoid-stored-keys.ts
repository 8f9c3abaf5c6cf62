import { read } from "../known";
import { isInStack } from "../names";
import { resourceRule } from "../rule";
import { patternList } from "../settings";

export const avoidStoredKeys = resourceRule(
  {
    name: "avoid-stored-keys",
    topic: "Secrets",
    description: "A tunnel's sample configuration must not be kept in the state.",
    reason:
      "The sample configuration holds the pre-shared key. The state encrypts it, but everyone who may decrypt the stack's secrets can read it, also in old checkpoints and exports.",
    fix: "set storeSampleConfig: false, and read the text with getSampleConfig when you give it to the site.",
    unknowns:
      "The policy skips an unknown storeSampleConfig until it is known. It checks only the setting. An old state can hold the text until the next `up` with storeSampleConfig: false.",
    severity: "medium",
    settings: {
      stacks: patternList(["*"]).describe("Names of the stacks to check, as patterns. `*` is any run of characters."),
    },
    baseline: "disabled",
    strict: { enforcementLevel: "remediate" },
    remedy:
      "sets storeSampleConfig to false, so the tunnel's sampleConfig is undefined. It does not change the program. A run without the policy stores the sample configuration again. The next run with the policy removes it. Each of these two runs updates the tunnel. A preview of the update shows the tunnel's outputs as unknown. Resources that use these outputs, such as a DNS record of nlbDnsName, can then appear as replaced. So also set storeSampleConfig: false in the program. Old checkpoints keep the text",
  },
  "tunnel",
  ({ urn, props }, { stacks }, report) => {
    if (isInStack(urn, stacks) && isStored(props)) report("storeSampleConfig is not false.");
  },
  ({ urn, props }, { stacks }) => {
    if (!isInStack(urn, stacks) || !isStored(props)) return undefined;
    props["storeSampleConfig"] = false;
    return props;
  },
);

const isStored = (props: object) => [undefined, true].includes(read(props, "storeSampleConfig") as boolean | undefined);
