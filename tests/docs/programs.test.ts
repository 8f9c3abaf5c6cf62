import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "../../emulator";
import { serviceEnvironment } from "../harness/environment";
import { root } from "../harness/folder";

const own = readdirSync(join(__dirname, "programs")).map((name) => `tests/docs/programs/${name}`);
const programs = [
  ...own,
  "examples/getting-started/index.ts",
  "examples/network/index.ts",
  "examples/services/index.ts",
  "examples/site-up/index.ts",
];

const published = { frontdoorId: "fd-1", tunnelId: "tnl-1", nlbDnsName: "nlb-1.example" };
const settings = {
  ...{ "docs:peerPublicIp": "203.0.113.7", "docs:peerCidr": "10.20.0.0/16", "docs:locationId": "loc-1" },
  ...{ "docs:networkStack": "organization/frontdoor-network/dev", "docs:envZId": "env-agent-1" },
  "docs:device": "http://127.0.0.1:8099",
  ...{ "docs:eastToken": "hush-east", "docs:westToken": "hush-west" },
};

let emulator: Emulator;
let made: string[] = [];
let called: string[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
  emulator.seedTunnel({ name: "branch-office", status: "DEPLOYED" });
  Object.assign(process.env, serviceEnvironment(emulator));
  const newResource = ({ type, name, inputs }: pulumi.runtime.MockResourceArgs) => {
    made.push(name);
    const state = inputs as Record<string, unknown>;
    if (type === "pulumi:pulumi:StackReference")
      return { id: name, state: { ...state, outputs: { tunnel: published } } };
    const outputs = {
      nlbDnsName: "nlb-1.example",
      tunnelConfig: {},
      sampleConfig: "psk",
      endpoints: {},
      outsideIpAddress: "198.51.100.7",
    };
    const shown = { status: "DEPLOYED", ...outputs };
    return { id: `id-${name}`, state: { ...state, ...shown } };
  };
  const call = ({ token }: pulumi.runtime.MockCallArgs) => {
    called.push(token);
    return { id: "tnl-1", tunnels: [{ name: "branch-office" }], shares: [] };
  };
  await pulumi.runtime.setMocks({ newResource, call }, "docs", "dev", false, "acme");
  pulumi.runtime.setAllConfig(settings);
});
afterAll(() => emulator.close());

/** All outputs in what a program exports, once they are known. */
const known = (exported: object) =>
  new Promise<object>((resolve) => {
    pulumi.output(exported).apply(resolve);
  });

describe("the programs on the pages", () => {
  it.each(programs)("%s runs, and exports what it says", async (file) => {
    made = [];
    called = [];
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const program = require(join(root, file)) as object | (() => Promise<object>);
    const exported = typeof program === "function" ? await (program as () => Promise<object>)() : program;
    const values = Object.entries(await known(exported));
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter(([, value]) => value === undefined)).toEqual([]);
    // Mocks answer the functions, so none of them reads the service.
    if (file.endsWith("functions.ts")) expect([called.length, emulator.requests]).toEqual([3, []]);
    else expect(made.length).toBeGreaterThan(0);
  });
});
