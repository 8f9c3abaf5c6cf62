import { type Emulator, startEmulator } from "../../emulator";
import { type Running, start } from "../harness/command";
import { installed, Place } from "./command";

let own: Emulator;
let place: Place;
const running: Running[] = [];

beforeEach(async () => {
  own = await startEmulator();
  place = new Place(own);
});
afterEach(async () => {
  for (const { pid, end } of running.splice(0)) {
    process.kill(pid, "SIGTERM");
    await end;
  }
  await own.close();
  place.remove();
});

const started = async (...args: string[]): Promise<Running> => {
  const command = start(process.execPath, [installed, "emulator", "--port", "0", ...args], place.where({}));
  running.push(command);
  while (!command.said.stdout.includes("FRONTDOOR_TOKEN=")) {
    if (command.said.stderr.includes("frontdoor:")) throw new Error(command.said.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return command;
};

describe("frontdoor emulator", () => {
  it("says where it is, and what to paste so that all else finds it", async () => {
    const { said } = await started("--token", "it's", "--frontdoor", "fd-7", "--data", "here.db");
    const [, baseUrl = ""] =
      /^(http:\/\/127\.0\.0\.1:\d+\/frontdoor) \(front door fd-7; status page at http:.*\/\)\n/.exec(said.stdout) ?? [];
    const line = said.stdout.split("\n").find((each) => each.startsWith("export ")) ?? "";
    expect(line).toContain(`FRONTDOOR_BASE_URL=${baseUrl} `);
    const shell = start(
      "sh",
      ["-c", `${line} && exec '${process.execPath}' '${installed}' doctor --json`],
      place.where({ PATH: "/nowhere:/usr/bin:/bin" }),
    );
    const { stdout } = await shell.end;
    const checks = (JSON.parse(stdout) as { checks: { name: string; state: string }[] }).checks;
    expect(checks.find(({ name }) => name === "token")).toMatchObject({ state: "ok" });
  });

  it("begins with a demo where it is asked for, and with that of its file at the next start", async () => {
    const shown = async (...args: string[]) => {
      const { said, pid, end } = await started("--data", "demo.db", ...args);
      const [, baseUrl = ""] = /^(http:\S+)/.exec(said.stdout) ?? [];
      const env = { FRONTDOOR_BASE_URL: baseUrl, FRONTDOOR_ID: "fd-1", FRONTDOOR_TOKEN: "emulator-token" };
      const names = async (kind: "tunnels" | "shares") => {
        const { stdout } = await place.run([kind, "--json", "--sort", "name"], env);
        return (JSON.parse(stdout) as Record<string, { name: string }[]>)[kind]?.map(({ name }) => name);
      };
      const found = { tunnels: await names("tunnels"), shares: (await names("shares"))?.length };
      process.kill(pid, "SIGTERM");
      await end;
      running.pop();
      return found;
    };
    expect(await shown()).toEqual({ tunnels: [], shares: 0 });
    const demo = { tunnels: ["demo-hamburg", "demo-lyon", "demo-porto"], shares: 12 };
    expect(await shown("--demo")).toEqual(demo);
    expect(await shown("--demo")).toEqual(demo);
  });

  it("keeps its file for itself while it runs", async () => {
    const first = await started("--data", "here.db");
    await expect(started("--data", "here.db")).rejects.toThrow(
      /here\.db is in use by another emulator: end that, or name another file\n$/,
    );
    expect((await running.pop()?.end)?.code).toBe(1);
    process.kill(first.pid, "SIGKILL");
    await first.end;
    running.length = 0;
    await started("--data", "here.db");
  });

  it("says so where its port is another's", async () => {
    const { port } = new URL(own.baseUrl);
    const ended = await place.run(["emulator", "--port", port]);
    expect([ended.code, ended.stderr]).toEqual([
      1,
      `frontdoor: port ${port} is in use, perhaps by another emulator: end that, or take another port\n`,
    ]);
  });

  it("has its own help and options; a wrong one is wrong usage", async () => {
    const help = await place.run(["emulator", "--help"]);
    expect(help.stdout).toContain("--provision SECONDS");
    const wrong = await place.run(["emulator", "--colour", "red"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/--colour/);
  });
});
