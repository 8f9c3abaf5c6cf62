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
    description: "Tunnels and shares must be in locations and on front doors that are allowed for their stack.",
    reason:
      "The location of a tunnel decides through which country its traffic goes. If the service chooses, any location is possible. A copied id puts the traffic of one stack on the front door of another.",
    fix: "set locationId and frontdoorId to values that `allowed` has for the stack, or have them added to `allowed`.",
    unknowns:
      "The policy skips an unknown location or front door until it is known, and an omitted front door. A share without a location follows its tunnel. The policy compares ids. Only the operator knows in which country a location is.",
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
          "The `locations` and `frontdoors` that the `stacks` may use. Each is a list of patterns in the form of productionStacks (policy protect-production-tunnels), by default `*`. A stack that fits several entries may use all of them. If empty, all stacks may use all locations and front doors.",
        ),
      requireLocation: z.boolean().default(false).describe("If true, the policy refuses tunnels without a locationId."),
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
      report("The setting allowed has no entry for its stack.");
      return;
    }
    const [location, frontDoor] = [text(props, "locationId"), text(props, "frontdoorId")];
    const fits = (patterns: readonly string[], id: string | undefined) =>
      id === undefined || patterns.some((pattern) => matches(pattern, id));
    if (ours.some(({ locations, frontdoors }) => fits(locations, location) && fits(frontdoors, frontDoor))) return;
    const isLocation = !ours.some(({ locations }) => fits(locations, location));
    report(`The setting allowed lacks its ${isLocation ? "locationId" : "frontdoorId"} for its stack.`);
  },
);
