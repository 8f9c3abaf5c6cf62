import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript/lib/typescript.js";
import { type Emulator, startEmulator } from "../../emulator";
import { serviceEnvironment } from "../harness/environment";
import { removeFolder, root } from "../harness/folder";
import { blocksOf, typeErrorsIn } from "./pages";

const examples = ["quickstart", "network", "services"];
const mine = "tests/docs/programs.all.test.ts";
/** The blocks of these pages that only the page has. A block without exports is a part of another one. */
const blocks = [
  ...["how-to/applications.md", "how-to/several-stacks.md", "how-to/use-the-plugin.md", "registry/_index.md"],
  ...[
    "functions.md",
    "ipsec-share.md",
    "ipsec-share-set.md",
    "ipsec-site.md",
    "ipsec-tunnel-connection.md",
    "ipsec-tunnel.md",
    "provider.md",
  ].map((page) => `reference/${page}`),
].flatMap((page) => blocksOf(`docs/${page}`).flatMap(({ mark, code }) => (mark?.file === mine ? { page, code } : [])));
const isWhole = ({ code }: { code: string }) => /^export /m.test(code);
mkdirSync(join(root, ".frontdoor"), { recursive: true });
const folder = mkdtempSync(join(root, ".frontdoor", "programs-"));
/** Writes a program into a folder of the checkout, which has the packages. Returns its path from the checkout. */
function written(name: string, code: string): string {
  writeFileSync(join(folder, name), code);
  return relative(root, join(folder, name));
}
const programs = [
  ...blocks.filter(isWhole).map(({ page, code }, index) => ({ page, file: written(`program-${index}.ts`, code) })),
  ...examples.map((example) => ({ page: example, file: `examples/${example}/index.ts` })),
];

const published = { frontdoorId: "fd-1", tunnelId: "tnl-1", nlbDnsName: "nlb-1.example" };
const settings = {
  ...{ "docs:peerPublicIp": "203.0.113.1", "docs:peerCidr": "172.31.0.0/16", "docs:locationId": "loc-1" },
  ...{ "docs:networkStack": "organization/frontdoor-network/dev", "docs:envZId": "ijcrWb-ZOq" },
  ...{ "docs:eastToken": "hush-east", "docs:westToken": "hush-west" },
};

let emulator: Emulator;
let made: string[] = [];
let called: string[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
  emulator.seedTunnel({ name: "customer-a-dc1", status: "DEPLOYED" });
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
    return { id: "tnl-1", tunnels: [{ name: "customer-a-dc1" }], shares: [] };
  };
  await pulumi.runtime.setMocks({ newResource, call }, "docs", "dev", false, "acme");
  pulumi.runtime.setAllConfig(settings);
});
afterAll(async () => {
  await emulator.close();
  removeFolder(folder);
});

/** All outputs in what a program exports, once they are known. */
const known = (exported: object) =>
  new Promise<object>((resolve) => {
    pulumi.output(exported).apply(resolve);
  });

describe("the programs on the pages", () => {
  it.each(programs)("$page: it runs, and exports what it says", async ({ page, file }) => {
    made = [];
    called = [];
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const program = require(join(root, file)) as object | (() => Promise<object>);
    const exported = typeof program === "function" ? await (program as () => Promise<object>)() : program;
    const values = Object.entries(await known(exported));
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter(([, value]) => value === undefined)).toEqual([]);
    // Mocks answer the functions, so none of them reads the service.
    if (page.endsWith("functions.md")) expect([called.length, emulator.requests]).toEqual([3, []]);
    else expect(made.length).toBeGreaterThan(0);
  });

  it("compile", () => {
    expect(typeErrorsIn(programs.map(({ file }) => join(root, file)))).toEqual([]);
  });

  it.each(blocks.filter((block) => !isWhole(block)))("$page: $code is a part of a program", ({ code }) => {
    expect(blocks.filter(isWhole).some((whole) => whole.code.includes(code))).toBe(true);
  });
});

describe("the test on tests/README.md", () => {
  for (const { mark, code } of blocksOf("tests/README.md"))
    if (mark?.file === mine) {
      const file = join(root, written("emulator.ts", code));
      it("compiles", () => {
        expect(typeErrorsIn([file], ts.ScriptTarget.ES2023)).toEqual([]);
      });
      // It declares its tests.
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      require(file);
    }
});

describe("unit tests", () => {
  const blocks = blocksOf("docs/how-to/emulator.md").filter(({ mark }) => mark?.file === mine);

  // `npm init` of npm 10 writes no type.
  describe.each([
    ["npm 10", {}],
    ["npm 11", { type: "commonjs" }],
  ])("the page on unit tests, in a project of getting started with %s", (_npm, written) => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "frontdoor-unit-tests-"));
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      writeFileSync(join(folder, "package.json"), JSON.stringify({ main: "index.ts", ...written }));
      copyFileSync(join(root, "examples", "quickstart", "tsconfig.json"), join(folder, "tsconfig.json"));
      mkdirSync(join(folder, "state"));
      for (const { title, code } of blocks) if (title !== undefined) writeFileSync(join(folder, title), code);
    });
    afterAll(() => {
      removeFolder(folder);
    });

    it.each(blocks.filter(({ title }) => title === undefined).map(({ code }) => code.trim()))(
      "%s passes",
      (command) => {
        // What Jest and Node set for this test is not for the tests of the page.
        const mine = { NODE_OPTIONS: undefined, NODE_TEST_CONTEXT: undefined, JEST_WORKER_ID: undefined };
        const [program = "", ...args] = command.split(" ");
        const text = execFileSync(program, args, {
          cwd: folder,
          env: { ...process.env, ...mine },
          encoding: "utf8",
          stdio: "pipe",
        });
        expect(text).not.toContain("not ok");
      },
    );
  });
});
