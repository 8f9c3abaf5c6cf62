import type { Run } from "../harness/event-log";
import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const share = (name: string, ingressPort: number, target: string) => ({
  name,
  ipsecTunnelId: "tnl-seeded",
  envZId: "env-1",
  target,
  ingressPort,
});
const web = share("web", 443, "web.internal:443");
const db = share("db", 5432, "db.internal:5432");
const moved = { ...db, target: "db2.internal:5432" };

describe.each([
  ["the next up", false],
  ["a refresh and the next up", true],
])("provisioning that ends in ERROR, repaired by %s", (_, isRefreshed) => {
  let stack: Stack;
  let failed: Run;
  let repaired: Run;
  let failedWrites: string[];
  let repairWrites: string[];
  let keptBetween: ReturnType<Stack["kept"]>;

  // One create of each kind and one update fail at once, and are repaired at once.
  beforeAll(async () => {
    stack = await Stack.open({ provisionMs: 1500 });
    stack.emulator.seedTunnel({ id: "tnl-seeded", locationId: "loc-seeded" });
    expect(await stack.up({ shares: { db } })).toMatchObject({ code: 0, steps: ["create db"] });
    stack.writes();

    const { faults } = stack.emulator;
    faults.failNext({ kind: "tunnel", op: "create" });
    faults.failNext({ kind: "share", op: "create" });
    faults.failNext({ kind: "share", op: "update" });
    const resources = { tunnels: { hq }, shares: { web, db: moved } };
    failed = await stack.up(resources);
    failedWrites = stack.writes();
    if (isRefreshed) expect(await stack.refresh()).toMatchObject({ code: 0 });
    keptBetween = stack.kept();
    repaired = await stack.steadyUp(resources);
    repairWrites = stack.writes();
  });
  afterAll(() => stack.close());

  it("fails naming resource, status and next step, and keeps all with their ids", () => {
    expect(failed.code).not.toBe(0);
    const errors = failed.errors.join("\n");
    const again = 'the service reports ERROR; it is kept in the state: run "pulumi up" again';
    const id = (name: string) => keptBetween[name]?.id ?? "(lost)";
    expect(errors).toContain(`IPsec tunnel "hq" (${id("hq")}): ${again}, it replaces the tunnel`);
    expect(errors).toContain(`IPsec share "web" (${id("web")}): ${again}, it sends the share once more`);
    expect(errors).toContain(`IPsec share "db" (${id("db")}): ${again}, it sends the share once more`);
    expect(Object.values(keptBetween).map(({ outputs }) => outputs["status"])).toEqual(["ERROR", "ERROR", "ERROR"]);
    expect(failedWrites.sort()).toEqual([
      `PATCH /ipsec-shares/${id("db")} {"target":"db2.internal:5432"}`,
      `POST /ipsec-shares ${inOrder(web)}`,
      `POST /ipsec-tunnels ${JSON.stringify(hq)}`,
    ]);
  });

  it("sends shares once more by PUT and replaces the tunnel", () => {
    expect(repaired.code).toBe(0);
    expect([stack.id("web"), stack.id("db")]).toEqual([keptBetween["web"]?.id, keptBetween["db"]?.id]);
    expect(stack.kept()).toMatchObject({
      hq: { outputs: { status: "DEPLOYED" } },
      web: { outputs: { status: "DEPLOYED" } },
      db: { outputs: { status: "DEPLOYED", target: "db2.internal:5432" } },
    });
    const puts = repairWrites.filter((write) => write.startsWith("PUT"));
    expect(puts.sort()).toEqual(
      [
        `PUT /ipsec-shares/${stack.id("web")} ${inOrder(web)}`,
        `PUT /ipsec-shares/${stack.id("db")} ${inOrder(moved)}`,
      ].sort(),
    );
    expect(repairWrites.filter((write) => !write.startsWith("PUT"))).toEqual([
      `DELETE /ipsec-tunnels/${keptBetween["hq"]?.id ?? "(lost)"}`,
      `POST /ipsec-tunnels ${JSON.stringify(hq)}`,
    ]);
  });
});

/** The share with its fields in the order in which they are sent. */
const inOrder = ({ name, ipsecTunnelId, envZId, target, ingressPort }: typeof web) =>
  JSON.stringify({ name, ipsecTunnelId, envZId, target, ingressPort });
