import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { removeFolder, root } from "../harness/folder";
import { blocksOf } from "./pages";

const blocks = blocksOf("docs/how-to/emulator.md").filter(({ mark }) => mark?.file === "tests/docs/unit-tests.test.ts");

describe("the page on unit tests", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "frontdoor-unit-tests-"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), "{}");
    const compilerOptions = {
      module: "node20",
      types: ["node", "jest"],
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    mkdirSync(join(folder, "state"));
    for (const { title, code } of blocks) if (title !== undefined) writeFileSync(join(folder, title), code);
  });
  afterAll(() => {
    removeFolder(folder);
  });

  it.each(blocks.filter(({ title }) => title === undefined).map(({ code }) => code.trim()))("%s passes", (command) => {
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
  });
});
