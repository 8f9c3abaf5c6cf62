import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "./command";
import { type Terminal, terminal } from "./terminal";

let emulator: Emulator;
let place: Place;

beforeEach(async () => {
  emulator = await startEmulator({
    token: "very-secret-token",
    tokens: { "very-secret-token": ["*"] },
    maxPageSize: 3,
  });
  place = new Place(emulator);
  emulator.seedTunnel({
    id: "tnl-1",
    name: "hq",
    locationId: "loc-1",
    peerPublicIp: "203.0.113.7",
    peerCidr: "10.1.0.0/16",
  });
  emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2", status: "ERROR" });
  for (const number of [1, 2, 3, 4])
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: `web-${number}`, ipsecTunnelId: number === 4 ? "tnl-2" : "tnl-1" },
      ...{ target: "web.internal:443", ingressPort: 8000 + number, locationId: "loc-1", envZId: "env-1" },
    });
});
afterEach(async () => {
  await emulator.close();
  place.remove();
});

const idsIn = (stdout: string) => {
  const { tunnels, shares } = JSON.parse(stdout) as Partial<Record<"tunnels" | "shares", { id: string }[]>>;
  return (tunnels ?? shares ?? []).map(({ id }) => id);
};

describe("frontdoor tunnels, frontdoor shares", () => {
  it("print a table in columns, without colours in a pipe, and say how many there are", async () => {
    const { code, stdout, stderr } = await place.run(["tunnels"], { FORCE_COLOR: "1" });
    expect([code, stderr]).toEqual([0, "front door fd-1: 2 IPsec tunnels\n"]);
    const [head, first, second] = stdout.split("\n");
    expect(head?.split(/ +/)).toEqual(["id", "name", "status", "locationId", "peerPublicIp", "peerCidr"]);
    expect(first?.split(/ +/)).toEqual(["tnl-1", "hq", "DEPLOYED", "loc-1", "203.0.113.7", "10.1.0.0/16"]);
    expect(second).toMatch(/^tnl-2 +plant +ERROR/);
    expect(first?.indexOf("DEPLOYED")).toBe(head?.indexOf("status"));
  });

  it.each([
    [["tunnels"], ["tnl-1", "tnl-2"]],
    [["tunnels", "--filter", "locationId=loc-2"], ["tnl-2"]],
    [
      ["tunnels", "--sort", "name,desc"],
      ["tnl-2", "tnl-1"],
    ],
    [
      ["shares", "--sort", "ingressPort,desc"],
      ["shr-4", "shr-3", "shr-2", "shr-1"],
    ],
    [
      ["shares", "--filter", "name=web-1", "--filter", "name=web-3", "--sort", "name"],
      ["shr-1", "shr-3"],
    ],
    [["shares", "--filter", "status=ERROR"], []],
  ])("%j --json gives %j, of every page", async (args, ids) => {
    const { code, stdout } = await place.run([...args, "--json"]);
    expect(code).toBe(0);
    expect(idsIn(stdout)).toEqual(ids);
  });

  it.each([
    [["tunnels", "--filter", "target=a:1"], /--filter target is no property; there are: id, /],
    [["tunnels", "--filter", "__proto__=1"], /^frontdoor: --filter __proto__ is no property; there are: .*\n$/],
    [["tunnels", "--filter", "constructor=1"], /^frontdoor: --filter constructor is no property; there are: .*\n$/],
    [["tunnels", "--sort", "colour"], /--sort must be <property> or <property>,desc/],
    [["shares", "--sort", "name,up"], /--sort must be/],
    [["shares", "--watch"], /--watch shows a table on a terminal.*frontdoor watch/],
  ])("%j is wrong usage, and nothing is sent", async (args, message) => {
    const { code, stderr } = await place.run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(emulator.requests).toEqual([]);
  });

  it.each([["tunnels"], ["tunnel", "hq"], ["shares"]])(
    "say in one line that a proxy's address is invalid: %j",
    async (...args) => {
      const env = { FRONTDOOR_BASE_URL: "https://127.0.0.1:1/frontdoor", HTTPS_PROXY: "::bad", https_proxy: undefined };
      const { code, stdout, stderr } = await place.run(args, env);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^frontdoor: GET \S+: the environment names a proxy[^\n]*\[proxy-invalid\]\n$/);
    },
  );

  it("let no name write to the terminal", async () => {
    emulator.seedShare({ id: "shr-5", name: "a\x1b]0;b\x07\nc", ipsecTunnelId: "tnl-1", ingressPort: 9 });
    const { stdout } = await place.run(["shares"]);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\x1b\x07]/);
    expect(stdout).toContain("a ]0;b c");
  });
});

describe("on a terminal", () => {
  let running: Terminal | undefined;
  afterEach(() => running?.kill());

  it("statuses have their colours, and none with NO_COLOR", async () => {
    const coloured = await terminal(place, ["tunnels"]).end;
    expect(coloured.stdout).toContain("\x1b[32mDEPLOYED\x1b[39m");
    expect(coloured.stdout).toContain("\x1b[31mERROR\x1b[39m");
    const plain = await terminal(place, ["tunnels"], { NO_COLOR: "1" }).end;
    // eslint-disable-next-line no-control-regex
    expect(plain.stdout).not.toMatch(/\x1b/);
  });

  it("a status that is a word of JavaScript has no colour", async () => {
    emulator.seedTunnel({ id: "tnl-3", locationId: "loc-3", status: "constructor" as never });
    const { code, stdout } = await terminal(place, ["tunnels"]).end;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ constructor +loc-3/)]);
  });

  it("--watch shows what changes, and Ctrl-C leaves the terminal as it was", async () => {
    running = terminal(place, ["tunnels", "--watch"]);
    await running.shows("DEPLOYED");
    emulator.setStatus("tnl-1", "DELETING");
    await running.shows("DELETING");
    running.interrupt();
    const { code, stdout } = await running.end;
    expect(code).toBe(130);
    expect(stdout).toContain("\x1b[?1049h\x1b[?25l");
    expect(stdout.trimEnd()).toMatch(/\x1b\[\?25h\x1b\[\?1049l(\^C)?$/); // eslint-disable-line no-control-regex
  });
});
