import { startEmulator } from "../../emulator";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { Stack } from "../harness/stack";
import { hq, web } from "../harness/things";

it.concurrent.each([
  ["dynamic provider", dynamicClasses],
  ["plugin", pluginClasses],
])("with the URL of an empty front door, no refresh of the %s drops anything", async (_adapter, imports) => {
  const stack = await Stack.open({}, { imports });
  // The same front door at another URL, where nothing is.
  const elsewhere = await startEmulator({ token: "very-secret-token" });
  const program = { tunnels: { hq }, shares: { web: { ...web, ipsecTunnelId: { tunnel: "hq" } } } };
  try {
    expect(await stack.up(program)).toMatchObject({ code: 0 });
    const before = stack.kept();
    stack.env["FRONTDOOR_BASE_URL"] = elsewhere.baseUrl;
    for (const command of ["refresh", "up --refresh", "preview --refresh"] as const) {
      const run = await {
        refresh: () => stack.refresh(),
        "up --refresh": () => stack.up(program, "--refresh"),
        "preview --refresh": () => stack.preview(program, "--refresh"),
      }[command]();
      expect([command, run.code === 0, run.steps, stack.kept()]).toEqual([command, false, [], before]);
      const text = run.errors.join("\n").replace(/\s+/g, " ");
      expect(text).toContain(`front door fd-1 at ${elsewhere.baseUrl}: it is empty`);
      expect(text).toContain("run it again with `FRONTDOOR_ALLOW_EMPTY=true`");
    }
    stack.env["FRONTDOOR_ALLOW_EMPTY"] = "true";
    expect(await stack.refresh()).toMatchObject({ code: 0, errors: [] });
    expect(stack.entries()).toEqual([]);
  } finally {
    await Promise.all([elsewhere.close(), stack.close()]);
  }
});
