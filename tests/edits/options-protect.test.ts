import type { Resources, Stack } from "../harness/stack";
import { branch, hq, mail, names, on, openUp } from "./program";

describe("protect", () => {
  const program = (protect: boolean, tunnel: object = {}, site: object = {}): Resources => ({
    tunnels: { hq: { ...hq, ...tunnel, opts: { protect } } },
    shares: { web: { ...on("hq"), opts: { protect } } },
    sites: { branch: { ...branch, shares: { mail }, ...site, opts: { protect } } },
  });

  let stack: Stack;
  const outputs = () => names.map((name) => stack.kept()[name]?.outputs);
  beforeAll(async () => {
    stack = await openUp(program(true));
  });
  afterAll(() => stack.close());

  it.each<[string, () => Promise<{ code: number; text: string }>]>([
    ["their removal from the program", () => stack.steadyUp({})],
    ["a tunnel's replacement", () => stack.steadyUp(program(true, { peerCidr: "10.21.0.0/16" }))],
    ["the replacement of a site's tunnel", () => stack.steadyUp(program(true, {}, { peerCidr: "10.31.0.0/16" }))],
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
    const run = await stack.steadyUp({ ...rest, shares: { web: { ...shares["web"], opts: { protect: true } } } });
    expect(run.code).not.toBe(0);
    expect(run.text).toMatch(/unable to replace resource .*web.* as part of replacing .*hq/);
    expect(stack.writes()).toEqual([]);
  });

  it("is taken away without a write, after which they are replaced and removed as ever", async () => {
    expect((await stack.steadyUp(program(false))).code).toBe(0);
    expect(stack.writes()).toEqual([]);
    const [tunnel, share, ...site] = names.map((name) => stack.id(name));
    expect((await stack.steadyUp(program(false, { peerCidr: "10.21.0.0/16" }))).code).toBe(0);
    expect(stack.calls()).toEqual([
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
