import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { spellings } from "../harness/leaks";
import { ownStack } from "../harness/own-stack";
import type { Resources } from "../harness/stack";
import { hq, web as arguments_ } from "../harness/things";
import { onAnswer } from "../lifecycle/row";

/** The life of a stack on Pulumi, once with each adapter. Its steps build on one another. Rows in virtual time (tests/lifecycle) and test:all show the rest. */
const token = `Canary"token/+${"=%&".repeat(3)}0123456789`;
const web = { ...arguments_, ipsecTunnelId: { tunnel: "hq" } };
const db = { ...web, name: "db", target: "db.internal:5432", ingressPort: 5432 };
const made: Resources = { tunnels: { hq }, shares: { web } };
const edited: Resources = { tunnels: { hq }, shares: { web: { ...web, target: "web2.internal:443" }, db } };
const done = { code: 0, errors: [] };

it.concurrent.each([
  ["dynamic provider", dynamicClasses],
  ["plugin", pluginClasses],
])("a stack with the %s lives from up to destroy", async (_adapter, imports) => {
  const stack = await ownStack({ token, provisionMs: 200 }, { imports });
  // What is known of a lost write follows from it: 52 s instead of 82.
  stack.env["FRONTDOOR_REQUEST_TIMEOUT"] = "10";
  const log = join(stack.folder, "requests.jsonl");
  stack.env["FRONTDOOR_LOG"] = log;
  const { emulator } = stack;
  // The provider is killed after a POST: the next run resumes.
  onAnswer(emulator, "POST /ipsec-shares", () => {
    stack.killProvider();
  });
  expect((await stack.up(made)).code).not.toBe(0);
  expect(await stack.up(made)).toMatchObject(done);
  expect(stack.calls()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
  const secrets = [...spellings(emulator.samplePsk(stack.id("hq"))), ...spellings(token)];
  const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));
  expect(leaks(stack.stateText())).toEqual([]);

  // Ctrl-C comes after the POST of an edit, and a colleague changes a share. An up with a refresh undoes that, and resumes.
  onAnswer(emulator, "POST /ipsec-shares", () => {
    stack.interrupt();
  });
  await stack.up(edited);
  emulator.patchShare(stack.id("web"), { target: "colleague.internal:443" });
  expect(await stack.up(edited, "--refresh")).toMatchObject(done);
  // An edit is a PATCH of one field.
  const patch = `PATCH /ipsec-shares/${stack.id("web")} {"target":"web2.internal:443"}`;
  const writes = stack.writes();
  expect([...new Set(writes)].sort()).toEqual([patch, expect.stringMatching(/^POST /)]);
  expect(writes.filter((write) => write.startsWith("POST"))).toHaveLength(1);
  expect(emulator.shares().map(({ target }) => target)).toEqual(["web2.internal:443", "db.internal:5432"]);
  expect(stack.alive()).toEqual(["hq", "web", "db"].map((name) => stack.id(name)).sort());
  expect(await stack.up(edited, "--refresh", "--expect-no-changes")).toMatchObject({ ...done, steps: [] });
  expect([stack.writes(), leaks(stack.stateText())]).toEqual([[], []]);

  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject(done);
  expect([stack.entries(), stack.alive()]).toEqual([[], []]);
  expect(leaks(readFileSync(join(stack.folder, "events.json"), "utf8") + destroyed.text)).toEqual([]);
  // Every process of the stack has appended its requests to one log.
  const logged = readFileSync(log, "utf8");
  expect(logged).toMatch(/^\{"time":"[^"]+","method":"POST","path":"\/v2\/fd-1\/ipsec-tunnels","status":202,/m);
  expect(logged).toMatch(
    /"method":"DELETE","path":"\/v2\/fd-1\/ipsec-shares\/[^"]+","status":202,.*"name":"web","id":"/,
  );
  expect(leaks(logged)).toEqual([]);
});
