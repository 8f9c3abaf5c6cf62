import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { entriesOf, pulumisOwn, spellings } from "../harness/leaks";
import { ownStack } from "../harness/own-stack";
import type { Resources, Stack } from "../harness/stack";
import { hq, web as arguments_ } from "../harness/things";
import { onAnswer } from "../lifecycle/row";
import { openProgram, pack, preview, reported } from "../policy/checking";
import { type History, playOnPulumi } from "../prove/pulumi";
import { onImported, records } from "../recorded/records";

/** The life of a stack on Pulumi, once with each adapter. Its steps build on one another. Rows in virtual time (tests/lifecycle) and test:all show the rest. */
const token = `Canary"token/+${"=%&".repeat(3)}0123456789`;
const web = { ...arguments_, ipsecTunnelId: { tunnel: "hq" } };
const db = { ...web, name: "db", target: "db.internal:5432", ingressPort: 5432 };
const api = { ...web, name: "api", ingressPort: 8080 };
const moved = { ...web, target: "web2.internal:443" };
const made: Resources = { tunnels: { hq }, shares: { web } };
const declared: Resources = { tunnels: { hq }, shares: { web: moved, db, api } };
const done = { code: 0, errors: [] };

/** A request from outside Pulumi, and the wait until its work is done. Returns the resource's id. */
async function asColleague({ emulator }: Stack, method: string, path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const url = `${emulator.baseUrl}/v2/${emulator.frontdoorId}${path}`;
  const { id } = (await (await fetch(url, { method, headers, body: JSON.stringify(body) })).json()) as { id: string };
  const isReady = () => emulator.shares().every((share) => share.id !== id || share.status === "DEPLOYED");
  for (let tries = 0; tries < 500 && !isReady(); tries++) await sleep(20);
  expect(isReady()).toBe(true);
  emulator.requests.length = 0;
  return id;
}

it.concurrent.each([
  ["dynamic provider", dynamicClasses],
  ["plugin", pluginClasses],
])("a stack with the %s lives from up to destroy", async (adapter, imports) => {
  const stack = await ownStack({ token, provisionMs: 200 }, { imports });
  const { emulator } = stack;

  // A wrong token: nothing is sent that writes, and the error is one line.
  Object.assign(stack.env, { FRONTDOOR_TOKEN: "of-another-service" });
  const refused = await stack.up(made);
  expect(refused.code).not.toBe(0);
  expect(refused.errors.join("\n")).toContain("[token-refused]");
  expect([stack.writes(), stack.alive()]).toEqual([[], []]);
  Object.assign(stack.env, { FRONTDOOR_TOKEN: token });

  // Up, by a saved plan, and up again.
  const plan = join(stack.folder, "plan.json");
  expect(await stack.preview(made, "--save-plan", plan)).toMatchObject(done);
  expect(await stack.up(made, "--plan", plan)).toMatchObject({ ...done, steps: ["create hq", "create web"] });
  expect(stack.calls()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
  const secrets = [...spellings(emulator.samplePsk(stack.id("hq"))), ...spellings(token)];
  const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));

  // Nothing to do, at the highest log level: only Pulumi's own lines hold the key, and none the token.
  const logged = await stack.up(made, "--refresh", "--expect-no-changes", "-v=9", "--logtostderr");
  expect(logged).toMatchObject({ code: 0, steps: [] });
  const entries = entriesOf(logged.text).filter((entry) => !pulumisOwn.test(entry) && !entry.includes("RPC"));
  expect(entries.filter((entry) => leaks(entry).length > 0).map((entry) => entry.slice(0, 500))).toEqual([]);
  expect(spellings(token).filter((secret) => logged.text.includes(secret))).toEqual([]);
  expect([stack.writes(), leaks(stack.stateText())]).toEqual([[], []]);

  // One edit is one PATCH of one field. A colleague undoes it, and the next refresh shows that.
  const edited: Resources = { tunnels: { hq }, shares: { web: moved } };
  const patch = `PATCH /ipsec-shares/${stack.id("web")}`;
  expect(await stack.up(edited)).toMatchObject({ ...done, steps: ["update web"] });
  expect(stack.writes()).toEqual([`${patch} {"target":"web2.internal:443"}`]);
  await asColleague(stack, "PATCH", `/ipsec-shares/${stack.id("web")}`, { target: "colleague.internal:443" });
  expect(await stack.refresh()).toMatchObject({ ...done, steps: ["update web"] });
  expect(stack.kept()["web"]?.outputs["target"]).toBe("colleague.internal:443");
  expect(await stack.up(edited)).toMatchObject({ ...done, steps: ["update web"] });
  stack.writes();

  // The provider is killed after a POST: the next run resumes.
  onAnswer(emulator, "POST /ipsec-shares", () => {
    stack.killProvider();
  });
  expect((await stack.up({ ...edited, shares: { web: moved, db } })).code).not.toBe(0);
  expect(await stack.up({ ...edited, shares: { web: moved, db } })).toMatchObject(done);
  expect(stack.calls()).toEqual(["POST /ipsec-shares"]);

  // So does Ctrl-C.
  onAnswer(emulator, "POST /ipsec-shares", () => {
    stack.interrupt();
  });
  await stack.up(declared);
  expect(await stack.up(declared)).toMatchObject(done);
  expect(stack.calls()).toEqual(["POST /ipsec-shares"]);
  expect(stack.alive()).toEqual(["hq", "web", "db", "api"].map((name) => stack.id(name)).sort());

  if (adapter === "plugin") {
    const args = { ...arguments_, name: "old", ingressPort: 9000, ipsecTunnelId: stack.id("hq") };
    const id = await asColleague(stack, "POST", "/ipsec-shares", args);
    const imported = await stack.run(
      "import",
      "frontdoor:index:IpsecShare",
      "old",
      id,
      "--yes",
      "--generate-code=false",
      "--protect=false",
    );
    expect(imported.code).toBe(0);
    expect([stack.id("old"), stack.writes()]).toEqual([id, []]);
  }

  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject(done);
  expect([stack.entries(), stack.alive()]).toEqual([[], []]);
  expect(leaks(readFileSync(join(stack.folder, "events.json"), "utf8") + destroyed.text)).toEqual([]);
});

it("the packed policies stop a preview", async () => {
  const stack = await openProgram("policy-violations");
  // The provider's own refusal would end the preview before the policies are asked.
  const program = join(stack.folder, "index.ts");
  writeFileSync(
    program,
    readFileSync(program, "utf8").replace(/(mail\.corp\.example:443", ingressPort: )443/, "$18499"),
  );
  const flags = ["--policy-pack", pack, "--policy-pack-config", join(stack.folder, "policies.json")];
  const run = await preview(stack, ...flags);
  expect(run.code).not.toBe(0);
  expect(reported(run).length).toBeGreaterThan(10);
});

it.each(records)("a state that version %s recorded needs no change and no write, also after a refresh", (record) =>
  onImported(record, async (stack) => {
    expect(Object.keys(stack.kept()).length).toBeGreaterThan(5);
    expect(await stack.preview({})).toMatchObject({ ...done, steps: [] });
    expect(await stack.up({}, "--refresh")).toMatchObject({ ...done, steps: [] });
    expect(stack.writes()).toEqual([]);
  }),
);

/** Two histories that test:all has more of (tests/prove/on-pulumi). */
it.concurrent.each([
  [
    "the engine is killed",
    {
      programs: "singles",
      service: "plain",
      adapter: "dynamic",
      steps: [{ edit: "up", fault: { of: "POST share", at: 0, kind: "engine killed after" }, ends: "again" }],
    },
  ],
  [
    "an answer is lost",
    {
      programs: "sets",
      service: "other",
      adapter: "plugin",
      steps: [{ edit: "up" }, { edit: "retain k1", fault: { of: "PATCH share", at: 0, kind: "answer lost" } }],
    },
  ],
] satisfies [string, History][])("a history ends as the program declares: %s", async (_name, history) => {
  const { problems, log, skipped } = await playOnPulumi(history);
  expect(problems.length > 0 ? [...problems, ...log] : []).toEqual([]);
  expect(skipped).toBe(0);
});
