import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { installed, type Place } from "./command";

export interface Terminal {
  /** Until the terminal shows this. @throws Error where it does not within ten seconds. */
  shows: (text: string) => Promise<void>;
  /** What Ctrl-C does. */
  interrupt: () => void;
  kill: () => void;
  end: Promise<{ code: number; stdout: string }>;
}

/** Runs `frontdoor` in a terminal of its own, 100 columns wide. */
export function terminal(place: Place, args: string[], env: Record<string, string | undefined> = {}): Terminal {
  const { cwd, env: own } = place.where({
    TERM: "xterm-256color",
    COLORTERM: undefined,
    NO_COLOR: undefined,
    CI: undefined,
    ...env,
  });
  const quoted = [process.execPath, installed, ...args].map((each) => `'${each}'`).join(" ");
  const line = `stty cols 100 rows 30; ${quoted}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd, env: own, stdio: ["pipe", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const end = new Promise<{ code: number; stdout: string }>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      resolve({ code: code ?? -1, stdout });
    });
  });
  return {
    async shows(text) {
      for (let looks = 0; !stdout.includes(text); looks++) {
        if (looks > 200) throw new Error(`the terminal does not show ${text}:\n${stdout}`);
        await sleep(50);
      }
    },
    interrupt: () => child.stdin.write("\x03"),
    kill: () => child.kill("SIGKILL"),
    end,
  };
}
