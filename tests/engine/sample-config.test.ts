import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };

describe("sample configuration", () => {
  let stack: Stack;
  let reads = 0;
  let key = "1712345678";
  /** With the time of its making, as some services write it. */
  const text = () =>
    `! Generated at ${new Date(Date.parse("2026-03-01T10:00:00Z") + (reads += 1) * 1000).toISOString()} for hq\npre-shared-key ${key}\n`;
  /** With the secrets in the clear; the stack's own outputs are from the last up. */
  const state = async () => {
    const { text } = await stack.run("stack", "export", "--stack", "test", "--show-secrets");
    const { deployment } = JSON.parse(text) as { deployment: { resources: { type: string; outputs: object }[] } };
    const tunnel = deployment.resources.find(({ type }) => type.includes("IpsecTunnel"));
    return JSON.stringify(tunnel?.outputs);
  };

  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.faults.onRequest({
      match: ({ path }) => path.endsWith("/sample-config"),
      times: Infinity,
      action: () => Promise.resolve(new Response(text(), { headers: { "content-type": "text/plain" } })),
    });
  });
  afterAll(() => stack.close());

  it("is quiet while only the time of its making moves", async () => {
    expect(await stack.steadyUp({ tunnels: { hq } })).toMatchObject({ code: 0, errors: [] });
    expect(reads).toBeGreaterThan(1);
    expect(await state()).toContain("pre-shared-key 1712345678");
  });

  it.each(["1798765432", "2026-11-22", "2026-11-22T10:11:12Z", "1798765432123"])(
    "shows a key that was rotated to %s after a refresh, and is quiet again",
    async (rotated) => {
      key = rotated;
      const run = await stack.refresh();
      expect(run).toMatchObject({ code: 0, errors: [] });
      expect(run.text).not.toContain(rotated);
      expect(await state()).toContain(`pre-shared-key ${rotated}\\`);
      expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    },
  );
});
