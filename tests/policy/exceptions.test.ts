import { avoidStoredKeys, except, guardDangerousPorts, keepIngressPortsUnique } from "../../policy/index";
import { remedied, violations } from "./checking";
import { share, tokens, tunnel } from "./tables";

const dynamic = (each: ReturnType<typeof share>) => ({ ...each, type: tokens.dynamic[each.type === "tunnel" ? 0 : 1] });
const ssh = dynamic(share({ ingressPort: 22 }, { name: "ssh" }));
const rdp = dynamic(share({ ingressPort: 3389 }, { name: "rdp" }));
const exception = (until: string, resource = "IpsecShare::ssh") => ({
  resource,
  until,
  reason: "bastion until the move, OPS-7",
});

describe("an exception", () => {
  beforeAll(() => jest.useFakeTimers({ now: new Date("2027-03-01T23:59:59Z"), doNotFake: ["nextTick"] }));
  afterAll(() => jest.useRealTimers());

  it("excuses its resource up to and on its last day, and no other", async () => {
    const policy = except(guardDangerousPorts, [exception("2027-03-01")]);
    expect(await violations(policy, [ssh, rdp])).toEqual([expect.stringMatching(/^rdp: /)]);
  });
  it("names a resource by its URN too", async () => {
    const urn = `urn:pulumi:dev::project::${ssh.type}::ssh`;
    expect(await violations(except(guardDangerousPorts, [exception("2027-03-01", urn)]), [ssh])).toEqual([]);
  });
  it("names one of two resources that have a name alike", async () => {
    const other = { ...ssh, type: tokens.plugin[1] };
    const policy = except(guardDangerousPorts, [exception("2027-03-01", `${ssh.type}::ssh`)]);
    expect(await violations(policy, [ssh])).toEqual([]);
    expect(await violations(policy, [other])).toHaveLength(1);
    expect(
      await violations(except(guardDangerousPorts, [exception("2027-03-01", "IpsecTunnel::ssh")]), [ssh]),
    ).toHaveLength(1);
  });
  it("may run for a year and no longer", () => {
    expect(() => except(guardDangerousPorts, [exception("2028-03-01")])).not.toThrow();
    for (const until of ["2028-03-02", "2030-01-01", "9999-12-31"])
      expect(() => except(guardDangerousPorts, [exception(until)])).toThrow("0.until: must be at most 366 days ahead");
  });
  it("does not take part of a name", async () => {
    expect(
      await violations(except(guardDangerousPorts, [exception("2027-03-01", "IpsecShare::sh")]), [ssh]),
    ).toHaveLength(1);
  });
  it("no longer excuses once it has expired, and says so", async () => {
    const policy = except(guardDangerousPorts, [exception("2027-02-28")]);
    expect(await violations(policy, [ssh])).toEqual([
      expect.stringContaining("The exception for it (bastion until the move, OPS-7) expired on 2027-02-28."),
    ]);
  });
  it("given anew excuses again beside an expired one", async () => {
    const policy = except(guardDangerousPorts, [exception("2027-02-28"), exception("2027-04-01")]);
    expect(await violations(policy, [ssh])).toEqual([]);
  });
  it("can come from the settings", async () => {
    expect(await violations(guardDangerousPorts, [ssh], { exceptions: [exception("2027-03-01")] })).toEqual([]);
    expect(await violations(guardDangerousPorts, [ssh], { exceptions: [exception("2027-02-28")] })).toEqual([
      expect.stringContaining("expired on 2027-02-28"),
    ]);
  });
  it("works on a policy for the whole stack", async () => {
    const given = [tunnel(), share({}, { name: "app" }), share({}, { name: "ssh" })].map(dynamic);
    expect(await violations(keepIngressPortsUnique, given)).toHaveLength(1);
    expect(await violations(except(keepIngressPortsUnique, [exception("2027-03-01")]), given)).toEqual([]);
    expect(await violations(except(keepIngressPortsUnique, [exception("2027-02-28")]), given)).toEqual([
      expect.stringContaining("expired on 2027-02-28"),
    ]);
  });
  it("keeps a remediation away, until it expires", async () => {
    const hq = dynamic(tunnel());
    expect(await remedied(except(avoidStoredKeys, [exception("2027-03-01", "IpsecTunnel::hq")]), hq)).toBeUndefined();
    expect(await remedied(except(avoidStoredKeys, [exception("2027-02-28", "IpsecTunnel::hq")]), hq)).toBeDefined();
  });
  it("leaves name, level and settings of the policy as they are", () => {
    const { name, enforcementLevel, configSchema, about } = guardDangerousPorts;
    expect(except(guardDangerousPorts, [])).toMatchObject({ name, enforcementLevel, configSchema, about });
  });
});

it.each([
  [{ resource: "ssh", until: "2027-03-01", reason: "x" }, "0.resource: must be a URN, or type and name such as"],
  [{ resource: "", until: "2027-03-01", reason: "x" }, "0.resource"],
  [{ resource: "IpsecShare::ssh", until: "2027-02-30", reason: "x" }, "0.until: must be a day such as 2027-03-01"],
  [{ resource: "IpsecShare::ssh", until: "2027-03-01", reason: "" }, "0.reason: must say why"],
])("the exception %j is refused at once", (wrong, says) => {
  expect(() => except(guardDangerousPorts, [wrong])).toThrow(
    new RegExp(`the exceptions of policy "guard-dangerous-ports" are wrong: ${says}`),
  );
});
