import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import ts from "typescript/lib/typescript.js";
import { blocksOf } from "../docs/pages";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { needs } from "../harness/needs";
import { ownStack } from "../harness/own-stack";

const page = blocksOf("docs/how-to/vault.md").find(({ mark }) => mark?.file === "tests/engine/hooks.all.test.ts");
/** The program of the page, for a harness that has the imports. */
const program = `const { IpsecTunnel, readPreSharedKey } = frontdoor;\n${
  ts.transpileModule(page?.code.replace(/^import .*$/gm, "") ?? "", {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  }).outputText
}`;
const name = "customer-a-dc1";

/** The secrets of a vault with the API of HashiCorp Vault. */
let keys: Record<string, string>;
let status: number;
let vault: Server;

beforeEach(async () => {
  [keys, status] = [{}, 200];
  vault = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += String(part)));
    request.on("end", () => {
      if (status === 200 && request.headers["x-vault-token"] === "vault-token")
        keys[request.url ?? ""] = (JSON.parse(body) as { data: { preSharedKey: string } }).data.preSharedKey;
      response.writeHead(status).end();
    });
  });
  await once(vault.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => vault.close());

// The language host of Pulumi's 3.68 sources, which `npm start` builds, stands between the program and the engine, and knows no hooks.
it.each([dynamicClasses, pluginClasses])(
  "a hook hands the key to a vault, and it is in no state and no output, with %s",
  async (imports) => {
    const stack = await ownStack({ provisionMs: 300 }, { imports });
    const { emulator } = stack;
    stack.env["VAULT_ADDR"] = `http://127.0.0.1:${(vault.address() as AddressInfo).port}`;
    stack.env["VAULT_TOKEN"] = "vault-token";
    const secretOf = (tunnel: string) => keys[`/v1/secret/data/vpn/${tunnel}`];
    const texts: string[] = [];
    const up = async (source: string) => {
      const run = await stack.up(source);
      const exported = await stack.run("stack", "export", "--show-secrets");
      texts.push(
        run.text,
        exported.text,
        stack.stateText(),
        readFileSync(join(stack.folder, "Pulumi.test.yaml"), "utf8"),
      );
      return run;
    };

    const made = await up(program);
    if (
      !needs("resource hooks in Pulumi's language host", !made.text.includes("unknown method RegisterResourceHook"))
    ) {
      expect([made.code === 0, stack.writes(), keys]).toEqual([false, [], {}]);
      return;
    }
    expect(made).toMatchObject({ code: 0, errors: [], steps: [`create ${name}`] });
    expect(secretOf(name)).toBe(emulator.samplePsk(stack.id(name)));

    // A new tunnel has a new key.
    const edited = program.replace("172.31.0.0/16", "172.30.0.0/16");
    expect((await stack.preview(edited)).code).toBe(0);
    expect(await up(edited)).toMatchObject({ code: 0, errors: [] });
    expect(secretOf(name)).toBe(emulator.samplePsk(stack.id(name)));

    // An update ends an unfinished create. With the plugin, Pulumi reads it before, and finds nothing to update.
    const unfinished = edited
      .replaceAll(name, "customer-b")
      .replace("storeSampleConfig", 'locationId: "loc-2", storeSampleConfig')
      .replace("{ hooks", '{ customTimeouts: { create: "4s" }, hooks');
    emulator.faults.stickNext({ kind: "tunnel", op: "create" });
    expect((await up(unfinished)).errors.join()).toContain("[deadline]");
    expect(secretOf("customer-b")).toBeUndefined();
    emulator.setStatus(stack.id("customer-b"), "DEPLOYED");
    expect(await up(unfinished)).toMatchObject({ code: 0, errors: [] });
    const later = emulator.samplePsk(stack.id("customer-b"));
    expect(secretOf("customer-b")).toBe(imports === dynamicClasses ? later : undefined);

    // A vault that is down, and a key that can't be read.
    status = 503;
    const again = (third: number) => unfinished.replace("172.30.0.0/16", `172.${third}.0.0/16`);
    expect(await up(again(29))).toMatchObject({
      errors: expect.arrayContaining([expect.stringMatching(/the vault answers 503/)]) as unknown,
    });
    const refused = { method: "GET", status: 403, body: { error: "forbidden", message: "no" } } as const;
    emulator.faults.answerNext({ ...refused, path: /sample-config/, times: 1000 });
    expect((await up(again(28))).errors.join()).toContain("[access-refused]");
    emulator.faults.clear();
    expect(await up(again(28))).toMatchObject({ code: 0, errors: [], steps: [] });

    const all = [...emulator.tunnels()].map(({ id }) => emulator.samplePsk(id));
    expect(all.length).toBeGreaterThan(3);
    expect(all.filter((key) => texts.some((text) => text.includes(key)))).toEqual([]);
  },
);
