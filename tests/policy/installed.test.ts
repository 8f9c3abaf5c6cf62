import { join } from "node:path";
import { installPacked } from "../harness/packed";
import { openProgram, preview, reported } from "./run";

const open = async (program: string) => {
  const stack = await openProgram(program);
  installPacked(stack.folder);
  return stack;
};

describe("the installed package", () => {
  it("has the pack as a folder, with its presets", async () => {
    const stack = await open("quickstart");
    const installed = join("node_modules", "pulumi-frontdoor", "policy");
    const plain = await preview(stack, "--policy-pack", installed);
    expect([plain.code, reported(plain)]).toEqual([0, []]);
    const strict = await preview(
      stack,
      ...["--policy-pack", installed, "--policy-pack-config", join(stack.folder, installed, "strict.json")],
    );
    expect(strict.code).not.toBe(0);
    expect(reported(strict)).toEqual([
      "mandatory keep-targets-private app-files",
      "mandatory use-public-peers customer-a-dc1",
      "remediate avoid-stored-keys",
    ]);
  });

  it("lends its policies to a pack of one's own, with an exception", async () => {
    const stack = await open("policy-violations");
    const run = await preview(stack, "--policy-pack", "own-pack");
    expect(run.code).not.toBe(0);
    const found = reported(run);
    expect(found).toContain("mandatory limit-ingress-ports wiki");
    expect(found).toContain("advisory avoid-stored-keys lisbon");
    expect(found.join("\n")).not.toContain("guard-dangerous-ports");
    expect(run.text).toContain("our-company@v1.0.0");
  });
});
