import { hash } from "node:crypto";
import { Secret, type Kept } from "../model/program";
import type { Program } from "./alphabet";
import type { Snapshot } from "./run";
import type { Item } from "./service";

const texts = new WeakMap<object, string>();

/** JSON of a value that never changes, computed once. It includes secrets. */
export function textOf(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value, (_key, part: unknown) => (part instanceof Secret ? { secret: part.value } : part));
  texts.set(value, text);
  return text;
}

/** A text that is the same for worlds that differ only in ids, in the order of resources and in the time of day. */
export function keyOf(program: Program, { state, items, records, late, wallMs, stale, skewMs = 0 }: Snapshot): string {
  const kept = sortedState(state).map(
    ({ urn, id, inputs, outputs, isPartial, delete: isDoomed, on }) =>
      `${urn} ${id} ${textOf(inputs)} ${textOf(outputs)} ${isPartial} ${isDoomed} ${on}`,
  );
  const there = sortedItems(items).map(({ id, kind, fields, status, ends }) => {
    const endsIn = ends ? `${ends.status} in ${Math.round((ends.atMs - wallMs) / 1000)}` : "";
    return `${id} ${kind} ${textOf(fields)} ${status} ${endsIn}`;
  });
  const coming = late.map(({ atMs, asked }) => `${Math.round((atMs - wallMs) / 1000)} ${textOf(asked)}`);
  const recorded = [...records.values()].map((text) => agedIn(text, wallMs)).sort();
  const lagging = stale && stale.untilMs > wallMs ? [`lags ${textOf(stale.items)}`] : [];
  const text = [textOf(program), `${skewMs}`, ...lagging, ...kept, ...there, ...coming, ...recorded].join("\n");
  return hash("sha1", renumbered(text), "base64");
}

/** Age of a record after which the interrupted request can no longer take effect. */
const oldMs = 50_000;

/** The text of a record with its age instead of its time. The hash in it is left out, because it depends on ids. */
const agedIn = (text: string, wallMs: number): string =>
  text
    .replace(/"(posted|deleted)AtMs":(\d+)/, (_, what: string, atMs) => {
      const ageMs = Math.min(oldMs, wallMs - Number(atMs));
      return `${what} ${Math.round(ageMs / 10_000)}`;
    })
    .replace(/"likeness":"\w+"/, "");

function renumbered(text: string): string {
  const names = new Map<string, string>();
  return text.replace(/\b(?:tnl|shr)-\d+/g, (id) => {
    const name = names.get(id) ?? `#${names.size}`;
    names.set(id, name);
    return name;
  });
}

const compared = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** The items sorted by location and name, not by age. */
export const sortedItems = (items: readonly Item[]): Item[] =>
  items
    .map((item): [string, Item] => [placeOf(item), item])
    .sort(([one], [other]) => compared(one, other))
    .map(([, item]) => item);

const placeOf = ({ kind, fields, status }: Item) =>
  `${kind} ${fields["name"]} ${fields["locationId"]} ${fields["ingressPort"]} ${status}`;

export const sortedState = (state: readonly Kept[]): Kept[] =>
  state.toSorted((one, other) => compared(`${one.urn} ${one.delete}`, `${other.urn} ${other.delete}`));

/** The world between two runs. The service has forgotten resources that were deleted before the last run, and lists in order of location and name. */
export function rested(after: Snapshot, before: Snapshot): Snapshot {
  const forgotten = new Set(before.items.filter(isDeleted).map(({ id }) => id));
  const items = sortedItems(after.items.filter(({ id }) => !forgotten.has(id)));
  return { ...fresh(after), skewMs: 0, items, state: sortedState(after.state) };
}

/** The world as soon as reads no longer lag behind. */
export function fresh({ stale, ...world }: Snapshot): Snapshot {
  return stale ? { ...world, wallMs: Math.max(world.wallMs, stale.untilMs) } : world;
}

/** The key of a rested world. Deleted resources and records of deletes do not count, because no delete can still take effect. */
export const restedKeyOf = (program: Program, world: Snapshot): string =>
  keyOf(program, {
    ...world,
    items: world.items.filter((item) => !isDeleted(item)),
    records: new Map([...world.records].filter(([, text]) => !text.includes("deletedAtMs"))),
  });

const isDeleted = ({ status }: Item) => status === "DELETED";
