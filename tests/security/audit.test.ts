import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";

interface Report {
  vulnerabilities?: Record<string, { severity: string }>;
  message?: string;
}

const flags = ["--json", "--fetch-retries=0", "--fetch-timeout=15000"];
const { stdout } = spawnSync("npm", ["audit", ...flags], { cwd: root, encoding: "utf8", timeout: 60_000 });
const { vulnerabilities, message } = JSON.parse(stdout) as Report;

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, { dev?: boolean }>;
};
const dist = join(root, "dist");
const licenses = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("licenses.txt"))
  .map((path) => readFileSync(join(dist, path), "utf8"))
  .join("\n");
/** What users install, and what is in the files of the package itself. */
const shipped = Object.entries(lock.packages).flatMap(([path, { dev = false }]) => {
  const name = path.replace(/^.*node_modules\//, "");
  return !dev || licenses.includes(`${name}\n\n`) ? name : [];
});

/** Not every mirror answers audits, and a machine may be offline: then there is nothing to judge, and the run says so. */
const unanswered = vulnerabilities === undefined ? (message ?? "no report") : undefined;

(unanswered === undefined ? it : it.skip)(
  `nothing that users get has a known hole of high severity${unanswered === undefined ? "" : ` (the registry did not answer: ${unanswered})`}`,
  () => {
    expect(shipped).toContain("undici");
    const severe = Object.entries(vulnerabilities ?? {}).filter(([, { severity }]) => /high|critical/.test(severity));
    expect(severe.map(([name]) => name).filter((name) => shipped.includes(name))).toEqual([]);
  },
);
