import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };

/** What a message can advise, and what a user who reads it does; another name or place is not what they want. */
const remedies: [pattern: RegExp, follow: (found: RegExpExecArray, stack: Stack, tunnel: object) => unknown][] = [
  [/set adopt: "([\w-]+)"/, ([, adopt], _, tunnel) => Object.assign(tunnel, { adopt })],
  [/(leave|take|remove) adopt out|without adopt/, (_, __, tunnel) => Object.assign(tunnel, { adopt: undefined })],
  [/delete (?:it|the tunnel|IPsec tunnel|(tnl-\d+))/i, (_, stack) => deleteInError(stack)],
  [/run "pulumi up" again/, () => undefined],
];

/** As by hand, with whatever tool the user has for it. */
async function deleteInError({ emulator }: Stack) {
  for (const { id } of emulator.tunnels().filter(({ status }) => status === "ERROR")) {
    const headers = { authorization: `Bearer ${emulator.token}` };
    await fetch(`${emulator.baseUrl}/v2/${emulator.frontdoorId}/ipsec-tunnels/${id}`, { method: "DELETE", headers });
  }
}

describe("a tunnel in ERROR under a chosen name, left by an interrupted run", () => {
  it("has a way out that the messages name, and leaves one tunnel", async () => {
    const stack = await Stack.open();
    try {
      stack.emulator.faults.failNext({ kind: "tunnel", op: "create" });
      const tunnel = { ...hq };
      const interrupted = stack.up({ tunnels: { hq: tunnel } });
      while (stack.emulator.tunnels().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      stack.killProvider();
      expect((await interrupted).code).not.toBe(0);

      const told: string[] = [];
      const followed = new Set<RegExp>();
      for (;;) {
        const run = await stack.up({ tunnels: { hq: tunnel } });
        told.push(run.errors.join("\n"));
        if (run.code === 0) break;
        // Each only once: what the messages lead back to is a circle.
        const [advice] = remedies.flatMap(([pattern, follow]) => {
          const found = followed.has(pattern) ? null : pattern.exec(run.errors.join("\n"));
          return found ? { pattern, follow: () => follow(found, stack, tunnel) } : [];
        });
        if (!advice) throw new Error(`the messages lead nowhere:\n${told.join("\n")}`);
        followed.add(advice.pattern);
        await advice.follow();
      }

      const alive = stack.emulator.tunnels().filter(({ status }) => status !== "DELETED");
      expect(alive).toMatchObject([{ id: stack.id("hq"), status: "DEPLOYED" }]);
    } finally {
      await stack.close();
    }
  });
});
