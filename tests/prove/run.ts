import { FrontdoorError } from "../../provider/errors";
import { readsOf } from "../../provider/functions/functions";
import type { Send } from "../../provider/http/send";
import type { Clock } from "../../provider/time";
import type { Adapter, Answer, OpenAdapter, Subject, Registration, Kept } from "../model/program";
import { ModelEngine } from "../model/engine";
import { ModelProcess } from "../model/process";
import { VirtualClock } from "../harness/virtual-clock";
import { type Fault, faultAt, type FaultKind, struck, written } from "./faults";
import { type Answered, type Asked, type Choices, type Item, Service, type Stale } from "./service";
import { testSettings } from "../harness/things";

/** Everything that outlives a run. */
export interface Snapshot {
  state: readonly Kept[];
  items: readonly Item[];
  given: number;
  records: ReadonlyMap<string, string>;
  /** Requests of a killed provider that are still on their way. */
  late: readonly Late[];
  wallMs: number;
  /** Reads still lag behind. */
  stale?: Stale | undefined;
  /** How far the clock of this machine is from the service's. */
  skewMs?: number;
}

export interface Late {
  atMs: number;
  asked: Asked;
}

export interface Command {
  program: readonly Registration[];
  /** The command. Without it, an `up`. A destroy is an `up` of an empty program. */
  does?: "preview" | "refresh" | "destroy" | undefined;
  /** A refresh comes before the `up`. */
  isRefreshed: boolean;
  /** The state is written only at the end. */
  isFast?: true | undefined;
  /** The provider's URL leads to another service, where nothing is. */
  isElsewhere?: true | undefined;
  /** The next run begins at once, while a killed provider's request is on its way or at work. */
  isHasty?: boolean | undefined;
  replaced?: readonly string[] | undefined;
  /** The arguments of `getShares`, which the program calls first. */
  asks?: object | undefined;
  fault?: Fault | undefined;
}

/** A request, with the status of its answer: undefined if the request never arrived. */
export interface Sent {
  method: Asked["method"];
  path: string;
  query: string;
  body: string | undefined;
  status: number | undefined;
  /** The status that the provider sees: undefined if no answer arrived. */
  seen: number | undefined;
  atMs: number;
  /** The service has refused it in the specification's form. */
  isForGood?: boolean;
}

export interface Ran {
  after: Snapshot;
  requests: Sent[];
  /** The world after each request, in a run with a fault only from the fault on. */
  boundaries: Snapshot[];
  /** Message of the first failure, or undefined if the run succeeded. */
  error: string | undefined;
  said: string[];
  /** The lines that stand beside a resource for a while. Only in virtual time. */
  lines: { urn: string; text: string }[];
  steps: string[];
  /** The engine's calls that change something. Only in virtual time. */
  operations: Operation[];
  /** The functions that the program called: the error, and how many requests were sent until its end. */
  asked: { error: string | undefined; sent: number }[];
}

export interface Setting {
  choices: Choices;
  adapter: OpenAdapter;
}

export const frontDoor = "fd-1";
export const token = "token-for-the-walk";
const lateMs = 5_000;
/** Time between two runs, long enough for all work to end. */
export const restMs = 60_000;
/** A clock that is set back a day. */
const setBackMs = -24 * 3_600_000;
/** A run that sends more does not end by itself. */
export const mostRequests = 4_000;

/** Runs one command of Pulumi from a snapshot, in virtual time. */
export async function run({ choices, adapter }: Setting, before: Snapshot, command: Command): Promise<Ran> {
  const { isElsewhere } = command;
  const world = new RunningWorld(choices, isElsewhere ? { ...before, items: [] } : before, command);
  const engine = new ModelEngine();
  engine.state = before.state.map((each) => ({ ...each }));
  world.stateOf = () => engine.state;
  let error: string | undefined;
  const failing = async (work: Promise<unknown>) => {
    await work.catch((reason: unknown) => (error ??= (reason as Error).message));
  };
  const { program, does, isRefreshed, replaced, asks } = command;
  if (isRefreshed || does === "refresh") await failing(engine.refresh(world.process(adapter, engine)));
  if (does === "preview") await failing(engine.preview(world.process(adapter, engine), [...program], replaced));
  else if (error === undefined && does !== "refresh") {
    const process = world.process(adapter, engine);
    if (asks) await world.ask(process, asks);
    await failing(engine.up(process, [...program], replaced));
  }
  if (command.isFast && world.isEngineKilled) engine.state = before.state.map((each) => ({ ...each }));
  if (!command.isHasty) await world.clock.sleep(restMs);
  world.end();
  const ran = { after: world.snapshot(), ...world.seen, error, steps: engine.steps };
  if (!isElsewhere) return ran;
  const { items, given } = before;
  const boundaries = ran.boundaries.map((each) => ({ ...each, items }));
  return { ...ran, after: { ...ran.after, items, given }, boundaries };
}

class RunningWorld {
  readonly clock: VirtualClock;
  readonly seen: Omit<Ran, "after" | "error" | "steps"> = {
    ...{ requests: [], boundaries: [], said: [], lines: [], operations: [], asked: [] },
  };
  stateOf: () => readonly Kept[] = () => [];
  isEngineKilled = false;
  readonly settings: Settings;
  private readonly fault: Fault | undefined;
  /** How far the clock of this machine is from the service's after the run. */
  private skewMs: number;
  private isStruck = false;
  private readonly service: Service;
  private readonly records: Map<string, string>;
  private readonly processes: ModelProcess[] = [];
  private readonly late = new Set<Late>();

  constructor(
    private readonly choices: Choices,
    private readonly before: Snapshot,
    { fault, isElsewhere }: Pick<Command, "fault" | "isElsewhere">,
  ) {
    this.fault = fault;
    this.settings = isElsewhere ? settings.elsewhere : settings.here;
    this.clock = new VirtualClock(() => undefined);
    this.service = new Service(choices, frontDoor, before.items, before.given);
    this.service.lasting.stale = before.stale;
    this.skewMs = before.skewMs ?? 0;
    this.records = new Map(before.records);
    for (const each of before.late) this.expect(each);
  }

  get wallMs(): number {
    return this.before.wallMs + this.clock.now();
  }

  /** The clock of this machine. */
  get clientMs(): number {
    return this.wallMs + (this.before.skewMs ?? 0);
  }

  process(adapter: OpenAdapter, engine: ModelEngine): ModelProcess {
    const { clock, records, seen, settings } = this;
    const process = new ModelProcess({
      ...{ settings, said: seen.said, send: (one) => this.send(one, engine) },
      clock: { now: clock.now, wall: () => this.clientMs, random: clock.random, sleep: clock.sleep.bind(clock) },
      records: {
        read: () => [...records],
        write: (key, text) => records.set(key, text),
        remove: (key) => records.delete(key),
      },
      open: (service, setting) =>
        watched(
          adapter(service, setting, (urn, text) => seen.lines.push({ urn, text })),
          seen,
          clock,
        ),
    });
    this.processes.push(process);
    return process;
  }

  /** Calls a function as the program does. */
  async ask({ service }: ModelProcess, args: object): Promise<void> {
    const { asked, requests } = this.seen;
    const error = await readsOf(service)
      .getShares(args)
      .then(
        () => undefined,
        (reason: unknown) => (reason as Error).message,
      );
    asked.push({ error, sent: requests.length });
  }

  end(): void {
    for (const each of this.processes) each.end();
    this.service.calm();
  }

  snapshot(): Snapshot {
    this.service.settle(this.wallMs);
    const { items, given } = this.service;
    const { stale } = this.service.lasting;
    return {
      state: this.stateOf().map((each) => ({ ...each })),
      ...{ items, given, records: new Map(this.records), late: [...this.late], wallMs: this.wallMs },
      ...(stale && { stale }),
      ...(this.skewMs !== 0 && { skewMs: this.skewMs }),
    };
  }

  /** Lets a late request take effect when its time comes. */
  private expect(late: Late, work: () => unknown = () => this.service.answer(late.asked, this.wallMs)): void {
    this.late.add(late);
    void this.clock.sleep(late.atMs - this.wallMs).then(() => {
      this.late.delete(late);
      work();
    });
  }

  private send(process: ModelProcess, engine: ModelEngine): Send {
    return ({ method, url, body, label }) => {
      const { pathname, searchParams } = new URL(url);
      const path = pathname.slice(`/frontdoor/v2/${frontDoor}`.length);
      const asked: Asked = {
        method,
        path,
        query: searchParams,
        body: body === undefined ? undefined : (JSON.parse(body) as Asked["body"]),
      };
      const entry: Sent = {
        method,
        path,
        query: searchParams.toString(),
        body,
        status: undefined,
        seen: undefined,
        atMs: this.clock.now(),
      };
      if (this.seen.requests.push(entry) > mostRequests) process.kill("provider");
      const work = () => {
        const answer = this.service.answer(asked, this.wallMs);
        entry.status = answer.status;
        return answer;
      };
      const kind = faultAt(this.fault, this.seen.requests);
      this.isStruck ||= kind !== undefined;
      if (kind === "provider killed before, clock set back") this.skewMs = setBackMs;
      const answer = kind
        ? struck(kind, {
            ...{ asked, nowMs: this.wallMs },
            ...{ service: this.service, pageStatus: this.choices.pageStatus, isRead: method === "GET", work },
            workLate: (afterMs = lateMs) => {
              this.expect({ atMs: this.wallMs + afterMs, asked }, work);
            },
            kill: (who) => {
              this.isEngineKilled ||= who === "engine";
              process.kill(who);
            },
            interrupt: () => {
              engine.cancel();
              process.adapter.cancel?.();
            },
          })
        : work();
      if (kind ? showing.includes(kind) : !this.fault || this.isStruck) this.seen.boundaries.push(this.snapshot());
      entry.seen = answer?.status;
      entry.isForGood = isForGood(answer);
      if (answer) return Promise.resolve(written(answer));
      const lost = new FrontdoorError(`${label}: connection lost`, { kind: "unreachable", mayHaveRun: true });
      return Promise.reject(lost);
    };
  }
}

/** True if the service refuses a request in the specification's form. */
export const isForGood = (answer: Answered | undefined) =>
  (answer?.body as { message?: string } | undefined)?.message?.startsWith("Value for ") === true;

/** Faults at which the request takes effect at once. */
const showing: readonly FaultKind[] = ["work fails", "engine killed before", "Ctrl-C"];

const settingsOf = (baseUrl: string) => testSettings({ baseUrl, token, frontdoorId: frontDoor });
type Settings = ReturnType<typeof settingsOf>;
const settings = {
  here: settingsOf("http://127.0.0.1:1/frontdoor"),
  elsewhere: settingsOf("http://127.0.0.2:1/frontdoor"),
};

/** A create, update or delete, as the engine called it, or a check or diff that failed. */
export interface Operation {
  does: "check" | "diff" | "create" | "update" | "delete";
  urn: string;
  kind: string;
  id: string | undefined;
  /** Seconds of its deadline. */
  limit: number;
  /** Milliseconds of the run. Without an end, the operation was killed. */
  beganMs: number;
  endedMs?: number;
  error?: string;
  /** How many requests the run had sent when the operation ended. */
  sent?: number;
}

/** Seconds (contract: Resources). */
const deadlines = { tunnels: 3_600, shares: 900, sets: 900, connections: 900 };

/** The adapter, whose operations are written down. */
export function watched(
  adapter: Adapter,
  seen: { operations: Operation[]; requests: readonly unknown[] },
  clock: Clock,
): Adapter {
  const watch = async <T extends Answer | undefined>(
    does: Operation["does"],
    { urn, kind, timeouts }: Subject,
    id: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    const given = does === "check" || does === "diff" ? undefined : timeouts?.[does];
    const limit = Number.parseFloat(given ?? "") || deadlines[kind];
    const operation: Operation = { does, urn, kind, id, limit, beganMs: clock.now() };
    seen.operations.push(operation);
    const end = (error?: Error) => {
      Object.assign(operation, { endedMs: clock.now(), sent: seen.requests.length, error: error?.message });
    };
    try {
      const made = await work();
      if (made) operation.id = made.id;
      end(made?.unfinished);
      return made;
    } catch (error) {
      end(error as Error);
      throw error;
    }
  };
  const note = (does: "check" | "diff", { urn, kind }: Subject, error: string) => {
    const beganMs = clock.now();
    seen.operations.push({ does, urn, kind, id: undefined, limit: 0, beganMs, error, sent: seen.requests.length });
  };
  return {
    ...adapter,
    check: async (of, olds, news) => {
      const checked = await adapter.check(of, olds, news);
      for (const { reason } of checked.failures) note("check", of, reason);
      return checked;
    },
    diff: (of, old, news) =>
      adapter.diff(of, old, news).catch((error: unknown) => {
        note("diff", of, (error as Error).message);
        throw error;
      }),
    read: (of, old) => adapter.read(of, old),
    create: (of, inputs) => watch("create", of, undefined, () => adapter.create(of, inputs)),
    update: (of, old, news) => watch("update", of, old.id, () => adapter.update(of, old, news)),
    delete: async (of, old) => {
      await watch("delete", of, old.id, async () => {
        await adapter.delete(of, old);
        return undefined;
      });
    },
  };
}
