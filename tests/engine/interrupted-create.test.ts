import { join } from "node:path";
import { Stack } from "../harness/stack";

const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const program = { shares: { web } };

/** Runs `up` and calls this as soon as the service has answered a POST. */
async function upCutOff(stack: Stack, end: () => void) {
  stack.emulator.settings.onAnswer = ({ method }) => {
    if (method === "POST") end();
  };
  expect((await stack.up(program)).code).not.toBe(0);
  stack.emulator.settings.onAnswer = null;
  stack.writes();
}

let stack: Stack;
beforeEach(async () => {
  stack = await Stack.open({ provisionMs: 1_500, duplicateIngressPort: "allowed" });
  stack.emulator.seedTunnel({ id: "tnl-1" });
});
afterEach(() => stack.close());

/** The run creates and adopts nothing, and says how to adopt. */
async function expectRefused(id: string) {
  const run = await stack.up(program);
  expect(run.code).not.toBe(0);
  for (const words of [id, "adopt", "[identical-exists]"]) expect(run.errors.join("\n")).toContain(words);
  expect([stack.kept(), stack.writes()]).toEqual([{}, []]);
}

it("a create whose provider was killed is resumed by the same stack on the same machine, and by no other", async () => {
  await upCutOff(stack, () => {
    stack.killProvider();
  });
  const [id = ""] = stack.emulator.shares().map((share) => share.id);

  stack.env["FRONTDOOR_STATE_DIR"] = join(stack.folder, "another-machine");
  await expectRefused(id);
  delete stack.env["FRONTDOOR_STATE_DIR"];
  expect(await stack.steadyUp(program)).toMatchObject({ code: 0, steps: ["create web"] });
  expect([stack.id("web"), stack.writes()]).toEqual([id, []]);

  await stack.init("test", "another-back-end");
  await expectRefused(id);
  stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
  expect(await stack.up(program)).toMatchObject({ code: 0, steps: ["create web"] });
  expect([stack.id("web"), stack.writes()]).toEqual([id, []]);
});

it("a create whose engine was killed is resumed by pulumi cancel and pulumi up --refresh", async () => {
  await upCutOff(stack, () => {
    stack.killEngine();
  });
  expect((await stack.up(program, "--refresh")).text).toContain("pulumi cancel");
  await stack.run("cancel", "--yes");
  expect(await stack.up(program, "--refresh")).toMatchObject({ code: 0, errors: [] });
  expect([stack.alive(), stack.writes()]).toEqual([[stack.id("web"), "tnl-1"], []]);
  expect((await stack.up(program, "--refresh", "--expect-no-changes")).code).toBe(0);
});
