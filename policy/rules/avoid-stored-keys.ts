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
      "The sample configuration holds the pre-shared key. In the state it is encrypted, but whoever may decrypt the stack's secrets can read it, in every old checkpoint and export too.",
    fix: "set storeSampleConfig: false, and read the text with getSampleConfig where it is handed to the site.",
    unknowns: "An unknown storeSampleConfig is passed over until it is known.",
    severity: "medium",
    settings: {
      stacks: patternList(["*"]).describe("Stacks the rule holds for, by name, with patterns as in productionStacks."),
    },
    baseline: "disabled",
    strict: { enforcementLevel: "remediate" },
    remedy: "sets storeSampleConfig to false, so that the tunnel's sampleConfig is undefined",
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
