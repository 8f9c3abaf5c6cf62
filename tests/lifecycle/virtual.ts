import { startEmulator } from "../../emulator";
import type { Resources } from "../harness/stack";
import { nameOf } from "../harness/state";
import { testSettings } from "../harness/things";
import { ModelEngine } from "../model/engine";
import { ModelProcess, sendTo } from "../model/process";
import {
  type CustomTimeouts,
  type Kind,
  type OpenAdapter,
  type Props,
  type Registration,
  Secret,
  typeTokens,
} from "../model/program";
import { VirtualClock } from "../harness/virtual-clock";
import { memoryRecords } from "../harness/world";
import {
  beforeKillMs,
  betweenInterruptsMs,
  type Command,
  type Driver,
  effectsOf,
  onAnswer,
  otherAddress,
  type Outcome,
  usual,
} from "./row";

/** Between two commands a user takes a minute. */
const betweenMs = 60_000;

/** Rows on the model of the engine, in virtual time. */
export async function openVirtual(open: OpenAdapter): Promise<Driver> {
  const emulator = await startEmulator({ frozenAtMs: Date.UTC(2030, 0, 1), ...usual });
  const clock = new VirtualClock((ms) => {
    emulator.clock.advance(ms);
  });
  let engine = new ModelEngine();
  let records = memoryRecords();

  const newProcess = (baseUrl = emulator.baseUrl, said: string[] = []) =>
    new ModelProcess({
      ...{ clock, records, said, settings: { ...testSettings(emulator), "frontdoor:baseUrl": baseUrl } },
      open: (service, setting) => open(service, setting, (_urn, line) => said.push(line)),
      send: () => (request) => clock.during(() => sendTo(emulator)(request)),
    });

  const work = (process: ModelProcess, command: Command): Promise<unknown> => {
    switch (command.does) {
      case "preview":
        return engine.preview(process, registrationsOf(command.program));
      case "up":
        return engine.up(process, registrationsOf(command.program), [], command.retries);
      case "refresh":
        return engine.refresh(process);
      case "destroy":
        return engine.up(process, []);
    }
  };

  const outcomeOf = async (work: () => Promise<unknown>, shown: readonly string[] = []): Promise<Outcome> => {
    const errors = await work().then(
      () => [],
      (error: unknown) => [(error as Error).message],
    );
    return {
      isDone: errors.length === 0,
      effects: effectsOf(engine.steps),
      errors,
      said: [...shown, ...errors].join("\n"),
    };
  };

  return {
    isVirtual: true,
    emulator,
    begin(settings) {
      emulator.reset();
      Object.assign(emulator.settings, settings, { onAnswer: null });
      engine = new ModelEngine();
      records = memoryRecords();
    },
    async run(command) {
      const said: string[] = [];
      const process = newProcess(command.isElsewhere && otherAddress(emulator), said);
      if ("interrupt" in command && command.interrupt) {
        const { interrupt } = command;
        onAnswer(emulator, interrupt.after, () => {
          if ("kills" in interrupt) {
            void clock.sleep(beforeKillMs).then(() => {
              process.kill("provider");
            });
            return;
          }
          engine.cancel();
          process.adapter.cancel?.();
          if (interrupt.times === 2)
            void clock.sleep(betweenInterruptsMs).then(() => {
              process.kill("engine");
            });
        });
      }
      const outcome = await outcomeOf(() => work(process, command), said);
      await clock.sleep(command.nextAfterMs ?? betweenMs);
      process.end();
      return outcome;
    },
    async again(program) {
      const { state } = engine;
      // The row goes on as if this had not been.
      engine.state = state.map((each) => ({ ...each }));
      const found: string[] = [];
      const outcome = await outcomeOf(async () => {
        for (const does of ["up", "refresh", "up"] as const) {
          await work(newProcess(), does === "up" ? { does, program } : { does });
          found.push(...engine.steps);
        }
      });
      engine.state = state;
      return { ...outcome, effects: effectsOf(found) };
    },
    held: () =>
      Object.fromEntries(
        engine.state
          .filter((each) => each.delete !== true)
          .map(({ urn, id, outputs }) => [nameOf(urn), { id, outputs: shown(outputs) }]),
      ),
    stateText: () =>
      JSON.stringify(engine.state, (_key, value: unknown) => (value instanceof Secret ? "[secret]" : value)),
    close: () => emulator.close(),
  };
}

const shown = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, value instanceof Secret ? "[secret]" : value]));

type Args = Record<string, unknown>;

interface Options {
  aliases?: { name: string }[];
  customTimeouts?: CustomTimeouts;
  ignoreChanges?: string[];
}

const stack = "urn:pulumi:test::engine::";
const inSite = "frontdoor:index:IpsecSite$";

const has = <Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> =>
  typeof value === "object" && value !== null && key in value;

function registration(kind: Kind, slot: string, { opts = {}, ...args }: Args, parents = ""): Registration {
  const urn = (name: string) => `${stack}${parents}${typeTokens[kind]}::${name}`;
  const { aliases = [], customTimeouts, ignoreChanges } = opts as Options;
  const tunnel = Object.values(args).find((value) => has(value, "tunnel"))?.tunnel;
  const given = Object.entries(args).filter(([, value]) => value !== undefined && !has(value, "tunnel"));
  return {
    ...{ slot, kind, urn: urn(slot), aliases: aliases.map(({ name }) => urn(name)) },
    args: Object.fromEntries(
      given.map(([key, value]) => [key, has(value, "secret") ? new Secret(value.secret) : value]),
    ),
    ...(typeof tunnel === "string" && { on: tunnel }),
    ...(customTimeouts && { timeouts: customTimeouts }),
    ...(ignoreChanges && { ignores: ignoreChanges }),
  };
}

/** A site as sdk/any-site.ts makes it. */
function ofSite(name: string, { shares = {}, envZId, opts, ...tunnel }: Args): Registration[] {
  const services = Object.entries(shares as Record<string, Args>).map(([share, { retain, ...args }]) => {
    const given = { envZId, ...args, ipsecTunnelId: { tunnel: name }, __retain: retain };
    return registration("shares", `${name}-${share}`, { ...given, opts }, inSite);
  });
  return [registration("tunnels", name, { ...tunnel, opts }, inSite), ...services];
}

/** What a program registers with the engine, as tests/harness/program.js does. */
export function registrationsOf({
  tunnels = {},
  shares = {},
  sites = {},
  sets = {},
  connections = {},
}: Resources): Registration[] {
  return [
    ...Object.entries(tunnels).map(([name, args]) => registration("tunnels", name, args)),
    ...Object.entries(shares).map(([name, args]) => registration("shares", name, args)),
    ...Object.entries(sites).flatMap(([name, args]) => ofSite(name, args)),
    ...Object.entries(sets).map(([name, args]) => registration("sets", name, args)),
    ...Object.entries(connections).map(([name, args]) => registration("connections", name, args)),
  ];
}
