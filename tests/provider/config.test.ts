import { readConfig } from "../../provider/config";

const read = (settings: Record<string, string>, environment: NodeJS.ProcessEnv = {}) =>
  readConfig((key) => settings[key], environment);
const withUrl = (baseUrl: string) => () => read({ "frontdoor:baseUrl": baseUrl, "frontdoor:token": "t" });

describe("configuration", () => {
  it("names the variables that differ from the settings before them, and no other", () => {
    const given = { "frontdoor:frontdoorId": "fd-1", "frontdoor:token": "t" };
    const ignored = (environment: Record<string, string>) =>
      (read(given, environment) as { ignored?: string[] }).ignored;
    expect(ignored({ FRONTDOOR_ID: "fd-1", FRONTDOOR_TOKEN: "", FRONTDOOR_SCOPE: "s" })).toEqual(["FRONTDOOR_SCOPE"]);
    expect(ignored({ FRONTDOOR_ID: "fd-2", FRONTDOOR_REQUEST_TIMEOUT: "5" })).toEqual(["FRONTDOOR_ID"]);
    expect(ignored({ FRONTDOOR_CLIENT_ID: "c" })).toEqual(["FRONTDOOR_CLIENT_ID"]);
    expect(ignored({ FRONTDOOR_ID: "fd-1" })).toBeUndefined();
  });

  it("takes the stack's settings first, then the environment, then defaults", () => {
    const environment = { FRONTDOOR_TOKEN: "from-env", FRONTDOOR_ID: "fd-env", FRONTDOOR_REQUEST_TIMEOUT: "5" };
    expect(read({ "frontdoor:frontdoorId": "fd-stack" }, environment)).toEqual({
      baseUrl: "https://gateway.production.netfoundry.io/frontdoor",
      frontdoorId: "fd-stack",
      ignored: ["FRONTDOOR_ID"],
      credentials: { kind: "bearer", token: "from-env", source: "FRONTDOOR_TOKEN" },
      requestTimeoutMs: 5000,
      requestsPerSecond: 20,
      takeOver: "interrupted",
      isOneTunnelPerLocation: true,
    });
  });

  it("says what to write for localhost", () => {
    expect(withUrl("http://localhost:8480/frontdoor")).toThrow(
      /must begin with https:.*\. For localhost, write 127\.0\.0\.1/,
    );
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
    [
      "client credentials, whose secret the environment brings",
      { tokenUrl: client.tokenUrl, clientId: "c", audience: "aud" },
      { FRONTDOOR_CLIENT_SECRET: "s", FRONTDOOR_CLIENT_ID: "other", FRONTDOOR_SCOPE: "all", FRONTDOOR_TOKEN: "t" },
      { ...whole, audience: "aud", scope: "all" },
    ],
    ["token, not the environment's client", { token: "t" }, clientInEnvironment, { kind: "bearer", token: "t" }],
    [
      "token, which the environment's user name does not turn into Basic",
      { token: "t" },
      { FRONTDOOR_USERNAME: "ann", FRONTDOOR_TOKEN: "other" },
      { kind: "bearer", token: "t" },
    ],
    [
      "user name, whose token the environment brings",
      { username: "ann" },
      { FRONTDOOR_TOKEN: "t", ...clientInEnvironment },
      { kind: "basic", username: "ann", token: "t" },
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

  it.each<[string, Record<string, string>, NodeJS.ProcessEnv]>([
    ["the stack's configuration", { ...client, token: "t" }, {}],
    ["the environment", {}, { ...clientInEnvironment, FRONTDOOR_TOKEN: "t" }],
  ])("refuses a token and client credentials that are both in %s", (_, settings, environment) => {
    expect(() => read(inStack(settings), environment)).toThrow(/\[credentials-twice\]$/);
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
    expect(withUrl(baseUrl)).toThrow(/frontdoor:baseUrl \(FRONTDOOR_BASE_URL\) must/);
  });

  it("says how to set a missing token", () => {
    expect(() => read({})).toThrow('Run "pulumi config set --secret frontdoor:token" or set FRONTDOOR_TOKEN');
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
