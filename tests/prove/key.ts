import { createHash } from "node:crypto";
import { Secret } from "../model/host";
import type { Program } from "./alphabet";
import type { Snapshot } from "./run";

/** A text that is the same for worlds that differ only in ids and in the time of day. */
export function keyOf(program: Program, { state, items, records, wallMs }: Snapshot): string {
  const kept = state
    .map(({ urn, id, inputs, outputs, isPartial, delete: isDoomed, on }) => [
      urn,
      id,
      inputs,
      outputs,
      isPartial,
      isDoomed,
      on,
    ])
    .sort(byText);
  const there = items.map(({ id, kind, fields, status, ends }) => [
    id,
    kind,
    fields,
    status,
    ends && Math.round((ends.atMs - wallMs) / 1000),
  ]);
  const text = JSON.stringify([program, kept, there, [...records].sort(byText)], (_key, value: unknown) =>
    value instanceof Secret ? { secret: value.value } : value,
  );
  const names = new Map<string, string>();
  const told = text
    .replace(/\b(tnl|shr)-\d+/g, (id) => names.get(id) ?? (names.set(id, `#${names.size}`), `#${names.size - 1}`))
    .replace(/\\"postedAtMs\\":(\d+)/g, (_, at) => `age ${Math.min(60, Math.round((wallMs - Number(at)) / 10_000))}`)
    .replace(/\\"likeness\\":\\"\w+\\"/g, "");
  return createHash("sha1").update(told).digest("base64");
}

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
