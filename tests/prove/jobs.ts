import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import type { Kept } from "../model/program";
import {
  changed,
  declared,
  type Edit,
  editsOfSets,
  editsOfSingles,
  idOf,
  plain,
  type Program,
  set,
  singles,
  tunnelEdits,
  withArgs,
  withEach,
  without,
} from "./alphabet";
import { Days } from "./days";
import { editsWithOptions, optional } from "./options";
import { type Choices, hush, type Item } from "./service";
import { type Alphabet, type Slice, Walk, type Walked } from "./walk";

/** Two variants of the service. They differ in the behaviour that the specification leaves open. */
const bases: Record<"plain" | "other", Choices> = {
  plain: {
    accepted: 202,
    conflict: 409,
    isDeletedShown: true,
    isFiltering: true,
    unset: null,
    pageSize: 100,
    isNewestFirst: false,
    lagMs: 0,
    pageStatus: 404,
  },
  other: {
    accepted: 204,
    conflict: 400,
    isDeletedShown: false,
    isFiltering: false,
    unset: "absent",
    pageSize: 2,
    isNewestFirst: true,
    lagMs: 1_500,
    pageStatus: 200,
  },
};

type Variant =
  | keyof typeof bases
  | `plain, ${"other name" | "other locationId" | "placing"}`
  | `other, ${"other target" | "other envZId" | "placing"}`;

/** Services that keep a field in another spelling, or a share in its tunnel's location. */
export const choices: Record<Variant, Choices> = {
  ...bases,
  "plain, other name": { ...bases.plain, respelled: "name" },
  "plain, other locationId": { ...bases.plain, respelled: "locationId" },
  "other, other target": { ...bases.other, respelled: "target" },
  "other, other envZId": { ...bases.other, respelled: "envZId" },
  "plain, placing": { ...bases.plain, isPlacing: true },
  "other, placing": { ...bases.other, isPlacing: true },
};
export const adapters = { dynamic: dynamicAdapter, plugin: pluginAdapter };
export const alphabets: Record<"singles" | "sets" | "options", Alphabet> = {
  singles: { start: singles, editsOf: editsOfSingles },
  sets: { start: set, editsOf: editsOfSets },
  options: { start: optional, editsOf: editsWithOptions },
};

/** One walk: which service, adapter and programs. */
export interface Job {
  service: keyof typeof choices;
  adapter: keyof typeof adapters;
  programs: keyof typeof alphabets;
}

export const jobs: readonly Job[] = [
  { service: "plain", adapter: "dynamic", programs: "singles" },
  { service: "other", adapter: "plugin", programs: "singles" },
  { service: "other", adapter: "dynamic", programs: "sets" },
  { service: "plain", adapter: "plugin", programs: "sets" },
];

/** The walks of Pulumi's options. */
export const optionJobs: readonly Job[] = [
  { service: "plain", adapter: "dynamic", programs: "options" },
  { service: "other", adapter: "plugin", programs: "options" },
];

/** The services that differ from the two in one thing. */
export const variants = Object.keys(choices).filter((name) => name.includes(",")) as Job["service"][];

/** The walks that try two faults: those above, and each variant of the service on both adapters. */
export const pairJobs: readonly Job[] = [
  ...jobs,
  ...variants.flatMap((service): Job[] => [
    { service, adapter: "dynamic", programs: "singles" },
    { service, adapter: "plugin", programs: "sets" },
  ]),
];

/** A service that respells names gets names of the program's own; one that places shares gets shares without a location. */
function startOf(service: Job["service"], programs: Job["programs"]): Program {
  const { start } = alphabets[programs];
  if (service.endsWith("other name")) return named(start);
  if (!service.endsWith("placing")) return start;
  return start.map((one) => (one.kind === "tunnels" ? one : withEach(one, (args) => without(args, "locationId"))));
}

export const walk = ({ service, adapter, programs }: Job, slice: Slice, say: (line: string) => void): Promise<Walked> =>
  new Walk(
    { choices: choices[service], adapter: adapters[adapter] },
    slice.everyNthPair === undefined
      ? alphabets[programs]
      : { start: startOf(service, programs), editsOf: neighbours[programs] },
    slice,
    say,
  ).all();

/** The services of ordinary days: some keep another value, forbid an endpoint, or read from a replica that lags behind. */
const dayServices: Record<string, Choices> = {
  ...bases,
  "plain, keeping": { ...bases.plain, keeps: { 8443: 18_443, [`${hush}new.internal:1`]: `${hush}old.internal:1` } },
  "plain, forbidden": { ...bases.plain, isForbidden: true },
  "plain, replica of GETs": { ...bases.plain, replica: { of: "GETs", lagMs: 15_000 } },
  "plain, replica of lists": { ...bases.plain, replica: { of: "lists", lagMs: 28_000 } },
  "other, replica": { ...bases.other, replica: { of: "both", lagMs: 28_000 } },
};

/** One walk of ordinary days. */
export interface DayJob {
  service: string;
  adapter: keyof typeof adapters;
}

export const dayJobs: readonly DayJob[] = Object.keys(dayServices).flatMap((service): DayJob[] => [
  { service, adapter: "dynamic" },
  { service, adapter: "plugin" },
]);

export const days = ({ service, adapter }: DayJob, slice: Slice, say: (line: string) => void): Promise<Walked> =>
  new Days({ choices: dayServices[service] ?? bases.plain, adapter: adapters[adapter] }, slice, say).all();

// The edits of the walk that tries two faults at neighbouring requests: one of each kind, and those that need a rare world.

const few = {
  singles: [
    "rename s1 with adopt",
    "replace t1 delete-first",
    "replace t1 create-first",
    "remove s2",
    "remove t1 with its shares",
    "change target of s1",
    "change port of s2",
    "set location of s1",
    "clear location of s2",
    "move s1 to t2",
  ],
  sets: [
    "replace t1 delete-first",
    "replace t1 create-first",
    "change target of k1",
    "remove k1",
    "k2 takes the port of k1, which is removed",
    "remove the set",
  ],
};

const some = (names: readonly string[], edits: readonly Edit[]) => edits.filter(({ name }) => names.includes(name));

const third = { peerPublicIp: "203.0.113.9", peerCidr: "10.29.0.0/16" };

/** A tunnel that stays DELETING at a location of its own. */
const stuckTunnel: Item = {
  ...{ id: "tnl-stranger-stuck", kind: "tunnel", status: "DELETING" },
  fields: { ...third, name: "stuck", locationId: "loc-stuck" },
};

/** The program with names of its own in mixed case. */
export const named = (program: Program): Program =>
  program.map((one) => (one.kind === "sets" ? one : { ...one, args: { ...one.args, name: `Own-${one.slot}` } }));

export const neighbours = {
  options: editsWithOptions,
  singles: (program: Program, state: readonly Kept[]): Edit[] => [
    ...some(few.singles, editsOfSingles(program, state)),
    ...oddities(program, state),
  ],
  sets: (program: Program, state: readonly Kept[]): Edit[] => some(few.sets, editsOfSets(program, state)),
};

function oddities(program: Program, state: readonly Kept[]): Edit[] {
  const [t1, s1] = ["t1", "s1"].map((slot) => program.find((one) => one.slot === slot));
  if (!t1 || !s1) return [];
  const within = (edited: Program, slot: string, deadline: string): Program =>
    edited.map((one) =>
      one.slot === slot ? { ...one, timeouts: { create: deadline, update: deadline, delete: deadline } } : one,
    );
  const t3 = (args: object) => [...plain(program), declared("tunnels", "t3", { ...third, ...args })];
  const s3 = declared("shares", "s3", { ...s1.args, adopt: idOf(state, s1) }, "t3");
  const replaced = tunnelEdits(program, t1).filter(({ name }) => name === "replace t1 delete-first");
  return [
    {
      ...{ name: "change target of s1, within 8 s", isHurried: true },
      program: within(withArgs(program, "s1", { target: "hurried.internal:1" }), "s1", "8s"),
    },
    { name: "add t3 without a location", program: t3({}), renews: ["t3"] },
    {
      ...{ name: "add t3 where a tunnel stays DELETING, within 30 s", renews: ["t3"], stranger: stuckTunnel },
      ...{ isRefusable: true, isHurried: true },
      program: within(t3({ locationId: "loc-stuck" }), "t3", "30s"),
    },
    {
      ...{ name: "s3 on a new tunnel adopts the id of s1, which changes", renews: ["s3", "t3"], isRefusable: true },
      program: [
        ...t3({}).map(({ slot, args, ...one }) => ({
          ...one,
          slot,
          args: slot === "s1" ? { ...args, target: "beside.internal:1" } : args,
        })),
        s3,
      ],
    },
    { name: "a read with a wrong filter, and change target of s1", asks: { ingressPort: "x" }, ...toTarget(program) },
    ...replaced.map((edit): Edit => ({
      ...{ ...edit, name: "replace t1 delete-first, retained", isRefusable: true, isOneWay: true },
      program: edit.program.map((one) => (one.slot === "t1" || one.on === "t1" ? { ...one, isRetained: true } : one)),
    })),
  ];
}

const toTarget = (program: Program) => ({
  program: changed(program, "s1", ({ args }) => ({ args: { ...args, target: "asked.internal:1" } })),
});
