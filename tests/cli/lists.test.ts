import { writeFileSync } from "node:fs";
import { presets } from "../../emulator/command";
import { useEmulator } from "./command";
import { type Terminal, terminal } from "./terminal";

const settings = { token: "very-secret-token", tokens: { "very-secret-token": ["*"] }, maxPageSize: 3 };
const here = useEmulator((emulator) => {
  const peer = { peerPublicIp: "203.0.113.7", peerCidr: "10.1.0.0/16" };
  emulator.seedTunnel({ id: "tnl-1", name: "hq", locationId: "loc-1", ...peer });
  emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2", status: "ERROR" });
  for (const number of [1, 2, 3, 4])
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: `web-${number}`, ipsecTunnelId: number === 4 ? "tnl-2" : "tnl-1" },
      ...{ target: "web.internal:443", ingressPort: 8000 + number, locationId: "loc-1", envZId: "env-1" },
    });
}, settings);

describe("frontdoor tunnels, frontdoor shares", () => {
  it("print a table in columns, without colours in a pipe, and say how many there are", async () => {
    const { code, stdout, stderr } = await here.run("tunnels", { FORCE_COLOR: "1" });
    expect([code, stderr]).toEqual([0, "front door fd-1: 2 IPsec tunnels\n"]);
    const [head, first, second] = stdout.split("\n");
    expect(head?.split(/ +/)).toEqual(["id", "name", "status", "locationId", "peerPublicIp", "peerCidr"]);
    expect(first?.split(/ +/)).toEqual(["tnl-1", "hq", "DEPLOYED", "loc-1", "203.0.113.7", "10.1.0.0/16"]);
    expect(second).toMatch(/^tnl-2 +plant +ERROR/);
    expect(first?.indexOf("DEPLOYED")).toBe(head?.indexOf("status"));
  });

  it.each([
    ["tunnels --filter locationId=loc-2", "tnl-2"],
    ["tunnels --sort name,desc", "tnl-2 tnl-1"],
    ["shares --sort ingressPort,desc", "shr-4 shr-3 shr-2 shr-1"],
    ["shares --filter name=web-1 --filter name=web-3 --sort name", "shr-1 shr-3"],
    ["shares --filter status=ERROR", ""],
  ])("%s --json gives %j, of every page", async (line, ids) => {
    const { code, stdout } = await here.run(`${line} --json`);
    const found = JSON.parse(stdout) as Partial<Record<"tunnels" | "shares", { id: string }[]>>;
    expect([code, (found.tunnels ?? found.shares)?.map(({ id }) => id).join(" ")]).toEqual([0, ids]);
  });

  it("work with an API account at NetFoundry's service as its pages describe it: HAL, and 403 for an unknown id", async () => {
    Object.assign(here.emulator.settings, presets.netfoundry(), { frontdoorId: "fd-1", listForm: "hal" });
    const { oauthClientId: clientId, oauthClientSecret: password, oauthScope } = here.emulator.settings;
    const path = here.path("account.json");
    const account = { clientId, password, authenticationUrl: here.emulator.tokenUrl };
    writeFileSync(path, JSON.stringify(account), { mode: 0o644 });
    const vendor = { NETFOUNDRY_API_ACCOUNT: path, FRONTDOOR_SCOPE: oauthScope ?? "" };
    const env = { ...vendor, FRONTDOOR_TOKEN: undefined, FRONTDOOR_TOKEN_REQUEST: "form" };
    const shares = await here.run("shares --json", env);
    expect([shares.code, (JSON.parse(shares.stdout) as { shares: object[] }).shares.length]).toEqual([0, 4]);
    expect(shares.stderr).toMatch(/other users .* can read \S+account\.json \(NETFOUNDRY_API_ACCOUNT\).*-open\]$/m);
    expect(shares.text).not.toContain(password);
    expect((await here.run("shares --filter status=ERROR --json", env)).stdout).toContain('"shares": []');
    expect((await here.run("tunnel tnl-1 --json", env)).code).toBe(0);
    const nobody = await here.run("share shr-77", env);
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      expect.stringMatching(/no resource has this id\..*\[not-one-match\]\n$/),
    ]);
    const wrong = await here.run("shares", { ...env, FRONTDOOR_TOKEN_REQUEST: "json" });
    expect(wrong.stderr).toMatch(/400 invalid_request.*frontdoor:tokenRequest \(it is json\)\. \[client-refused\]\n$/);
    Object.assign(here.emulator.settings, { ipsecSharesDisabledFor: ["fd-1"] });
    expect((await here.run("shares", env)).stderr).toMatch(
      /"frontdoor ids" lists the ids\. \[not-found-front-door\]\n$/,
    );
  });

  it.each([
    ["tunnels --filter target=a:1", /--filter target is no property\. Use one of: id, /],
    ["tunnels --filter __proto__=1", /^frontdoor: --filter __proto__ is no property\. .* \[invalid-option\]\n$/],
    ["tunnels --sort colour", /--sort must be <property> or <property>,desc/],
    ["shares --sort name,up", /--sort must be/],
    ["shares --watch", /--watch needs a terminal.*frontdoor watch/],
  ])("%s is wrong usage, and nothing is sent", async (line, message) => {
    const { code, stderr } = await here.run(line);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(here.emulator.requests).toEqual([]);
  });

  it("leave out what is DELETED, and say so, unless --all or a filter asks for it", async () => {
    here.emulator.seedShare({ id: "shr-9", name: "gone", status: "DELETED" });
    const { stdout, stderr } = await here.run("shares");
    expect([stdout.includes("shr-9"), stderr]).toEqual([
      false,
      "front door fd-1: 4 IPsec shares, without 1 DELETED (--all)\n",
    ]);
    expect((await here.run("shares --json")).stdout).not.toContain("shr-9");
    for (const line of ["shares --all", "shares --all --json", "shares --filter status=DELETED"])
      expect((await here.run(line)).stdout).toContain("shr-9");
  });

  it("say in one line that a proxy's address is invalid", async () => {
    const env = { FRONTDOOR_BASE_URL: "https://127.0.0.1:1/frontdoor", HTTPS_PROXY: "::bad", https_proxy: undefined };
    const { code, stdout, stderr } = await here.run("tunnel hq", env);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^frontdoor: GET \S+: the environment names a proxy[^\n]*\[proxy-invalid\]\n$/);
  });
});

describe("on a terminal", () => {
  let running: Terminal | undefined;
  afterEach(() => running?.kill());

  it("statuses have their colours, unknown ones and all with NO_COLOR have none", async () => {
    here.emulator.seedTunnel({ id: "tnl-3", locationId: "loc-3", status: "constructor" as never });
    const coloured = await terminal(here.place, ["tunnels"]).end;
    expect(coloured.stdout).toContain("\x1b[32mDEPLOYED\x1b[39m");
    expect(coloured.stdout).toContain("\x1b[31mERROR\x1b[39m");
    expect([coloured.code, coloured.stdout]).toEqual([0, expect.stringMatching(/ constructor +loc-3/)]);
    const plain = await terminal(here.place, ["tunnels"], { NO_COLOR: "1" }).end;
    // eslint-disable-next-line no-control-regex
    expect(plain.stdout).not.toMatch(/\x1b/);
  });

  it("a table that is too wide lacks its last columns, and no line is longer than the terminal", async () => {
    here.emulator.seedShare({ id: "shr-5", name: "x".repeat(40), target: `${"y".repeat(50)}:1`, locationId: "loc-1" });
    const { stdout } = await terminal(here.place, ["shares"], { NO_COLOR: "1" }).end;
    const lines = stdout.split(/\r?\n/);
    expect(lines[0]).toMatch(/^id +name +status/);
    expect(stdout).toMatch(/^No room for .*locationId: see --json\.\r?$/m);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(stdout).toContain("x".repeat(40));
  });

  it("--watch shows what changes, and Ctrl-C leaves the terminal as it was", async () => {
    running = terminal(here.place, ["tunnels", "--watch"]);
    await running.shows("DEPLOYED");
    here.emulator.setStatus("tnl-1", "DELETING");
    await running.shows("DELETING");
    running.interrupt();
    const { code, stdout } = await running.end;
    expect(code).toBe(130);
    expect(stdout).toContain("\x1b[?1049h\x1b[?25l");
    expect(stdout.trimEnd()).toMatch(/\x1b\[\?25h\x1b\[\?1049l(\^C)?$/); // eslint-disable-line no-control-regex
  });
});
