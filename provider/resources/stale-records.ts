import { isPresent, type Named } from "../api/wire";
import { staleRecord } from "../messages";
import { find, type Subject } from "../operations/find";
import type { Kind, Service } from "../operations/service";
import type { Until } from "../time";
import { keyed } from "../lifecycle/lifecycle";
import { originInSet } from "./names";

/**
 * Removes and reports, except in a preview, the creation records of this resource that it no longer needs. They have another name, or the
 * state now holds another id. The provider does nothing else with the id in a stale record, because another resource may have adopted it.
 */
export function reportStaleRecords<Wire extends Named>(
  kind: Kind<Wire>,
  { say, previewGate }: Service,
  label: string,
  resource: { name: string; id?: string | undefined },
): void {
  const origin = kind.declarations.named(resource.name)?.origin;
  if (origin === undefined) return;
  const stale = kind.records.removeWhere(
    (record, isUnder) =>
      record.origin === origin &&
      (resource.id === undefined ? !isUnder(resource.name) : ![record.id, record.answered].includes(resource.id)),
  );
  previewGate.outside(() => {
    for (const { id } of stale) say(staleRecord(label, id));
  });
}

/**
 * True if a killed run has deleted the resource to replace it, and a creation record has its name. Pulumi then creates the resource, even
 * if the program is reverted, and the create needs the record. @throws FrontdoorError.
 */
export async function isHalfReplaced<Wire extends Named>(
  subject: Subject<Wire>,
  name: string,
  until: Until,
): Promise<boolean> {
  const { records, declarations } = subject.kind;
  const record = records.under(name);
  if (record === undefined || record.id === subject.id) return false;
  if (record.origin !== declarations.named(name)?.origin) return false;
  const live = await find(subject, until);
  return live === undefined || !isPresent(live);
}

/** Removes and reports, except in a preview, the creation records of keys that a set no longer has. */
export function reportStaleKeys<Wire extends Named>(
  kind: Kind<Wire>,
  { say, previewGate }: Service,
  label: string,
  setOrigin: string,
  keys: ReadonlySet<string>,
): void {
  const start = originInSet(setOrigin, "");
  const stale = kind.records.removeWhere(
    ({ origin }) => origin.startsWith(start) && !keys.has(origin.slice(start.length)),
  );
  previewGate.outside(() => {
    for (const { origin, id } of stale)
      say(staleRecord(`${label}: ${keyed("shares", origin.slice(start.length))}`, id));
  });
}
