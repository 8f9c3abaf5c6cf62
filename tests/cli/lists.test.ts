import { setImmediate as turn } from "node:timers/promises";
import { blocksOf } from "../docs/pages";
import { type Terminal, terminal, until, useEmulator } from "./command";
import { connectionsOf } from "../../cli/shared/connections";
import { FrontdoorError } from "../../provider/errors";
import { seriesIn } from "../../cli/dashboard/page/series.js";

describe("lists", () => {
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

  describe("pulumi-frontdoor tunnels, pulumi-frontdoor shares", () => {
    it("print a table in columns, without colours in a pipe, and say how many there are", async () => {
      const { code, stdout, stderr } = await here.run("tunnels", { FORCE_COLOR: "1" });
      expect([code, stderr]).toEqual([0, `${here.using}front door fd-1: 2 IPsec tunnels\n`]);
      const [head = "", first = "", second] = stdout.split("\n");
      const names = ["id", "name", "status", "connection", "locationId", "peerPublicIp", "peerCidr"];
      expect(head.split(/ +/)).toEqual(names);
      expect(first.split(/ +/)).toEqual(["tnl-1", "hq", "DEPLOYED", "UP", "loc-1", "203.0.113.7", "10.1.0.0/16"]);
      expect(second).toMatch(/^tnl-2 +plant +ERROR +- /);
      expect(first.indexOf("DEPLOYED")).toBe(head.indexOf("status"));
    });

    it.each([
      ["tunnels --filter locationId=loc-2", "tnl-2"],
      ["tunnels --sort name,desc", "tnl-2 tnl-1"],
      ["shares --sort ingressPort,desc", "shr-4 shr-3 shr-2 shr-1"],
      ["shares --filter name=web-1 --filter name=web-3 --sort name", "shr-1 shr-3"],
      ["shares --filter status=ERROR", ""],
      ["shares --filter ipsecTunnelId=tnl-2 --filter ipsecTunnelId=hq --sort name", "shr-1 shr-2 shr-3 shr-4"],
    ])("%s --json gives %j, of every page", async (line, ids) => {
      const { code, stdout } = await here.run(`${line} --json`);
      const found = JSON.parse(stdout) as Partial<Record<"tunnels" | "shares", { id: string }[]>>;
      expect([code, (found.tunnels ?? found.shares)?.map(({ id }) => id).join(" ")]).toEqual([0, ids]);
    });

    it("--filter ipsecTunnelId lists the shares of a tunnel that is gone, and still names what is no tunnel", async () => {
      here.emulator.seedShare({ id: "shr-8", name: "orphan", ipsecTunnelId: "tnl-9", target: "w:1", ingressPort: 1 });
      const orphans = await here.run("shares --filter ipsecTunnelId=tnl-9 --filter ipsecTunnelId=plant --json");
      const { shares = [] } = JSON.parse(orphans.stdout) as { shares?: { id: string }[] };
      expect([orphans.code, shares.map(({ id }) => id).sort()]).toEqual([0, ["shr-4", "shr-8"]]);
      const unknown = await here.run("shares --filter ipsecTunnelId=plnat");
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        expect.stringMatching(/Did you mean "plant" \(tnl-2\)\? \[not-one-match\]\n$/),
      ]);
    });

    it.each([
      ["tunnels --filter target=a:1", /--filter target is no property\. Use one of: id, /],
      ["tunnels --filter __proto__=1", /^frontdoor: --filter __proto__ is no property\. .* \[invalid-option\]\n$/],
      ["tunnels --sort colour", /--sort must be <property> or <property>,desc/],
      ["shares --sort name,up", /--sort must be/],
      ["shares --watch", /--watch needs a terminal.*pulumi-frontdoor watch/],
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
        `${here.using}front door fd-1: 4 IPsec shares, without 1 DELETED (--all)\n`,
      ]);
      expect((await here.run("shares --json")).stdout).not.toContain("shr-9");
      for (const line of ["shares --all", "shares --all --json", "shares --filter status=DELETED"])
        expect((await here.run(line)).stdout).toContain("shr-9");
    });
  });

  describe("on a terminal", () => {
    let running: Terminal | undefined;
    afterEach(() => running?.kill());

    it("statuses have their colours, unknown ones and all with NO_COLOR have none", async () => {
      here.emulator.seedTunnel({ id: "tnl-3", locationId: "loc-3", status: "constructor" as never });
      here.emulator.seedTunnel({ id: "tnl-4", locationId: "loc-4", status: "SUSPENDED" as never });
      const coloured = await terminal(here.workspace, ["tunnels"]).end;
      expect(coloured.stdout).toContain("\x1b[32mDEPLOYED\x1b[39m");
      for (const failed of ["ERROR", "SUSPENDED"]) expect(coloured.stdout).toContain(`\x1b[31m${failed}\x1b[39m`);
      expect([coloured.code, coloured.stdout]).toEqual([0, expect.stringMatching(/ constructor +- +loc-3/)]);
      const plain = await here.onTerminal("tunnels", { NO_COLOR: "1" }).end;
      // eslint-disable-next-line no-control-regex
      expect(plain.stdout).not.toMatch(/\x1b/);
    });

    it("a table that is too wide lacks its last columns, and no line is longer than the terminal", async () => {
      here.emulator.seedShare({
        id: "shr-5",
        name: "x".repeat(40),
        target: `${"y".repeat(50)}:1`,
        locationId: "loc-1",
      });
      const { stdout } = await here.onTerminal("shares", { NO_COLOR: "1" }).end;
      const lines = stdout.split("\n");
      expect(lines[0]).toMatch(/^id +name +status/);
      expect(stdout).toMatch(/^No room for .*locationId: see --json\.$/m);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
      expect(stdout).toContain("x".repeat(40));
    });

    it("--watch draws again every two seconds", async () => {
      const { says, said, clock, stop } = here.onTerminal("tunnels --watch", {}, true);
      await says(/DEPLOYED/);
      here.emulator.setStatus("tnl-1", "DELETING");
      await clock.pass(1_999);
      expect(said.stdout).not.toContain("DELETING");
      await clock.pass(1);
      await says(/DELETING/);
      expect((await stop()).code).toBe(130);
    });

    it("--watch draws nothing after Ctrl-C while connections are read, and waits for nothing", async () => {
      const { says, said, clock, stop } = here.onTerminal("tunnels --watch", {}, true);
      await says(/UP/);
      here.emulator.faults.delayNext({ path: "/ipsec-tunnels/tnl-1/tunnel-config", delayMs: 3_000 });
      void clock.pass(20_000);
      await until(() => clock.now() >= 16_000 && here.emulator.faults.pending() === 0);
      expect((await stop()).code).toBe(130);
      const { stdout } = said;
      expect(stdout).toMatch(/\x1b\[\?25h\x1b\[\?1049l$/); // eslint-disable-line no-control-regex
      for (let turns = 0; turns < 50; turns++) await turn();
      expect([said.stdout, clock.isIdle]).toEqual([stdout, true]);
    });

    it("--watch leaves the terminal as it was, after Ctrl-C", async () => {
      running = terminal(here.workspace, ["tunnels", "--watch"]);
      await running.shows("DEPLOYED");
      running.interrupt();
      const { code, stdout } = await running.end;
      expect(code).toBe(130);
      expect(stdout).toContain("\x1b[?1049h\x1b[?25l");
      expect(stdout.trimEnd()).toMatch(/\x1b\[\?25h\x1b\[\?1049l(\^C)?$/); // eslint-disable-line no-control-regex
    });
  });
});

describe("connections", () => {
  const here = useEmulator((emulator) => {
    for (const number of [1, 2, 3])
      emulator.seedTunnel({ id: `tnl-${number}`, name: `hq-${number}`, locationId: `loc-${number}` });
    emulator.seedShare({
      id: "shr-1",
      name: "web",
      ipsecTunnelId: "tnl-1",
      target: "web.internal:443",
      ingressPort: 1,
    });
    emulator.settings.connectionStatusMessage = "IPSEC IS DOWN";
  });
  const down = () => {
    here.emulator.settings.connectionStatuses = { "tnl-2": "DOWN" };
  };
  const unread = () => {
    here.emulator.faults.answerNext({ path: "/ipsec-tunnels/tnl-1/tunnel-config", status: 403, body: {}, times: 9 });
  };
  const refusedWith = (status: number) => () => {
    // A 404 as common server frameworks send it: it names the path.
    const body = { error: "Not Found", path: "/frontdoor/v2/fd-1/ipsec-tunnels/tnl-1/tunnel-config" };
    here.emulator.faults.answerNext({ path: "/ipsec-tunnels/tnl-1/tunnel-config", status, body, times: 9 });
  };
  /** The tunnel leaves DEPLOYED after the read of the list. */
  const leaves = (change: () => void) => () => {
    here.emulator.faults.onRequest({
      match: ({ path }) => path.endsWith("/ipsec-tunnels/tnl-1/tunnel-config"),
      times: 1,
      action: (work) => {
        change();
        return work();
      },
    });
  };
  const allUnread = () => {
    for (const id of ["tnl-1", "tnl-2", "tnl-3"])
      here.emulator.faults.answerNext({ path: `/ipsec-tunnels/${id}/tunnel-config`, status: 403, body: {}, times: 9 });
  };
  const to = (id: string, status: "NEW" | "ERROR" | "DELETING") => () => {
    here.emulator.setStatus(id, status);
  };
  const asked = () => here.emulator.requests.filter(({ path }) => path.endsWith("/tunnel-config")).length;

  it.each<[line: string, change: () => void, code: number, shows: RegExp]>([
    ["tunnels", down, 0, /^tnl-1 .* UP .*\ntnl-2 .* DOWN .*\ntnl-3 .* UP /m],
    ["tunnels --json", down, 0, /"id": "tnl-2",[^}]*"connection": "DOWN"/],
    ["tunnels", to("tnl-3", "NEW"), 0, /^tnl-3 .* NEW +- /m],
    ["tunnels --json", to("tnl-3", "NEW"), 0, /"id": "tnl-3",[^}]*"connection": null/],
    ["tunnels", unread, 0, /connections were not read: .*403[^]*\ntnl-1 .* DEPLOYED +- .*\ntnl-2 .* UP /],
    ["status", () => undefined, 0, /^front door +fd-1\ntunnels +3 DEPLOYED\nconnections +3 UP\nshares +1 DEPLOYED\n$/],
    [
      "status",
      down,
      1,
      /^DOWN +connection +hq-2 \(tnl-2\): IPSEC IS DOWN\n\nfront door [^]* 2 UP, 1 DOWN\n[^]*problems: 1 DOWN\. `npx pulumi-frontdoor tunnel tnl-2` shows why Frontdoor calls it DOWN\. \[status-problems\]\n$/,
    ],
    [
      "status",
      to("shr-1", "ERROR"),
      1,
      /^ERROR +share +web \(shr-1\)\n[^]*: 1 ERROR\. `pulumi up --refresh` sends shr-1 again: first check its target\. \[status-problems\]\n$/,
    ],
    [
      "status",
      to("tnl-3", "ERROR"),
      1,
      /^ERROR +tunnel +hq-3 \(tnl-3\)\n[^]* 2 UP\n[^]*For tnl-3: The next `pulumi up` replaces a tunnel that has never been DEPLOYED\. About one that has, first ask NetFoundry: another `rotation` rebuilds it, with a new key and address\. \[status-problems\]\n$/,
    ],
    ["status", to("shr-1", "DELETING"), 0, /^DELETING +share +web \(shr-1\)\n\nfront door /],
    [
      "status",
      unread,
      5,
      /^UNREAD +connection +hq-1 \(tnl-1\): .*403[^]*frontdoor: 1 of 3 connections could not be read, so it is not known whether they are UP\. Nothing that was read has failed\. .* \[connections-not-read\]\n$/,
    ],
    ...[400, 404, 409, 412, 422, 423, 425].map((status): [string, () => void, number, RegExp] => [
      "status",
      refusedWith(status),
      5,
      new RegExp(`^UNREAD +connection +hq-1 \\(tnl-1\\): .*${status}[^]*\nconnections +1 UNREAD, 2 UP\n`),
    ]),
    ["status", leaves(to("tnl-1", "NEW")), 0, /^front door [^]*\nconnections +2 UP\n/],
    [
      "status",
      leaves(() => {
        here.emulator.removeTunnel("tnl-1");
      }),
      0,
      /^front door [^]*\nconnections +2 UP\n/,
    ],
    [
      "status --json",
      unread,
      5,
      /^\{[^]*"problems": \[\],\s*"notRead": \[\s*\{\s*"kind": "connection",\s*"id": "tnl-1"/,
    ],
    ["status", allUnread, 5, /^UNREAD [^]*\nconnections +3 UNREAD\n[^]*: 3 of 3 connections could not be read, /],
    [
      "status",
      () => {
        unread();
        down();
      },
      1,
      /^DOWN [^]*\nUNREAD [^]*: problems: 1 DOWN\. [^]* 1 of 3 connections could not be read\. \[status-problems\]\n$/,
    ],
    [
      "status --json",
      down,
      1,
      /"problems": \[\s*\{\s*"kind": "connection",\s*"id": "tnl-2",[^]*"connections": \{\s*"UP": 2,\s*"DOWN": 1/,
    ],
    ["watch", down, 0, /the connection is not UP: tunnel hq-2 \(tnl-2\) DOWN\nno status is changing: 4 DEPLOYED\n$/],
  ])("%s (case %#) ends with its code, and shows what it should", async (line, change, code, shows) => {
    change();
    const ended = await here.run(line);
    expect([ended.code, ended.text.replace(here.using, "")]).toEqual([code, expect.stringMatching(shows)]);
  });

  it("are shown by status as on its page", async () => {
    down();
    here.emulator.setStatus("shr-1", "NEW");
    const shown = blocksOf("docs/reference/command-line.md").map(({ code }) => code);
    expect(shown).toContain((await here.run("status")).stdout);
  });

  it("are asked for once, only of DEPLOYED tunnels", async () => {
    here.emulator.setStatus("tnl-3", "NEW");
    for (const [line, count] of [
      ["tunnels", 2],
      ["status", 4],
      ["shares", 4],
    ] as const) {
      await here.run(line);
      expect([line, asked()]).toEqual([line, count]);
    }
  });

  it("are no longer asked for once one did not answer in time", async () => {
    const getTunnelConfig = jest.fn().mockRejectedValue(new FrontdoorError("too late", { kind: "timed-out" }));
    const tunnels = Array.from({ length: 20 }, (_, n) => ({ id: `tnl-${n}`, status: "DEPLOYED", frontdoorId: "fd-1" }));
    await connectionsOf({ getTunnelConfig } as never, tunnels);
    expect(getTunnelConfig).toHaveBeenCalledTimes(8);
  });

  it("are asked for by --watch every 15 seconds", async () => {
    const { clock, says, stop } = here.onTerminal("tunnels --watch", {}, true);
    await says(/UP/);
    await clock.pass(14_000);
    expect(asked()).toBe(3);
    await clock.passUntil(() => asked() === 6);
    await stop();
  });
});

describe("details", () => {
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq", locationId: "loc-1" });
    emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2", status: "NEW" });
    const web = { target: "web.internal:443", ingressPort: 8443 };
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", ...web });
    emulator.seedShare({ id: "shr-2", name: "db", ipsecTunnelId: "tnl-2", target: "db.internal:1", ingressPort: 1 });
  });

  describe("pulumi-frontdoor tunnel", () => {
    it.each(["tnl-1", "hq"])("shows one by %s: details, connection with its age, and its shares", async (text) => {
      const { code, stdout, stderr } = await here.run(`tunnel ${text}`);
      expect([code, stderr]).toEqual([0, here.using]);
      const established =
        "connection +UP \\(asked \\d s ago\\): IPsec security associations are established; available$";
      for (const line of ["id +tnl-1$", "status +DEPLOYED$", established, "shr-1 +web +DEPLOYED"])
        expect(stdout).toMatch(new RegExp(`^${line}`, "m"));
      expect(stdout).not.toContain(here.emulator.samplePsk("tnl-1"));
    });

    it.each(["", " --json"])(
      "shows no key that the service puts into its words on the connection%s",
      async (option) => {
        const psk = here.emulator.samplePsk("tnl-1");
        const connectionStatusMessage = `peer sent ${psk}, expected psk=hunter2 or "Zx81kk2LmnoPq90rst" for 10.20.0.0/16`;
        Object.assign(here.emulator.settings, { connectionStatus: "DOWN", connectionStatusMessage });
        const { stdout } = await here.run(`tunnel tnl-1${option}`);
        expect(stdout).toMatch(
          option === "" ? /^connection +DOWN \(asked \d s ago\): peer sent /m : /"status": "DOWN"/,
        );
        expect(stdout).toContain("peer sent [secret], expected psk=[secret] or ");
        expect(stdout).toContain("10.20.0.0/16");
        for (const secret of [psk, "hunter2", "Zx81kk2"]) expect(stdout).not.toContain(secret);
      },
    );

    it("has no connection before it is DEPLOYED", async () => {
      const { code, stdout } = await here.run("tunnel plant --json");
      const tunnel = { id: "tnl-2", status: "NEW" };
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { tunnel, connection: null, shares: [{ id: "shr-2" }] }]);
    });

    it("a name of two, and one of none, end with 1", async () => {
      here.emulator.seedTunnel({ id: "tnl-3", name: "hq", locationId: "loc-3" });
      const two = await here.run("tunnel hq");
      const ambiguous =
        /hq: no resource has this id\. .* fd-1 has 2 resources with this name: tnl-1, tnl-3\. .*\[not-one-match\]\n$/;
      expect([two.code, two.stderr]).toEqual([1, expect.stringMatching(ambiguous)]);
      here.emulator.seedTunnel({ id: "tnl-4", name: "shop-prod-south", locationId: "loc-4" });
      for (const [text, meant] of [
        ["plnat", '"plant" (tnl-2)'],
        ["south", '"shop-prod-south" (tnl-4)'],
      ] as const)
        expect((await here.run(`tunnel ${text}`)).stderr).toContain(`Did you mean ${meant}? [not-one-match]`);
      const none = await here.run("tunnel nobody --json");
      const message = expect.stringContaining("no resource with this name") as string;
      expect([none.code, JSON.parse(none.stdout)]).toMatchObject([1, { error: { message } }]);
    });
  });

  describe("pulumi-frontdoor share", () => {
    it.each(["shr-1", "web"])("shows one by %s: where it is reached, and its tunnel's connection", async (text) => {
      const { code, stdout } = await here.run(`share ${text}`);
      expect(code).toBe(0);
      const lines = [
        "target +web\\.internal:443$",
        "tunnel +hq, DEPLOYED$",
        "reached at +\\S+:8443$",
        "connection +UP",
      ];
      for (const line of lines) expect(stdout).toMatch(new RegExp(`^${line}`, "m"));
    });

    it("whose tunnel is gone is shown all the same", async () => {
      here.emulator.removeTunnel("tnl-1");
      const { code, stdout } = await here.run("share web --json");
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { share: { id: "shr-1" }, tunnel: null, connection: null }]);
    });
  });
});

describe("pulumi-frontdoor metrics", () => {
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
  });

  const answering = (body: object) => {
    here.emulator.faults.answerNext({ path: "/ipsec-tunnels/tnl-1/metrics", status: 200, body, times: 2 });
  };

  const asked = () =>
    here.emulator.requests.filter(({ path }) => path.endsWith("/metrics")).map(({ path, query }) => `${path}?${query}`);

  it("plots each series of a tunnel, by its name", async () => {
    const { code, stdout } = await here.run("metrics hq --window 1d");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hq \(tnl-1\)\n/);
    for (const name of ["bytesIn \\(bytes\\)", "bytesOut \\(bytes\\)", "activeConnections \\(count\\)"])
      expect(stdout).toMatch(new RegExp(`^${name}, highest \\d`, "m"));
    expect(stdout).toMatch(/^[▁▂▃▄▅▆▇█ ]{20,}$/m);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(asked()).toEqual(["/ipsec-tunnels/tnl-1/metrics?window=1d"]);
  });

  it("of a share asks for the span as its duration, and --json prints the answer as it is", async () => {
    const { code, stdout } = await here.run("metrics web --window 15m --json");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: "shr-1", series: [{ name: "bytesIn" }, {}, {}] }]);
    expect(asked()).toEqual(["/ipsec-shares/shr-1/metrics?duration=15m"]);
  });

  it("shows an answer without series as it came", async () => {
    answering({ bytes: 12 });
    const shown = await here.run("metrics hq");
    expect([shown.code, JSON.parse(shown.stdout)]).toEqual([0, { bytes: 12 }]);
    expect(shown.stderr).toMatch(/holds no time series/);
  });

  it.each([
    ["metrics hq --window 2d", /--window of a tunnel must be one of 30m, 1h, 1d, 7d/],
    ["metrics hq --window a&b", /--window must be a span of time/],
  ])("%s is wrong usage", async (line, message) => {
    const { code, stderr } = await here.run(line);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

const ms = (index: number) => Date.UTC(2030, 0, 1) + index * 60_000;
const iso = (index: number) => new Date(ms(index)).toISOString();
const seconds = (index: number) => ms(index) / 1000;

describe("time series are found by their shape", () => {
  const at3 = <T>(make: (index: number) => T) => [0, 1, 2].map(make);
  const named = { series: [{ name: "in", unit: "bytes", points: at3((i) => ({ timestamp: iso(i), value: i + 1 })) }] };
  const labelled = { result: [{ metric: { __name__: "in" }, values: at3((i) => [seconds(i), String(i + 1)]) }] };
  it.each([
    ["points with a date and a value, below a name", named],
    ["pairs of a moment in milliseconds and a value", { data: { in: at3((i) => [ms(i), i + 1]) } }],
    ["pairs in seconds with values as text, below labels", { data: labelled }],
    ["a list of moments beside one of values", [{ label: "in", timestamps: at3(iso), values: [1, 2, 3] }]],
    ["lists by name", { times: at3(ms), in: [1, 2, 3] }],
    ["rows with several numbers", at3((i) => ({ time: iso(i), in: i + 1, host: "a" }))],
    ["an object whose keys are moments", { in: Object.fromEntries(at3((i) => [iso(i), i + 1])) }],
    ["in the wrong order", { in: [2, 0, 1].map((i) => ({ at: seconds(i), value: i + 1 })) }],
  ])("%s", (_, body) => {
    const found = seriesIn(body);
    expect(found.map(({ name }) => name)).toEqual(["in"]);
    expect(found[0]?.points).toEqual(at3((i) => [ms(i), i + 1]));
  });

  it("several numbers of one moment are several series", () => {
    const rows = [0, 1].map((i) => ({ time: iso(i), in: i, out: 2 * i }));
    expect(seriesIn({ content: rows }).map(({ name }) => name)).toEqual(["in", "out"]);
    const lists = { time: [iso(0), iso(1)], in: [1, 2], out: [3, 4] };
    expect(seriesIn(lists).map(({ name }) => name)).toEqual(["in", "out"]);
  });

  it("the unit goes with it, a point without a value stays a gap, and two of one name can be told apart", () => {
    const points = [1, null].map((value, index) => ({ time: iso(index), value }));
    const load = { name: "load", unit: "percent" };
    expect(seriesIn({ ...load, points })[0]?.points).toEqual([1, undefined].map((value, index) => [ms(index), value]));
    expect(seriesIn({ ...load, points })).toMatchObject([load]);
    const two = [0, 1].map(() => ({ name: "in", data: [0, 1].map((index) => [ms(index), 1]) }));
    expect(seriesIn(two).map(({ name }) => name)).toEqual(["in", "in (2)"]);
  });

  it("none in other answers", () => {
    const other = { id: "tnl-1", window: "1h", total: 12, list: [1, 2], text: "2030", deep: { none: null } };
    const onePoint = { points: [{ time: iso(0), value: 1 }] };
    for (const body of [null, "text", other, onePoint, [{ a: "b" }, { a: "c" }], { start: iso(0), end: iso(1) }])
      expect([body, seriesIn(body)]).toEqual([body, []]);
  });
});
