import { avoidStoredKeys, except, guardDangerousPorts, keepIngressPortsUnique } from "../../policy/index";
import { refuseStrays } from "../../policy/except";
import { remedied, violations } from "./checking";
import { share, tokens, tunnel } from "./tables";

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
    refuseStrays([]);
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
    const made = (day: string) => remedied(except(avoidStoredKeys, [until(day, "IpsecTunnel::hq")]), dynamic(tunnel()));
    expect([await made(today), await made(yesterday)]).toEqual([undefined, expect.anything()]);
  });

  it("that names no resource of the stack is an error, with the one that is meant, and one of another stack is not", async () => {
    const judged = (resource: string) =>
      violations(
        except(keepIngressPortsUnique, [until(today, resource)]),
        [tunnel(), share({}, { name: "app" })].map(dynamic),
      );
    await expect(judged("IpsecShare::ap")).rejects.toThrow(
      'an exception of policy "keep-ingress-ports-unique" names IpsecShare::ap, and the stack has no such resource. Did you mean IpsecShare::app? [policy-settings]',
    );
    expect(await judged("IpsecShare::app")).toEqual([]);
    expect(await judged(`urn:pulumi:prod::project::${ssh.type}::ssh`)).toEqual([]);
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
