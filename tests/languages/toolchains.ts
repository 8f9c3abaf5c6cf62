import { execFileSync } from "node:child_process";

const has = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** `it`, or a skipped one that says what is missing. */
export const withGo = has("go", "version") ? it : it.skip;
export const withPython = has("go", "version") && has("python3", "-c", "import ensurepip, venv") ? it : it.skip;
export const withDotnet = has("go", "version") && has("dotnet", "--version") ? it : it.skip;
