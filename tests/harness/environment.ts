import { execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator";
import { root } from "./folder";
import { needs } from "./needs";
import { inFolder } from "./state";

const preloaded = (file: string) => `--require=${JSON.stringify(join(__dirname, file))}`;

/** NODE_OPTIONS with which a run does the same in less processor time. */
export const quick = preloaded("quick.cjs");

/** The same for a program that is JavaScript. */
export const quickJavaScript = preloaded("javascript.cjs");

/** The environment of an engine run whose state is in this folder, where no other back end is named. Nothing of the caller's Pulumi or front door reaches it. */
export function engineEnvironment(
  folder: string,
  backEnd = inFolder(join(folder, "state")),
): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(PULUMI|FRONTDOOR)_/i.test(name));
  return {
    ...Object.fromEntries(own),
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: backEnd.url,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    // What a create notes for the next run stays in the folder too: another folder is another machine.
    FRONTDOOR_STATE_DIR: join(folder, "records"),
  };
}

/** Which service a program asks, and its token. */
export const serviceEnvironment = ({ baseUrl, ...of }: Pick<Emulator, "baseUrl" | "frontdoorId" | "token">) => ({
  ...{ FRONTDOOR_BASE_URL: baseUrl, FRONTDOOR_ID: of.frontdoorId, FRONTDOOR_TOKEN: of.token },
});

export const pluginClasses = "pulumi-frontdoor/plugin";

/** Whose classes programs use where a test does not say. */
export const dynamicClasses = "pulumi-frontdoor";

/** A path on which the engine finds the plugin of this repository. */
export const pathWithPlugin = [join(root, "dist", "plugin"), process.env["PATH"] ?? ""].join(delimiter);
const has = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** True if the tools are there that SDKs and programs of a language need. */
export const hasGo = () => needs("Go", has("go", "version"));
export const hasPython = () => needs("Python with venv", hasGo() && has("python3", "-c", "import ensurepip, venv"));
export const hasDotnet = () => needs(".NET", hasGo() && has("dotnet", "--version"));
export const hasMaven = () => needs("Maven", hasGo() && has("mvn", "--version") && has("jar", "--version"));
