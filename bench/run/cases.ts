import type { Command, Name, Size } from "./contender";
import type { Behaviour } from "./service";
import { restapi, tofu } from "./tofu";

/** One comparison: the same commands by several contenders, in turn, so many times. */
export interface Case extends Size, Behaviour {
  contenders: readonly Name[];
  commands: readonly Command[];
  rounds: number;
}

const againstFloor = { contenders: ["floor", "ours"], commands: ["up", "preview", "refresh", "destroy"] } as const;
const atOnce = { provisionSeconds: 0, latencyMs: 0 };

/** The floor at the sizes and settings of the promises (bench/README.md). */
const promised: Case[] = [8, 256].flatMap((parallel) => [
  { ...againstFloor, ...atOnce, shares: 300, parallel, checkpoints: true, rounds: 5 },
  { ...againstFloor, ...atOnce, shares: 1000, parallel, checkpoints: false, rounds: 5 },
]);

/** How cost grows with the number of shares. */
const growth: Case[] = [10, 100].flatMap((shares) =>
  [true, false].map((checkpoints) => ({ ...againstFloor, ...atOnce, shares, parallel: 256, checkpoints, rounds: 5 })),
);

const all = ["up", "preview", "refresh", "destroy"] as const;
const inRounds = { commands: all, rounds: 5, latencyMs: 0 } as const;

const againstNaive: Case[] = [
  {
    ...{ ...inRounds, contenders: ["naive", "ours"], shares: 100, parallel: 256, checkpoints: true },
    ...{ provisionSeconds: 20, latencyMs: 50 },
  },
];

const isTofuHere = tofu !== undefined && restapi !== undefined;
const besides: readonly Name[] = isTofuHere ? ["ours", "tofu"] : ["ours"];

/** OpenTofu with a REST provider, where it is here. */
const asTofu: Case = {
  ...{ ...inRounds, contenders: besides, shares: 1000, parallel: 100, checkpoints: false, provisionSeconds: 2 },
};

/** The plugin against one that does nothing but sleep where the service takes time; the dynamic host and OpenTofu beside them. */
const ofPlugin: Case = {
  ...{ ...inRounds, contenders: ["hello", "plugin", ...besides], shares: 300, parallel: 256, checkpoints: true },
  provisionSeconds: 2,
};

/** All shares as one set as the engine comes, against single ones at the best that they reach. */
const ofSet = { commands: ["up", "preview", "edit", "refresh", "destroy"], provisionSeconds: 2, latencyMs: 0 } as const;
const asSet = { ...ofSet, contenders: ["set", "pluginSet"], parallel: 8, checkpoints: true, rounds: 3 } as const;
const asSingle = { ...ofSet, contenders: ["ours", "plugin"], checkpoints: false, rounds: 3 } as const;

/** The same in files and in PostgreSQL, saved after each step. */
const ofBackEnd: Case = {
  ...{
    ...inRounds,
    contenders: ["ours", "onPostgres"],
    ...atOnce,
    shares: 300,
    parallel: 8,
    checkpoints: true,
    rounds: 3,
  },
};

export const sets = {
  /** Under three minutes on two cores. */
  quick: [{ ...againstFloor, ...atOnce, shares: 30, parallel: 256, checkpoints: true, rounds: 5 }],
  standard: [...promised, ...growth, ...againstNaive, asTofu],
  plugin: [
    ofPlugin,
    { ...ofPlugin, shares: 1000, rounds: 3 },
    { ...ofPlugin, shares: 1000, checkpoints: false, rounds: 3 },
  ],
  shareSets: [
    { ...asSet, shares: 1000 },
    { ...asSingle, shares: 1000, parallel: 100 },
    { ...asSingle, shares: 1000, parallel: 256 },
    { ...asSet, shares: 5000, rounds: 2 },
  ],
  shareSetsQuick: [{ ...asSet, shares: 100 }],
  backEnds: [ofBackEnd, { ...ofBackEnd, shares: 1000, rounds: 2 }],
  backEndsQuick: [{ ...ofBackEnd, shares: 100 }],
  pluginQuick: [{ ...ofPlugin, shares: 30 }],
  /** Every combination; hours. */
  grid: [10, 100, 300, 1000].flatMap((shares) =>
    [8, 256].flatMap((parallel) =>
      [true, false].flatMap((checkpoints) =>
        [0, 50].flatMap((latencyMs) =>
          [0, 2, 20].map((provisionSeconds) => ({
            contenders: ["floor", "naive", "ours"],
            commands: againstFloor.commands,
            ...{ shares, parallel, checkpoints, latencyMs, provisionSeconds },
            rounds: 5,
          })),
        ),
      ),
    ),
  ),
} satisfies Record<string, Case[]>;

export const nameOf = ({ shares, parallel, checkpoints, provisionSeconds, latencyMs }: Case): string =>
  [
    `${shares} shares`,
    `parallelism ${parallel}`,
    checkpoints ? "checkpoints" : "fast mode",
    `${provisionSeconds} s`,
    `${latencyMs} ms`,
  ].join(", ");
