import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, strangeSetting } from "../../provider/config";
import type { ClientCredentials } from "../../provider/http/token";

describe("configuration", () => {
  const read = (settings: Record<string, string>, environment: NodeJS.ProcessEnv = {}) =>
    readConfig((key) => settings[key], environment);

  const withUrl = (baseUrl: string) => () => read({ "frontdoor:baseUrl": baseUrl, "frontdoor:token": "t" });

  it("takes the stack's settings first, then the environment, then defaults", () => {
    const environment = { FRONTDOOR_TOKEN: "from-env", FRONTDOOR_ID: "fd-env", FRONTDOOR_REQUEST_TIMEOUT: "5" };
    expect(read({ "frontdoor:frontdoorId": "fd-stack" }, environment)).toEqual({
      baseUrl: "https://gateway.production.netfoundry.io/frontdoor",
      frontdoorId: "fd-stack",
      credentials: { kind: "bearer", token: "from-env", source: "FRONTDOOR_TOKEN" },
      requestTimeoutMs: 5000,
      requestsPerSecond: 20,
      takeOver: "interrupted",
      isOneTunnelPerLocation: true,
      places: expect.any(Object) as object,
    });
  });

  it("takes an empty setting of the stack as not set", () => {
    const empty = { "frontdoor:frontdoorId": "", "frontdoor:token": "", "frontdoor:requestTimeout": "" };
    const environment = { FRONTDOOR_TOKEN: "from-env", FRONTDOOR_ID: "fd-env", FRONTDOOR_REQUEST_TIMEOUT: "5" };
    const credentials = { kind: "bearer", token: "from-env", source: "FRONTDOOR_TOKEN" };
    expect(read(empty, environment)).toMatchObject({ credentials, frontdoorId: "fd-env", requestTimeoutMs: 5000 });
  });

  it("selects Basic by the user name", () => {
    expect(read({ "frontdoor:token": "t", "frontdoor:username": "ann" }).credentials).toEqual({
      kind: "basic",
      username: "ann",
      token: "t",
      source: "frontdoor:token",
    });
  });

  const client = { tokenUrl: "https://id.example.com/token", clientId: "c", clientSecret: "s" };
  const inStack = (settings: Record<string, string>) =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [`frontdoor:${key}`, value]));
  const clientInEnvironment = {
    FRONTDOOR_TOKEN_URL: "https://other.example.com/token",
    FRONTDOOR_CLIENT_ID: "other",
    FRONTDOOR_CLIENT_SECRET: "other",
    FRONTDOOR_AUDIENCE: "other",
    FRONTDOOR_SCOPE: "other",
    FRONTDOOR_TOKEN_REQUEST: "form",
  };
  const whole = { kind: "client", ...client, audience: undefined, scope: undefined, request: "json" };
  it.each<[string, Record<string, string>, NodeJS.ProcessEnv, object]>([
    ["client credentials, not the environment's token", client, { FRONTDOOR_TOKEN: "t" }, whole],
    ["client credentials, nothing added of others", client, clientInEnvironment, whole],
    [
      "client credentials, not even a broken token",
      client,
      { FRONTDOOR_TOKEN: "no token", FRONTDOOR_USERNAME: "a:b" },
      whole,
    ],
    ["token, not the environment's client", { token: "t" }, clientInEnvironment, { kind: "bearer", token: "t" }],
    [
      "token, which the environment's user name does not turn into Basic",
      { token: "t" },
      { FRONTDOOR_USERNAME: "ann", FRONTDOOR_TOKEN: "other" },
      { kind: "bearer", token: "t" },
    ],
    [
      "audience, for the environment's client",
      { audience: "aud" },
      clientInEnvironment,
      { kind: "client", audience: "aud", clientId: "other" },
    ],
  ])("takes the stack's %s", (_, settings, environment, credentials) => {
    expect(read(inStack(settings), environment).credentials).toMatchObject(credentials);
  });

  it.each([
    [{ tokenUrl: client.tokenUrl, clientId: "c" }, "frontdoor:clientSecret is missing beside"],
    [{ username: "ann" }, "frontdoor:username is set without a token in the same place."],
  ])("names what the stack's credentials %j lack, and takes nothing for them from the environment", (given, words) => {
    const environment = { FRONTDOOR_CLIENT_SECRET: "s", FRONTDOOR_TOKEN: "t", NETFOUNDRY_API_TOKEN: "v" };
    const reading = () => read(inStack(given), environment);
    expect(reading).toThrow(words);
    expect(reading).toThrow("[credentials-incomplete]");
  });

  it.each<[string, Record<string, string>, NodeJS.ProcessEnv]>([
    ["the stack's configuration", { ...client, token: "t" }, {}],
    ["the environment", {}, { ...clientInEnvironment, FRONTDOOR_TOKEN: "t" }],
  ])("refuses a token and client credentials that are both in %s", (_, settings, environment) => {
    expect(() => read(inStack(settings), environment)).toThrow(/\[credentials-twice\]$/);
  });

  it("refuses a user name beside client credentials", () => {
    expect(() => read(inStack({ ...client, username: "ann" }))).toThrow(
      /^frontdoor:username and client .* Remove frontdoor:username, .*\[credentials-twice\]$/,
    );
  });

  it.each([
    "https://gateway.example.com/frontdoor",
    "https://gateway.example.com:8443/api/frontdoor/",
    "http://127.0.0.1:8080/frontdoor",
    "http://127.9.9.9/frontdoor",
    "http://[::1]:8080/frontdoor",
    "HTTPS://Gateway.Example.com/frontdoor",
  ])("accepts the address %s", (baseUrl) => {
    expect(withUrl(baseUrl)().baseUrl).not.toMatch(/\/$/);
  });

  it.each([
    ...["gateway.example.com/frontdoor", "//gateway.example.com/frontdoor", "http://gateway.example.com/frontdoor"],
    ...["http://localhost/frontdoor", "http://127.0.0.1.example.com/frontdoor", "http://10.0.0.1/frontdoor"],
    ...["http://0.0.0.0/frontdoor", "http://[::]/frontdoor", "http://[::ffff:10.0.0.1]/frontdoor"],
    ...["ftp://gateway.example.com/frontdoor", "file:///frontdoor", "javascript:alert(1)//frontdoor", "https://"],
    ...["https:///frontdoor", "https://user@gateway.example.com/frontdoor"],
    ...["https://user:pw@gateway.example.com/frontdoor", "https://:pw@gateway.example.com/frontdoor"],
    ...["https://gateway.example.com/frontdoor?x=1", "https://gateway.example.com/frontdoor?"],
    ...["https://gateway.example.com/frontdoor#x", "https://gateway.example.com/frontdoor#"],
    ...["https://gateway.example.com", "https://gateway.example.com/frontdoor/v2"],
    ...["https://gateway.example.com/myfrontdoors", "https://gateway.example.com\\frontdoor"],
    ...["https://gateway.example.com/frontdoor\n", " https://gateway.example.com/frontdoor"],
    ...["https://gate way.example.com/frontdoor", "https://gateway.example.com:99999/frontdoor"],
    ...["http://user@127.0.0.1/frontdoor"],
  ])("refuses the address %j", (baseUrl) => {
    expect(withUrl(baseUrl)).toThrow(/frontdoor:baseUrl \(stack configuration\) must/);
  });

  it("names every wrong setting and shows none of the values", () => {
    const settings = {
      "frontdoor:baseUrl": "http://secret-1.example.com/frontdoor",
      "frontdoor:token": "secret-2 \r\nx-injected: 1",
      "frontdoor:frontdoorId": "../secret-3",
      "frontdoor:requestTimeout": "secret-4",
      "frontdoor:requestsPerSecond": "0",
    };
    const message = (() => {
      try {
        read(settings);
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    })();
    for (const key of Object.keys(settings)) expect(message).toContain(key);
    expect(message).not.toMatch(/secret-\d|\n/);
  });
});

describe("credentials", () => {
  const account = {
    clientId: "canary-id",
    password: "canary-password",
    authenticationUrl: "https://netfoundry.auth.us-east-1.amazoncognito.com/oauth2/token",
  };

  const scope = "https://gateway.production.netfoundry.io//ignore-scope";

  let folder: string;

  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "credentials-"))));

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Writes a file, and returns its path. */
  function file(content: unknown, mode = 0o600, name = "credentials.json"): string {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(path, mode);
    return path;
  }

  const read = (environment: NodeJS.ProcessEnv, stack: Record<string, string> = {}) =>
    readConfig((key) => stack[key.replace("frontdoor:", "")], environment);

  const credentials = (environment: NodeJS.ProcessEnv, stack?: Record<string, string>) =>
    read(environment, stack).credentials;

  function problem(environment: NodeJS.ProcessEnv, stack?: Record<string, string>): string {
    try {
      read(environment, stack);
    } catch (error) {
      const { message } = error as Error;
      expect(message).not.toMatch(/canary/);
      return message;
    }
    throw new Error("The configuration is accepted");
  }

  const vendors = {
    NETFOUNDRY_CLIENT_ID: account.clientId,
    NETFOUNDRY_PASSWORD: account.password,
    NETFOUNDRY_OAUTH_URL: account.authenticationUrl,
  };

  const ofAccount = {
    ...{ kind: "client", clientId: account.clientId, clientSecret: account.password },
    ...{ tokenUrl: account.authenticationUrl, request: "form", scope, audience: undefined },
  };

  describe("an API account's credentials", () => {
    it.each<[string, (path: string) => [NodeJS.ProcessEnv, Record<string, string>?], string]>([
      ["frontdoor:credentialsFile", (path) => [{}, { credentialsFile: path }], "frontdoor:credentialsFile"],
      ["its variable", (path) => [{ FRONTDOOR_CREDENTIALS_FILE: path }], "FRONTDOOR_CREDENTIALS_FILE"],
      ["the vendor's variable", (path) => [{ NETFOUNDRY_API_ACCOUNT: path }], "NETFOUNDRY_API_ACCOUNT"],
      [
        "the vendor's variable beside the same three",
        (path) => [{ NETFOUNDRY_API_ACCOUNT: path, ...vendors }],
        "NETFOUNDRY_API_ACCOUNT",
      ],
    ])("come from the file in %s", (_, given, source) => {
      const path = file(account);
      expect(credentials(...given(path))).toEqual({
        ...ofAccount,
        source: `clientId and password in ${path} (${source})`,
        urlSource: `authenticationUrl in ${path} (${source})`,
      });
    });

    it("come from the vendor's three variables, and a token comes before them", () => {
      expect(credentials(vendors)).toEqual({
        ...ofAccount,
        source: "NETFOUNDRY_CLIENT_ID and NETFOUNDRY_PASSWORD",
        urlSource: "NETFOUNDRY_OAUTH_URL",
      });
      const bearer = { kind: "bearer", token: "t", source: "NETFOUNDRY_API_TOKEN" };
      expect(credentials({ ...vendors, NETFOUNDRY_API_TOKEN: "t" })).toEqual(bearer);
      expect(credentials({ NETFOUNDRY_API_ACCOUNT: "/nowhere", NETFOUNDRY_API_TOKEN: "t" })).toEqual(bearer);
    });

    it("of the stack come before FRONTDOOR_*, and these before NETFOUNDRY_*", () => {
      const path = file(account);
      const stack = { credentialsFile: path };
      const all = { FRONTDOOR_TOKEN: "t", FRONTDOOR_SCOPE: "other", NETFOUNDRY_API_TOKEN: "v" };
      expect(credentials(all, stack)).toMatchObject(ofAccount);
      expect(credentials(all)).toMatchObject({ token: "t", source: "FRONTDOOR_TOKEN" });
      expect(credentials({ ...all, FRONTDOOR_TOKEN: "" })).toMatchObject({
        token: "v",
        source: "NETFOUNDRY_API_TOKEN",
      });
      const ofEnvironment = { FRONTDOOR_CREDENTIALS_FILE: path, NETFOUNDRY_API_TOKEN: "v", NETFOUNDRY_CLIENT_ID: "x" };
      expect(credentials(ofEnvironment)).toMatchObject(ofAccount);
      expect(credentials(ofEnvironment, { token: "s" })).toMatchObject({ token: "s", source: "frontdoor:token" });
    });

    it.each(["production", "staging", "sandbox"])("of %s lead to its gateway, with its scope", (environment) => {
      const nf = { NF_CLIENT_ID: "i", NF_CLIENT_SECRET: "canary-s", NF_ENVIRONMENT: environment };
      const gateway = `https://gateway.${environment}.netfoundry.io`;
      const { baseUrl, credentials: found } = read(nf);
      expect(baseUrl).toBe(`${gateway}/frontdoor`);
      expect(found).toMatchObject({ request: "form", scope: `${gateway}//ignore-scope`, urlSource: "NF_ENVIRONMENT" });
      const { tokenUrl: authenticationUrl } = found as ClientCredentials;
      expect(authenticationUrl).toContain(`//netfoundry-${environment}-`);
      const ofFile = read({ FRONTDOOR_CREDENTIALS_FILE: file({ ...account, authenticationUrl }) });
      expect(ofFile).toMatchObject({ baseUrl, credentials: { scope: `${gateway}//ignore-scope` } });
      const own = read(nf, { baseUrl: "https://own.example/frontdoor", scope: "own" });
      expect(own).toMatchObject({ baseUrl: "https://own.example/frontdoor", credentials: { scope: "own" } });
    });

    it("of the newest tool come last, are of production by default, and name an unknown environment", () => {
      const nf = { NF_CLIENT_ID: "i", NF_CLIENT_SECRET: "canary-s" };
      expect(read(nf).baseUrl).toBe("https://gateway.production.netfoundry.io/frontdoor");
      expect(credentials({ ...nf, ...vendors })).toMatchObject(ofAccount);
      expect(problem({ ...nf, NF_ENVIRONMENT: "qa" })).toBe(
        "NF_ENVIRONMENT must be production, staging or sandbox. [invalid-setting]",
      );
      expect(problem({ NF_CLIENT_ID: "i" })).toMatch(/^NF_CLIENT_SECRET is missing beside NF_CLIENT_ID\./);
      expect(problem({ NF_ENVIRONMENT: "staging" })).toMatch(/\[token-missing\]/);
    });

    it.each(["form", "json"])("are sent as %s if this is set, with the scope that is set", (tokenRequest) => {
      const explicit = { tokenRequest, scope: "s" };
      expect(credentials(vendors, explicit)).toMatchObject({ request: tokenRequest, scope: "s" });
    });

    it.each([
      [0o600, undefined],
      [0o400, undefined],
      [0o640, /can read .*credentials\.json.*chmod 600.*\[credentials-file-open\]$/],
      [0o604, /\[credentials-file-open\]$/],
    ])("in a file of mode %o warn of other readers: %j", (mode, line) => {
      const { warning } = read({ FRONTDOOR_CREDENTIALS_FILE: file(account, mode) });
      expect(warning).toEqual(line && expect.stringMatching(line));
    });
  });

  describe("credentials are refused, with their place and without a value:", () => {
    const from = (content: unknown) => ({ FRONTDOOR_CREDENTIALS_FILE: file(content) });
    it.each<[string, () => [NodeJS.ProcessEnv, Record<string, string>?], RegExp]>([
      [
        "a file that is not there",
        () => [{ NETFOUNDRY_API_ACCOUNT: join(folder, "none.json") }],
        /none\.json \(NETFOUNDRY_API_ACCOUNT\) can't be read \(ENOENT\)/,
      ],
      ["a folder", () => [{}, { credentialsFile: folder }], /\(frontdoor:credentialsFile\) is not a file/],
      ["a file that is no JSON", () => [from("canary-password")], /holds no JSON object/],
      ["a file that holds null", () => [from("null")], /holds no JSON object/],
      ["a long file", () => [from(" ".repeat(70_000))], /is not a file of credentials/],
      ["a file without a password", () => [from({ ...account, password: "" })], /has no password\./],
      ["a file with another type", () => [from({ ...account, clientId: 5 })], /has no clientId\./],
      ["a file without two fields", () => [from({ clientId: "x" })], /has no password, no authenticationUrl\./],
      [
        "the file's content as its path",
        () => [{}, { credentialsFile: JSON.stringify(account) }],
        /does not hold a path/,
      ],
      [
        "a file with a plain http address",
        () => [from({ ...account, authenticationUrl: "http://canary.example.com/token" })],
        /authenticationUrl in .*\(FRONTDOOR_CREDENTIALS_FILE\)\) must begin with https/,
      ],
    ])("%s", (_, given, message) => {
      const found = problem(...given());
      expect(found).toMatch(message);
      expect(found).toMatch(/\[(credentials-file|invalid-setting)\]$/);
    });

    it("a file beside a token, a user name or a client, at one place", () => {
      const path = file(account);
      expect(problem({ FRONTDOOR_CREDENTIALS_FILE: path, FRONTDOOR_USERNAME: "ann" })).toMatch(
        /^FRONTDOOR_CREDENTIALS_FILE and FRONTDOOR_USERNAME are both set/,
      );
      expect(problem({ FRONTDOOR_CREDENTIALS_FILE: path, FRONTDOOR_TOKEN: "t" })).toMatch(
        /^FRONTDOOR_CREDENTIALS_FILE and FRONTDOOR_TOKEN are both set/,
      );
      expect(problem({}, { credentialsFile: path, clientId: "c" })).toMatch(
        /^frontdoor:credentialsFile and frontdoor:clientId are both set.*\[credentials-twice\]$/,
      );
    });
  });

  it("take FRONTDOOR_TAKE_OVER from the environment alone", () => {
    expect(read({ FRONTDOOR_TOKEN: "t", FRONTDOOR_TAKE_OVER: "alike" }).takeOver).toBe("alike");
    expect(strangeSetting("takeOver")).toMatch(/FRONTDOOR_TAKE_OVER=alike for the one run.*\[take-over-in-stack\]$/);
    expect(problem({ FRONTDOOR_TOKEN: "t", FRONTDOOR_TAKE_OVER: "never" })).toMatch(
      /FRONTDOOR_TAKE_OVER.*must be alike/,
    );
  });
});
