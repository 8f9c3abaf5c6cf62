import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { delimiter, join } from "node:path";
import { generate } from "selfsigned";
import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "./command";

let emulator: Emulator;
let place: Place;
const servers: Server[] = [];

beforeEach(async () => {
  emulator = await startEmulator();
  place = new Place(emulator);
  mkdirSync(place.path("bin"));
  program("node", "echo v24.1.0");
  program("pulumi", 'test "$1" = version && echo v3.213.0 || echo "[]"');
});
afterEach(async () => {
  await emulator.close();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  place.remove();
});

/** A program on the PATH that answers so. */
function program(name: string, script: string): void {
  writeFileSync(place.path(`bin/${name}`), `#!/bin/sh\n${script}\n`);
  chmodSync(place.path(`bin/${name}`), 0o755);
}

const listening = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

async function refusedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  servers.pop();
  return port;
}

async function untrusted(): Promise<string> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }]);
  return `https://127.0.0.1:${await listening(createServer({ key, cert }))}/frontdoor`;
}

const tokenThatExpired = () =>
  ["header", Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url"), "signature"].join(".");

interface Check {
  name: string;
  state: string;
  found: string;
  remedy?: string;
}

const withoutProxy = { HTTPS_PROXY: "", https_proxy: "", HTTP_PROXY: "", http_proxy: "" };

async function checked(env: Record<string, string | undefined>, ...args: string[]) {
  const PATH = place.path("bin");
  const ended = await place.run(["doctor", "--json", ...args], { PATH, ...withoutProxy, ...env });
  const { checks } = JSON.parse(ended.stdout) as { checks: Check[] };
  return { ...ended, checks, wrong: checks.filter(({ state }) => state === "wrong") };
}

describe("frontdoor doctor", () => {
  it.each([
    ["HTTPS_PROXY", { https_proxy: undefined, HTTPS_PROXY: "proxy" }],
    ["HTTPS_PROXY", { https_proxy: "proxy", HTTP_PROXY: "http://127.0.0.1:1" }],
    ["HTTP_PROXY", { http_proxy: undefined, HTTP_PROXY: "proxy" }],
    ["HTTP_PROXY", { http_proxy: "proxy", HTTPS_PROXY: "http://127.0.0.1:1" }],
  ])("names the variable of the proxy that requests use: %s of %j", async (named, variables) => {
    const proxy = `http://127.0.0.1:${await refusedPort()}`;
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value === "proxy" ? proxy : value]),
    );
    const { checks } = await checked({ ...env, FRONTDOOR_BASE_URL: "https://127.0.0.1:2/frontdoor" });
    const found = `127.0.0.1:2 is asked by way of a proxy (${named})`;
    expect(checks.find(({ name }) => name === "address")).toMatchObject({ state: "not checked", found });
  });

  it("says of each thing that it is well", async () => {
    const { code, stdout, stderr } = await place.run(["doctor"], { PATH: place.path("bin") });
    expect([code, stderr]).toEqual([0, ""]);
    for (const name of [
      "settings",
      "address",
      "path",
      "token",
      "front door",
      "IPsec shares",
      "clock",
      "Node",
      "engine",
      "package",
    ])
      expect(stdout).toMatch(new RegExp(`^ok +${name} `, "m"));
    expect(stdout).toMatch(/^note +plugin +none on PATH/m);
    expect(stdout).not.toContain(emulator.token);
    expect(emulator.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  type Planted = () => Promise<Record<string, string | undefined>> | Record<string, string | undefined>;
  const misconfigurations: [what: string, code: number, check: string, says: RegExp, Planted][] = [
    [
      "a wrong host name",
      3,
      "address",
      /name frontdoor\.invalid is not known/,
      () => ({ FRONTDOOR_BASE_URL: "https://frontdoor.invalid/frontdoor" }),
    ],
    [
      "an invalid proxy",
      3,
      "address",
      /names a proxy whose address is invalid: set HTTPS_PROXY and HTTP_PROXY/,
      () => ({ FRONTDOOR_BASE_URL: "https://127.0.0.1:1/frontdoor", HTTPS_PROXY: "::bad", https_proxy: undefined }),
    ],
    [
      "a refused port",
      3,
      "address",
      /nothing listens on 127\.0\.0\.1:\d+ \(ECONNREFUSED\).*host and port/,
      async () => ({ FRONTDOOR_BASE_URL: `http://127.0.0.1:${await refusedPort()}/frontdoor` }),
    ],
    [
      "a plain http port behind https",
      3,
      "TLS",
      /does not speak TLS.*plain http port/,
      () => ({ FRONTDOOR_BASE_URL: emulator.baseUrl.replace("http:", "https:") }),
    ],
    [
      "an untrusted certificate",
      3,
      "TLS",
      /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/,
      async () => ({ FRONTDOOR_BASE_URL: await untrusted() }),
    ],
    [
      "a doubled path",
      1,
      "path",
      /the path is doubled: .*http:\/\/127\.0\.0\.1:\d+\/frontdoor$/,
      () => ({ FRONTDOOR_BASE_URL: `${emulator.baseUrl}/v2/fd-1/frontdoor` }),
    ],
    [
      "a wrong path, which a page answers",
      1,
      "path",
      /is not the service's \(404\).*up to \/frontdoor/,
      () => {
        emulator.faults.add({ fault: "html", status: 404 });
        return {};
      },
    ],
    ["a wrong token", 1, "token", /not accepted \(401\).*set frontdoor:token/, () => ({ FRONTDOOR_TOKEN: "another" })],
    [
      "an expired token, refused by 403",
      1,
      "token",
      /has expired at 1970-01-01T00:00:01.000Z \(403\)/,
      () => {
        emulator.settings.tokenRejectedStatus = 403;
        return { FRONTDOOR_TOKEN: tokenThatExpired() };
      },
    ],
    [
      "a token that does not grant access",
      1,
      "front door",
      /\(403\).*token has expired or does not grant access/,
      () => {
        emulator.settings.tokens["other"] = ["fd-2"];
        return { FRONTDOOR_TOKEN: "other" };
      },
    ],
    ["a wrong front door", 1, "front door", /fd-9 was not found .*the id is wrong/, () => ({ FRONTDOOR_ID: "fd-9" })],
    [
      "IPsec shares that are not enabled",
      1,
      "front door",
      /IPsec shares are not enabled for it, which the account manager does/,
      () => {
        emulator.settings.ipsecSharesDisabledFor = ["fd-1"];
        return {};
      },
    ],
    [
      "a clock that is behind",
      1,
      "clock",
      /clock is (59\d|600) s behind: set it right/,
      () => {
        emulator.settings.serviceClockSkewMs = 600_000;
        return {};
      },
    ],
    [
      "no engine",
      1,
      "engine",
      /no pulumi on PATH.*install Pulumi 3\.200\.0 or later/,
      () => {
        program("pulumi", "exit 1");
        return {};
      },
    ],
    [
      "an old engine",
      1,
      "engine",
      /v3\.99\.1 is too old/,
      () => {
        program("pulumi", "echo v3.99.1");
        return {};
      },
    ],
    [
      "an old Node",
      1,
      "Node",
      /v20\.9\.0 on PATH is too old.*22\.19\.0 or later/,
      () => {
        program("node", "echo v20.9.0");
        return {};
      },
    ],
    [
      "an old plugin that is installed",
      1,
      "plugin",
      /0\.0\.9, installed by pulumi, is not of this package's version.*pulumi plugin rm/,
      () => {
        const listed = JSON.stringify([{ name: "frontdoor", kind: "resource", version: "0.0.9" }]);
        program("pulumi", `test "$1" = version && echo v3.213.0 || echo '${listed}'`);
        return {};
      },
    ],
    [
      "an old plugin on PATH",
      1,
      "plugin",
      /0\.0\.8, on PATH/,
      () => {
        program("pulumi-resource-frontdoor", "");
        writeFileSync(place.path("bin/schema.json"), JSON.stringify({ version: "0.0.8" }));
        return {};
      },
    ],
    ["no token", 1, "settings", /frontdoor:token is missing/, () => ({ FRONTDOOR_TOKEN: undefined })],
    [
      "a misspelt variable",
      1,
      "settings",
      /FRONTDOOR_BASEURL is no setting.*did you mean FRONTDOOR_BASE_URL\?/,
      () => ({ FRONTDOOR_BASEURL: "x" }),
    ],
  ];

  it.each(misconfigurations)("names %s, with what to do", async (_, code, check, says, planted) => {
    const ended = await checked(await planted());
    expect(ended.wrong.map(({ name }) => name)).toEqual([check]);
    const [{ found, remedy = "" } = { found: "", remedy: "" }] = ended.wrong;
    expect(`${found}: ${remedy}`).toMatch(says);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(new RegExp(`^frontdoor: .*wrong: ${check}\n$`));
    expect(ended.text).not.toContain(tokenThatExpired());
  });

  it("knows the version of a plugin that pnpm has put on PATH, by a script of its own", async () => {
    const modules = place.path("node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    mkdirSync(join(modules, "pulumi-frontdoor/dist/plugin"), { recursive: true });
    writeFileSync(join(modules, ".bin/pulumi-resource-frontdoor"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(modules, "pulumi-frontdoor/dist/plugin/schema.json"), JSON.stringify({ version: "0.0.7" }));
    const { wrong } = await checked({ PATH: `${join(modules, ".bin")}${delimiter}${place.path("bin")}` });
    expect(wrong.map(({ name, found }) => [name, found.split(",")[0]])).toEqual([["plugin", "0.0.7"]]);
  });

  it("reads the version of this folder's package, and runs no code of that package", async () => {
    const planted = place.path("node_modules/pulumi-frontdoor");
    mkdirSync(planted, { recursive: true });
    const exports = { "./package.json": "./planted.js" };
    const about = { name: "pulumi-frontdoor", version: "0.0.6", main: "./planted.js", exports };
    writeFileSync(join(planted, "package.json"), JSON.stringify(about));
    const code = `require("node:fs").writeFileSync(${JSON.stringify(place.path("ran"))}, process.env.FRONTDOOR_TOKEN);`;
    writeFileSync(join(planted, "planted.js"), code);
    const { checks } = await checked({});
    expect(existsSync(place.path("ran"))).toBe(false);
    expect(checks.find(({ name }) => name === "package")).toMatchObject({
      state: "note",
      found: expect.stringMatching(/^0\.0\.6 here, /) as string,
    });
  });

  it("names a misspelt key in the stack's configuration", async () => {
    const lines = [`frontdoor:baseurl: ${emulator.baseUrl}`, "frontdoor:frontdoorId: fd-1", "other:baseurl: x"];
    writeFileSync(place.path("Pulumi.prod.yaml"), `config:\n  ${lines.join("\n  ")}\n`);
    const { code, wrong } = await checked({}, "--stack-config", join(place.folder, "Pulumi.prod.yaml"));
    expect(code).toBe(1);
    expect(wrong).toEqual([
      {
        name: "settings",
        state: "wrong",
        found: "frontdoor:baseurl is no setting and has no effect",
        remedy: "did you mean frontdoor:baseUrl?",
      },
    ]);
  });
});
