import type { Status } from "./records";

/** One accepted write: what it set and how it ends. Times are ms on the emulator's clock. */
export interface Version<Fields> {
  /** Reads see it from then on; changes made out of band are visible at any time, so that no lag hides them. */
  visibleFrom: number;
  /** When `status` began. */
  at: number;
  fields: Fields;
  status: Status;
  /** null: stays in `status` for good. */
  settles: { at: number; to: Status } | null;
  /** Whether it had been DEPLOYED before this write. */
  wasDeployed: boolean;
}

/** A resource as the row of its writes, oldest first: lag is nothing but a look at an earlier time. */
export interface History<Fields> {
  id: string;
  /** Front door in which alone the id is one of a kind; left out where it is everywhere. */
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
  /** When the status began. */
  since: number;
  /** DEPLOYED now or earlier: what provisioning fills in is known. */
  deployed: boolean;
}

/** Visible whatever the lag. */
export const always = Number.MIN_SAFE_INTEGER;

/** The state at a time, undefined before creation; derived from timestamps alone, so a restart loses nothing. */
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
