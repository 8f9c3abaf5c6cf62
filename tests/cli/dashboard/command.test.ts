import { startDashboard } from "./dashboard-process";
import { blocksOf } from "../../docs/pages";
import { useEmulator } from "../command";

const here = useEmulator(() => undefined, { token: "very-secret-token" });

/** The command of docs/how-to/monitoring.md. */
const [{ code } = { code: "" }] = blocksOf("docs/how-to/monitoring.md");
const [, , ...args] = code.trim().split(" ");

it("frontdoor dashboard prints an address that shows the front door, and ends with Ctrl-C", async () => {
  const { emulator, place } = here;
  const tunnel = emulator.seedTunnel({ name: "site-a" });
  emulator.seedShare({ name: "billing" });
  const { frontdoorId, token } = emulator;
  const { url, said, stop } = await startDashboard(place, args);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}$/);

  const opened = await fetch(url, { redirect: "manual" });
  const headers = { cookie: (opened.headers.get("set-cookie") ?? "").split(";", 1).join("") };
  const events = await fetch(new URL("/api/events", url), { headers });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of events.body ?? []) {
    text += decoder.decode(chunk as Uint8Array);
    if (text.includes('"status":"UP"')) break;
  }
  expect(text).toContain('"name":"site-a"');
  expect(text).toContain('"name":"billing"');
  expect(text).toContain('"status":"UP"');
  const details = await (await fetch(new URL(`/api/${frontdoorId}/tunnels/${tunnel.id}`, url), { headers })).text();
  expect(details).toContain(tunnel.vpnConnectionId);
  for (const secret of [token, emulator.samplePsk(tunnel.id)]) expect(text + details + said.text).not.toContain(secret);

  expect(await stop()).toMatchObject({
    code: 0,
    stderr: "Open this address: it lets one browser in, once. Ctrl-C ends it.\n",
  });
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it.each([
  [["--port", "many"], {}, 2, /number from 0 to 65535/],
  [
    [],
    { FRONTDOOR_BASE_URL: "http://127.0.0.1:9/frontdoor" },
    3,
    /Nothing listens at 127\.0\.0\.1:9\..*\[unreachable\]/,
  ],
])("frontdoor dashboard %j with %j ends with %i", async (args, env, code, said) => {
  const ended = await here.place.run(["dashboard", ...args], env);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(said);
  expect(ended.stdout).toBe("");
});
