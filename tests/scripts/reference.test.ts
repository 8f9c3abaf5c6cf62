import { execFileSync } from "node:child_process";
import { join } from "node:path";

describe("reference", () => {
  it("says what the code says", () => {
    const check = [join(__dirname, "../../scripts/reference.mjs"), "--check"];
    expect(() => execFileSync(process.execPath, check, { stdio: "pipe" })).not.toThrow();
  });
});
