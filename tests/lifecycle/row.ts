import type { Emulator, Settings } from "../../emulator";
import type { Resources } from "../harness/stack";
import { hq, web as things } from "../harness/things";
import type { Retries } from "../model/program";

/** A life of a few resources, which begins with an empty stack. */
export interface Row {
  /** Only on this adapter; without it on each. */
  adapter?: "dynamic" | "plugin";
  name: string;
  settings?: Partial<Settings>;
  steps: Step[];
}

/** What a user does, what happens at the service before, and what has to be seen. */
export type Step = Command & {
  /** The service has another address in this step (`otherAddress`). */
  isElsewhere?: true;
  /** The next command comes after so long, and not after a minute. */
  nextAfterMs?: number;
  /** With the id in the state of what has a logical name. */
  before?: (service: Emulator, id: (name: string) => string) => void;
  sees: Seen;
};

/**
 * What has to be seen of a step. Beside it, every step is held to this: what is neither replaced nor deleted keeps its id, no secret
 * is in the clear in the state or in what is shown; and where it succeeds, the service accepts every write and has what the state
 * holds, what others have, and nothing else. The up that ends a row, in virtual time each up, has left nothing to do.
 */
export interface Seen {
  /** By logical name, in order; none where it is left out. */
  effects?: string[];
  /** What Pulumi shows instead, if its refresh also compares the arguments of the state with what it reads. The model does not. */
  effectsOnPulumi?: string[];
  /**
   * All the writes that the service gets, in order, such as `PATCH /ipsec-shares/<web> {"target":"…"}`; none where it is left out.
   * `<web>` is the id of what has this name, `<old web>` the one it had before it was replaced; `<services[web]>` that of a share of a set.
   */
  writes?: string[];
  /** The writes of a set are sent at the same time. */
  inAnyOrder?: true;
  /** What leaves the state and stays at the service, by logical name. */
  leaves?: string[];
  /** Not even a read is sent. */
  isSilent?: true;
  /** At most so many reads and lists are sent. */
  mostReads?: number;
  /** The command fails, and its errors say these, ids by their names too. Else it succeeds. */
  errors?: RegExp[];
  /** What the command shows, ids by their names too. */
  says?: RegExp[];
  /** Outputs of all that the state holds afterwards, a secret one as `[secret]`; the same as before where it is left out. */
  kept?: Record<string, Record<string, unknown>>;
  /** After each write at least this passes before the next one, or the last look. */
  waitsMs?: number;
}

/** What a user does. Only preview and up run the program. */
export type Command =
  | { does: "preview"; program: Resources }
  | { does: "up"; program: Resources; interrupt?: Interrupt; flags?: readonly string[]; retries?: Retries }
  | { does: "refresh" | "destroy" };

/** Ctrl-C as soon as the service has answered such a request, once or twice; or the end of the provider's process a second later. */
export type Interrupt = { after: string } & ({ times: 1 | 2 } | { kills: "provider" });

/** Within this time, a provider has read the answer. */
export const beforeKillMs = 1_000;

/** The engine takes two interrupts that come together for one. */
export const betweenInterruptsMs = 200;

/** How a command ended. */
export interface Outcome {
  isDone: boolean;
  /** By logical name, in order: `create hq`, `update web`, `replace hq`, `delete web`. */
  effects: string[];
  /** Each begins with the logical name of what it is about, as far as it is about one. */
  errors: string[];
  /** Everything the user was shown. */
  said: string;
}

/** A resource in the state; a secret shows as `[secret]`. */
export interface Held {
  id: string;
  outputs: Record<string, unknown>;
}

/** Something that runs rows: one adapter, on one engine. */
export interface Driver {
  /** Commands cost next to nothing. */
  isVirtual: boolean;
  emulator: Emulator;
  /** An empty stack on a service with nothing in it. */
  begin(settings: Partial<Settings>): void | Promise<void>;
  run(command: Command & Pick<Step, "isElsewhere" | "nextAfterMs">): Promise<Outcome>;
  /** The same up once more, after a refresh too. */
  again(program: Resources): Promise<Outcome>;
  /** The tunnels and shares in the state, by logical name, without those that are still to be deleted after a replacement. */
  held(): Record<string, Held>;
  /** The state as it is stored. */
  stateText(): string;
  close(): Promise<void>;
}

/** The service of every row: quick, and it refuses a share on a tunnel that was not waited for. */
export const usual: Partial<Settings> = {
  provisionMs: 300,
  teardownMs: 100,
  token: "very-secret-token",
  shareAcceptedOnTunnelIn: ["DEPLOYED"],
};

/** What a command came to, by resource: each part of a replacement is one. */
export function effectsOf(steps: string[]): string[] {
  const effects = new Map<string, string>();
  for (const [op = "", name = ""] of steps.map((step) => step.split(" "))) {
    const isReplaced = op.includes("replace") || (effects.has(name) && effects.get(name) !== op);
    effects.set(name, isReplaced ? "replace" : op);
  }
  return [...effects].map(([name, op]) => `${op} ${name}`).sort();
}

/** The other address of a service: another host of this machine, as its port does not count. */
export const otherHost = "127.0.0.2";
export const otherAddress = ({ baseUrl }: Emulator): string => baseUrl.replace("127.0.0.1", otherHost);

/** From now on, the service answers as one that has nothing. */
export function showNothing({ faults }: Emulator): void {
  faults.onRequest({
    match: () => true,
    times: Infinity,
    action: (_work, { path }) =>
      Promise.resolve(
        path.split("/").length === 2
          ? Response.json({ content: [], totalElements: 0 })
          : Response.json({ error: "not_found", message: "not found" }, { status: 404 }),
      ),
  });
}

/** Ends `showNothing`. */
export const showAll = ({ faults }: Emulator): void => {
  faults.clear();
};

/** Calls this once, at the first answer to such a request. */
export function onAnswer({ settings }: Emulator, request: string, act: () => void): void {
  const heard = settings.onAnswer;
  settings.onAnswer = (entry, tookMs) => {
    heard?.(entry, tookMs);
    if (`${entry.method} ${entry.path}` !== request) return;
    settings.onAnswer = heard;
    act();
  };
}

export { hq };
const { name, ...rest } = things;
/** A share on that tunnel. The service gets its arguments in this order. */
export const web = { name, ipsecTunnelId: { tunnel: "hq" }, ...rest };
export const both = { tunnels: { hq }, shares: { web } };

/** A share on a tunnel that others have made. */
export const seeded = { id: "tnl-seeded", locationId: "loc-seeded" };
export const guest = { ...web, ipsecTunnelId: seeded.id };

/** What is sent to make them. */
export const postTunnel = (args: object = hq): string => `POST /ipsec-tunnels ${JSON.stringify(args)}`;
export const postShare = (ipsecTunnelId = "<hq>"): string =>
  `POST /ipsec-shares ${JSON.stringify({ ...web, ipsecTunnelId })}`;

/** What the state shows of what is ready. */
export const ready = { status: "DEPLOYED" };

/** They are there before anything else happens. */
export const made = {
  does: "up",
  program: both,
  sees: {
    effects: ["create hq", "create web"],
    writes: [postTunnel(), postShare()],
    kept: { hq: ready, web: ready },
  },
} satisfies Step;
export const created = {
  does: "up",
  program: { shares: { web: guest } },
  before: (service) => service.seedTunnel(seeded),
  sees: { effects: ["create web"], writes: [postShare(seeded.id)], kept: { web: ready } },
} satisfies Step;

/** A refresh after somebody has deleted both by hand. */
export const removed: Step = {
  does: "refresh",
  before(service, id) {
    service.removeShare(id("web"));
    service.removeTunnel(id("hq"));
  },
  sees: { effects: ["delete hq", "delete web"], kept: {} },
};
