import { policies } from "../../policy/index";
import { violations } from "./checking";
import { tokens } from "./tables";

const one = [{ type: tokens.dynamic[0] }, { type: tokens.dynamic[1] }, { type: "pulumi:providers:frontdoor" }];
const byName = new Map(policies.map((policy) => [policy.name, policy]));

/** The error of a policy with these settings. */
async function refusal(name: string, config: object): Promise<Error> {
  const policy = byName.get(name);
  if (!policy) throw new Error(`no policy ${name}`);
  return violations(policy, one, config).then(
    () => new Error("was taken"),
    (error: unknown) => error as Error,
  );
}

describe.each([...byName.keys()])("settings of %s", (name) => {
  it("are all there by default", async () => {
    expect((await refusal(name, {})).message).toBe("was taken");
  });
  it("have no other names", async () => {
    const error = await refusal(name, { widestprefix: 3 });
    expect(error.message).toContain(`the settings of policy "${name}" are wrong:`);
    expect(error.message).toContain("widestprefix");
    // The engine prints the stack, which is of no use to whoever wrote the settings.
    expect(error.stack).toBe(error.message);
  });
  it("need a day and a reason for an exception", async () => {
    const error = await refusal(name, { exceptions: [{ resource: "web", until: "soon", reason: " " }] });
    expect(error.message).toContain("exceptions.0.until: must be a day such as 2027-03-01");
    expect(error.message).toContain("exceptions.0.reason: must say why");
  });
  it("are described to the engine, each with a default and a meaning", () => {
    const { properties } = byName.get(name)?.configSchema ?? { properties: {} };
    for (const schema of Object.values(properties)) {
      expect(schema.description).toBeTruthy();
      expect(schema.default).toBeDefined();
    }
    // The engine, in Go, knows neither of these and stops.
    expect(JSON.stringify(properties)).not.toMatch(/\(\?[=!<]|\[\^\]/);
  });
});

const cidr = "must be a CIDR block with its host bits clear";
it.each([
  ["use-public-peers", { allowDocumentationRanges: "no" }, "allowDocumentationRanges: "],
  ["use-public-peers", { refusedNetworks: ["8.8.8.8"] }, `refusedNetworks.0: ${cidr}`],
  ["limit-peer-networks", { widestPrefix: 33 }, "widestPrefix: "],
  ["limit-peer-networks", { widestIpv6Prefix: 0 }, "widestIpv6Prefix: "],
  ["limit-peer-networks", { allowedPublicNetworks: ["8.8.8.8/16"] }, `allowedPublicNetworks.0: ${cidr}`],
  ["separate-peer-networks", { reservedNetworks: "10.0.0.0/8" }, "reservedNetworks: "],
  ["keep-targets-private", { allowedSuffixes: ["*.corp"] }, "allowedSuffixes.0: must be a domain of your own such as"],
  [
    "keep-targets-private",
    { allowedSuffixes: ["corp.example."] },
    "allowedSuffixes.0: must be a domain of your own such as",
  ],
  ["keep-targets-private", { allowedSuffixes: ["com"] }, "allowedSuffixes.0: must be a domain of your own such as"],
  ["keep-targets-private", { allowedSuffixes: ["co.uk"] }, "allowedSuffixes.0: must be a domain of your own such as"],
  ["keep-targets-private", { refusedNetworks: ["10.0.0.1/8"] }, "refusedNetworks.0: must be a CIDR block"],
  ["limit-ingress-ports", { allowedRanges: ["443-80"] }, "allowedRanges.0: must go upwards within 1 to 65535"],
  ["limit-ingress-ports", { allowedRanges: ["https"] }, 'allowedRanges.0: must be a port or a range such as "443"'],
  ["limit-ingress-ports", { allowedRanges: [] }, "allowedRanges: "],
  ["guard-dangerous-ports", { extraPorts: { ssh: "SSH" } }, "extraPorts.ssh: "],
  ["guard-dangerous-ports", { ports: { "22": "SSH" } }, 'Unrecognized key: "ports"'],
  ["avoid-duplicate-targets", { perTunnel: 1 }, "perTunnel: "],
  ["protect-production-tunnels", { productionStacks: [] }, "productionStacks: "],
  ["time-tunnel-deletes", { minSeconds: "10m" }, "minSeconds: "],
  ["time-tunnel-deletes", { minSeconds: 900, maxSeconds: 600 }, "minSeconds: must not be above maxSeconds"],
  ["protect-production-tunnels", { otherStacks: [""] }, "otherStacks.0: "],
  ["follow-naming-convention", { shareNames: [""] }, "shareNames.0: "],
  ["limit-shares-per-tunnel", { maxShares: 0 }, "maxShares: "],
  ["avoid-stored-keys", { stacks: "prod" }, "stacks: "],
  ["limit-key-lifetimes", { maxPhase1Seconds: 0 }, "maxPhase1Seconds: "],
  ["limit-key-lifetimes", { maxPhase1Seconds: 3600 }, "maxPhase2Seconds: must not be above maxPhase1Seconds"],
  ["guard-life-cycle-options", { approvedAdoptions: [""] }, "approvedAdoptions.0: "],
  ["require-locations", { allowed: [{ location: ["eu"] }] }, 'allowed.0: Unrecognized key: "location"'],
  ["refuse-weak-crypto", { dhGroups: ["group2"] }, "dhGroups.0: "],
])("%s does not take %j", async (name, config, says) => {
  expect((await refusal(name, config)).message).toContain(says);
});
