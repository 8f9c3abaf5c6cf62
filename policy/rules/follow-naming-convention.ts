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
    description: "Tunnels and shares must be named by the convention.",
    reason:
      "On the service there are only names: without a convention nobody there can tell which stack a tunnel belongs to, and an abandoned one is never found.",
    fix: "leave name out (it is then made of project, stack and resource name), or choose one that fits the pattern.",
    unknowns:
      "An unknown name is passed over until it is known. A name that the provider derives passes, also one that it had to cut. A name that is kept from the state, because the resource was renamed with an alias, is held against the patterns, and so is one that the engine proposes (`pulumi:autonaming`).",
    severity: "low",
    settings: {
      tunnelNames: patternList(["*"]).describe(`Patterns for tunnels, one of which must fit: ${explained}.`),
      shareNames: patternList(["*"]).describe(`Patterns for shares, likewise.`),
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

/** As in names that are derived: what the service does not take becomes a hyphen. */
const asInNames = (text: string) => text.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
