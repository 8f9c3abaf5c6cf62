import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { checkPlan } from "../../cli/impact/plan";
import { previewCommand, previewIn } from "../../cli/impact/preview";
import { reportOf } from "../../cli/impact/impact";
import { start, startPulumi, well } from "../harness/command";
import { engineEnvironment, pathWithPlugin, pluginClasses } from "../harness/environment";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import { githubJobs, gitlabJobs, runJobs } from "../harness/pipeline";
import { type Resources, Stack } from "../harness/stack";
import { hq as things } from "../harness/things";

/** The output of the documented preview of a program, which also saves its plan. */
async function previewed(stack: Stack, program: Resources): Promise<string> {
  stack.program(program);
  const env = { ...engineEnvironment(stack.folder), ...stack.env };
  const args = [...previewCommand.split(" ").slice(1), "--save-plan", "plan.json", "--stack", "test"];
  const { stdout } = well(await startPulumi(args, { cwd: stack.folder, env }).end);
  // The plan is an artifact that others can read.
  const plan = readFileSync(join(stack.folder, "plan.json"), "utf8");
  for (const { id } of stack.emulator.tunnels()) expect(plan).not.toContain(stack.emulator.samplePsk(id));
  return stdout;
}

/** Previews and runs a program, and expects that the service gets the writes that the impact of the preview names, and no other. */
async function expectForetold(stack: Stack, program: Resources): Promise<void> {
  const preview = previewIn(await previewed(stack, program));
  expect(preview.hasUnchanged).toBe(true);
  checkPlan({ pathOf: (file) => join(stack.folder, file) }, "plan.json", preview);
  const { changes } = reportOf(preview);
  const writesOf = (isWanted: boolean) =>
    changes
      .filter(({ isCertain }) => isCertain === isWanted)
      .flatMap(({ request, kind, id }) =>
        request.split("+").map((method) => (method === "POST" ? `POST ${kind}` : `${method} ${id ?? ""}`)),
      );
  // The preview of a set with secret shares does not show which keys leave.
  const possible = writesOf(false).flatMap((write) => [write, write.replace("PATCH", "DELETE")]);

  stack.writes();
  well(await stack.up(program, "--plan", "plan.json"));
  const writes = stack.calls().map((call) => {
    const [, method = "", kind = "", id] = /^(\w+) \/ipsec-(\w+)s(?:\/(.+))?$/.exec(call) ?? [];
    return `${method} ${id ?? kind}`;
  });
  expect(writes.filter((write) => !possible.includes(write)).sort()).toEqual(writesOf(true).sort());
  removeOrphans(stack);
}

/** A share that stays in the service would keep its tunnel from being deleted. */
function removeOrphans(stack: Stack): void {
  const state = stack.stateText();
  for (const { id, status } of stack.emulator.shares())
    if (status !== "DELETED" && !state.includes(`"${id}"`)) stack.emulator.removeShare(id);
}

const hq = { ...things, locationId: "loc-1" };

const branch = { name: "branch", peerPublicIp: "203.0.113.8", peerCidr: "10.30.0.0/16", locationId: "loc-2" };

const port = (ingressPort: number, more: object = {}) => ({ target: `h${ingressPort}:443`, ingressPort, ...more });

const on = (tunnel: string, ingressPort: number, more: object = {}) => ({
  ...{ ipsecTunnelId: { tunnel }, envZId: "env-1" },
  ...port(ingressPort, more),
});

const [a, b, c, d] = [port(1001), port(1002), port(1003), port(1004)];

const [web, db] = [on("hq", 443), on("hq", 5432)];

const elsewhere = { ...hq, locationId: "loc-3" };

/** A program with a set of these shares. */
const program = (first: object, shares: Resources["shares"] & object, keys: object, set: object = {}): Resources => ({
  tunnels: { hq: { ...hq, ...first }, branch },
  shares,
  sets: { services: { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", shares: keys, ...set } },
});

/** Edits of one program, each after the one before. */
const edits: [name: string, program: Resources][] = [
  ["everything is created", program({}, { web, db }, { a, b, c })],
  ["a share gets another target", program({}, { web: { ...web, target: "web2:443" }, db }, { a, b, c })],
  [
    "a share gets a location, and in a set one key changes, one goes and one comes",
    program({}, { web: { ...web, locationId: "loc-7" }, db }, { a, b: port(1012), d: { ...d, retain: true } }),
  ],
  [
    "a share loses its location, and a key takes the port of a key that goes",
    program({}, { web, db }, { a: port(1012), d: { ...d, retain: true } }),
  ],
  [
    "a retained key goes, and a tunnel keeps no sample configuration",
    program({ storeSampleConfig: false }, { web, db }, { a }),
  ],
  ["a tunnel gets another network", program({ peerCidr: "10.21.0.0/16" }, { web, db }, { a })],
  ["a tunnel moves", program(elsewhere, { web, db }, { a, b })],
  [
    "a tunnel is replaced while one of its shares leaves",
    program({ peerCidr: "10.22.0.0/16", locationId: "loc-3" }, { db }, { a, b }),
  ],
  [
    "a share and a set move to another tunnel while theirs is replaced",
    program(
      { peerCidr: "10.23.0.0/16", locationId: "loc-3" },
      { web, db: on("branch", 5432) },
      { a, b },
      { ipsecTunnelId: { tunnel: "branch" } },
    ),
  ],
  [
    "the options of a moved tunnel delete it first",
    program(
      { peerCidr: "10.23.0.0/16", opts: { deleteBeforeReplace: true } },
      { web, db },
      { a, b },
      { ipsecTunnelId: { tunnel: "branch" } },
    ),
  ],
  [
    "the options of a share replace it",
    program(
      { peerCidr: "10.23.0.0/16" },
      {
        web: { ...web, target: "web3:443", opts: { replaceOnChanges: ["target"] } },
        db: { ...db, opts: { retainOnDelete: true } },
        safe: on("hq", 8443, { envZId: { secret: "env-9" } }),
      },
      { a, b },
      { envZId: { secret: "env-9" } },
    ),
  ],
  [
    "a share leaves and stays in the service, and secret values change",
    program(
      { peerCidr: "10.23.0.0/16" },
      {
        web: { ...web, target: "web3:443" },
        safe: on("hq", 8443, { envZId: { secret: "env-8" } }),
      },
      { a },
      { envZId: { secret: "env-9" } },
    ),
  ],
  ["everything leaves", {}],
];

/** What is recorded: edits of one program, in which the site of `branch` has two tunnels. */
const before = { ...program({}, { web, db }, { a, b, c }) };
const twice = {
  ...before.tunnels,
  "branch-backup": { ...branch, name: "branch-backup", peerPublicIp: "203.0.113.9", locationId: "loc-4" },
};
const after = (edited: Resources): Resources => ({ ...edited, tunnels: { ...twice, ...edited.tunnels } });
const recordedEdits: [name: string, program: Resources][] = [
  [
    "a tunnel is replaced while one of its shares leaves",
    after(program({ peerCidr: "10.21.0.0/16" }, { db }, { a, b, c })),
  ],
  ["a tunnel gets another network", after(program({ peerCidr: "10.21.0.0/16" }, { web, db }, { a }))],
  ["a tunnel moves", after(program(elsewhere, { web, db }, { a, b }))],
  [
    "one of the two tunnels of a site moves",
    after({ ...before, tunnels: { branch: { ...branch, locationId: "loc-5" }, hq } }),
  ],
];

const recordings = join(__dirname, "..", "cli", "previews.json");

const ofPreview = ["steps", "changeSummary", "op", "urn", "oldState", "newState", "replaceReasons"];
const ofState = ["id", "inputs", "outputs", "retainOnDelete", "pendingReplacement"];
/** Outputs that `impact` does not read. */
const unread = ["sampleConfig", "tunnelConfig", "__seenAt", "__settlesAt"];

/** The output of a preview without what `impact` does not read. */
function reduced(json: string): object {
  const only = (value: object, names: string[]) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
  return JSON.parse(json, (name, value: unknown) => {
    if (unread.includes(name)) return undefined;
    if (typeof value !== "object" || value === null) return value;
    if (name === "oldState" || name === "newState") return only(value, ofState);
    return name === "" || "op" in value ? only(value, ofPreview) : value;
  }) as object;
}

/** Each change of a preview, in any order, without ids. */
const foretold = (preview: object) =>
  reportOf(previewIn(JSON.stringify(preview)))
    .changes.map(({ request, name, effect, isOnlyTunnel }) => [request, name, effect, isOnlyTunnel].join(" "))
    .sort();

// FRONTDOOR_RECORD_PREVIEWS=1 writes tests/cli/previews.json.
it("the recorded previews are what the engine shows", async () => {
  const stack = await Stack.open({ provisionMs: 50, teardownMs: 20 }, { imports: pluginClasses });
  well(await stack.up(after(before), "--parallel", "1"));
  const found: Record<string, object> = {};
  for (const [name, program] of recordedEdits) found[name] = reduced(await previewed(stack, program));
  await stack.close();
  const lines = Object.entries(found).map(([name, preview]) => `${JSON.stringify(name)}: ${JSON.stringify(preview)}`);
  if (process.env["FRONTDOOR_RECORD_PREVIEWS"] === "1") writeFileSync(recordings, `{\n${lines.join(",\n")}\n}\n`);
  const recorded = JSON.parse(readFileSync(recordings, "utf8")) as Record<string, object>;
  const told = (previews: Record<string, object>) =>
    Object.entries(previews).map(([name, each]) => [name, foretold(each)]);
  expect(told(recorded)).toEqual(told(found));
});

// Each edit begins with what the one before it left.
describe("the impact of a preview", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ provisionMs: 50, teardownMs: 20 }, { imports: pluginClasses });
  });
  afterAll(() => stack.close());

  it.each(edits)("names the writes that Frontdoor gets: %s", (...[, program]) => expectForetold(stack, program));
});

/** A site with as many applications as the limit of the examples, and one more. */
const applications = 21;

/** A program whose applications run on this host. */
const programOn = (host: string): Resources => ({
  tunnels: { hq: { ...things, storeSampleConfig: false, opts: { protect: true } } },
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
  expect({ ...(await run(programOn("old"))), said }).toEqual({ preview: "passed", up: "passed", said });
  expect(stack.writes()).toHaveLength(1 + applications);

  expect(await run(programOn("new"))).toEqual({ preview: "failed", up: "did not run" });
  expect(said).toContain("[impact-too-large]");
  expect(stack.writes()).toEqual([]);
});
