import { type Ended, well } from "../harness/command";
import { Copies } from "../harness/copies";
import { expectSound } from "../policy/sound-example";

// The examples examples/network and examples/services, as two teams copy them.
describe("two stacks", () => {
  let copies: Copies;
  let oldTunnel: string;

  beforeAll(async () => {
    copies = await Copies.open();
    for (const name of ["network", "services"]) {
      copies.copy(name);
      well(await copies.pulumi(name, "stack", "init", "dev"));
    }
    well(await copies.pulumi("services", "config", "set", "networkStack", "organization/frontdoor-network/dev"));
  });
  afterAll(() => copies.close());

  const up = (stack: string) => copies.pulumi(stack, "up", "--yes", "--skip-preview");
  const outputs = async (stack: string) =>
    JSON.parse(well(await copies.pulumi(stack, "stack", "output", "--json")).stdout) as {
      tunnel: { tunnelId: string; locationId: string; nlbDnsName: string };
      endpoints: Record<string, string>;
    };
  const live = () => copies.emulator.tunnels().filter(({ status }) => status !== "DELETED");
  const said = ({ stdout, stderr }: Ended) => stdout + stderr;

  it("the services stack says in one line what it misses before the network's first up", async () => {
    const run = await copies.pulumi("services", "preview");
    expect(run.code).not.toBe(0);
    expect(said(run)).toMatch(/has no output "tunnel"\. .*publishedTunnel|stack .* not found|unknown stack/i);
    expect(said(run)).not.toContain("    at ");
  });

  it("the services stack publishes on the network stack's tunnel", async () => {
    well(await up("network"));
    well(await up("services"));
    const [tunnel] = live();
    oldTunnel = tunnel?.id ?? "";
    expect((await outputs("network")).tunnel).toMatchObject({ tunnelId: oldTunnel, locationId: "loc-1" });
    expect((await outputs("services")).endpoints["intranet"]).toBe(`${tunnel?.nlbDnsName ?? ""}:443`);
    expect(copies.emulator.shares().map((share) => share.ipsecTunnelId)).toEqual([oldTunnel, oldTunnel]);
    copies.writes();
    for (const stack of ["network", "services"]) await expectSound(copies, stack);
  });

  it("the network's destroy is refused while the services use its tunnel, and names them", async () => {
    const run = await copies.pulumi("network", "destroy", "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    for (const { id, name } of copies.emulator.shares()) expect(said(run)).toContain(`"${name}" (${id})`);
    expect(live().map(({ id, status }) => [id, status])).toEqual([[oldTunnel, "DEPLOYED"]]);
    copies.writes();
  });

  it("a move of the tunnel makes the new one, names the shares that hold the old one and keeps that in the state", async () => {
    well(await copies.pulumi("network", "config", "set", "locationId", "loc-2"));
    const run = await up("network");
    expect(run.code).not.toBe(0);
    for (const { id, name } of copies.emulator.shares()) expect(said(run)).toContain(`"${name}" (${id})`);
    expect(copies.writes()).toEqual(["POST /ipsec-tunnels", `DELETE /ipsec-tunnels/${oldTunnel}`]);
    expect(live().map(({ locationId, status }) => [locationId, status])).toEqual([
      ["loc-1", "DEPLOYED"],
      ["loc-2", "DEPLOYED"],
    ]);
    const { stdout } = well(await copies.pulumi("network", "stack", "export"));
    const { deployment } = JSON.parse(stdout) as { deployment: { resources: { id?: string; delete?: boolean }[] } };
    expect(deployment.resources.find(({ id }) => id === oldTunnel)).toMatchObject({ delete: true });
    const { tunnel } = await outputs("network");
    expect(tunnel).toMatchObject({ tunnelId: live()[1]?.id, locationId: "loc-2" });
  });

  it("the services move over by one PATCH each, and the network's next up deletes the old tunnel", async () => {
    const [, moved] = live();
    well(await up("services"));
    expect(copies.writes()).toEqual([expect.stringMatching(/^PATCH/), expect.stringMatching(/^PATCH/)]);
    expect(copies.emulator.shares().map((share) => share.ipsecTunnelId)).toEqual([moved?.id, moved?.id]);
    expect((await outputs("services")).endpoints["intranet"]).toBe(`${moved?.nlbDnsName ?? ""}:443`);

    well(await up("network"));
    expect(copies.writes()).toEqual([`DELETE /ipsec-tunnels/${oldTunnel}`]);
    expect(live().map(({ id }) => id)).toEqual([moved?.id]);
    for (const stack of ["network", "services"]) {
      well(await copies.pulumi(stack, "refresh", "--yes", "--skip-preview", "--expect-no-changes"));
      well(await copies.pulumi(stack, "preview", "--expect-no-changes"));
    }
    expect(copies.writes()).toEqual([]);
  });

  it("both are gone when the services go first", async () => {
    for (const stack of ["services", "network"]) well(await copies.pulumi(stack, "destroy", "--yes", "--skip-preview"));
    expect(live()).toEqual([]);
  });
});
