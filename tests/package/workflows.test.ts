import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { evaluate } from "../harness/command";
import { root } from "../harness/folder";

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  env?: object;
  with?: Record<string, unknown>;
}
interface Job {
  if?: string;
  uses?: string;
  needs?: string;
  secrets?: unknown;
  environment?: string;
  permissions?: Record<string, string>;
  env?: object;
  steps?: Step[];
}
interface Workflow {
  permissions: object;
  env?: object;
  jobs: Record<string, Job>;
}

const workflowsIn = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name));
const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.github\/workflows\/[^/]+\.ya?ml$/.test(path) && !path.includes("node_modules"))
  .map((path) => join("examples", path));
const files = [...workflowsIn(".github/workflows"), ...examples];
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const jobsOf = (file: string) => Object.entries((parse(textOf(file)) as Workflow).jobs);
const release = (job: string) => Object.fromEntries(jobsOf(".github/workflows/release.yml"))[job] ?? {};
const runs = ({ steps = [] }: Job) => steps.flatMap(({ run = "" }) => run);
const naming = /\b(secrets\b|github\.token)/;

describe("workflows", () => {
  it.each(files)("%s names each action by a full commit and says its version", (file) => {
    const used = jobsOf(file).flatMap(([, { uses = [], steps = [] }]) => [
      uses,
      ...steps.map((step) => step.uses ?? []),
    ]);
    const foreign = used.flat().filter((action) => !action.startsWith("./"));
    expect(foreign).not.toEqual([]);
    expect(foreign.filter((action) => !/^[\w./-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const lines = textOf(file)
      .split("\n")
      .filter((line) => /^\s*(- )?uses: (?!\.\/)/.test(line));
    expect(lines).toHaveLength(foreign.length);
    expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it.each(files)("%s gives secrets to single steps only", (file) => {
    expect(JSON.stringify((parse(textOf(file)) as Workflow).env ?? {})).not.toMatch(naming);
    for (const [, { env = {}, secrets }] of jobsOf(file)) {
      expect(JSON.stringify(env)).not.toMatch(naming);
      expect(secrets).toBeUndefined();
    }
  });

  it.each(files)("%s gives no rights by itself, and each job says its own", (file) => {
    expect((parse(textOf(file)) as Workflow).permissions).toEqual({});
    for (const [, { permissions, environment }] of jobsOf(file)) {
      expect(permissions).toBeDefined();
      // An example's job gets a role of its backend by its own token.
      const own = file.startsWith("examples/") ? { "id-token": "write" } : {};
      if (environment !== "release") expect(permissions).toEqual({ contents: "read", ...own });
    }
  });

  it.each(files)("%s leaves no token in a checkout", (file) => {
    const checkouts = jobsOf(file).flatMap(([, { steps = [] }]) =>
      steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@")),
    );
    expect(checkouts).not.toEqual([]);
    for (const { with: given } of checkouts) expect(given).toMatchObject({ "persist-credentials": false });
  });
});

describe("a release", () => {
  it("is published from the artifact of that job, by nothing of this repository or its dependencies", () => {
    const { needs, environment, steps = [] } = release("publish");
    expect([needs, environment]).toEqual(["build", "release"]);
    const actions = steps.flatMap(({ uses }) => uses?.split("@")[0] ?? []);
    expect(actions).toEqual(["actions/setup-node", "actions/download-artifact", "actions/attest-build-provenance"]);
    expect(
      runs(release("publish")).filter((run) => /\bnpx\b|\bnpm (?!publish|view)|\bnode\b|scripts\//.test(run)),
    ).toEqual([]);
    const publish = steps.find(({ run = "" }) => run.includes("npm publish"));
    expect(publish?.run).toMatch(/\.tgz --ignore-scripts /);
    expect(publish?.env).toEqual({ NPM_CONFIG_PROVENANCE: "true" });
  });

  it("is made of a tag on main only", () => {
    const step = release("build").steps?.find(({ name }) => name === "The tag is on main");
    const work = mkdtempSync(join(tmpdir(), "tag-on-main-"));
    const git = (...args: string[]) => execFileSync("git", args, { cwd: work, stdio: "pipe" });
    const isOnMain = () => {
      try {
        execFileSync("bash", ["-e", "-c", step?.run ?? "exit 0"], { cwd: work, stdio: "pipe" });
        return true;
      } catch {
        return false;
      }
    };
    const commit = (text: string) =>
      git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "--quiet", "--allow-empty", "-m", text);
    try {
      git("init", "--quiet", "--initial-branch=main");
      commit("on main");
      git("update-ref", "refs/remotes/origin/main", "HEAD");
      expect(isOnMain()).toBe(true);
      commit("elsewhere");
      expect(isOnMain()).toBe(false);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
});

describe("the example for CI", () => {
  const jobs = Object.fromEntries(jobsOf("examples/ci/.github/workflows/infrastructure.yml"));
  const secretsOf = ({ steps = [] }: Job) =>
    steps.flatMap((step) =>
      [...JSON.stringify(step).matchAll(/secrets\.(\w+)/g)].map(([, name]) => [
        step.run?.replace("exec ", "").split(" ")[0],
        name,
      ]),
    );

  const ofBackend = [["pulumi", "PULUMI_CONFIG_PASSPHRASE"]];

  it("gives a pull request's preview no credentials of Frontdoor, and an API account to a protected environment", () => {
    expect(jobs["preview"]?.environment).toBe("preview");
    expect(jobs["up"]?.environment).toBe("production");
    expect(secretsOf(jobs["preview"] ?? {})).toEqual(ofBackend);
    expect(secretsOf(jobs["up"] ?? {})).toEqual([
      ...ofBackend,
      ["pulumi", "NETFOUNDRY_CLIENT_ID"],
      ["pulumi", "NETFOUNDRY_PASSWORD"],
      ["pulumi", "NETFOUNDRY_OAUTH_URL"],
    ]);
  });
});

it("the oldest Node and the oldest engine that are supported are among those that are tested", async () => {
  const { jobs } = parse(textOf(".github/workflows/test.yml")) as {
    jobs: Record<string, { strategy: { matrix: Record<string, string[]> } }>;
  };
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  const nodes = jobs["fast"]?.strategy.matrix["node"]?.map((version) => `>=${version}.0`);
  expect(nodes).toContain(engines.node);
  expect(jobs["engines"]?.strategy.matrix["engine"]).toContain(await evaluate("engine", "it.oldestEngine"));
});
