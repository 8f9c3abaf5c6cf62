import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { delimiter, join } from "node:path";
import { certificateFor } from "../harness/certificates";
import { recordFolder } from "../../provider/run/files";
import { catalogue } from "../../cli/explain";
import { version } from "../../cli/shared/node-version";
import { useEmulator } from "./command";

const here = useEmulator(() => {
  mkdirSync(here.path("bin"));
  program("node", "echo v24.1.0");
  program("pulumi", pulumi("[]"));
});
/** A Pulumi CLI with these plugins, and a stack without settings. */
const pulumi = (plugins: string) =>
  `case "$1" in version) echo v3.213.0;; config) echo "{}";; *) echo '${plugins}';; esac`;
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

async function untrusted(more: object = {}): Promise<Env> {
  const server = createServer({ ...certificateFor("127.0.0.1"), ...more });
  return url(`https://127.0.0.1:${await listening(server)}/frontdoor`);
}
const oldTls = () => untrusted({ minVersion: "TLSv1.1", maxVersion: "TLSv1.1" });

const expiredToken = ["header", Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url"), "signature"].join(".");

interface Check {
  name: string;
  state: string;
  found: string;
  remedy?: string;
  code?: string;
}
type Env = Record<string, string | undefined>;

const withoutProxy = { HTTPS_PROXY: "", https_proxy: "", HTTP_PROXY: "", http_proxy: "", NO_PROXY: "", no_proxy: "" };

async function checked(env: Env, ...args: string[]) {
  // npm, which runs these tests, sets its agent for every process.
  const own = { PATH: here.path("bin"), npm_config_user_agent: undefined, ...withoutProxy, ...env };
  const ended = await here.workspace.run(["doctor", "--json", ...args], own);
  const { checks } = JSON.parse(ended.stdout) as { checks: Check[] };
  return { ...ended, checks, wrong: checks.filter(({ state }) => state === "wrong") };
}

const setting =
  (settings: object, env: Env = {}) =>
  () => {
    Object.assign(here.emulator.settings, settings);
    return env;
  };
const url = (baseUrl: string) => ({ FRONTDOOR_BASE_URL: baseUrl });
const programs = (name: string, script: string) => () => {
  program(name, script);
  return {};
};
const withUrl = (what: string | RegExp, by: string) => url(here.emulator.baseUrl.replace(what, by));
const refused = async () => url(`http://127.0.0.1:${await refusedPort()}/frontdoor`);
const expired = setting({ tokenRejectedStatus: 403 }, { FRONTDOOR_TOKEN: expiredToken });
const ofAnother = setting({ tokens: { other: ["fd-2"] } }, { FRONTDOOR_TOKEN: "other" });
const misspelt = { FRONTDOOR_BASEURL: "x" };
function answeredByPage() {
  here.emulator.faults.add({ fault: "html", status: 404 });
  return {};
}
const listed = JSON.stringify([{ name: "frontdoor", kind: "resource", version: "0.0.9" }]);
const oldInstalled = programs("pulumi", pulumi(listed));
/** Names a folder of the project in `plugins.providers`, with a plugin of this version. */
function named(version?: string) {
  const folder = here.path("node_modules/pulumi-frontdoor/dist/plugin");
  mkdirSync(folder, { recursive: true });
  const path = "node_modules/pulumi-frontdoor/dist/plugin";
  const providers = `plugins:\n  providers:\n    - name: frontdoor\n      path: ${path}\n`;
  writeFileSync(here.path("Pulumi.yaml"), `name: a\nruntime: yaml\n${providers}`);
  if (version === undefined) return {};
  writeFileSync(join(folder, "pulumi-resource-frontdoor"), "");
  writeFileSync(join(folder, "schema.json"), JSON.stringify({ version }));
  return {};
}
function oldOnPath() {
  writeFileSync(here.path("bin/schema.json"), JSON.stringify({ version: "0.0.8" }));
  return programs("pulumi-resource-frontdoor", "")();
}

/** What is wrong, which check finds it, and what it says; an address or TLS that is wrong ends with 3, all else with 1. */
const misconfigurations: [what: string, check: string, says: RegExp, Env | (() => Env | Promise<Env>)][] = [
  [
    "a wrong host",
    "address",
    /nothing was reached at f\.invalid.*: Check the URL in FRONTDOOR_BASE_URL/,
    url("https://f.invalid/frontdoor"),
  ],
  ["a refused port", "address", /Nothing listens at 127\.0\.0\.1:\d+: Start the emulator/, refused],
  [
    "a plain port behind https",
    "TLS",
    /speaks no TLS at this port.*: Write http:\/\//,
    () => withUrl("http:", "https:"),
  ],
  ["an untrusted certificate", "TLS", /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA/, untrusted],
  ["an old TLS version", "TLS", /handshake with .* failed \(ERR_SSL_.*accept TLS 1\.2 .*\[tls-failed\]$/, oldTls],
  [
    "a doubled path",
    "path",
    /is doubled: .*127\.0\.0\.1:\d+\/frontdoor \[not-the-service\]$/,
    () => withUrl(/$/, "/v2/fd-1/frontdoor"),
  ],
  ["a path that a page answers", "path", /a web page \(404\): Check the URL in FRONTDOOR_BASE_URL/, answeredByPage],
  [
    "a wrong token",
    "token",
    /401 unauthorized.*token in FRONTDOOR_TOKEN is invalid or expired\. Set a new one/,
    { FRONTDOOR_TOKEN: "another" },
  ],
  ["an expired token", "token", /has expired at 1970-01-01T00:00:01.000Z \(403\)/, expired],
  ["a token without access", "front door", /\(403\).*the token's access to it/, ofAnother],
  ["a wrong front door", "front door", /fd-9 was not found .*check FRONTDOOR_ID/, { FRONTDOOR_ID: "fd-9" }],
  ["disabled shares", "front door", /shares are enabled for it/, setting({ ipsecSharesDisabledFor: ["fd-1"] })],
  ["a late clock", "clock", /clock is (59\d|600) s behind: set the clock/, setting({ serviceClockSkewMs: 600_000 })],
  [
    "a state folder that is a file",
    "state folder",
    /bin\/node can't be used .*set FRONTDOOR_STATE_DIR to .*\[records-not-kept\]$/,
    () => ({ FRONTDOOR_STATE_DIR: here.path("bin/node") }),
  ],
  ["no engine", "engine", /no pulumi on PATH.*install Pulumi 3\.200\.0 or later/, programs("pulumi", "exit 1")],
  ["an old engine", "engine", /v3\.99\.1 is too old/, programs("pulumi", "echo v3.99.1")],
  ["an old Node", "Node", /v20\.9\.0 on PATH is too old.*22\.19\.0 or later/, programs("node", "echo v20.9.0")],
  ["an old plugin on PATH", "plugin", /0\.0\.8, on PATH/, oldOnPath],
  [
    "an old plugin in Pulumi.yaml",
    "plugin",
    /0\.0\.7, in \S+\/dist\/plugin, which Pulumi\.yaml names, is/,
    () => named("0.0.7"),
  ],
  [
    "no plugin where Pulumi.yaml says",
    "plugin",
    /there is none in \S+\/dist\/plugin.*: run `npm install`/,
    () => named(),
  ],
  ["no token", "settings", /There are no credentials/, { FRONTDOOR_TOKEN: undefined }],
  ["a misspelt variable", "settings", /BASEURL is no setting.*did you mean FRONTDOOR_BASE_URL/, misspelt],
];

describe("pulumi-frontdoor doctor", () => {
  it("says that a network in NO_PROXY has no effect", async () => {
    const { checks } = await checked({ NO_PROXY: "10.0.0.0/8", no_proxy: undefined });
    expect(checks).toContainEqual(expect.objectContaining({ found: "NO_PROXY names a network, which has no effect" }));
  });

  it("says of each thing that it is well", async () => {
    const { code, stdout, stderr } = await here.run("doctor", { PATH: here.path("bin") });
    expect([code, stderr]).toEqual([0, ""]);
    const names = ["settings", "address", "path", "token", "front door", "IPsec shares", "clock", "Node", "engine"];
    for (const name of [...names, "package"]) expect(stdout).toMatch(new RegExp(`^ok +${name} `, "m"));
    expect(stdout).toMatch(/^note +plugin +none of version /m);
    expect(stdout).not.toContain(here.emulator.token);
    expect(here.emulator.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  it.each([
    [undefined, "note", /^\d+ resources at a time, Pulumi's default$/, /--parallel 256/],
    ["256", "ok", /^256 resources at a time \(PULUMI_PARALLEL\)$/, /^$/],
  ])("says how many resources the engine works on at a time: PULUMI_PARALLEL %s", async (...row) => {
    const [chosen, state, found, remedy] = row;
    const { checks } = await checked({ PULUMI_PARALLEL: chosen });
    const { remedy: said = "", ...check } = checks.find(({ name }) => name === "parallelism") ?? {};
    expect(check).toMatchObject({ state, found: expect.stringMatching(found) as string });
    expect(said).toMatch(remedy);
  });

  /** Writes the credentials.json of an API account. */
  const account = (more: object = {}, mode = 0o600): Env => {
    const path = here.path("credentials.json");
    const { oauthClientId: clientId, oauthClientSecret: password } = here.emulator.settings;
    const file = { clientId, password, authenticationUrl: here.emulator.tokenUrl, ...more };
    writeFileSync(path, JSON.stringify(file), { mode });
    return { FRONTDOOR_TOKEN: undefined, FRONTDOOR_CREDENTIALS_FILE: path };
  };
  const jwt = (exp: number) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${part({ alg: "none" })}.${part({ exp })}.canary`;
  };
  it.each<[string, () => Env, string, RegExp]>([
    ["a variable", () => ({}), "ok", /^token in FRONTDOOR_TOKEN$/],
    [
      "the vendor's variable, and how long its JWT lasts",
      () => ({ FRONTDOOR_TOKEN: undefined, NETFOUNDRY_API_TOKEN: jwt(Math.round(Date.now() / 1000) + 1830) }),
      "ok",
      /^token in NETFOUNDRY_API_TOKEN: it is valid for 3[01] min, until 20/,
    ],
    ["a variable with a JWT that is over", () => ({ FRONTDOOR_TOKEN: jwt(1) }), "note", /it has expired at 1970/],
    [
      "a file",
      account,
      "ok",
      /^clientId and password in \S+credentials\.json \(FRONTDOOR_CREDENTIALS_FILE\), by a json request to 127/,
    ],
  ])("names the place of the credentials: %s", async (_, env, state, found) => {
    const { checks, text } = await checked(env());
    const [first] = checks.filter(({ name }) => name === "credentials");
    expect(first).toMatchObject({ state, found: expect.stringMatching(found) as string });
    expect(text).not.toMatch(/canary|emulator-client-secret/);
  });

  it("finds credentials of one environment with the URL of another", async () => {
    const authenticationUrl = "https://netfoundry-staging-x.auth.us-east-1.amazoncognito.com/oauth2/token";
    const nowhere = `http://127.0.0.1:${await refusedPort()}`;
    const { wrong } = await checked({
      ...account({ authenticationUrl }),
      HTTPS_PROXY: nowhere,
      https_proxy: undefined,
    });
    expect(wrong[0]).toMatchObject({
      name: "environment",
      found: `the credentials are of staging, and FRONTDOOR_BASE_URL is ${here.emulator.baseUrl}`,
    });
  });

  const noDoor = { FRONTDOOR_ID: undefined };
  it.each<[string, () => Env, string, RegExp]>([
    ["a token", () => noDoor, "ok", /^given; a front door is needed/],
    ["an API account", () => ({ ...account(), ...noDoor }), "ok", /^fetched for 60 min; a front door is needed/],
    ["a wrong token", () => ({ FRONTDOOR_TOKEN: "another", ...noDoor }), "wrong", /^401 unauthorized/],
    [
      "a wrong password",
      () => ({ ...account({ password: "wrong-canary" }), ...noDoor }),
      "wrong",
      /^token request \(authenticationUrl in .*: 401 invalid_client/,
    ],
    ["an API account, with a front door", account, "ok", /^fetched for 60 min, and accepted$/],
  ])("checks the credentials, also if no front door is named: %s", async (_, env, state, found) => {
    const { checks, text } = await checked(env());
    const [credentials] = checks.filter(({ name }) => name === "credentials");
    const [token] = checks.filter(({ name }) => name === "token");
    expect([credentials?.state, token]).toMatchObject(["ok", { state, found: expect.stringMatching(found) as string }]);
    expect(text).not.toContain("canary");
    expect(text).not.toContain(here.emulator.settings.oauthClientSecret);
  });

  it("names an unfinished create of this project folder, and its record", async () => {
    const env = { FRONTDOOR_STATE_DIR: here.path("state"), PULUMI_BACKEND_URL: "file:///one" };
    const origin = "organization::urn:pulumi:dev::shop::pulumi-nodejs:dynamic/frontdoor:IpsecShare::web";
    const record = { origin, postedAtMs: 0, before: [], id: "shr-1" };
    const folder = recordFolder(here.emulator.baseUrl, env, here.workspace.folder);
    folder.write("a.json", JSON.stringify(record));
    const { code, checks } = await checked(env);
    expect([code, checks.filter(({ name }) => name === "unfinished create")]).toEqual([
      0,
      [
        {
          ...{ name: "unfinished create", state: "note" },
          found: 'IPsec share shr-1 of resource "web", since 1970-01-01T00:00:00.000Z (project shop, stack dev)',
          remedy: expect.stringContaining(join(folder.path, "a.json")) as string,
        },
      ],
    ]);
  });

  it("notes a credentials file that others can read", async () => {
    const { checks, code } = await checked(account({}, 0o644));
    const [, open] = checks.filter(({ name }) => name === "credentials");
    const found = expect.stringMatching(/^other users of this machine can read \S+credentials\.json/) as string;
    expect([code, open]).toMatchObject([
      0,
      { state: "note", found, remedy: expect.stringMatching(/chmod 600/) as string },
    ]);
  });

  it.each(misconfigurations)("names %s, with what to do", async (_, check, says, planted) => {
    const ended = await checked(typeof planted === "function" ? await planted() : planted);
    expect(ended.wrong.map(({ name }) => name)).toEqual([check]);
    expect(ended.wrong.map(({ found, remedy }) => `${found}: ${remedy ?? ""}`)).toEqual([expect.stringMatching(says)]);
    const known = catalogue.flatMap(({ entries }) => entries.map(({ code }) => code));
    for (const each of ended.wrong) expect(known).toContain(each.code);
    expect(ended.code).toBe(["address", "TLS"].includes(check) ? 3 : 1);
    expect(ended.stderr).toMatch(new RegExp(`^frontdoor: .*problems with ${check}\\. .*\\[problems-found\\]\\n$`));
    expect(ended.text).not.toContain(expiredToken);
  });

  const pluginsIn = ({ checks }: { checks: Check[] }) =>
    checks
      .filter((each) => each.name === "plugin")
      .map(({ state, found }) => [state, found.replace(/ in `plug.*$/, "")]);
  const leave = ["note", "0.0.9, installed by pulumi"];

  it("notes an older plugin beside the right one, and lets it be: another project can need it", async () => {
    oldInstalled();
    const alone = await checked({});
    expect([alone.code, pluginsIn(alone)]).toEqual([0, [["note", `none of version ${version}`], leave]]);
    expect(alone.text).not.toContain("plugin rm");
    named(version);
    const beside = await checked({});
    const right = ["ok", expect.stringMatching(/^\S+, in \S+\/dist\/plugin, which Pulumi\.yaml names$/)];
    expect([beside.code, pluginsIn(beside)]).toEqual([0, [right, leave]]);
    // The engine takes the plugin that Pulumi.yaml names before the one on PATH.
    oldOnPath();
    const before = await checked({});
    expect([before.code, pluginsIn(before).map(([state]) => state)]).toEqual([0, ["ok", "note", "note"]]);
  });

  it("does not count a folder of PATH that npx itself has put there", async () => {
    const bin = here.path("node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "pulumi-resource-frontdoor"), "#!/bin/sh\n", { mode: 0o755 });
    mkdirSync(here.path("node_modules/pulumi-frontdoor/dist/plugin"), { recursive: true });
    const schema = "node_modules/pulumi-frontdoor/dist/plugin/schema.json";
    writeFileSync(here.path(schema), JSON.stringify({ version }));
    const npx = { npm_config_user_agent: "npm/11.0.0 node/v24.1.0" };
    const gyp = "/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin";
    const path = (...folders: string[]) => ({ PATH: [...folders, here.path("bin")].join(delimiter) });
    const isFound = async (env: Env) => pluginsIn(await checked(env))[0]?.[0] === "ok";
    expect(await isFound(path(bin))).toBe(true);
    expect(await isFound({ ...npx, ...path(bin, gyp) })).toBe(false);
    expect(await isFound({ ...npx, ...path(bin) })).toBe(false);
    // The user's own entry stands after those of npx.
    expect(await isFound({ ...npx, ...path(bin, gyp, bin) })).toBe(true);
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

  it.each([
    ["config:\n  frontdoor:baseUrl: x: y\n", /is not YAML \(line 2: /, /Correct that line \[yaml-invalid\]$/],
    [
      "encryptionsalt: v1:x:v1:y\nconfig:\n  frontdoor:token:\n    secure: AAABAAAA\n",
      /its secrets can't be read \(incorrect passphrase\)/,
      /^Set PULUMI_CONFIG_PASSPHRASE to the passphrase of this stack \[stack-secrets-unreadable\]$/,
    ],
  ])("shows settings that cannot be read as one row beside the others: %j", async (text, found, remedy) => {
    program(
      "pulumi",
      `case "$1" in version) echo v3.213.0;; config) echo "error: incorrect passphrase" >&2; exit 255;; *) echo "[]";; esac`,
    );
    writeFileSync(here.path("Pulumi.dev.yaml"), text);
    const { code, wrong, checks } = await checked({}, "--stack-config", here.path("Pulumi.dev.yaml"));
    expect([code, wrong.map(({ name }) => name)]).toEqual([1, ["settings"]]);
    expect([wrong[0]?.found, wrong[0]?.remedy]).toEqual([expect.stringMatching(found), expect.stringMatching(remedy)]);
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["Node", "engine", "plugin"]));
  });

  it("has a row for each missing setting, and names the check once", async () => {
    const { stderr, wrong } = await checked({ FRONTDOOR_TOKEN: undefined, FRONTDOOR_ID: undefined });
    expect(wrong.map((each) => each.code)).toEqual(["token-missing", "front-door-missing"]);
    expect(stderr).toMatch(/problems with settings\. /);
  });

  it("names a misspelt key in the stack's configuration", async () => {
    const lines = [`frontdoor:baseurl: ${here.emulator.baseUrl}`, "frontdoor:frontdoorId: fd-1", "other:baseurl: x"];
    writeFileSync(here.path("Pulumi.prod.yaml"), `config:\n  ${lines.join("\n  ")}\n`);
    const { code, wrong } = await checked({}, "--stack-config", here.path("Pulumi.prod.yaml"));
    const found = "frontdoor:baseurl is no setting and has no effect";
    const remedy = "did you mean frontdoor:baseUrl? [unknown-setting]";
    const problem = { name: "settings", state: "wrong", found, remedy, code: "unknown-setting" };
    expect([code, wrong]).toEqual([1, [problem]]);
  });
});
