import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { presets } from "../../emulator/command";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { ownStack } from "../harness/own-stack";
import type { Stack } from "../harness/stack";
import { hq, web as arguments_ } from "../harness/things";

const web = { ...arguments_, ipsecTunnelId: { tunnel: "hq" } };
const resources = { tunnels: { hq }, shares: { web } };

describe("credentials", () => {
  it("that are wrong are an error of each resource, on one line, and nothing leaves the state", async () => {
    const stack = await ownStack();
    expect(await stack.up({ tunnels: { hq } })).toMatchObject({ code: 0 });
    const before = stack.kept();
    stack.env["FRONTDOOR_TOKEN"] = "of-another-service";
    for (const run of [await stack.refresh(), await stack.destroy()]) {
      expect(run.code).not.toBe(0);
      const said = run.errors.filter((text) => text.includes("401 unauthorized"));
      expect(said).toEqual([expect.stringMatching(/^hq: [^\n]*\[token-refused\][^\n]*$/)]);
    }
    expect(stack.kept()).toEqual(before);
  });

  it("that are wrong are explained once in a refresh, and in one short line for each other resource", async () => {
    const stack = await ownStack({}, { imports: pluginClasses });
    const shares = Object.fromEntries([443, 444, 445].map((port) => [`p${port}`, { ...web, ingressPort: port }]));
    const named = Object.entries(shares).map(([name, share]) => [name, { ...share, name }] as const);
    expect(await stack.up({ tunnels: { hq }, shares: Object.fromEntries(named) })).toMatchObject({ code: 0 });
    stack.env["FRONTDOOR_TOKEN"] = "of-another-service";
    const { errors } = await stack.refresh();
    const refused = errors.filter((text) => text.includes("[token-refused]"));
    expect(refused.length).toBeGreaterThan(1);
    expect(refused.filter((text) => text.includes("A refresh uses the settings of the last run"))).toHaveLength(1);
    expect(refused.filter((text) => text.length > 200)).toHaveLength(1);
  });

  it("of a client in the stack are used instead of a token in the environment, and renewed when they end early", async () => {
    const stack = await ownStack();
    const { settings, tokenUrl } = stack.emulator;
    const client = { tokenUrl, clientId: settings.oauthClientId, clientSecret: settings.oauthClientSecret };
    const pairs = Object.entries(client).flatMap(([key, value]) => ["--secret", `frontdoor:${key}=${value}`]);
    expect(await stack.run("config", "set-all", "--stack", "test", ...pairs)).toMatchObject({ code: 0 });
    stack.env["FRONTDOOR_TOKEN"] = "of-another-service";
    Object.assign(settings, { tokenRejectedStatus: 401, oauthTokenCalls: 3 });

    expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
    const { requests } = stack.emulator;
    expect(requests.filter(({ status }) => status === 401)).not.toEqual([]);
    const accepted = requests.filter(({ method, status }) => method !== "GET" && status < 300);
    expect(accepted.map(({ path }) => path).filter((path) => path !== "/oauth/token")).toEqual([
      "/ipsec-tunnels",
      "/ipsec-shares",
    ]);
    expect(stack.emulator.shares()).toHaveLength(1);
  });
});

describe.each([dynamicClasses, pluginClasses])("a credentials file, with %s", (imports) => {
  it("is read in the project's folder when the provider runs, and nothing of it is kept", async () => {
    const stack = await ownStack({}, { imports });
    const { oauthClientId: clientId, oauthClientSecret: password } = stack.emulator.settings;
    stack.env["FRONTDOOR_TOKEN"] = undefined;
    const write = (account: object) => {
      writeFileSync(join(stack.folder, "credentials.json"), JSON.stringify(account), { mode: 0o600 });
    };
    write({ clientId, authenticationUrl: stack.emulator.tokenUrl });
    await stack.run("config", "set", "--stack", "test", "frontdoor:credentialsFile", "credentials.json");
    const refused = await stack.preview(resources);
    expect(refused.text).toMatch(/credentials\.json \(frontdoor:credentialsFile\) has no password\./);
    write({ clientId, password, authenticationUrl: stack.emulator.tokenUrl });
    expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
    const { text } = await stack.run("stack", "export", "--show-secrets", "--stack", "test");
    expect(text).toContain("credentials.json");
    expect(text).not.toContain(password);
    expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
  });
});

describe.each([dynamicClasses, pluginClasses])("NetFoundry's service as its pages describe it, with %s", (imports) => {
  const program = `
    const place = { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16", locationId: "us-east-1" };
    const tunnel = new frontdoor.IpsecTunnel("customer-a-dc1", place);
    const id = tunnel.id;
    const args = { ipsecTunnelId: id, envZId: "ijcrWb-ZOq", target: "10.20.100.1:8443", ingressPort: 8443 };
    const share = new frontdoor.IpsecShare("app-db", args);
    exports.tunnel = frontdoor.getTunnelOutput({ id }).status;
    exports.config = frontdoor.getTunnelConfigOutput({ id }).state;
    exports.share = frontdoor.getShareOutput({ id: share.id }).status;
    exports.count = frontdoor.getSharesOutput({ id: share.id }).shares.length;`;
  let stack: Stack;
  beforeEach(async () => {
    stack = await ownStack({ ...presets.netfoundry(), listForm: "hal", deletedShownAs: "404" }, { imports });
    const { oauthClientId: clientId, oauthClientSecret: password, oauthScope } = stack.emulator.settings;
    const path = join(stack.folder, "account.json");
    writeFileSync(path, JSON.stringify({ clientId, password, authenticationUrl: stack.emulator.tokenUrl }), {
      mode: 0o644,
    });
    Object.assign(stack.env, { FRONTDOOR_TOKEN: undefined, NETFOUNDRY_API_ACCOUNT: path });
    Object.assign(stack.env, { FRONTDOOR_TOKEN_REQUEST: "form", FRONTDOOR_SCOPE: oauthScope });
  });

  it("an API account serves resources and functions, and a file that others can read is warned of", async () => {
    const run = await stack.up(program);
    expect(run).toMatchObject({ code: 0, errors: [] });
    expect(run.text).toMatch(/other users of this machine can read \S+account\.json \(NETFOUNDRY_API_ACCOUNT\)/);
    expect(run.text).not.toContain(stack.emulator.settings.oauthClientSecret);
    const { text } = await stack.run("stack", "output", "--json");
    expect(JSON.parse(text)).toMatchObject({ tunnel: "DEPLOYED", config: "available", share: "DEPLOYED", count: 1 });

    // The lists of this service are HAL's. A share that answers 403, and that no list has, is gone.
    expect(await stack.up(program, "--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
    for (const { id } of stack.emulator.shares()) stack.emulator.removeShare(id);
    expect(await stack.refresh()).toMatchObject({ code: 0, errors: [], steps: ["delete app-db"] });
    expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
  });
});
