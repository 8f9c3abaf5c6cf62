import { execFileSync, spawnSync } from "node:child_process";
import { installed, useEmulator } from "./command";

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
    ["device-config --device ", "cisco-ios-xe fortigate pan-os strongswan"],
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

describe("frontdoor complete, which the scripts ask", () => {
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq", locationId: "loc-1" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", target: "w:1", ingressPort: 1 });
    emulator.seedShare({ id: "shr-2", name: "$(touch x)", ipsecTunnelId: "tnl-1", target: "w:2", ingressPort: 2 });
  });
  const asked = (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const bin = `frontdoor() { '${process.execPath}' '${installed}' "$@"; }`;
    const text = `${bin}\n${script("bash")}\nCOMP_WORDS=(frontdoor ${quoted}); COMP_CWORD=${words.length}; _frontdoor; echo "\${COMPREPLY[@]}"`;
    const { env, cwd } = here.place.where();
    return spawnSync("bash", ["--norc", "-c", text], { env: env, cwd, encoding: "utf8" }).stdout.trim();
  };

  it("offers codes, and the ids, names and filter values of the last list, without a request", async () => {
    expect(asked("explain", "port-in")).toBe("port-in-use");
    expect(asked("tunnel", "t")).toBe("");
    for (const list of ["tunnels", "shares"]) expect((await here.run(list)).code).toBe(0);
    here.emulator.requests.length = 0;
    expect(asked("tunnel", "t")).toBe("tnl-1");
    expect(asked("sample-config", "h")).toBe("hq");
    expect(asked("device-config", "h")).toBe("hq");
    expect(asked("share", "").split(" ").sort()).toEqual(["shr-1", "shr-2", "web"]);
    expect(asked("tunnels", "--filter", "loc")).toBe("locationId=");
    expect(asked("tunnels", "--filter", "locationId", "=")).toBe("loc-1");
    expect(asked("shares", "--filter", "status", "=", "D")).toBe("DEPLOYED");
    expect(here.emulator.requests).toEqual([]);
  });
});
