import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { version } from "../../package.json";
import { policies } from "../../policy/index";
import { blocksOf, textOf } from "../docs/pages";
import { start, well } from "../harness/command";
import { engineEnvironment } from "../harness/environment";
import { packInto, removeFolder, root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import { preview, reported } from "./checking";

interface Published {
  name: string;
  versionTag: string;
  policies: { name: string; enforcementLevel: string }[];
}

/** The part of Pulumi's service that publishes a pack of the organization `acme`. */
async function startPulumisService() {
  const requests: string[] = [];
  const bodies = new Map<string, Buffer>();
  const answers: Record<string, () => object> = {
    "GET /api/user": () => ({ githubLogin: "operator", organizations: [{ githubLogin: "acme" }] }),
    "GET /api/capabilities": () => ({ capabilities: [] }),
    "POST /api/orgs/acme/policypacks": () => ({ version: 1, uploadURI: `${url}/signed?signature=1` }),
    "PUT /signed?signature=1": () => ({}),
    [`POST /api/orgs/acme/policypacks/frontdoor/versions/${version}/complete`]: () => ({}),
  };
  const server = createServer((request, response) => {
    const name = `${request.method ?? ""} ${request.url ?? ""}`;
    requests.push(name);
    void buffer(request).then((sent) => {
      bodies.set(name, request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent);
      const answer = answers[name];
      response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(answer?.() ?? { code: 404, message: "not found" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body = (name: string) => bodies.get(name) ?? Buffer.alloc(0);
  return {
    url,
    requests,
    published: () => JSON.parse(body("POST /api/orgs/acme/policypacks").toString()) as Published,
    tarball: () => body("PUT /signed?signature=1"),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const folder = mkdtempSync(join(tmpdir(), "frontdoor-publish-"));
afterAll(() => {
  removeFolder(folder);
});

/** Installs packages of the repository's node_modules, and the packed package itself, in a folder. */
function install(into: string, packages: string[], isWithPackage = true): void {
  const modules = join(into, "node_modules");
  rmSync(modules, { force: true, recursive: true });
  mkdirSync(join(modules, "@pulumi"), { recursive: true });
  for (const name of packages) symlinkSync(join(root, "node_modules", name), join(modules, name));
  if (!isWithPackage) return;
  execFileSync("tar", ["-xzf", packInto(into), "-C", modules]);
  renameSync(join(modules, "package"), join(modules, "pulumi-frontdoor"));
}

const page = "docs/how-to/policies.md";
const [command = ""] = blocksOf(page).flatMap(({ mark, code }) => (mark?.file.includes("publish") ? code : []));

const installed = join("node_modules", "pulumi-frontdoor", "policy");

/** A program without this package. Only the plugin and the pack know its resources. */
const program = `
  const { CustomResource } = require("@pulumi/pulumi");
  const args = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const tunnel = new CustomResource("frontdoor:index:IpsecTunnel", "hq", args);
  const share = { ipsecTunnelId: tunnel.id, envZId: "env-1", target: "169.254.169.254:80", ingressPort: 80 };
  new CustomResource("frontdoor:index:IpsecShare", "metadata", share);`;

const violations = ["mandatory keep-targets-private metadata", "mandatory refuse-metadata-targets metadata"];

describe("an organization's pack", () => {
  let service: Awaited<ReturnType<typeof startPulumisService>>;
  beforeAll(async () => {
    service = await startPulumisService();
  });
  afterAll(() => service.close());

  it("is published from the installed package, and checks a program that does not have the package", async () => {
    const project = join(folder, "project");
    mkdirSync(project);
    install(project, ["@pulumi/policy", "@pulumi/pulumi"]);
    const env = {
      ...engineEnvironment(folder),
      PULUMI_BACKEND_URL: service.url,
      PULUMI_ACCESS_TOKEN: "pul-token-of-the-test",
    };
    const { text } = well(await start("sh", ["-c", command], { cwd: project, env }).end);
    expect(text).toContain(`Publishing "frontdoor" - version ${version} to "acme"`);
    expect(service.published()).toMatchObject({ name: "frontdoor", versionTag: version });
    expect(service.published().policies.map(({ name }) => name)).toEqual(policies.map(({ name }) => name).sort());
    expect(service.requests.slice(-3)).toEqual([
      "POST /api/orgs/acme/policypacks",
      "PUT /signed?signature=1",
      `POST /api/orgs/acme/policypacks/frontdoor/versions/${version}/complete`,
    ]);

    // Pulumi unpacks the tarball and installs what its manifest names.
    writeFileSync(join(folder, "pack.tgz"), service.tarball());
    execFileSync("tar", ["-xzf", join(folder, "pack.tgz"), "-C", folder]);
    const pack = join(folder, "package");
    const files = ["PulumiPolicy.yaml", "baseline.json", "licenses.txt", "pack.js", "package.json", "strict.json"];
    expect(readdirSync(pack).sort()).toEqual(files);
    const { dependencies } = JSON.parse(readFileSync(join(pack, "package.json"), "utf8")) as { dependencies: object };
    install(pack, Object.keys(dependencies), false);

    const stack = await ownStack();
    install(stack.folder, ["@pulumi/pulumi"], false);
    writeFileSync(join(stack.folder, "index.js"), program);
    const run = await preview(stack, "--policy-pack", pack);
    expect([run.code === 0, reported(run)]).toEqual([false, violations]);
    expect(run.text).toContain(`frontdoor@v${version}`);
  });
});

describe("the installed package's pack", () => {
  it("says what to install if the program does not have @pulumi/policy, and then checks", async () => {
    const stack = await ownStack();
    writeFileSync(join(stack.folder, "index.js"), program);
    install(stack.folder, ["@pulumi/pulumi"]);
    const refused = await preview(stack, "--policy-pack", installed);
    expect(refused.code).not.toBe(0);
    const action = /npm install --save-dev [\w@/~.]+/.exec(textOf(page))?.[0] ?? "";
    expect(refused.text).toContain(
      `the policy pack needs @pulumi/policy, which is not installed. Nothing was checked. Run "${action}". [policy-sdk-missing]`,
    );
    // Reports do not need it.
    const sarif = join(stack.folder, "node_modules", "pulumi-frontdoor", "dist", "policy", "sarif.js");
    const input = '{"sequence":9,"summaryEvent":{"resourceChanges":{"same":1}}}';
    expect(execFileSync(process.execPath, [sarif], { input, encoding: "utf8" })).toContain('"version": "2.1.0"');

    install(stack.folder, ["@pulumi/policy", "@pulumi/pulumi"]);
    const checked = await preview(stack, "--policy-pack", installed);
    expect([checked.code === 0, reported(checked)]).toEqual([false, violations]);
  });
});
