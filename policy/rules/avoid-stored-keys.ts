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
    unknowns:
      "An unknown storeSampleConfig is passed over until it is known. Seen is the setting, not what an old state still holds: the next `up` takes that out.",
    severity: "medium",
    settings: {
      stacks: patternList(["*"]).describe("Stacks the rule holds for, by name, with patterns as in productionStacks."),
    },
    baseline: "disabled",
    strict: { enforcementLevel: "remediate" },
    remedy:
      "sets storeSampleConfig to false, so that the tunnel's sampleConfig is undefined. With the policy in every run nothing changes any more. The program is not changed: a run without the policy goes by the default, fetches the sample configuration and stores it again, and the next one with it takes it out; each is an update of the tunnel, during whose preview its outputs are unknown, so that what is made of them (a record of nlbDnsName, for example) can be shown as replaced. So say storeSampleConfig: false in the program, too: then both kinds of run are quiet. Old checkpoints keep what they had",
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
