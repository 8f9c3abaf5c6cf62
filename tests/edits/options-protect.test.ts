import { type Resources, Stack } from "../engine/engine";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const web = { name: "web", ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443" };
const branch = {
  peerPublicIp: "203.0.113.9",
  peerCidr: "10.30.0.0/16",
  locationId: "loc-2",
  envZId: "env-1",
  shares: { mail: { target: "mail.internal:25", ingressPort: 25 } },
};
const names = ["hq", "web", "branch", "branch-mail"];

describe("protect", () => {
  const program = (protect: boolean, tunnel: object = {}, site: object = {}): Resources => ({
    tunnels: { hq: { ...hq, ...tunnel, opts: { protect } } },
    shares: { web: { ...web, ingressPort: 443, opts: { protect } } },
    sites: { branch: { ...branch, ...site, opts: { protect } } },
  });

  let stack: Stack;
  const outputs = () => names.map((name) => stack.kept()[name]?.outputs);
  beforeAll(async () => {
    stack = await Stack.open({}, "options-program");
    expect(await stack.up(program(true))).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterAll(() => stack.close());

  it.each<[string, () => Promise<{ code: number; text: string }>]>([
    ["their removal from the program", () => stack.up({})],
    ["a tunnel's replacement", () => stack.up(program(true, { peerCidr: "10.21.0.0/16" }))],
    ["the replacement of a site's tunnel", () => stack.up(program(true, {}, { peerCidr: "10.31.0.0/16" }))],
    ["destroy", () => stack.destroy()],
  ])("refuses %s, with nothing written", async (_, run) => {
    const before = outputs();
    const { code, text } = await run();
    expect(code).not.toBe(0);
    expect(text).toMatch(/protect/);
    expect(stack.writes()).toEqual([]);
    expect(outputs()).toEqual(before);
  });

  it("refuses to replace a tunnel without protect under a share that has it", async () => {
    const { shares = {}, ...rest } = program(false, { peerCidr: "10.21.0.0/16" });
    const run = await stack.up({ ...rest, shares: { web: { ...shares["web"], opts: { protect: true } } } });
    expect(run.code).not.toBe(0);
    expect(run.text).toMatch(/unable to replace resource .*web.* as part of replacing .*hq/);
    expect(stack.writes()).toEqual([]);
  });

  it("is taken away without a write, after which they are replaced and removed as ever", async () => {
    expect((await stack.up(program(false))).code).toBe(0);
    expect(stack.writes()).toEqual([]);
    const [tunnel, share, ...site] = names.map((name) => stack.id(name));
    expect((await stack.up(program(false, { peerCidr: "10.21.0.0/16" }))).code).toBe(0);
    expect(stack.writes().map((write) => write.split(" {")[0])).toEqual([
      `DELETE /ipsec-shares/${share}`,
      `DELETE /ipsec-tunnels/${tunnel}`,
      "POST /ipsec-tunnels",
      "POST /ipsec-shares",
    ]);
    expect(names.slice(2).map((name) => stack.id(name))).toEqual(site);
    expect((await stack.destroy()).code).toBe(0);
    expect(stack.published()).toEqual([]);
  });
});
