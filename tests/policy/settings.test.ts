import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Exception, strayExceptions } from "../../policy/except";
import {
  baseline,
  checkThePack,
  encryptPreSharedKeys,
  except,
  guardDangerousPorts,
  keepIngressPortsUnique,
  policies,
  strict,
} from "../../policy/index";
import { generated } from "../../policy/pages";
import { root } from "../harness/folder";
import { type Given, type Props, remedied, share, tokens, tunnel, unknown, violations } from "./checking";

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

const dynamic = (each: ReturnType<typeof share>) => ({ ...each, type: tokens.dynamic[each.type === "tunnel" ? 0 : 1] });

const ssh = dynamic(share({ ingressPort: 22 }, { name: "ssh" }));

const rdp = dynamic(share({ ingressPort: 3389 }, { name: "rdp" }));

const reason = "bastion until the move, OPS-7";

const [yesterday, today] = ["2027-02-28", "2027-03-01"];

const expired = `expired on ${yesterday}.`;

describe("an exception", () => {
  beforeAll(() => jest.useFakeTimers({ now: new Date("2027-03-01T23:59:59Z"), doNotFake: ["nextTick"] }));
  afterAll(() => jest.useRealTimers());
  // The exceptions of a policy wait for the resources of a stack, which most of these tests do not have.
  beforeEach(() => {
    strayExceptions([]);
  });

  const until = (day: string, resource = "IpsecShare::ssh") => ({ resource, until: day, reason });
  const excused = (...exceptions: ReturnType<typeof until>[]) => except(guardDangerousPorts, exceptions);

  it.each([
    ["excuses its resource on its last day", until(today), true],
    ["names a resource by its URN", until(today, `urn:pulumi:dev::project::${ssh.type}::ssh`), true],
    ["names a resource by its type", until(today, `${ssh.type}::ssh`), true],
    ["does not excuse one of the other host's type", until(today, `${tokens.plugin[1]}::ssh`), false],
    ["does not excuse one of another class", until(today, "IpsecTunnel::ssh"), false],
    ["does not take part of a name", until(today, "IpsecShare::sh"), false],
  ])("%s", async (_it, exception, isExcused) => {
    expect(await violations(excused(exception), [ssh])).toHaveLength(isExcused ? 0 : 1);
    expect(await violations(excused(exception), [rdp])).toEqual([expect.stringMatching(/^rdp: /)]);
  });

  it("may run for a year and no longer", () => {
    expect(() => excused(until("2028-03-01"))).not.toThrow();
    for (const day of ["2028-03-02", "2030-01-01", "9999-12-31"])
      expect(() => excused(until(day))).toThrow("0.until: must be at most 366 days ahead");
  });

  it("that has expired says so, and another beside it excuses again", async () => {
    const told = `The exception for it (${reason}) ${expired}`;
    expect(await violations(excused(until(yesterday)), [ssh])).toEqual([expect.stringContaining(told)]);
    expect(await violations(excused(until(yesterday), until("2027-04-01")), [ssh])).toEqual([]);
  });

  it("can come from the settings", async () => {
    const judged = (day: string) => violations(guardDangerousPorts, [ssh], { exceptions: [until(day)] });
    expect([await judged(today), await judged(yesterday)]).toEqual([[], [expect.stringContaining(expired)]]);
  });

  it("works on a policy for the whole stack", async () => {
    const given = [tunnel(), share({}, { name: "app" }), share({}, { name: "ssh" })].map(dynamic);
    const judged = (day: string) => violations(except(keepIngressPortsUnique, [until(day)]), given);
    expect(await violations(keepIngressPortsUnique, given)).toHaveLength(1);
    expect([await judged(today), await judged(yesterday)]).toEqual([[], [expect.stringContaining(expired)]]);
  });

  it("keeps a remediation away, until it expires", async () => {
    const note = { type: "note", name: "hq", props: { plain: "pre-shared-key canary-6666" } };
    const made = (day: string) => remedied(except(encryptPreSharedKeys, [until(day, "note::hq")]), note);
    expect([await made(today), await made(yesterday)]).toEqual([undefined, expect.anything()]);
  });

  const services = (shares: Props): Given => ({
    ...{ type: "frontdoor:index:IpsecShareSet", name: "services" },
    props: { ipsecTunnelId: "tnl-1", envZId: "env-1", shares },
  });

  const set = services({ ssh: ssh.props, rdp: rdp.props });
  /** Singles with the ports of the set. */
  const singles = [22, 3389].map((ingressPort) =>
    share({ ingressPort }, { type: tokens.plugin[1], name: `single-${ingressPort}` }),
  );

  it.each([
    ["names no resource of the stack: a misspelled one", "IpsecShare::ap", " Did you mean IpsecShare::app?"],
    ["names no resource of the stack: one that is gone", "IpsecTunnel::old-vpn", ""],
    [
      "names a share of a set whose key is misspelled",
      "IpsecShareSet::services::shs",
      " Did you mean IpsecShareSet::services::ssh?",
    ],
    ["names the resource of this stack", "IpsecShare::app", undefined],
    ["names a share of a set whose keys are not known", "IpsecShareSet::later::ssh", undefined],
    ["names a share of a set that is not known", "IpsecShareSet::services::rdp", undefined],
    ["names a share of a set", "IpsecShareSet::services::ssh", undefined],
    ["names the URN of a resource of another stack", `urn:pulumi:prod::project::${ssh.type}::ssh`, undefined],
  ])("that %s stops no stack, and check-the-pack warns of what excuses nothing", async (_it, resource, meant) => {
    const later = { ...services({}), name: "later" };
    const given = [
      ...[tunnel(), share({}, { name: "app" })].map(dynamic),
      services({ ssh: ssh.props, rdp: unknown }),
      { ...later, props: { ...later.props, shares: unknown } },
    ];
    const policy = except(keepIngressPortsUnique, [until(today, resource)]);
    expect(await violations(policy, given)).toEqual([]);
    const told = `An exception of policy "keep-ingress-ports-unique" names ${resource}, and this stack has no such resource. The exception excuses nothing here.${meant ?? ""}\nFix: Correct or remove the exception. If another stack has the resource, name it by its URN.`;
    const warned = await violations(checkThePack, given);
    expect(warned).toEqual(meant === undefined ? [] : [expect.stringContaining(told)]);
    // It is said once.
    expect(await violations(checkThePack, given)).toEqual([]);
  });

  it("in the settings is compared with a stack that has no resource of the policy's kind too", async () => {
    const given = [dynamic(tunnel())];
    expect(await violations(guardDangerousPorts, given, { exceptions: [until(today)] })).toEqual([]);
    expect(await violations(checkThePack, given)).toEqual([
      expect.stringContaining('of policy "guard-dangerous-ports" names IpsecShare::ssh, and this stack has no such'),
    ]);
  });

  it.each([
    ["in the settings", (exception: Exception) => violations(guardDangerousPorts, [set], { exceptions: [exception] })],
    ["around a policy", (exception: Exception) => violations(except(guardDangerousPorts, [exception]), [set])],
    [
      "around a policy for the whole stack",
      (exception: Exception) => violations(except(keepIngressPortsUnique, [exception]), [...singles, set]),
    ],
  ])("for one share of a set excuses only that key, %s", async (_it, judged) => {
    const all = await judged(until(today, "IpsecShareSet::other"));
    const said = await judged(until(today, "IpsecShareSet::services::ssh"));
    expect(all).toHaveLength(2);
    expect(said).toEqual(all.filter((each) => each.includes('shares["rdp"]')));
    expect(said).toHaveLength(1);
    // The name of the set stands for all of its shares.
    expect(await judged(until(today, "IpsecShareSet::services"))).toEqual([]);
    expect(await judged(until(yesterday, "IpsecShareSet::services::ssh"))).toEqual(
      all.map((each) => expect.stringContaining(each.includes('["ssh"]') ? expired : each.slice(0, 40)) as string),
    );
  });

  it("leaves name, level and settings of the policy as they are", () => {
    const { name, enforcementLevel, configSchema, about } = guardDangerousPorts;
    expect(excused()).toMatchObject({ name, enforcementLevel, configSchema, about });
  });
});

const right = { resource: "IpsecShare::ssh", until: today, reason: "x" };

it.each([
  [{ resource: "ssh" }, "0.resource: must be a URN, or type and name such as"],
  [{ until: "2027-02-30" }, "0.until: must be a day such as 2027-03-01"],
])("an exception with %j is refused at once", (wrong, says) => {
  const told = `the exceptions of policy "guard-dangerous-ports" are wrong: ${says}`;
  expect(() => except(guardDangerousPorts, [{ ...right, ...wrong }])).toThrow(told);
});

describe("what is made from the policies' definitions", () => {
  it.each(Object.entries(generated()))("%s is current; if not: npm run docs", (path, content) => {
    expect(existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "missing").toBe(content);
  });
});

describe("the presets", () => {
  it.each([
    ["baseline", baseline],
    ["strict", strict],
  ])("%s names every policy with a level and settings that are right", async (_name, preset) => {
    expect(Object.keys(preset)).toEqual(policies.map(({ name }) => name));
    for (const policy of policies) {
      const { enforcementLevel, ...settings } = preset[policy.name] as Record<string, unknown>;
      expect(["advisory", "mandatory", "remediate", "disabled"]).toContain(enforcementLevel);
      await violations(
        policy,
        [{ type: "frontdoor:index:IpsecTunnel" }, { type: "frontdoor:index:IpsecShare" }],
        settings,
      );
    }
  });
});
