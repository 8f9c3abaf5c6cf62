import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { delimiter, join } from "node:path";
import { generate } from "selfsigned";
import { useEmulator } from "./command";

const here = useEmulator(() => {
  mkdirSync(here.path("bin"));
  program("node", "echo v24.1.0");
  program("pulumi", 'test "$1" = version && echo v3.213.0 || echo "[]"');
});
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A program on the PATH that answers so. */
function program(name: string, script: string): void {
  writeFileSync(here.path(`bin/${name}`), `#!/bin/sh\n${script}\n`);
  chmodSync(here.path(`bin/${name}`), 0o755);
}

const listening = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

async function refusedPort(): Promise<number> {
  const port = await listening(createTcpServer());
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return port;
}

async function untrusted(): Promise<string> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }]);
  return `https://127.0.0.1:${await listening(createServer({ key, cert }))}/frontdoor`;
}

const expiredToken = ["header", Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url"), "signature"].join(".");

interface Check {
  name: string;
  state: string;
  found: string;
  remedy?: string;
}
type Env = Record<string, string | undefined>;

const withoutProxy = { HTTPS_PROXY: "", https_proxy: "", HTTP_PROXY: "", http_proxy: "" };

async function checked(env: Env, ...args: string[]) {
  const ended = await here.place.run(["doctor", "--json", ...args], {
    PATH: here.path("bin"),
    ...withoutProxy,
    ...env,
  });
  const { checks } = JSON.parse(ended.stdout) as { checks: Check[] };
  return { ...ended, checks, wrong: checks.filter(({ state }) => state === "wrong") };
}

const setting = (settings: object) => () => {
  Object.assign(here.emulator.settings, settings);
  return {};
};
const url = (baseUrl: string) => ({ FRONTDOOR_BASE_URL: baseUrl });
const programs =
  (...[name, script]: Parameters<typeof program>) =>
  () => {
    program(name, script);
    return {};
  };
const listed = JSON.stringify([{ name: "frontdoor", kind: "resource", version: "0.0.9" }]);

const misconfigurations: [what: string, code: number, check: string, says: RegExp, () => Env | Promise<Env>][] = [
  ["a wrong host", 3, "address", /name f\.invalid is not known/, () => url("https://f.invalid/frontdoor")],
  [
    ...([
      "an invalid proxy",
      3,
      "address",
      /names a proxy whose address is invalid: set HTTPS_PROXY and HTTP_/,
    ] as const),
    () => ({ ...url("https://127.0.0.1:1/frontdoor"), HTTPS_PROXY: "::bad", https_proxy: undefined }),
  ],
  [
    ...([
      "a refused port",
      3,
      "address",
      /nothing listens on 127\.0\.0\.1:\d+ \(ECONNREFUSED\).*host and port/,
    ] as const),
    async () => url(`http://127.0.0.1:${await refusedPort()}/frontdoor`),
  ],
  [
    ...(["a plain http port behind https", 3, "TLS", /does not speak TLS.*plain http port/] as const),
    () => url(here.emulator.baseUrl.replace("http:", "https:")),
  ],
  [
    ...(["an untrusted certificate", 3, "TLS", /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA/] as const),
    async () => url(await untrusted()),
  ],
  [
    ...(["a doubled path", 1, "path", /the path is doubled: .*http:\/\/127\.0\.0\.1:\d+\/frontdoor$/] as const),
    () => url(`${here.emulator.baseUrl}/v2/fd-1/frontdoor`),
  ],
  [
    ...(["a path that a page answers", 1, "path", /is not the service's \(404\).*up to \/frontdoor/] as const),
    () => {
      here.emulator.faults.add({ fault: "html", status: 404 });
      return {};
    },
  ],
  ["a wrong token", 1, "token", /not accepted \(401\).*set frontdoor:token/, () => ({ FRONTDOOR_TOKEN: "another" })],
  [
    ...(["an expired token, refused by 403", 1, "token", /has expired at 1970-01-01T00:00:01.000Z \(403\)/] as const),
    () => ({ ...setting({ tokenRejectedStatus: 403 })(), FRONTDOOR_TOKEN: expiredToken }),
  ],
  [
    ...(["a token without access", 1, "front door", /\(403\).*token has expired or does not grant access/] as const),
    () => ({ ...setting({ tokens: { other: ["fd-2"] } })(), FRONTDOOR_TOKEN: "other" }),
  ],
  ["a wrong front door", 1, "front door", /fd-9 was not found .*the id is wrong/, () => ({ FRONTDOOR_ID: "fd-9" })],
  ["disabled shares", 1, "front door", /shares are not enabled for it/, setting({ ipsecSharesDisabledFor: ["fd-1"] })],
  ["a late clock", 1, "clock", /clock is (59\d|600) s behind: set it right/, setting({ serviceClockSkewMs: 600_000 })],
  ["no engine", 1, "engine", /no pulumi on PATH.*install Pulumi 3\.200\.0 or later/, programs("pulumi", "exit 1")],
  ["an old engine", 1, "engine", /v3\.99\.1 is too old/, programs("pulumi", "echo v3.99.1")],
  ["an old Node", 1, "Node", /v20\.9\.0 on PATH is too old.*22\.19\.0 or later/, programs("node", "echo v20.9.0")],
  [
    ...(["an old installed plugin", 1, "plugin", /0\.0\.9, installed by pulumi, is not .*pulumi plugin rm/] as const),
    programs("pulumi", `test "$1" = version && echo v3.213.0 || echo '${listed}'`),
  ],
  [
    ...(["an old plugin on PATH", 1, "plugin", /0\.0\.8, on PATH/] as const),
    () => {
      writeFileSync(here.path("bin/schema.json"), JSON.stringify({ version: "0.0.8" }));
      return programs("pulumi-resource-frontdoor", "")();
    },
  ],
  ["no token", 1, "settings", /frontdoor:token is missing/, () => ({ FRONTDOOR_TOKEN: undefined })],
  [
    ...([
      "a misspelt variable",
      1,
      "settings",
      /FRONTDOOR_BASEURL is no setting.*did you mean FRONTDOOR_BASE_URL/,
    ] as const),
    () => ({ FRONTDOOR_BASEURL: "x" }),
  ],
];

describe("frontdoor doctor", () => {
  it.each([
    ["HTTPS_PROXY", { https_proxy: "proxy", HTTP_PROXY: "http://127.0.0.1:1" }],
    ["HTTP_PROXY", { http_proxy: undefined, HTTP_PROXY: "proxy" }],
  ])("names the variable of the proxy that requests use: %s of %j", async (named, variables) => {
    const proxy = `http://127.0.0.1:${await refusedPort()}`;
    const valueOf = (value: string | undefined) => (value === "proxy" ? proxy : value);
    const env = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, valueOf(value)]));
    const { checks } = await checked({ ...env, ...url("https://127.0.0.1:2/frontdoor") });
    const found = `127.0.0.1:2 is asked by way of a proxy (${named})`;
    expect(checks.find(({ name }) => name === "address")).toMatchObject({ state: "not checked", found });
  });

  it("says of each thing that it is well", async () => {
    const { code, stdout, stderr } = await here.run("doctor", { PATH: here.path("bin") });
    expect([code, stderr]).toEqual([0, ""]);
    const names = ["settings", "address", "path", "token", "front door", "IPsec shares", "clock", "Node", "engine"];
    for (const name of [...names, "package"]) expect(stdout).toMatch(new RegExp(`^ok +${name} `, "m"));
    expect(stdout).toMatch(/^note +plugin +none on PATH/m);
    expect(stdout).not.toContain(here.emulator.token);
    expect(here.emulator.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  it.each(misconfigurations)("names %s, with what to do", async (_, code, check, says, planted) => {
    const ended = await checked(await planted());
    expect(ended.wrong.map(({ name }) => name)).toEqual([check]);
    expect(ended.wrong.map(({ found, remedy }) => `${found}: ${remedy ?? ""}`)).toEqual([expect.stringMatching(says)]);
    expect([ended.code, ended.stderr]).toEqual([
      code,
      expect.stringMatching(new RegExp(`^frontdoor: .*wrong: ${check}\\n$`)),
    ]);
    expect(ended.text).not.toContain(expiredToken);
  });

  it("knows the version of a plugin that pnpm has put on PATH, by a script of its own", async () => {
    const modules = here.path("node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    mkdirSync(join(modules, "pulumi-frontdoor/dist/plugin"), { recursive: true });
    writeFileSync(join(modules, ".bin/pulumi-resource-frontdoor"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(modules, "pulumi-frontdoor/dist/plugin/schema.json"), JSON.stringify({ version: "0.0.7" }));
    const { wrong } = await checked({ PATH: [join(modules, ".bin"), here.path("bin")].join(delimiter) });
    expect(wrong.map(({ name, found }) => [name, found.split(",")[0]])).toEqual([["plugin", "0.0.7"]]);
  });

  it("reads the version of this folder's package, and runs no code of that package", async () => {
    const planted = here.path("node_modules/pulumi-frontdoor");
    mkdirSync(planted, { recursive: true });
    const exports = { "./package.json": "./planted.js" };
    const about = { name: "pulumi-frontdoor", version: "0.0.6", main: "./planted.js", exports };
    writeFileSync(join(planted, "package.json"), JSON.stringify(about));
    const code = `require("node:fs").writeFileSync(${JSON.stringify(here.path("ran"))}, process.env.FRONTDOOR_TOKEN);`;
    writeFileSync(join(planted, "planted.js"), code);
    const { checks } = await checked({});
    expect(existsSync(here.path("ran"))).toBe(false);
    const found = expect.stringMatching(/^0\.0\.6 here, /) as string;
    expect(checks.find(({ name }) => name === "package")).toMatchObject({ state: "note", found });
  });

  it("names a misspelt key in the stack's configuration", async () => {
    const lines = [`frontdoor:baseurl: ${here.emulator.baseUrl}`, "frontdoor:frontdoorId: fd-1", "other:baseurl: x"];
    writeFileSync(here.path("Pulumi.prod.yaml"), `config:\n  ${lines.join("\n  ")}\n`);
    const { code, wrong } = await checked({}, "--stack-config", here.path("Pulumi.prod.yaml"));
    const found = "frontdoor:baseurl is no setting and has no effect";
    const remedy = "did you mean frontdoor:baseUrl?";
    expect([code, wrong]).toEqual([1, [{ name: "settings", state: "wrong", found, remedy }]]);
  });
});
