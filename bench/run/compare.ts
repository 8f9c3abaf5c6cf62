import type { Case } from "./cases";
import { type Command, Contender, type Cost, type Name } from "./contender";
import { lags } from "./lag";
import { type Figure, figure, quantile } from "./statistics";
import { Tofu } from "./tofu";

/** What one contender's command cost, over all rounds. */
export interface Measured {
  seconds: Figure;
  /** Processor time of engine, program and provider together. */
  cpuSeconds: Figure;
  providerCpuSeconds: Figure;
  providerPeakMegabytes: Figure;
  stateBytes: number;
  /** Of all that the back end keeps on disk, over all rounds. */
  storedBytes: Figure;
  /** Of the last round, such as `{ "POST": 300, "list": 4, "GET": 0 }`. */
  requests: Record<string, number>;
  /** How late a share's readiness was seen, over all rounds of an `up` that has to wait, in seconds. */
  lag: { p50: number; p95: number } | undefined;
}

export interface Comparison {
  case: Case;
  shareBytes: Partial<Record<Name, number>>;
  measured: Record<string, Partial<Record<Name, Measured>>>;
  /** The wall clock of a contender through that of the first one, round by round. */
  ratios: Record<string, Partial<Record<Name, Figure>>>;
}

/** Runs the contenders in turn, the order turned round after each round, and compares them round by round. */
export async function compare(one: Case, say: (line: string) => void): Promise<Comparison> {
  const costs = new Map<string, Cost[]>();
  const shareBytes: Comparison["shareBytes"] = {};
  for (let round = 0; round < one.rounds; round++) {
    const order = round % 2 === 0 ? one.contenders : one.contenders.toReversed();
    for (const name of order) {
      const contender = await (name === "tofu" ? Tofu.open(one, one) : Contender.open(name, one, one));
      try {
        for (const command of one.commands) {
          const cost = await contender.run(command);
          const key = `${command} ${name}`;
          costs.set(key, [...(costs.get(key) ?? []), cost]);
          if (command === "up") shareBytes[name] = contender.shareBytes();
          say(`  round ${round + 1}, ${name}: ${command} ${(cost.wallMs / 1000).toFixed(2)} s`);
        }
      } finally {
        await contender.close();
      }
    }
  }
  const of = (command: Command, name: Name) => costs.get(`${command} ${name}`) ?? [];
  const each = <Value>(make: (command: Command, name: Name) => Value) =>
    Object.fromEntries(
      one.commands.map((command) => [
        command,
        Object.fromEntries(one.contenders.map((name) => [name, make(command, name)])),
      ]),
    );
  return {
    case: one,
    shareBytes,
    measured: each((command, name) => ({
      ...measured(of(command, name)),
      lag: lag(one, command, name, of(command, name)),
    })),
    ratios: each((command, name) => {
      const base = of(command, one.contenders[0] ?? name);
      return figure(of(command, name).map(({ wallMs }, round) => wallMs / (base[round]?.wallMs ?? NaN)));
    }),
  };
}

function lag({ provisionSeconds }: Case, command: Command, name: Name, costs: Cost[]): Measured["lag"] {
  if (command !== "up" || name === "floor" || name === "hello" || provisionSeconds === 0) return undefined;
  const seconds = costs.flatMap(({ requests }) => lags(requests, provisionSeconds)).toSorted((a, b) => a - b);
  return { p50: quantile(seconds, 0.5), p95: quantile(seconds, 0.95) };
}

function measured(costs: Cost[]): Omit<Measured, "lag"> {
  return {
    seconds: figure(costs.map(({ wallMs }) => wallMs / 1000)),
    cpuSeconds: figure(costs.map(({ all }) => all.cpuMs / 1000)),
    providerCpuSeconds: figure(costs.map(({ provider }) => provider.cpuMs / 1000)),
    providerPeakMegabytes: figure(costs.map(({ provider }) => provider.peakBytes / 1e6)),
    stateBytes: costs.at(-1)?.stateBytes ?? NaN,
    storedBytes: figure(costs.map(({ storedBytes }) => storedBytes)),
    requests: counted(costs.at(-1)?.requests ?? []),
  };
}

/** Requests by kind: `list` and `GET` (by id) apart. */
export function counted(requests: Cost["requests"]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path } of requests) {
    const kind = method === "GET" && path.split("/").length === 2 ? "list" : method;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
