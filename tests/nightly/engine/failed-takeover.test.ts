import { ownToken } from "../../harness/plugin";
import { Stack } from "../../harness/stack";

// The state then holds the same share twice, or under two names: the old one is still to be deleted.
describe("a share that is taken over in a run that then fails", () => {
  const urn = `urn:pulumi:test::engine::${ownToken("IpsecShare")}::web`;
  const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  const moved = { ...web, target: "web2.internal:443" };
  const bad = { ...web, target: "bad.internal:443", ingressPort: 444 };

  let stack: Stack;
  let id: string;
  beforeEach(async () => {
    stack = await Stack.open();
    // With --replace the engine makes the new one first, which so takes over the old one.
    stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
    stack.emulator.seedTunnel({ id: "tnl-1" });
    expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0 });
    id = stack.id("web");
    stack.writes();
  });
  afterEach(() => stack.close());

  const ends = async (shares: Record<string, typeof web & { adopt?: string }>, entered: string[], writes: string[]) => {
    const run = await stack.up({ shares });
    expect(stack.writes()).toEqual(writes);
    expect(stack.alive()).toEqual([id, "tnl-1"]);
    expect(run.errors).toEqual([]);
    expect(run.code).toBe(0);
    expect(stack.entered()).toEqual(entered);
  };

  it("is kept by the next run, which changes a field, where another resource failed beside its replacement", async () => {
    stack.emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-shares$/, status: 403 });
    expect((await stack.up({ shares: { web, bad } }, "--replace", urn)).code).not.toBe(0);
    stack.writes();
    const write = `PATCH /ipsec-shares/${id} {"target":"web2.internal:443"}`;
    await ends({ web: moved }, [`web ${id}`], [write]);
  });

  it("is kept by the next run, which repairs it, where its replacement met it in ERROR", async () => {
    stack.emulator.setStatus(id, "ERROR");
    stack.emulator.faults.failNext({ kind: "share", op: "update" });
    expect((await stack.up({ shares: { web } }, "--replace", urn)).code).not.toBe(0);
    expect(stack.writes().filter((write) => !write.startsWith("PUT"))).toEqual([]);
    const { ipsecTunnelId, envZId, target, ingressPort } = web;
    const body = { name: "engine-test-web", ipsecTunnelId, envZId, target, ingressPort };
    const name = (stack.kept()["web"]?.outputs["name"] as string | undefined) ?? body.name;
    await ends({ web }, [`web ${id}`], [`PUT /ipsec-shares/${id} ${JSON.stringify({ ...body, name })}`]);
  });

  it("is kept by the next run, which changes a field, where another resource failed beside its new name", async () => {
    const portal = { ...web, adopt: id };
    stack.emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-shares$/, status: 403 });
    expect((await stack.up({ shares: { portal, bad } })).code).not.toBe(0);
    stack.writes();
    const write = `PATCH /ipsec-shares/${id} {"target":"web2.internal:443"}`;
    await ends({ portal: { ...moved, adopt: id } }, [`portal ${id}`], [write]);
  });
});
