import { pluginClasses } from "../harness/plugin";
import { type Resources, Stack } from "../harness/stack";

const program: Resources = {
  tunnels: { hq: { name: "Branch", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } },
  shares: {
    web: {
      ipsecTunnelId: { tunnel: "hq" },
      envZId: "env-1",
      locationId: "eu-West-1",
      target: { secret: "Vault.internal:443" },
      ingressPort: 443,
    },
  },
  sets: {
    services: {
      ipsecTunnelId: { tunnel: "hq" },
      envZId: "env-1",
      locationId: "eu-West-1",
      shares: { db: { target: "db:1", ingressPort: 1 } },
    },
  },
};

describe.each(["pulumi-frontdoor", pluginClasses])("a service that changes spellings, with %s", (imports) => {
  let stack: Stack;
  beforeAll(async () => {
    const spellings = { name: "upper", locationId: "upper", target: "lower", ingressPort: "text" } as const;
    stack = await Stack.open({ spellings }, { imports });
  });
  afterAll(() => stack.close());

  it("gets no write without an edit, also after a refresh, and one line tells of each resource", async () => {
    const first = await stack.up(program);
    expect(first).toMatchObject({ code: 0, errors: [] });
    const lines = first.notes.filter((line) => line.includes("[shown-differently]"));
    expect(lines.sort()).toEqual([
      expect.stringMatching(/IPsec share "engine-test-web.*`target`.*`locationId`/),
      expect.stringMatching(/IPsec share set "engine-test-services.*`shares\["db"\].locationId`/),
      expect.stringMatching(/IPsec tunnel "Branch".*`name`/),
    ]);
    expect(stack.writes()).toHaveLength(3);
    expect(stack.stateText().toLowerCase()).not.toContain("vault.internal");
    const kept = stack.kept();
    expect(kept["hq"]?.outputs).toMatchObject({ name: "Branch", __shown: { name: "BRANCH" } });
    expect(kept["web"]?.outputs).toMatchObject({ locationId: "eu-West-1" });

    expect(await stack.up(program, "--expect-no-changes")).toMatchObject({ code: 0, steps: [] });
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0, steps: [] });
    expect(stack.kept()).toEqual(kept);
    expect(await stack.up(program, "--expect-no-changes")).toMatchObject({ code: 0, steps: [] });
    expect(stack.writes()).toEqual([]);
  });
});
