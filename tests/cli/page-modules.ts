import { execFileSync } from "node:child_process";
import { pageFolder } from "../../cli/files";

/** What a script of the page's modules comes to; browsers' modules run in Node as they are. */
export function evaluate(script: string): unknown {
  const options = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module"];
  const text = execFileSync(process.execPath, [...options, "-e", script], { cwd: pageFolder, encoding: "utf8" });
  return JSON.parse(text) as unknown;
}
