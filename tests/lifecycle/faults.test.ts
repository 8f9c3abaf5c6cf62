import type { RequestFault } from "../../emulator";
import type { Resources } from "../harness/stack";
import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import { type Driver, guest, hq, type Outcome, seeded } from "./row";
import { openVirtual } from "./virtual";

/** A fault without where and how often. */
type BareFault = RequestFault extends infer Each
  ? Each extends RequestFault
    ? Omit<Each, "method" | "path" | "pathPattern" | "times">
    : never
  : never;

const refusal = (status: number, code: string): BareFault => ({ fault: "answer", status, body: { error: code } });

/** The faults that the walk of tests/prove does not have. */
const faults: Record<string, BareFault> = {
  "404 with a page": { fault: "html", status: 404 },
  "200 with a page": { fault: "html", status: 200 },
  "200 with a page after the work": { fault: "html", status: 200, when: "after" },
  "a body cut in two": { fault: "cut" },
  "a redirect": { fault: "redirect", status: 307 },
  "wrong types": { fault: "shape", shape: "wrong types" },
  "no id": { fault: "shape", shape: "no id" },
  "an unknown status": { fault: "shape", shape: "unknown status" },
  "an empty answer": { fault: "answer", status: 202, when: "after" },
  "401": refusal(401, "unauthorized"),
  "403": refusal(403, "not_found"),
};
const lasting = ["404 with a page", "wrong types", "an unknown status", "403"];

interface Met {
  method: string;
  path: RegExp;
  kind: "tunnel" | "share";
  act: "create" | "update" | "refresh" | "destroy";
}
const ofShares = /^\/ipsec-shares$/;
const ofOneShare = /^\/ipsec-shares\/./;
const ofTunnels = /^\/ipsec-tunnels/;

/** Each kind of request, and a command that sends it. */
const requests: Record<string, Met> = {
  "POST of a share": { method: "POST", path: ofShares, kind: "share", act: "create" },
  "list in a create": { method: "GET", path: ofShares, kind: "share", act: "create" },
  "GET of a share": { method: "GET", path: ofOneShare, kind: "share", act: "refresh" },
  PATCH: { method: "PATCH", path: ofOneShare, kind: "share", act: "update" },
  "list in an update": { method: "GET", path: ofShares, kind: "share", act: "update" },
  "DELETE of a share": { method: "DELETE", path: ofOneShare, kind: "share", act: "destroy" },
  "POST of a tunnel": { method: "POST", path: ofTunnels, kind: "tunnel", act: "create" },
  "GET of a tunnel and below it": { method: "GET", path: /^\/ipsec-tunnels\/./, kind: "tunnel", act: "create" },
  "GET of a tunnel": { method: "GET", path: /^\/ipsec-tunnels\/[^/]+$/, kind: "tunnel", act: "refresh" },
  "DELETE of a tunnel": { method: "DELETE", path: ofTunnels, kind: "tunnel", act: "destroy" },
};

const opts = { customTimeouts: { create: "5m", update: "5m", delete: "5m", read: "5m" } };
const share = { ...guest, locationId: "loc-2" };
const edited = { ...share, target: "web2.internal:443" };
const programOf = (kind: Met["kind"], isEdited: boolean): Resources =>
  kind === "tunnel"
    ? { tunnels: { hq: { ...hq, opts } } }
    : { shares: { web: { ...(isEdited ? edited : share), opts } } };

/** What a user is told: one line for each error, with the id where something exists, and with what to do next. */
function expectTold({ errors }: Outcome, id: string | undefined, act: Met["act"]) {
  for (const error of errors) {
    expect(error).not.toMatch(/\p{C}/u);
    if (id === undefined || act === "refresh" || act === "destroy") continue;
    expect(error).toContain(id);
    expect(error).toMatch(/\[[a-z-]+\]$/);
  }
}

async function meet(driver: Driver, { method, path, kind, act }: Met, fault: BareFault, times: number) {
  const { emulator } = driver;
  // Nothing but the provider itself keeps a second share from being made.
  await driver.begin({ deletedRetentionMs: 1e9, duplicateIngressPort: "allowed" });
  if (kind === "share") emulator.seedTunnel(seeded);
  const served = () => (kind === "share" ? emulator.shares() : emulator.tunnels());
  const idOf = () => driver.held()[kind === "share" ? "web" : "hq"]?.id;
  const up = (isEdited: boolean) => driver.run({ does: "up", program: programOf(kind, isEdited) });
  if (act !== "create") expect(await up(false)).toMatchObject({ isDone: true });
  let written = 0;
  emulator.faults.onWork({ match: () => ((written += 1), false), times: 1, action: "stuck" });
  emulator.faults.add({ ...fault, method, path, times });
  // The list that a refresh asks first is refused, so that the share is read by its id.
  if (act === "refresh") emulator.faults.answerNext({ method: "GET", path: ofShares, status: 403 });
  emulator.requests.length = 0;

  const outcome = await (act === "refresh" || act === "destroy" ? driver.run({ does: act }) : up(act === "update"));

  expect(emulator.requests.filter((sent) => sent.method === method && path.test(sent.path))).not.toHaveLength(0);
  expectTold(outcome, idOf(), act);
  expect(written).toBeLessThanOrEqual(act === "refresh" ? 0 : 1);
  // A failure without an id is a clean one: nothing was made.
  if (!outcome.isDone && idOf() === undefined) expect(written).toBe(0);
  if (act === "refresh") expect(idOf()).toBeDefined();
  emulator.faults.clear();
  if (act === "destroy") {
    if (!outcome.isDone) expect(await driver.run({ does: "destroy" })).toMatchObject({ isDone: true });
    expect(served()).toMatchObject([{ status: "DELETED" }]);
    return;
  }
  expect(await up(act === "update")).toMatchObject({ isDone: true });
  const args = kind === "tunnel" ? hq : act === "update" ? edited : share;
  expect(served()).toMatchObject([{ ...args, id: idOf(), status: "DEPLOYED" }]);
  emulator.requests.length = 0;
  expect(await driver.again(programOf(kind, act === "update"))).toMatchObject({ isDone: true, effects: [] });
  expect(emulator.requests.filter((sent) => sent.method !== "GET")).toEqual([]);
}

describe.each([
  ["once, on the dynamic adapter", dynamicAdapter, Object.keys(faults), 1],
  ["until it heals, on the plugin adapter", pluginAdapter, lasting, Infinity],
] as const)("a fault that comes %s", (_how, open, names, times) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await openVirtual(open);
  });
  afterAll(() => driver.close());

  describe.each(Object.entries(requests))("%s", (_name, met) => {
    it.each(names)("%s", async (name) => {
      const fault = faults[name];
      if (fault) await meet(driver, met, fault, times);
    });
  });
});

const setOf = (target: string) => ({
  ipsecTunnelId: seeded.id,
  envZId: "env-1",
  shares: { web: { target, ingressPort: 443 } },
});
const alone = { tunnels: { hq } };
/** What is on no tunnel of the program, and what is left of it after the edit. */
const programs = {
  "a share": {
    before: { shares: { web: guest } },
    edited: { shares: { web: { ...guest, target: "web2.internal:443" } } },
    after: {},
  },
  "a share of a set": {
    before: { sets: { services: setOf("web.internal:443") } },
    edited: { sets: { services: setOf("web2.internal:443") } },
    after: { sets: { services: { ...setOf(""), shares: {} } } },
  },
  "a tunnel": { before: alone, edited: undefined, after: {} },
} as const;

describe.each([
  ["dynamic", dynamicAdapter],
  ["plugin", pluginAdapter],
] as const)("server errors that last, on the %s adapter", (_name, open) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await openVirtual(open);
  });
  afterAll(() => driver.close());
  const begin = async (program: Resources = {}) => {
    await driver.begin({ duplicateIngressPort: "allowed" });
    driver.emulator.seedTunnel(seeded);
    expect(await driver.run({ does: "up", program })).toMatchObject({ isDone: true });
    driver.emulator.requests.length = 0;
  };

  it.each(Object.entries(programs))("the removal of %s outlives 40 s of 503", async (_what, { before, after }) => {
    await begin(before);
    const { clock, faults, requests } = driver.emulator;
    const endMs = clock.now() + 40_000;
    const restarting = {
      match: ({ method }: { method: string }) => method !== "GET" && clock.now() < endMs,
      times: Infinity,
    };
    faults.onRequest({ ...restarting, action: () => Promise.resolve(new Response(null, { status: 503 })) });
    expect(await driver.run({ does: "up", program: after })).toMatchObject({ isDone: true, errors: [] });
    expect(requests.filter(({ method, status }) => method === "DELETE" && status === 202)).toHaveLength(1);
  });

  const answer = { status: 500, times: Infinity, body: { error: "internal", message: "cannot read the value" } };
  const expectThree = async (method: "POST" | "PATCH", program: Resources) => {
    driver.emulator.faults.answerNext({ ...answer, method });
    const { said, errors } = await driver.run({ does: "up", program });
    const lines = said.split("\n").filter((line) => !errors.some((error) => error.includes(line)));
    expect(lines).toContainEqual(expect.stringMatching(/500 internal: cannot read the value/));
    expect(errors).toEqual([expect.stringMatching(/500 internal: cannot read the value/)]);
    expect(driver.emulator.requests.filter((sent) => sent.method === method)).toHaveLength(3);
  };

  it.each(Object.entries(programs))(
    "three equal answers of 500 end the create of %s, and a line names the first one",
    async (_what, { before }) => {
      await begin();
      await expectThree("POST", before);
    },
  );

  it.each(Object.entries(programs).filter(([, { edited }]) => edited !== undefined))(
    "three equal answers of 500 end the update of %s, and a line names the first one",
    async (_what, { before, edited }) => {
      await begin(before);
      await expectThree("PATCH", edited ?? {});
    },
  );
});
