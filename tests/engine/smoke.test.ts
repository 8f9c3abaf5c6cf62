import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { spellings } from "../harness/leaks";
import { ownStack } from "../harness/own-stack";
import type { Resources, Stack } from "../harness/stack";
import { hq, web as arguments_ } from "../harness/things";
import { onAnswer } from "../lifecycle/row";

/** The life of a stack on Pulumi, once with each adapter. Its steps build on one another. Rows in virtual time (tests/lifecycle) and test:all show the rest. */
const token = `Canary"token/+${"=%&".repeat(3)}0123456789`;
const web = { ...arguments_, ipsecTunnelId: { tunnel: "hq" } };
const db = { ...web, name: "db", target: "db.internal:5432", ingressPort: 5432 };
const api = { ...web, name: "api", ingressPort: 8080 };
const moved = { ...web, target: "web2.internal:443" };
const edited: Resources = { tunnels: { hq }, shares: { web: moved, db } };
const declared: Resources = { tunnels: { hq }, shares: { web: moved, db, api } };
const done = { code: 0, errors: [] };

/** Changes a share outside Pulumi, and waits until that is done. */
async function changeAsColleague({ emulator }: Stack, id: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const url = `${emulator.baseUrl}/v2/${emulator.frontdoorId}/ipsec-shares/${id}`;
  await fetch(url, { method: "PATCH", headers, body: JSON.stringify(body) });
  const isReady = () => emulator.shares().every((share) => share.id !== id || share.status === "DEPLOYED");
  for (let tries = 0; tries < 500 && !isReady(); tries++) await sleep(20);
  expect(isReady()).toBe(true);
  emulator.requests.length = 0;
}

it.concurrent.each([
  ["dynamic provider", dynamicClasses],
  ["plugin", pluginClasses],
])("a stack with the %s lives from up to destroy", async (_adapter, imports) => {
  const stack = await ownStack({ token, provisionMs: 200 }, { imports });
  const { emulator } = stack;
  expect(await stack.up({ tunnels: { hq }, shares: { web } })).toMatchObject({
    ...done,
    steps: ["create hq", "create web"],
  });
  expect(stack.calls()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
  const secrets = [...spellings(emulator.samplePsk(stack.id("hq"))), ...spellings(token)];
  const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));
  expect(leaks(stack.stateText())).toEqual([]);

  // An edit is a PATCH of one field. The provider is killed after a POST: the next run resumes.
  onAnswer(emulator, "POST /ipsec-shares", () => {
    stack.killProvider();
  });
  expect((await stack.up(edited)).code).not.toBe(0);
  expect(await stack.up(edited)).toMatchObject(done);
  expect(stack.writes().filter((write) => write.startsWith("PATCH"))).toEqual([
    `PATCH /ipsec-shares/${stack.id("web")} {"target":"web2.internal:443"}`,
  ]);
  expect(emulator.shares()).toHaveLength(2);

  // So does one after Ctrl-C.
  onAnswer(emulator, "POST /ipsec-shares", () => {
    stack.interrupt();
  });
  await stack.up(declared);
  expect(await stack.up(declared)).toMatchObject(done);
  expect(stack.calls()).toEqual(["POST /ipsec-shares"]);
  expect(stack.alive()).toEqual(["hq", "web", "db", "api"].map((name) => stack.id(name)).sort());

  // A colleague changes a share. A refresh shows that, and an up undoes it.
  await changeAsColleague(stack, stack.id("web"), { target: "colleague.internal:443" });
  expect(await stack.up(declared, "--refresh")).toMatchObject(done);
  expect(stack.calls()).toEqual([`PATCH /ipsec-shares/${stack.id("web")}`]);
  expect(await stack.up(declared, "--refresh", "--expect-no-changes")).toMatchObject({ ...done, steps: [] });
  expect([stack.writes(), leaks(stack.stateText())]).toEqual([[], []]);

  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject(done);
  expect([stack.entries(), stack.alive()]).toEqual([[], []]);
  expect(leaks(readFileSync(join(stack.folder, "events.json"), "utf8") + destroyed.text)).toEqual([]);
});
