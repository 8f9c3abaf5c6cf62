import type { Status } from "./records";

/** One accepted write: its values and its end. Times are in ms on the emulator's clock. */
export interface Version<Fields> {
  /** The time from which reads see the write. No lag hides changes made out of band. */
  visibleFrom: number;
  /** When `status` began. */
  at: number;
  fields: Fields;
  status: Status;
  /** null: stays in `status` for good. */
  settles: { at: number; to: Status } | null;
  /** True if the resource was DEPLOYED before this write. */
  wasDeployed: boolean;
}

/** A resource as its writes, oldest first. A lagging read returns the state at an earlier time. */
export interface History<Fields> {
  id: string;
  /** The front door in which the id is unique; undefined if the id is unique everywhere. */
  scope?: string;
  /** Order of creation. */
  seq: number;
  versions: Version<Fields>[];
}

export interface State<Fields> {
  id: string;
  seq: number;
  fields: Fields;
  status: Status;
  /** The start of the status. */
  since: number;
  /** True if the resource is or was DEPLOYED, so the values from provisioning are known. */
  deployed: boolean;
}

/** Makes a write visible in spite of any lag. */
export const always = Number.MIN_SAFE_INTEGER;

/** Returns the state at a time; undefined before the create. It uses only timestamps, so a restart loses nothing. */
export function stateAt<Fields>(history: History<Fields>, time: number): State<Fields> | undefined {
  const version = history.versions.findLast((each) => each.visibleFrom <= time);
  if (!version) return undefined;
  const settled = version.settles && version.settles.at <= time ? version.settles : undefined;
  const status = settled?.to ?? version.status;
  return {
    id: history.id,
    seq: history.seq,
    fields: version.fields,
    status,
    since: settled?.at ?? version.at,
    deployed: version.wasDeployed || status === "DEPLOYED",
  };
}
