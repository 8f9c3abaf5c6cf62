import { type Case, type Command, Contender, type Cost, type Name } from "./contender";

export interface Figure {
  median: number;
  least: number;
  most: number;
  values: number[];
}

/** A figure of several rounds: its median and how far it spreads. */
export function figure(values: number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), least: sorted[0] ?? NaN, most: sorted.at(-1) ?? NaN, values };
}

/** Of sorted values. */
function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/** What one contender's command cost, over all rounds. */
export interface Measured {
  seconds: Figure;
  /** Processor time of engine, program and provider together. */
  cpuSeconds: Figure;
  providerCpuSeconds: Figure;
  providerPeakMegabytes: Figure;
  stateBytes: number;
  /** Of the last round, such as `{ "POST": 300, "list": 4, "GET": 0 }`. */
  requests: Record<string, number>;
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
      const contender = await Contender.open(name, one);
      try {
        for (const command of one.commands) {
          const cost = await contender.run(command);
          const key = `${command} ${name}`;
          costs.set(key, [...(costs.get(key) ?? []), cost]);
          if (command === "up") shareBytes[name] = contender.shareBytes();
          say(`  round ${round + 1}, ${name}: ${command} ${(cost.wallMs / 1000).toFixed(2)} s`);
        }
      } finally {
        contender.close();
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
    measured: each((command, name) => measured(of(command, name))),
    ratios: each((command, name) => {
      const base = of(command, one.contenders[0] ?? name);
      return figure(of(command, name).map(({ wallMs }, round) => wallMs / (base[round]?.wallMs ?? NaN)));
    }),
  };
}

function measured(costs: Cost[]): Measured {
  return {
    seconds: figure(costs.map(({ wallMs }) => wallMs / 1000)),
    cpuSeconds: figure(costs.map(({ all }) => all.cpuMs / 1000)),
    providerCpuSeconds: figure(costs.map(({ provider }) => provider.cpuMs / 1000)),
    providerPeakMegabytes: figure(costs.map(({ provider }) => provider.peakBytes / 1e6)),
    stateBytes: costs.at(-1)?.stateBytes ?? NaN,
    requests: counted(costs.at(-1)?.requests ?? []),
  };
}

/** Requests by kind: `list` and `GET` (by id) apart. */
function counted(requests: Cost["requests"]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path } of requests) {
    const kind = method === "GET" && path.split("/").length === 2 ? "list" : method;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
