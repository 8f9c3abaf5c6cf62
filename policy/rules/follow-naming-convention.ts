import { canBeDerivedFor } from "../../provider/resources/names";
import { text } from "../known";
import { matches, placeOf } from "../names";
import { kindOf } from "../resources";
import { resourceRule } from "../rule";
import { patternList } from "../settings";

const explained =
  "`*` any run of characters, `?` any one, `#` a digit, `@` a lower-case letter, `{project}` and `{stack}`";

export const followNamingConvention = resourceRule(
  {
    name: "follow-naming-convention",
    topic: "Life cycle",
    description: "Tunnels and shares must follow the naming convention.",
    reason:
      "The service shows only names. Without a convention nobody can tell to which stack a tunnel belongs, and nobody finds an abandoned tunnel.",
    fix: "omit name (the provider derives it from project, stack and resource name), or choose a name that fits the pattern.",
    unknowns:
      "The policy skips an unknown name until it is known. A name that the provider derives passes, also if the provider shortened it. A name that the state keeps after a rename with an alias must fit the patterns. So must a name that the engine proposes (`pulumi:autonaming`).",
    severity: "low",
    settings: {
      tunnelNames: patternList(["*"]).describe(
        `Patterns for the names of tunnels. A name must fit one of them: ${explained}.`,
      ),
      shareNames: patternList(["*"]).describe("Patterns for the names of shares, in the same form."),
    },
    baseline: "advisory",
    strict: {
      enforcementLevel: "mandatory",
      tunnelNames: ["{project}-{stack}-*"],
      shareNames: ["{project}-{stack}-*"],
    },
  },
  ["tunnel", "share"],
  ({ type, urn, props }, { tunnelNames, shareNames }, report) => {
    const name = text(props, "name");
    if (name === undefined || canBeDerivedFor(urn, name)) return;
    const patterns = kindOf(type) === "tunnel" ? tunnelNames : shareNames;
    const { project, stack } = placeOf(urn);
    const fit = patterns.some((pattern) =>
      matches(pattern.replaceAll("{project}", asInNames(project)).replaceAll("{stack}", asInNames(stack)), name),
    );
    if (!fit) report(`name fits none of ${patterns.map((pattern) => `"${pattern}"`).join(", ")}.`);
  },
);

/** Returns a text as in derived names: a hyphen replaces each character that the service does not accept. */
const asInNames = (text: string) => text.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
