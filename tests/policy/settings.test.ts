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
const domain = "allowedSuffixes.0: must be a domain of your own such as";
// What a setting takes beyond the type that its schema says.
it.each([
  ["use-public-peers", { refusedNetworks: ["8.8.8.8"] }, `refusedNetworks.0: ${cidr}`],
  ["limit-peer-networks", { widestPrefix: 33 }, "widestPrefix: "],
  ["limit-peer-networks", { allowedPublicNetworks: ["8.8.8.8/16"] }, `allowedPublicNetworks.0: ${cidr}`],
  ["separate-peer-networks", { reservedNetworks: "10.0.0.0/8" }, "reservedNetworks: "],
  ["keep-targets-private", { allowedSuffixes: ["*.corp"] }, domain],
  ["keep-targets-private", { allowedSuffixes: ["corp.example."] }, domain],
  ["keep-targets-private", { allowedSuffixes: ["co.uk"] }, domain],
  ["keep-targets-private", { refusedNetworks: ["10.0.0.1/8"] }, `refusedNetworks.0: ${cidr}`],
  ["limit-ingress-ports", { allowedRanges: ["443-80"] }, "allowedRanges.0: must go upwards within 1 to 65535"],
  ["limit-ingress-ports", { allowedRanges: ["https"] }, 'allowedRanges.0: must be a port or a range such as "443"'],
  ["guard-dangerous-ports", { extraPorts: { ssh: "SSH" } }, "extraPorts.ssh: "],
  ["protect-production-tunnels", { productionStacks: [] }, "productionStacks: "],
  ["time-tunnel-deletes", { minSeconds: 900, maxSeconds: 600 }, "minSeconds: must not be above maxSeconds"],
  ["follow-naming-convention", { shareNames: [""] }, "shareNames.0: "],
  ["limit-key-lifetimes", { maxPhase1Seconds: 3600 }, "maxPhase2Seconds: must not be above maxPhase1Seconds"],
  ["require-locations", { allowed: [{ location: ["eu"] }] }, 'allowed.0: Unrecognized key: "location"'],
  ["refuse-weak-crypto", { dhGroups: ["group2"] }, "dhGroups.0: "],
])("%s does not take %j", async (name, config, says) => {
  expect((await refusal(name, config)).message).toContain(says);
});
