import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { quickJavaScript } from "../harness/environment";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";

describe("start", () => {
  it("the plugin's launcher on Windows starts node from PATH only, not from the current folder", () => {
    const lines = readFileSync(join(root, "dist/plugin/pulumi-resource-frontdoor.cmd"), "utf8").trim().split("\n");
    const isSet = lines.indexOf("@set NoDefaultCurrentDirectoryInExePath=1");
    expect(isSet).toBeGreaterThanOrEqual(0);
    expect(lines.findIndex((line) => line.startsWith("@node "))).toBeGreaterThan(isSet);
  });

  it("the provider's file reaches the service through a proxy of the environment", async () => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", ({ url }: IncomingMessage, socket: Socket) => {
      asked.push(url ?? "");
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const script = `
      const share = require(${JSON.stringify(join(root, "dist/dynamic.js"))}).share();
      const config = { "frontdoor:baseUrl": "https://frontdoor.invalid/frontdoor", "frontdoor:token": "t" };
      share.configure({ config: { get: (key) => config[key] } });
      const props = { name: "web", frontdoorId: "fd-1", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "a:1", ingressPort: 1 };
      share.create({ ...props, __timeouts: { create: "1s" } }).catch(() => process.exit(0));
    `;
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { ...process.env, HTTPS_PROXY: address, https_proxy: address, NO_PROXY: "", no_proxy: "" };
    await promisify(execFile)(process.execPath, ["-e", script], { env });
    proxy.close();
    expect(asked).toContain("frontdoor.invalid:443");
  });
});

const entries = {
  "pulumi-frontdoor": "IpsecTunnel",
  "pulumi-frontdoor/plugin": "Provider",
  "pulumi-frontdoor/policy": "strict",
};

/** What an ES module finds under a name by this expression. */
const namesOf = (expression: string) => {
  const code = `import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    console.log(JSON.stringify(Object.keys(${expression}).sort()));`;
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root, encoding: "utf8" });
  return (JSON.parse(text) as string[]).filter((each) => !["default", "module.exports", "__esModule"].includes(each));
};

const moduleProgram = `import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";
import { IpsecSite } from "pulumi-frontdoor/plugin";

const tunnel = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
new IpsecShare("web", { ipsecTunnelId: tunnel.id, envZId: "env-1", target: "web.internal:443", ingressPort: 443 });
new IpsecSite("branch", {
  peerPublicIp: "203.0.113.9",
  peerCidr: "10.30.0.0/16",
  locationId: "loc-2",
  envZId: "env-1",
  shares: { mail: { target: "mail.internal:25", ingressPort: 25 } },
});

export const endpoint = tunnel.nlbDnsName;`;

describe("programs", () => {
  it.each(Object.entries(entries))("that are ES modules import from %s all that CommonJS ones require", (name, one) => {
    const imported = namesOf(`await import("${name}")`);
    expect(imported).toContain(one);
    expect(imported).toEqual(namesOf(`require("${name}")`));
  });

  it("that are ES modules run on the engine, with either family of classes", async () => {
    const stack = await ownStack();
    writeFileSync(join(stack.folder, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
    writeFileSync(join(stack.folder, "index.js"), moduleProgram);
    stack.env["NODE_OPTIONS"] = quickJavaScript;
    const run = await stack.run("preview");
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(run.steps.sort()).toEqual(["create branch", "create branch-mail", "create hq", "create web"]);
  });
});
