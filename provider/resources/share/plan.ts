import type { WireShare } from "../../api/types";
import { pick, valueOf } from "../../fields/field";
import type { Evidence } from "../../inventory/acceptors";
import { changedFields, rules, type ShareInputs, type ShareOutputs } from "./inputs";

const { clearedFields, fullBody, mayLack } = rules;

export interface Write {
  method: "PUT" | "PATCH";
  body: object;
}

/** The write that brings a share to its inputs, if any, and the evidence that it has taken effect. */
export interface Plan {
  write?: Write;
  evidence: Evidence<WireShare>;
}

type Situation = "changed" | "cleared" | "already applied" | "interrupted" | "failed before";

/**
 * Plans the update of a share: the table "Updates of a share" of docs/how-it-works.md. `live` is the share at the service now, if a read
 * shows it.
 */
export function planShareUpdate(state: ShareOutputs, live: WireShare | undefined, inputs: ShareInputs): Plan {
  const current = live ?? state;
  switch (situationOf(state, live, inputs)) {
    case "changed":
      return patch(changedFields(state, inputs), state.status, inputs);
    case "cleared": {
      // A list entry can lack a field that the state of a DEPLOYED share has.
      const beforeWrite = state.status === "DEPLOYED" ? state : current;
      const cleared = clearedFields(state, inputs);
      const hasNewValue = (seen: WireShare) => cleared.some((key) => valueOf(seen, key) !== valueOf(beforeWrite, key));
      return put(beforeWrite.status, hasNewValue, inputs);
    }
    case "already applied":
      return { evidence: { isVisible: showsAll(inputs, changedFields(state, inputs)) } };
    case "interrupted": {
      const fields = [...new Set([...changedFields(state, inputs), ...changedFields(current, inputs)])];
      if (fields.length === 0) return { evidence: { isVisible: showsAll(inputs) } };
      const { write, evidence } = patch(fields, current.status, inputs);
      // If the values show before the write, only another status proves the write.
      const isVisibleBefore = live !== undefined && showsAll(inputs)(live);
      const alsoNeeded = isVisibleBefore
        ? { statusBefore: current.status, isProvedByFields: () => false }
        : evidence.alsoNeeded;
      return { write, evidence: { isVisible: showsAll(inputs), alsoNeeded } };
    }
    case "failed before":
      return put(current.status, () => false, inputs);
  }
}

/** Compares the state, which holds the inputs of the last run, and `live`, which the service shows now, with the inputs. */
function situationOf(state: ShareOutputs, live: WireShare | undefined, inputs: ShareInputs): Situation {
  if (clearedFields(state, inputs).length > 0) return "cleared";
  const changed = changedFields(state, inputs);
  if (state.status === "DEPLOYED") return isApplied(live, changed, inputs) ? "already applied" : "changed";
  const differing = [...changed, ...changedFields(live ?? state, inputs)];
  return differing.length === 0 && (live ?? state).status === "ERROR" ? "failed before" : "interrupted";
}

/** True if the service shows the new values of the changed fields. */
export function isApplied(live: WireShare | undefined, changed: string[], inputs: ShareInputs): boolean {
  if (changed.length === 0) return true;
  return live !== undefined && !changedFields(live, inputs).some((key) => changed.includes(key));
}

function patch(fields: string[], status: string, inputs: ShareInputs): Required<Plan> {
  // An entry that lacks every written field proves nothing.
  const canLackAll = fields.every((key) => mayLack.includes(key));
  const isProvedByFields = (seen: WireShare) => fields.every((key) => isIn(seen, key));
  const alsoNeeded = canLackAll ? { statusBefore: status, isProvedByFields } : undefined;
  return {
    write: { method: "PATCH", body: pick(inputs, fields) },
    evidence: { isVisible: showsAll(inputs, fields), alsoNeeded },
  };
}

const put = (statusBefore: string, isProvedByFields: (seen: WireShare) => boolean, inputs: ShareInputs): Plan => ({
  write: { method: "PUT", body: fullBody(inputs) },
  evidence: { isVisible: showsAll(inputs), alsoNeeded: { statusBefore, isProvedByFields } },
});

/** Returns a check that an entry shows the inputs of these fields, or of all. An entry can lack some fields. */
export const showsAll =
  (inputs: Partial<ShareInputs>, fields?: string[]) =>
  (seen: WireShare): boolean => {
    const isWanted = (key: string) => fields === undefined || fields.includes(key);
    const isOmitted = (key: string) => mayLack.includes(key) && !isIn(seen, key);
    return !rules.changedFields(seen, inputs, "update").some((key) => isWanted(key) && !isOmitted(key));
  };

const isIn = (seen: WireShare, key: string) => valueOf(seen, key) !== undefined;
