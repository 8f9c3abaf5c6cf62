import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import * as fc from "fast-check";
import { parse } from "yaml";
import { useEmulator } from "./command";
import {
  camelCase,
  type Declared,
  type KindName,
  logicalNames,
  planOf,
  programOf,
  snakeCase,
} from "../../cli/import/import";
import { sitesOf } from "../../cli/import/sites";

const settings = { token: "very-secret-token", tokens: { "very-secret-token": ["*"] }, maxPageSize: 3 };

const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "Büro 1", locationId: "loc-1" });
  emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2" });
  for (const number of [1, 2, 3, 4])
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: `web-${number}`, ipsecTunnelId: number === 4 ? "tnl-2" : "tnl-1" },
      ...{ target: "web.internal:443", ingressPort: 8000 + number, locationId: "loc-1" },
    });
  emulator.seedShare({ id: "shr-9", name: "leaving", ipsecTunnelId: "tnl-1", status: "DELETING" });
}, settings);

interface Document {
  import: { resources: { type: string; name: string; id: string }[] };
  leftOut: { id: string; reason: string }[];
  notReady: { id: string; status: string }[];
}

const must = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error("the emulator lacks it");
  return value;
};

const idsIn = (text: string) => (JSON.parse(text) as Document["import"]).resources.map(({ id }) => id).join(" ");

/** Without the words at the top. */
const bodyOf = (text: string) => text.replace(/^(?:(?:\/\/|#).*\n)+\n?/, "");

describe("pulumi-frontdoor import", () => {
  it("prints the file, of every page, and changes nothing", async () => {
    const { code, stdout, stderr } = await here.run("import");
    const entry = (type: string, name: string, id: string) => ({ type: `frontdoor:index:${type}`, name, id });
    const tunnels = [entry("IpsecTunnel", "buro-1", "tnl-1"), entry("IpsecTunnel", "plant", "tnl-2")];
    const shares = [1, 2, 3, 4].map((number) => entry("IpsecShare", `web-${number}`, `shr-${number}`));
    expect([code, JSON.parse(stdout)]).toEqual([0, { resources: [...tunnels, ...shares] }]);
    expect(stderr).toBe(`${here.using}front door fd-1: 2 IPsec tunnels, 4 IPsec shares\n`);
    expect(here.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("writes file and program", async () => {
    const first = await here.run("import --out import.json --program ts --program-out index.ts");
    expect([first.code, first.stdout]).toEqual([0, ""]);
    expect(idsIn(readFileSync(here.path("import.json"), "utf8")).split(" ")).toHaveLength(6);
    const program = readFileSync(here.path("index.ts"), "utf8");
    expect(program).toContain('const buro_1 = new IpsecTunnel(\n  "buro-1",');
    expect(program).toContain("ipsecTunnelId: buro_1.id,");
    expect(program).not.toContain(here.emulator.samplePsk("tnl-1"));
  });

  it.each([
    ["--filter locationId=loc-1", "tnl-1 shr-1 shr-2 shr-3 shr-4"],
    ["--filter ipsecTunnelId=tnl-2", "shr-4"],
    ["--filter ipsecTunnelId=plant", "shr-4"],
    ["--filter id=shr-1 --filter id=shr-2 --kind shares", "shr-1 shr-2"],
    ["--kind tunnels", "tnl-1 tnl-2"],
  ])("with %s holds %j", async (line, ids) => {
    const { code, stdout } = await here.run(`import ${line}`);
    expect([code, idsIn(stdout)]).toEqual([0, ids]);
  });

  it("asks for the right stack if names look like another stack's", async () => {
    mkdirSync(here.path("bin"));
    writeFileSync(here.path("bin/pulumi"), '#!/bin/sh\ntest "$1" = stack && echo prod || echo "{}"\n', { mode: 0o755 });
    writeFileSync(here.path("Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    here.emulator.seedTunnel({ id: "tnl-5", name: "shop-dev-hq", locationId: "loc-3" });
    here.emulator.seedTunnel({ id: "tnl-6", name: "shop-prod-hq", locationId: "loc-4" });
    const { code, stderr } = await here.run("import --kind tunnels", { PATH: `${here.path("bin")}${delimiter}/bin` });
    expect(code).toBe(0);
    expect(stderr).toContain(
      `by the names, another stack of project shop seems to manage "shop-dev-hq" (tnl-5). Is prod the right stack?`,
    );
    expect(stderr).not.toContain("tnl-6");
  });

  it("has every other tunnel if one goes between the list and its read", async () => {
    const { settings: behaviour } = here.emulator;
    Object.assign(behaviour, {
      deletedShownAs: "404",
      onAnswer: ({ path }: { path: string }) => {
        if (path.endsWith("/ipsec-tunnels")) here.emulator.setStatus("tnl-1", "DELETED");
      },
    });
    const { code, stdout } = await here.run("import --kind tunnels");
    expect([code, idsIn(stdout)]).toEqual([0, "tnl-2"]);
  });

  it("names a front door that an option names and the configuration does not", async () => {
    here.emulator.seedTunnel({ id: "tnl-7", frontdoorId: "fd-7", name: "far" });
    const { stdout } = await here.run("import --frontdoor-id fd-7 --program yaml --program-out Main.yaml");
    expect(idsIn(stdout)).toBe("fd-7/tnl-7");
    expect(readFileSync(here.path("Main.yaml"), "utf8")).toContain('frontdoorId: "fd-7"');
    expect(idsIn((await here.run("import --frontdoor-id fd-7", { FRONTDOOR_ID: "fd-7" })).stdout)).toBe("tnl-7");
  });

  it("says what is left out, writes all else, and ends with 1", async () => {
    here.emulator.seedShare({ id: "shr-5", name: "web-1", ipsecTunnelId: "tnl-1", ingressPort: 9000 });
    here.emulator.setStatus("shr-2", "ERROR");
    const { code, stdout, stderr } = await here.run("import --json --kind shares");
    const said = JSON.parse(stdout) as Document;
    expect(code).toBe(1);
    expect(said).toMatchObject({ leftOut: [{ id: "shr-5" }], notReady: [{ id: "shr-2", status: "ERROR" }] });
    expect(said.import.resources.map(({ id }) => id)).toEqual(["shr-1", "shr-2", "shr-3", "shr-4"]);
    expect(stderr).toMatch(/left out: IPsec share "web-1" \(shr-5\): shr-1 has the same name/);
    expect(stderr).toMatch(/"web-2" \(shr-2\) is ERROR: the next "pulumi up" sends it again/);
    here.emulator.setStatus("tnl-1", "ERROR");
    const tunnels = await here.run("import --kind tunnels");
    expect(tunnels.stderr).toMatch(
      /\(tnl-1\) is ERROR: after the import, run "pulumi state unprotect" for it and its shares\. The next "pulumi up"/,
    );
  });
});

describe("pulumi-frontdoor import --sites", () => {
  const line = "import --sites --program ts --program-out index.ts";

  it("writes a program of sites that adopt, as prettier leaves it, and loses no share", async () => {
    const { emulator } = here;
    const share = { ipsecTunnelId: "tnl-2", envZId: "env-2", target: "a:1", locationId: "loc-2" };
    emulator.seedShare({ ...share, id: "shr-5", name: "web-4", ingressPort: 9000 });
    emulator.seedShare({ ...share, id: "shr-6", name: 'Mail "${x}"', ingressPort: 9001, locationId: "loc-7" });
    emulator.seedShare({ ...share, id: "shr-7", name: "constructor", ingressPort: 9002 });
    const { code, stdout, stderr } = await here.run(`${line} --filter id=tnl-2`);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toBe(`${here.using}front door fd-1: 1 IPsec site, 4 IPsec shares → index.ts\n`);
    const program = readFileSync(here.path("index.ts"), "utf8");
    const { peerPublicIp, peerCidr, nlbPrivateIp } = must(emulator.tunnels().find(({ id }) => id === "tnl-2"));
    const { envZId } = must(emulator.shares().find(({ id }) => id === "shr-4"));
    expect(bodyOf(program)).toBe(`import { IpsecSite } from "pulumi-frontdoor";

new IpsecSite(
  "plant",
  {
    peerPublicIp: "${peerPublicIp}",
    peerCidr: "${peerCidr}",
    name: "plant",
    locationId: "loc-2",
    nlbPrivateIp: "${nlbPrivateIp}",
    adopt: "tnl-2",
    shares: {
      "constructor-share": {
        envZId: "env-2",
        target: "a:1",
        ingressPort: 9002,
        name: "constructor",
        adopt: "shr-7",
      },
      "mail-x": {
        envZId: "env-2",
        target: "a:1",
        ingressPort: 9001,
        locationId: "loc-7",
        adopt: "shr-6",
      },
      "web-4-shr-4": {
        envZId: "${envZId}",
        target: "web.internal:443",
        ingressPort: 8004,
        locationId: "loc-1",
        adopt: "shr-4",
      },
      "web-4-shr-5": {
        envZId: "env-2",
        target: "a:1",
        ingressPort: 9000,
        adopt: "shr-5",
      },
    },
  },
  { protect: true },
);
`);
    expect(program).not.toContain(emulator.samplePsk("tnl-2"));
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("writes YAML for the component, names tunnels of one site, and says what it leaves out", async () => {
    const { emulator } = here;
    emulator.seedTunnel({ id: "tnl-3", name: "plant", locationId: "loc-3" });
    emulator.seedShare({ id: "shr-5", ipsecTunnelId: "tnl-3", name: "ftp", target: "http://x", ingressPort: 21 });
    emulator.setStatus("tnl-1", "ERROR");
    const run = await here.run("import --sites --program yaml --program-out Main.yaml --json");
    expect(run.code).toBe(1);
    const said = JSON.parse(run.stdout) as Document & { sites: string[] };
    expect(said.sites).toEqual(["plant-tnl-2", "plant-tnl-3"]);
    expect(said.leftOut.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      "tnl-1: it is ERROR, and a site adopts only a tunnel that works",
      ...["shr-1", "shr-2", "shr-3"].map((id) => `${id}: the import has no site with its tunnel tnl-1`),
      expect.stringMatching(/^shr-5: the provider refuses it: target/),
    ]);
    const text = readFileSync(here.path("Main.yaml"), "utf8");
    expect(text).toContain("  # Another way to the same remote site: plant-tnl-3.\n  plant-tnl-2:\n");
    const { resources } = parse(text) as { resources: Record<string, object> };
    expect(resources["plant-tnl-2"]).toMatchObject({
      type: "frontdoor:index:IpsecSite",
      properties: {
        adopt: "tnl-2",
        envZId: expect.any(String) as string,
        shares: { "web-4": { name: "web-4", adopt: "shr-4" } },
      },
      options: { protect: true },
    });
    expect(resources["plant-tnl-3"]).toMatchObject({ properties: { adopt: "tnl-3", shares: {} } });
  });

  it("gives no two shares one logical name, whatever their sites", () => {
    const tunnel = { frontdoorId: "fd-1", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
    const tunnels = ["a", "a-b"].map((name) => ({ ...tunnel, id: name, name, status: "DEPLOYED" }));
    const on = (ipsecTunnelId: string, name: string) => ({
      ...{ id: name, name, ipsecTunnelId, status: "DEPLOYED", frontdoorId: "fd-1" },
      ...{ envZId: "e", target: "a:1", ingressPort: 1 },
    });
    const { sites } = sitesOf(tunnels, [on("a", "b-c"), on("a-b", "c")]);
    const names = sites.flatMap(({ name, shares }) => shares.map(({ key }) => `${name}-${key}`));
    expect(names).toEqual(["a-b-c", "a-b-c-share"]);
  });

  it.each([
    "--json",
    "--program python --program-out x",
    "--program ts --program-out x --out y",
    `${line} --kind shares`,
  ])("needs a language and a file, and refuses what it would ignore: %s", async (more) => {
    const { code, stderr } = await here.run(`import --sites ${more.replace("import --sites ", "")}`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--sites writes a program.*\[options-conflict\]/)]);
  });
});

describe("an error", () => {
  const problem = (stdout: string) => (JSON.parse(stdout) as { error: { message: string; code: string } }).error;

  it.each([
    ["imprt", {}, 2, /imprt/],
    ["import --filter name", {}, 2, /property.*value/],
    ["import --filter peerCidr=10.0.0.0/8 --filter target=a:1", {}, 2, /has all the properties of these filters/],
    ["import --program ts", {}, 2, /--program-out/],
    ["import --program cobol", {}, 2, /Allowed choices are ts, python, yaml/],
    ["import --out x --program ts --program-out x", {}, 2, /same file/],
    ["import --token-file none", {}, 2, /none can't be read \(ENOENT\)/],
    ["import", { FRONTDOOR_ID: "" }, 2, /no front door is named/],
    ["import", { FRONTDOOR_TOKEN: undefined }, 2, /FRONTDOOR_TOKEN/],
    ["import --base-url http://example.com/frontdoor", {}, 2, /https/],
    ["import", { FRONTDOOR_TOKEN: "another-token" }, 1, /401/],
  ])("of %s with %j ends with %i, and is told without stack and token", async (line, env, wanted, message) => {
    const { code, stdout, stderr } = await here.run(`${line} --json`, env);
    const named = {
      message: expect.stringMatching(message) as string,
      code: expect.stringMatching(/^[a-z-]+$/) as string,
    };
    expect([code, problem(stdout)]).toEqual([wanted, named]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout + stderr).not.toContain("another-token");
  });

  it("without a command tells what there is", async () => {
    const { code, stdout, text } = await here.workspace.run([]);
    expect([code, stdout, text]).toEqual([2, "", expect.stringContaining("import")]);
  });
});

describe("configuration", () => {
  const write = (name: string, text: string) => {
    writeFileSync(here.path(name), text);
  };
  const withStack = "import --stack-config Pulumi.prod.yaml";
  const secretStack = "config:\n  frontdoor:token:\n    secure: AAAA\n";

  it("an option counts before the environment, the environment before the file", async () => {
    write(
      "Pulumi.prod.yaml",
      `config:\n  frontdoor:baseUrl: ${here.emulator.baseUrl}\n  frontdoor:frontdoorId: fd-8\n`,
    );
    here.emulator.seedTunnel({ id: "tnl-8", frontdoorId: "fd-8" });
    here.emulator.seedTunnel({ id: "tnl-9", frontdoorId: "fd-9" });
    expect(idsIn((await here.run(withStack, { FRONTDOOR_ID: undefined })).stdout)).toBe("tnl-8");
    expect(idsIn((await here.run(withStack, { FRONTDOOR_ID: "fd-9" })).stdout)).toBe("tnl-9");
    expect(idsIn((await here.run(`${withStack} --frontdoor-id fd-9`)).stdout)).toBe("fd-9/tnl-9");
  });

  it("has its secrets read by pulumi, which is logged in to the stack", async () => {
    write("Pulumi.yaml", "name: imports\nruntime: nodejs\n");
    mkdirSync(here.path("state"));
    await here.workspace.pulumi(["stack", "init", "prod"]);
    await here.workspace.pulumi(["config", "set", "--secret", "frontdoor:token", "very-secret-token"]);
    await here.workspace.pulumi(["stack", "init", "other"]);
    const { code, stdout, stderr } = await here.run(withStack, { FRONTDOOR_TOKEN: undefined });
    expect([code, stderr]).toEqual([0, `${here.using}front door fd-1: 2 IPsec tunnels, 4 IPsec shares\n`]);
    expect(idsIn(stdout)).toContain("tnl-1");
    const refused = await here.run(withStack, { FRONTDOOR_TOKEN: undefined, PULUMI_CONFIG_PASSPHRASE: "not it" });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/Pulumi\.prod\.yaml: its secrets can't be read .*passphrase/);
  });

  it("with a secret needs pulumi, and one beside the stack's file is not run, even if PATH leads there", async () => {
    write("Pulumi.prod.yaml", secretStack);
    write("pulumi", "#!/bin/sh\n: > ran\n");
    chmodSync(here.path("pulumi"), 0o755);
    for (const PATH of ["/nowhere", ["", "."].join(delimiter)]) {
      const { code, stderr } = await here.run(withStack, { PATH });
      expect([code, existsSync(here.path("ran"))]).toEqual([2, false]);
      expect(stderr).toContain("there is no pulumi on PATH");
    }
  });
});

it("says its version", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect((await here.run("--version")).stdout).toBe(`${version}\n`);
});

describe("plan", () => {
  const place = { frontdoorId: "fd-1", status: "DEPLOYED" };

  const tunnel = (id: string, given: object = {}) => ({
    ...{ ...place, id, name: id, peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" },
    ...{ locationId: "loc-1", nlbPrivateIp: "10.90.0.10", nlbDnsName: "nlb.example", ...given },
  });

  const share = (id: string, given: object = {}) => ({
    ...{
      ...place,
      id,
      name: id,
      ipsecTunnelId: "tnl-1",
      envZId: "env-1",
      target: "db.internal:5432",
      ingressPort: 5432,
    },
    ...given,
  });

  describe("a value that the provider's check refuses", () => {
    const argsOf = (given: object) => Object.fromEntries(planOf([tunnel("tnl-1", given)], []).declared[0]?.args ?? []);

    it("is spelled as it allows it, or not given if the tunnel keeps it all the same", () => {
      expect(argsOf({ peerCidr: "10.20.3.4/16" })["peerCidr"]).toBe("10.20.0.0/16");
      expect(argsOf({ nlbPrivateIp: "198.51.100.1" })).not.toHaveProperty("nlbPrivateIp");
    });

    it("leaves the resource out, with the check's own words", () => {
      const { declared, leftOut } = planOf([tunnel("tnl-1", { peerPublicIp: "127.0.0.1" })], [share("shr-1")]);
      expect(leftOut).toMatchObject([{ kind: "tunnel", id: "tnl-1" }]);
      expect(leftOut[0]?.reason).toMatch(/peerPublicIp must be an IPv4 address/);
      // Its shares are declared still.
      expect(declared.map(({ importId, args }) => [importId, args[0]])).toEqual([
        ["shr-1", ["ipsecTunnelId", "tnl-1"]],
      ]);
    });
  });
});

describe("logical names", () => {
  const tunnel = (name: string, id = `tnl-${name}`) => ({ kind: "tunnel" as const, id, name });

  it.each([
    ["Büro München-Ost", "buro-munchen-ost"],
    ["Straße 7", "strasse-7"],
    ['Bob\'s "plant" #2', "bob-s-plant-2"],
    ["  --x--  ", "x"],
    ["3rd floor", "tunnel-3rd-floor"],
    ["class", "tunnel-class"],
    ["exports", "tunnel-exports"],
    ["pulumi", "tunnel-pulumi"],
    ["日本", "tunnel"],
    ["x".repeat(255), "x".repeat(60)],
    ...Object.getOwnPropertyNames(Object.prototype).map((name) => [name, name.toLowerCase().replace(/^_+|_+$/g, "")]),
  ])("of the tunnel %j is %j", (name, expected) => {
    expect(logicalNames([tunnel(name)])).toEqual([expected]);
  });

  const kind = fc.constantFrom<KindName>("tunnel", "share");
  const name = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[ab1 -]{1,4}$/));
  const entry = fc.record({ kind, id: fc.stringMatching(/^[a-c0-9_][a-c0-9._:~-]{0,3}$/), name });
  const entries = fc.uniqueArray(entry, { selector: (one) => `${one.kind} ${one.id}`, maxLength: 12 });

  it("are legal in every language, no two are the same there, and the order of the entries does not matter", () => {
    const property = fc.property(entries, (all) => {
      const names = logicalNames(all);
      for (const each of names) expect(each).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
      for (const as of [(text: string) => text, camelCase, snakeCase])
        expect(new Set(names.map(as)).size).toBe(all.length);
      expect(logicalNames([...all].reverse())).toEqual([...names].reverse());
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});

const odd = 'Bü "ro" \\ ${x}\u2028\u00a0';

const args = (given: object) => Object.entries(given) as Declared["args"];

const hq: Declared = {
  ...{ kind: "tunnel", importId: "tnl-1", name: "branch-office" },
  args: args({ peerPublicIp: "203.0.113.7", name: odd }),
};

const web: Declared = {
  ...{ kind: "share", importId: "fd-2/shr-1", name: "web" },
  args: args({ ipsecTunnelId: { tunnel: "branch-office" }, envZId: "env-1", ingressPort: 443 }),
};

describe("the program", () => {
  it("is Python, with arguments as Pulumi spells them there", () => {
    expect(bodyOf(programOf("python", [hq, web]))).toBe(`import pulumi
import pulumi_frontdoor as frontdoor

branch_office = frontdoor.IpsecTunnel(
    "branch-office",
    peer_public_ip="203.0.113.7",
    name="Bü \\"ro\\" \\\\ \${x}\\u2028\\u00a0",
    opts=pulumi.ResourceOptions(protect=True),
)

frontdoor.IpsecShare(
    "web",
    ipsec_tunnel_id=branch_office.id,
    env_z_id="env-1",
    ingress_port=443,
    opts=pulumi.ResourceOptions(protect=True),
)
`);
  });

  it("of nothing is also one, and imports no class that it does not use", () => {
    const bodies = (["ts", "python", "yaml"] as const).map((language) => bodyOf(programOf(language, [])));
    expect(bodies).toEqual(["", "import pulumi\nimport pulumi_frontdoor as frontdoor\n", "resources: {}\n"]);
    expect(programOf("ts", [hq])).toContain("import { IpsecTunnel } from");
  });
});
