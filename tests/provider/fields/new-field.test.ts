import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import ts from "typescript";
import type { Send } from "../../../provider/http/send";
import { root } from "../../harness/folder";
import type { Schema } from "../../languages/documented";
import type * as Entry from "./new-field-entry";

const copied = [
  ...["provider", "sdk", "emulator", "cli", "scripts", "docs", "examples", "tests", "fleet/tests", "fleet/docs"],
  ...["README.md", "fleet/README.md", "package.json", "tsconfig.json"],
];

/** The one row by which a share gets an optional field that can be cleared. */
const row = `owner: {
  is: values.label("the name of an owner"), doc: "Who answers for the share.",
  whenOmitted: "cleared", onChange: "update", visible: "maybe",
},`;
const program = `
import * as pulumi from "@pulumi/pulumi";
import { getShares, IpsecShare } from "./sdk";

const share = new IpsecShare("db", { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "db:1", ingressPort: 1, owner: "ops" });
export const owner: pulumi.Output<string | undefined> = share.owner;
export const owners = getShares({ owner: ["ops", "dev"], sort: "owner,asc" }).then(({ shares }) => shares.map((each) => each.owner));
`;

const folder = mkdtempSync(join(tmpdir(), "frontdoor-new-field-"));
const inFolder = (file: string) => join(folder, file);

beforeAll(() => {
  for (const name of copied) cpSync(join(root, name), inFolder(name), { recursive: true });
  symlinkSync(join(root, "node_modules"), inFolder("node_modules"));
  const table = readFileSync(join(root, "provider/fields/share.ts"), "utf8");
  writeFileSync(inFolder("provider/fields/share.ts"), table.replace("  status: {", `${row}\n  status: {`));
  writeFileSync(inFolder("program.ts"), program);
  execFileSync(process.execPath, [inFolder("scripts/generate.mjs")], { stdio: "pipe" });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it("the types of a copy of the sources with one more row know an argument, an output, a filter and an order", () => {
  const { config } = ts.readConfigFile(inFolder("tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const all = ts.getPreEmitDiagnostics(ts.createProgram([inFolder("program.ts")], { ...options, types: ["node"] }));
  expect(all.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

describe("a copy of the sources with one more row", () => {
  let world: Entry.World;
  let entry: typeof Entry;
  const log: string[] = [];

  /** A service that holds one share and shows NEW once after each write. */
  let shown: Record<string, unknown> = { id: "shr-1" };
  const service: Send = ({ method, url, body }) => {
    const { pathname, search } = new URL(url);
    const isOne = pathname.endsWith("/shr-1");
    log.push([method, pathname.replace(/.*fd-1/, "") + search, body].filter(Boolean).join(" "));
    if (method === "PUT") shown = { id: "shr-1" };
    if (body !== undefined) shown = { ...shown, ...(JSON.parse(body) as object), status: "NEW" };
    const content = "name" in shown ? [shown] : [];
    const text = JSON.stringify(isOne || method === "POST" ? shown : { content, totalElements: content.length });
    if (method === "GET") shown = { ...shown, status: "DEPLOYED" };
    const headers = { "content-type": "application/json" };
    return Promise.resolve({ status: method === "GET" ? 200 : 202, headers, text });
  };
  const writes = () => log.splice(0).filter((line) => !line.startsWith("GET"));
  let inputs: Entry.ShareInputs & { owner?: string };
  let state: Entry.ShareOutputs & { owner?: string };

  beforeAll(async () => {
    const outfile = inFolder("dist/entry.cjs");
    const entryPoints = [inFolder("tests/provider/fields/new-field-entry.ts")];
    buildSync({ entryPoints, outfile, bundle: true, platform: "node", packages: "external", logLevel: "warning" });
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    entry = require(outfile) as typeof Entry;
    world = await entry.openWorld({}, () => service);
    inputs = { ...entry.shareInputs("tnl-1"), owner: "ops" };
  });
  afterAll(() => world.close());

  it("checks it", () => {
    const { failures } = world.shares.check({ news: { ...inputs, owner: " ops" }, olds: {}, origin: undefined });
    expect(failures).toEqual([
      { property: "owner", reason: expect.stringMatching(/^must be the name of an owner/) as string },
    ]);
  });

  it("sends it with a POST, and has it as an output", async () => {
    const made = await world.shares.create(inputs, false, world.within(900));
    state = made.outputs;
    expect(writes()).toEqual([expect.stringMatching(/^POST \/ipsec-shares .*"owner":"ops"/)]);
    expect(state).toMatchObject({ owner: "ops", status: "DEPLOYED" });
  });

  it("makes a difference of another value, and sends that alone with a PATCH", async () => {
    expect(await world.shareDiff(state, inputs)).toMatchObject({ changes: false });
    inputs = { ...inputs, owner: "dev" };
    expect(await world.shareDiff(state, inputs)).toMatchObject({ changes: true, replaces: [] });
    state = (await world.shares.update("shr-1", state, inputs, world.within(900))).outputs;
    expect(writes()).toEqual(['PATCH /ipsec-shares/shr-1 {"owner":"dev"}']);
    expect(state).toMatchObject({ owner: "dev" });
  });

  it("reads it back, as an output and as an input", async () => {
    shown["owner"] = "elsewhere";
    world.nextRun();
    state = (await world.shares.read("shr-1", state, world.within(900))) ?? state;
    expect(state).toMatchObject({ owner: "elsewhere" });
    expect(world.shares.inputsOf(state)).toMatchObject({ owner: "elsewhere" });
  });

  it("filters by it", async () => {
    log.length = 0;
    const reads = entry.readsOf(world.service);
    expect((await reads.getShares({ owner: ["elsewhere"] })).shares).toHaveLength(1);
    expect((await reads.getShares({ owner: "nobody" })).shares).toEqual([]);
    expect(log[0]).toMatch(/^GET \/ipsec-shares\?.*owner=elsewhere/);
  });

  it("clears it with a PUT of everything else", async () => {
    log.length = 0;
    const rest = { ...inputs, owner: undefined };
    expect(await world.shareDiff(state, rest)).toMatchObject({ changes: true, replaces: [] });
    state = (await world.shares.update("shr-1", state, rest, world.within(900))).outputs;
    const [put = "", ...others] = writes();
    expect(others).toEqual([]);
    expect(put).toMatch(/^PUT \/ipsec-shares\/shr-1 .*"target"/);
    expect(put).not.toContain("owner");
    expect(state.owner).toBeUndefined();
  });

  it("documents it", () => {
    for (const file of ["docs/reference/ipsec-share.md", "sdk/share-properties.ts"])
      expect(readFileSync(inFolder(file), "utf8")).toContain(
        "Who answers for the share. If you remove it later, the provider clears it.",
      );
    expect(readFileSync(inFolder("sdk/share-properties.ts"), "utf8")).toContain(
      "  readonly owner: pulumi.Output<string | undefined>;\n",
    );
    const schema = JSON.parse(readFileSync(inFolder("provider/plugin/schema.json"), "utf8")) as Schema;
    const share = schema.resources["frontdoor:index:IpsecShare"];
    expect(Object.keys({ ...share?.["inputProperties"] })).toContain("owner");
    expect(Object.keys({ ...share?.["properties"] })).toContain("owner");
  });
});
