import { execFileSync, spawnSync } from "node:child_process";
import { installed } from "./command";

const script = (shell: string) =>
  execFileSync(process.execPath, [installed, "completion", shell], { encoding: "utf8" });

/** What bash offers for these words, the last of which is being typed. */
function offered(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const asking = `${script("bash")}\nCOMP_WORDS=(frontdoor ${quoted}); COMP_CWORD=${words.length}; _frontdoor; echo "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["--norc", "-c", asking], { encoding: "utf8" }).trim().split(" ").filter(Boolean);
}

describe("frontdoor completion", () => {
  it.each([
    ["tun", "tunnel tunnels"],
    ["tunnels --w", "--watch"],
    ["import --kind ", "shares tunnels"],
    ["metrics --kind s", "share"],
    ["import --out packa", "package-lock.json package.json"],
  ])("bash offers after %j %j", (words, names) => {
    expect(
      offered(...words.split(" "))
        .sort()
        .join(" "),
    ).toBe(names);
  });

  it.each(["bash", "zsh", "fish"])("what is printed for %s is right for it", (shell) => {
    const text = script(shell);
    for (const name of ["doctor", "sample-config", "watch", "emulator"]) expect(text).toContain(name);
    const { error, status, stderr } = spawnSync(shell, ["-n"], { input: text, encoding: "utf8" });
    // Where the shell is there.
    if (error === undefined) expect([status, stderr]).toEqual([0, ""]);
  });
});
