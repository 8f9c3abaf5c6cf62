import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { canRun, oldNode } from "../../cli/old-node";
import { root } from "../harness/folder";

describe("the check of Node", () => {
  it.each(["v20.19.5", "v22.18.0", "v18.0.0"])("names the oldest Node that the command runs with, on %s", (version) => {
    const message = `Node ${version} is too old for this command. Nothing was done. Install Node 22.19.0 or later, and put it first on PATH. [node-version]`;
    expect(oldNode(version)).toBe(message);
  });

  it.each(["v22.19.0", "v24.1.0", "v25.0.0-nightly1"])("lets %s pass", (version) => {
    expect(oldNode(version)).toBeUndefined();
  });

  it.each([
    ["prints one line on standard error, with exit code 2", [], 0],
    ["prints one document on standard output with --json", ["--json"], 1],
  ])("%s", (_what, args, documents) => {
    const [errors, printed] = [jest.spyOn(console, "error"), jest.spyOn(console, "log")];
    for (const each of [errors, printed]) each.mockReturnValue();
    const before = process.exitCode;
    expect(canRun({ version: "v20.9.0", argv: ["node", "frontdoor", "doctor", ...args] })).toBe(false);
    expect(process.exitCode).toBe(2);
    process.exitCode = before;
    expect(errors.mock.calls).toEqual([[expect.stringMatching(/^frontdoor: Node v20\.9\.0 .* \[node-version\]$/)]]);
    const codes = printed.mock.calls.map(([text]) => (JSON.parse(text as string) as { error: object }).error);
    expect(codes).toEqual(Array(documents).fill({ message: oldNode("v20.9.0"), code: "node-version" }));
    for (const each of [errors, printed]) each.mockRestore();
  });

  it("ends the installed command before that loads anything else", () => {
    const source = readFileSync(join(root, "dist", "cli.js"), "utf8").replace(/^#!.*/, "");
    const loaded: string[] = [];
    const load = (canStart: boolean) => (path: string) => {
      loaded.push(path);
      return { canRun: () => canStart };
    };
    runInNewContext(source, { require: load(false), process });
    expect(loaded).toEqual(["./cli-node.js"]);
    runInNewContext(source, { require: load(true), process });
    expect(loaded.slice(1)).toEqual(["./cli-node.js", "./cli-main.js"]);
  });
});
