import { join } from "node:path";
import { type Mutation, mutations } from "./mutations";
import type { Schedule } from "./schedule";
import { Tree } from "./tree";

const root = join(__dirname, "..", "..");

/** A share that stays NEW until its deadline, so that it is kept as partly created. */
const stuck: Schedule = {
  seed: 0,
  settings: { provisionMs: 100, teardownMs: 100 },
  credentials: "token",
  steps: [
    {
      run: "up",
      program: {
        tunnels: { t1: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } },
        shares: {
          s1: { ipsecTunnelId: { tunnel: "t1" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 },
        },
      },
      faults: [{ fault: "stick", kind: "share", op: "create" }],
    },
  ],
};

interface Result {
  isRed: boolean;
  /** The first thing that did not hold. */
  why: string;
}

function onEngine(tree: Tree): Result {
  const args = ["-r", "ts-node/register/transpile-only", "tests/chaos/main.ts", "--no-shrink"];
  const [flag = "", register = "", ...rest] = args;
  try {
    tree.run(flag, [register, ...rest, "--schedule", JSON.stringify(stuck)]);
    return { isRed: false, why: "" };
  } catch (error) {
    const { stdout = "" } = error as { stdout?: string };
    if (!stdout.includes("FAILED")) throw error;
    return { isRed: true, why: stdout.split("\n")[1]?.trim() ?? "" };
  }
}

function onTests(tree: Tree, name: string, rows: string): Result {
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const env = { ...process.env, FRONTDOOR_PROPERTY_RUNS: "100" };
  let text: string;
  try {
    text = tree.run(jest, ["--json", "--forceExit", "-t", rows, `tests/${name}.test.ts`], env);
  } catch (error) {
    text = (error as { stdout?: string }).stdout ?? "";
  }
  const report = JSON.parse(text.slice(text.indexOf("{"))) as {
    numFailedTests: number;
    numPassedTests: number;
    numRuntimeErrorTestSuites: number;
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  // A suite that does not even run would show nothing.
  if (report.numRuntimeErrorTestSuites > 0) throw new Error(`${name} does not run:\n${text.slice(0, 2000)}`);
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const first = results.find(({ status }) => status === "failed")?.fullName ?? "";
  return { isRed: report.numFailedTests > 0, why: `${report.numFailedTests} failed, first: ${first}` };
}

function tried({ patches, shownBy, rows = "" }: Omit<Mutation, "name">): Result {
  const tree = Tree.make(patches);
  try {
    return shownBy === "engine" ? onEngine(tree) : onTests(tree, shownBy, rows);
  } finally {
    tree.remove();
  }
}

/** Each planted bug has to turn its part of the harness red, and without any all of them are green. */
function main(): void {
  const [, , only] = process.argv;
  const sane = ["provider/faults/faults", "model/properties", "engine"].map((shownBy) => ({
    name: "(none)",
    shownBy,
    patches: [],
    rows: shownBy === "provider/faults/faults" ? "once" : "",
    isRed: false,
  }));
  const planted = mutations.map((mutation) => ({ ...mutation, isRed: true }));
  let wrong = 0;
  for (const each of [...sane, ...planted]) {
    if (only !== undefined && !each.name.includes(only)) continue;
    const { isRed, why } = tried(each);
    if (isRed !== each.isRed) wrong += 1;
    const mark = isRed === each.isRed ? "ok   " : "WRONG";
    process.stdout.write(
      `${mark} | ${each.name.padEnd(36)} | ${each.shownBy.padEnd(30)} | ${isRed ? `red: ${why}` : "green"}\n`,
    );
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}

main();
