import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { start } from "../harness/command";
import { engineEnvironment, pathWithPlugin, pluginClasses } from "../harness/environment";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import { githubJobs, gitlabJobs, runJobs } from "../harness/pipeline";
import type { Resources } from "../harness/stack";
import { hq } from "../harness/things";

/** A site with as many applications as the limit of the examples, and one more. */
const applications = 21;

/** A program whose applications run on this host. */
const on = (host: string): Resources => ({
  tunnels: { hq: { ...hq, storeSampleConfig: false, opts: { protect: true } } },
  sets: {
    services: {
      ipsecTunnelId: { tunnel: "hq" },
      envZId: "env-1",
      shares: Object.fromEntries(
        Array.from({ length: applications }, (_, at) => [
          `s${at}`,
          { target: `${host}${at}.internal:443`, ingressPort: 1000 + at },
        ]),
      ),
    },
  },
});

it.each([
  ["GitHub", githubJobs("examples/ci/.github/workflows/infrastructure.yml")],
  ["GitLab", gitlabJobs("examples/ci/.gitlab-ci.yml")],
])("the example for CI on %s runs up with the plan that was judged, and not above the limit", async (_, jobs) => {
  const stack = await ownStack({}, { stack: "production", imports: pluginClasses });
  cpSync(join(root, "examples", "ci", "policies.json"), join(stack.folder, "policies.json"));
  const bin = join(stack.folder, "bin");
  mkdirSync(bin);
  // `npx --no pulumi-frontdoor` runs the command of the project's folder.
  const npx = `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${join(root, "dist", "cli.js")}' "$@"\n`;
  writeFileSync(join(bin, "npx"), npx, { mode: 0o755 });
  const own = { ...engineEnvironment(stack.folder), ...stack.env };
  const path = [bin, pathWithPlugin].join(delimiter);
  let said = "";
  const run = (program: Resources) => {
    said = "";
    stack.program(program);
    return runJobs(jobs, stack.folder, async (command, given) => {
      // The rest comes from the repository's variables and secrets.
      const literal = Object.fromEntries(Object.entries(given).filter(([, value]) => !value.includes("${{")));
      const env = { ...own, PATH: path, GITHUB_STEP_SUMMARY: join(stack.folder, "summary.md"), ...literal };
      const { code, text } = await start("bash", ["-e", "-c", command], { cwd: stack.folder, env }).end;
      said += text;
      return code === 0;
    });
  };

  // Creates are below any limit. The plan knows no ids, and `up` makes the whole site.
  expect({ ...(await run(on("old"))), said }).toEqual({ preview: "passed", up: "passed", said });
  expect(stack.writes()).toHaveLength(1 + applications);

  expect(await run(on("new"))).toEqual({ preview: "failed", up: "did not run" });
  expect(said).toContain("[impact-too-large]");
  expect(stack.writes()).toEqual([]);
});
