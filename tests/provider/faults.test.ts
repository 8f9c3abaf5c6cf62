import type { RequestFault } from "../../emulator";
import type { FrontdoorError } from "../../provider/errors";
import type { ShareInputs } from "../../provider/fields/share";
import type { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { Random } from "../harness/random";
import { ResourceEngine, derived, openWorld, shareInputs, tunnelInputs, type World } from "./world";

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

/** How an operation ended, as the engine would keep it. */
interface End {
  /** The id in the state; undefined if nothing is kept. */
  id: string | undefined;
  error: FrontdoorError | undefined;
  /** True if the engine is told that the resource exists but is not ready. */
  isUnfinished: boolean;
}

/** A resource of a program, from one run to the next. */
class Subject<Inputs extends object, Outputs extends object> {
  private readonly engine;

  constructor(
    private readonly of: (world: World) => Lifecycle<Inputs, Outputs>,
    private inputs: Inputs,
    private readonly edited: Inputs,
  ) {
    this.engine = new ResourceEngine(of);
  }

  edit(): void {
    this.inputs = this.edited;
  }

  up(world: World): Promise<End> {
    return this.ended(
      this.engine.up(world, () => this.inputs, 300),
      false,
    );
  }

  /** The engine would drop what a read finds gone. */
  read(world: World): Promise<End> {
    const { state } = this;
    const read = async () => {
      const outputs = await this.of(world).read(state.id, state.outputs, world.within(300));
      expect(outputs).toBeDefined();
      if (outputs) this.engine.state = { ...state, outputs };
      return {};
    };
    return this.ended(read(), true);
  }

  delete(world: World): Promise<End> {
    const gone = async () => {
      await this.of(world).delete(this.state.id, this.state.outputs, world.within(300));
      return {};
    };
    return this.ended(gone(), true);
  }

  /** The next run makes it as declared, and a run after that writes nothing. */
  async expectRight(world: World, served: () => object[]): Promise<void> {
    expect(await this.up(world)).toMatchObject({ error: undefined });
    expect(served()).toMatchObject([{ ...this.inputs, id: this.state.id, status: "DEPLOYED" }]);
    world.nextRun();
    world.calls();
    await this.up(world);
    expect(world.writes()).toEqual([]);
  }

  private ended(work: Promise<{ unfinished?: FrontdoorError }>, isKept: boolean): Promise<End> {
    return work.then(
      ({ unfinished }) => ({ id: this.state.id, error: unfinished, isUnfinished: unfinished !== undefined }),
      (error: unknown) => ({
        id: isKept ? this.state.id : undefined,
        error: error as FrontdoorError,
        isUnfinished: false,
      }),
    );
  }

  private get state() {
    const { state } = this.engine;
    if (!state) throw new Error("nothing is in the state");
    return state;
  }
}

const share: ShareInputs = { ...shareInputs("tnl-seeded"), locationId: "loc-2" };
const subjects = {
  tunnel: () => new Subject(({ tunnels }) => tunnels, tunnelInputs, tunnelInputs),
  share: () => new Subject(({ shares }) => shares, share, { ...share, target: "web2.internal:443" }),
};

interface Met {
  method: string;
  path: RegExp;
  kind: keyof typeof subjects;
  act: "create" | "update" | "read" | "delete";
  isTokenFetched?: true;
}
const ofShares = /^\/ipsec-shares$/;
const ofOneShare = /^\/ipsec-shares\/./;
const ofTunnels = /^\/ipsec-tunnels/;

/** Each kind of request, and an operation that sends it. */
const requests: Record<string, Met> = {
  "token request": { method: "POST", path: /^\/oauth/, kind: "share", act: "create", isTokenFetched: true },
  "POST of a share": { method: "POST", path: ofShares, kind: "share", act: "create" },
  "list in a create": { method: "GET", path: ofShares, kind: "share", act: "create" },
  "GET of a share": { method: "GET", path: ofOneShare, kind: "share", act: "read" },
  PATCH: { method: "PATCH", path: ofOneShare, kind: "share", act: "update" },
  "list in an update": { method: "GET", path: ofShares, kind: "share", act: "update" },
  "DELETE of a share": { method: "DELETE", path: ofOneShare, kind: "share", act: "delete" },
  "POST of a tunnel": { method: "POST", path: ofTunnels, kind: "tunnel", act: "create" },
  "GET of a tunnel and below it": { method: "GET", path: /^\/ipsec-tunnels\/./, kind: "tunnel", act: "create" },
  "GET of a tunnel": { method: "GET", path: /^\/ipsec-tunnels\/[^/]+$/, kind: "tunnel", act: "read" },
  "DELETE of a tunnel": { method: "DELETE", path: ofTunnels, kind: "tunnel", act: "delete" },
};

const fetched = ({ tokenUrl }: { tokenUrl: string }) => ({
  "frontdoor:token": "",
  "frontdoor:tokenUrl": tokenUrl,
  "frontdoor:clientId": "emulator-client",
  "frontdoor:clientSecret": "emulator-client-secret",
});

/** What a user is told: one line, with the id where something exists, and with what to do next. */
function expectTold({ id, error, isUnfinished }: End) {
  if (!error) return;
  expect(error.message).not.toMatch(/\p{C}|client-secret/u);
  expect(error.stack).toBe("");
  if (isUnfinished) {
    expect(error.message).toContain(id);
    expect(error.message).toMatch(/[Rr]un `pulumi up` again.*\[[a-z-]+\]$/);
  }
}

async function meet({ method, path, kind, act }: Met, fault: BareFault, times: number, world: World) {
  const { emulator } = world;
  const subject = subjects[kind]();
  const served = () => (kind === "share" ? emulator.shares() : emulator.tunnels());
  if (kind === "share") emulator.seedTunnel({ id: "tnl-seeded" });
  if (act !== "create") expect(await subject.up(world)).toMatchObject({ error: undefined });
  emulator.clock.advance(60_000);
  world.nextRun();
  let written = 0;
  emulator.faults.onWork({ match: () => ((written += 1), false), times: 1, action: "stuck" });
  emulator.faults.add({ ...fault, method, path, times });
  // The list that a read asks first is refused, so that the share is read by its id.
  if (act === "read") emulator.faults.answerNext({ method: "GET", path: ofShares, status: 403 });
  emulator.requests.length = 0;
  if (act === "update") subject.edit();

  const end = await (act === "read" || act === "delete" ? subject[act](world) : subject.up(world));

  expect(emulator.requests.filter((sent) => sent.method === method && path.test(sent.path))).not.toHaveLength(0);
  expectTold(end);
  expect(written).toBeLessThanOrEqual(act === "read" ? 0 : 1);
  // An error without an id is a clean one: nothing was made.
  if (end.error !== undefined && end.id === undefined) expect(written).toBe(0);
  emulator.faults.clear();
  emulator.clock.advance(60_000);
  world.nextRun();
  if (act !== "delete") await subject.expectRight(world, served);
  else if (end.error) expect(await subject.delete(world)).toMatchObject({ error: undefined });
  expect(served()).toHaveLength(1);
  if (act === "delete") expect(served()).toMatchObject([{ status: "DELETED" }]);
}

describe.each(Object.entries(requests))("%s", (_name, met) => {
  const each = Object.entries(faults);
  const once = each.map(([name, fault]) => [name, "once", 1, fault] as const);
  const untilItHeals = each
    .filter(([name]) => lasting.includes(name))
    .map(([name, fault]) => [name, "until it heals", Infinity, fault] as const);
  it.each([...once, ...untilItHeals])("%s, %s", async (_name, _how, times, fault) => {
    // Nothing but the provider itself keeps a second share from being made.
    const settings = { deletedRetentionMs: 1e9, duplicateIngressPort: "allowed" } as const;
    const world = await openWorld(settings, undefined, (emulator) => (met.isTokenFetched ? fetched(emulator) : {}));
    await meet(met, fault, times, world);
  });
});

describe("trouble that lasts", () => {
  let world: World;

  it.each([1, 2, 3, 4, 5])("six of ten looks fail, and a create still ends well (seed %i)", async (seed) => {
    world = await openWorld({ provisionMs: 120_000 });
    const random = new Random(seed);
    let made = false;
    world.emulator.faults.onRequest({
      match: ({ method }) => {
        made ||= method === "POST";
        return made && method === "GET" && random.chance(0.6);
      },
      times: Infinity,
      action: (_work, { wire }) => {
        if (random.chance(0.5)) wire.incoming.socket.destroy();
        return Promise.resolve(new Response("unavailable", { status: 503 }));
      },
    });
    const tunnel = await world.tunnels.create(tunnelInputs, derived, world.within(1800));
    expect(tunnel).toMatchObject({ outputs: { status: "DEPLOYED" } });
    expect(tunnel.unfinished).toBeUndefined();
    // The look that comes before a POST is no wait.
    made = false;
    const share = await world.shares.create(shareInputs(tunnel.id), derived, world.within(900));
    expect(share.unfinished).toBeUndefined();
    expect(world.writes().map((line) => line.split(" {")[0])).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
  });

  it("fifty shares are made once each by a service that takes five requests a second", async () => {
    world = await openWorld({ provisionMs: 3000 }, undefined, () => ({ "frontdoor:requestsPerSecond": "20" }));
    world.emulator.seedTunnel({ id: "tnl-1" });
    world.emulator.faults.add({ fault: "limit", perSecond: 5 });
    const names = Array.from({ length: 50 }, (_, n) => `s-${n}`);
    const all = await Promise.all(
      names.map((name, n) =>
        world.shares.create({ ...shareInputs("tnl-1"), name, ingressPort: 1000 + n }, derived, world.within(900)),
      ),
    );
    expect(all.filter(({ unfinished }) => unfinished)).toEqual([]);
    expect(world.emulator.shares()).toHaveLength(50);

    const { requests } = world.emulator;
    const refused = requests.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
  });
});

describe.each([429, 503])("a pause of a %d that outlasts the deadline ends at once", (status) => {
  const words = new RegExp(
    `accepts no requests for 60 min, which is beyond the deadline \\(${status} slow_down: Wait\\)`,
  );
  const body = { error: "slow_down", message: "Wait" };
  const answer = { method: "GET", status, headers: { "retry-after": "3600" }, body };
  /** The time that the work takes once such an answer comes, after so many other reads, and its message. */
  const asked = async <T>(skip: number, work: () => Promise<T>) => {
    world.emulator.faults.answerNext({ ...answer, skip });
    const startedMs = world.clock.now();
    const ended = await work().catch((error: unknown) => error as Error);
    return { ended, tookMs: world.clock.now() - startedMs };
  };
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ provisionMs: { tunnel: 1_000, share: 60_000 } });
    world.emulator.seedTunnel({ id: "tnl-1" });
  });

  it("the wait of a create, and not one with a later deadline", async () => {
    const create = (seconds: number, ingressPort: number) =>
      world.shares.create(
        { ...shareInputs("tnl-1"), name: `s-${seconds}`, ingressPort },
        derived,
        world.within(seconds),
      );
    const later = create(7200, 1);
    const { ended, tookMs } = await asked(6, () => create(900, 2));
    expect(ended).toMatchObject({ unfinished: { code: "deadline", message: expect.stringMatching(words) as string } });
    expect(tookMs).toBeLessThan(10_000);
    expect((await later).unfinished).toBeUndefined();
    expect(world.clock.now()).toBeGreaterThan(3_600_000);
  });

  it.each([0, 1])("a refresh of a tunnel, after %d reads", async (skip) => {
    const { id, outputs } = await world.tunnels.create(
      { ...tunnelInputs, locationId: "loc-9" },
      derived,
      world.within(900),
    );
    const { ended, tookMs } = await asked(skip, () => world.tunnels.read(id, outputs, world.within(900)));
    expect(ended).toMatchObject({ code: "long-pause", message: expect.stringMatching(words) as string });
    expect(tookMs).toBeLessThan(1_000);
  });
});
