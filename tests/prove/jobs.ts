import { dynamicAdapter } from "../model/dynamic-adapter";
import { pluginAdapter } from "../model/plugin-adapter";
import { named, neighbours } from "./neighbours";
import type { Choices } from "./service";
import { editsOfSets, set } from "./sets";
import { editsOfSingles, singles } from "./singles";
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
export const alphabets: Record<"singles" | "sets", Alphabet> = {
  singles: { start: singles, editsOf: editsOfSingles },
  sets: { start: set, editsOf: editsOfSets },
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

/** A service that respells names gets names of the program's own. */
const startOf = (service: Job["service"], programs: Job["programs"]) =>
  service.endsWith("other name") ? named(alphabets[programs].start) : alphabets[programs].start;

export const walk = ({ service, adapter, programs }: Job, slice: Slice, say: (line: string) => void): Promise<Walked> =>
  new Walk(
    { choices: choices[service], adapter: adapters[adapter] },
    slice.everyNthPair === undefined
      ? alphabets[programs]
      : { start: startOf(service, programs), editsOf: neighbours[programs] },
    slice,
    say,
  ).all();
