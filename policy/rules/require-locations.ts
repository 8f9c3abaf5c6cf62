import { z } from "zod";
import { read, text } from "../known";
import { isInStack, matches } from "../names";
import { kindOf } from "../resources";
import { resourceRule } from "../rule";
import { patternList } from "../settings";

export const requireLocations = resourceRule(
  {
    name: "require-locations",
    topic: "Life cycle",
    description: "Tunnels and shares must be in the locations and on the front doors of their stack.",
    reason:
      "Where a tunnel is decides through which country its traffic goes. Left to the service it is wherever there is room, and a copied id puts one stack's traffic on another's front door.",
    fix: "set locationId (and frontdoorId) to one that `allowed` has for the stack, or have it added there.",
    unknowns:
      "An unknown location or front door is passed over until it is known, and so is a front door that is not given. A share without a location goes where its tunnel is. The policy compares ids: in which country a location is only its operator can say.",
    severity: "medium",
    settings: {
      allowed: z
        .array(
          z.strictObject({
            stacks: patternList(["*"]),
            locations: patternList(["*"]),
            frontdoors: patternList(["*"]),
          }),
        )
        .default([])
        .describe(
          "Which `locations` and `frontdoors` the `stacks` may use, each a list of patterns as in productionStacks, `*` where it is left out; a stack that fits several entries may use any of them. Empty: all may use all.",
        ),
      requireLocation: z.boolean().default(false).describe("Refuse tunnels without a locationId."),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", requireLocation: true },
  },
  ["tunnel", "share"],
  ({ type, urn, props }, { allowed, requireLocation }, report) => {
    const ours = allowed.filter(({ stacks }) => isInStack(urn, stacks));
    const isUnset = kindOf(type) === "tunnel" && read(props, "locationId") === undefined;
    const isLimited = ours.some(({ locations }) => !locations.includes("*"));
    if (isUnset && (requireLocation || isLimited)) report("locationId is not set.");
    if (allowed.length === 0) return;
    if (ours.length === 0) {
      report("Its stack is in none of the entries of allowed.");
      return;
    }
    const [location, frontDoor] = [text(props, "locationId"), text(props, "frontdoorId")];
    const fits = (patterns: readonly string[], id: string | undefined) =>
      id === undefined || patterns.some((pattern) => matches(pattern, id));
    if (ours.some(({ locations, frontdoors }) => fits(locations, location) && fits(frontdoors, frontDoor))) return;
    const isLocation = !ours.some(({ locations }) => fits(locations, location));
    report(`${isLocation ? "locationId" : "frontdoorId"} is none that allowed has for its stack.`);
  },
);
