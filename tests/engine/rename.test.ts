import { Stack } from "../harness/stack";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

describe("a resource renamed in the program", () => {
  let stack: Stack;
  let ids: string[];
  let names: unknown[];

  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-other" });
    expect(await stack.up({ tunnels: { hq }, shares: { web } })).toMatchObject({ code: 0 });
    ids = [stack.id("hq"), stack.id("web")];
    names = ["hq", "web"].map((name) => stack.kept()[name]?.outputs["name"]);
  });
  beforeEach(() => stack.writes());
  afterAll(() => stack.close());

  it.each([409, 400] as const)(
    "is told what holds the port or the place, and how to go on with it, if the service says %i",
    async (status) => {
      stack.emulator.settings.conflictStatus = status;
      const run = await stack.up({ tunnels: { head: hq }, shares: { site: web } }, "--continue-on-error");
      expect(run.code).not.toBe(0);
      const about = (name: string) => run.errors.filter((error) => error.startsWith(`${name}: `)).join("\n");
      ["head", "site"].forEach((name, index) => {
        expect(about(name)).toContain(ids[index]);
        expect(about(name)).toContain(`"${String(names[index])}"`);
      });
      expect(about("head")).toMatch(/\balias/);
      expect(about("site")).toContain(`adopt: "${ids[1] ?? ""}"`);
      expect(stack.writes().filter((write) => !write.startsWith("POST"))).toEqual([]);
      expect([stack.id("hq"), stack.id("web")]).toEqual(ids);
    },
  );
});

describe("opts.import", () => {
  it("is refused at preview by the dynamic classes, with adopt named in its place", async () => {
    const stack = await Stack.open({}, { imports: "pulumi-frontdoor" });
    try {
      const { id: tunnel } = stack.emulator.seedTunnel({ ...hq, name: "hq" });
      const { id: share } = stack.emulator.seedShare({ ...web, name: "web", ipsecTunnelId: tunnel });
      for (const resources of [
        { tunnels: { hq: { ...hq, name: "hq", opts: { import: tunnel } } } },
        { shares: { web: { ...web, name: "web", ipsecTunnelId: tunnel, opts: { import: share } } } },
      ]) {
        const run = await stack.preview(resources);
        expect(run.code).not.toBe(0);
        expect(run.text).toMatch(/\badopt\b/);
        expect(stack.writes()).toEqual([]);
      }
    } finally {
      await stack.close();
    }
  });
});
