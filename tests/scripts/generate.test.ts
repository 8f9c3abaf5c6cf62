import { execFileSync } from "node:child_process";
import { join } from "node:path";

describe("what is made from the tables of fields", () => {
  it("is what the tables say", () => {
    const check = [join(__dirname, "../../scripts/generate.mjs"), "--check"];
    expect(() => execFileSync(process.execPath, check, { stdio: "pipe" })).not.toThrow();
  });
});
