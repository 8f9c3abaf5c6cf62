import type { WireShare } from "../api/wire";
import { has, pick, valueOf } from "../fields/field";
import { changedFields, rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import { sameSpelling } from "../fields/values";
import type { Evidence } from "../waiting/acceptors";

const { asSent, clearedFields, fullBody, mayLack } = rules;

interface Write {
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
  const sights = sightsOf(state, live, inputs);
  const current = live ?? state;
  switch (situationOf(state, live, inputs)) {
    case "changed":
      return patch(changedFields(state, inputs), state.status, inputs, sights);
    case "cleared": {
      // A list entry can lack a field that the state of a DEPLOYED share has.
      const beforeWrite = state.status === "DEPLOYED" ? state : current;
      const cleared = clearedFields(state, inputs);
      const hasNewValue = (seen: WireShare) =>
        cleared.some((key) => valueOf(asSent(seen, state), key) !== valueOf(beforeWrite, key));
      const { evidence, ...plan } = put(beforeWrite.status, hasNewValue, inputs, sights);
      return { ...plan, evidence: { ...evidence, isById: true } };
    }
    case "already applied":
      return { evidence: { isVisible: sights.showsAll(changedFields(state, inputs)) } };
    case "interrupted": {
      const fields = [...new Set([...changedFields(state, inputs), ...differing(current, state, inputs)])];
      if (fields.length === 0) return { evidence: { isVisible: sights.showsAll() } };
      const { write, evidence } = patch(fields, current.status, inputs, sights);
      // If the values show before the write, only another status proves the write.
      const isVisibleBefore = live !== undefined && sights.showsAll()(live);
      const needsNewStatus = isVisibleBefore ? { statusBefore: current.status } : evidence.needsNewStatus;
      return { write, evidence: { ...evidence, isVisible: sights.showsAll(), needsNewStatus } };
    }
    case "failed before":
      return put(current.status, () => false, inputs, sights);
  }
}

/** Compares the state, which holds the inputs of the last run, and `live`, which the service shows now, with the inputs. */
function situationOf(state: ShareOutputs, live: WireShare | undefined, inputs: ShareInputs): Situation {
  if (clearedFields(state, inputs).length > 0) return "cleared";
  const changed = changedFields(state, inputs);
  if (state.status === "DEPLOYED") return isApplied(live, changed, inputs) ? "already applied" : "changed";
  const others = differing(live ?? state, state, inputs);
  return changed.length + others.length === 0 && (live ?? state).status === "ERROR" ? "failed before" : "interrupted";
}

/** True if the service shows the new values of the changed fields. */
export function isApplied(live: WireShare | undefined, changed: string[], inputs: ShareInputs): boolean {
  if (changed.length === 0) return true;
  return live !== undefined && !changedFields(live, inputs).some((key) => changed.includes(key));
}

function patch(fields: string[], status: string, inputs: ShareInputs, sights: Sights): Required<Plan> {
  // An entry that lacks every written field proves nothing.
  const canLackAll = fields.every((key) => mayLack.includes(key));
  const unless = (seen: WireShare) => fields.every((key) => isIn(seen, key));
  const needsNewStatus = canLackAll ? { statusBefore: status, unless } : undefined;
  return {
    write: { method: "PATCH", body: pick(inputs, fields) },
    evidence: { isVisible: sights.showsAll(fields), respelled: sights.respelled(fields, status), needsNewStatus },
  };
}

const put = (
  statusBefore: string,
  unless: (seen: WireShare) => boolean,
  inputs: ShareInputs,
  { showsAll, respelled }: Sights,
): Plan => ({
  write: { method: "PUT", body: fullBody(inputs) },
  evidence: {
    isVisible: showsAll(),
    respelled: respelled(Object.keys(fullBody(inputs)), statusBefore),
    needsNewStatus: { statusBefore, unless },
  },
});

/** Returns the fields in which an entry differs from the inputs, both as shown and in the spelling of the state. */
function differing(seen: Partial<WireShare>, state: ShareOutputs, inputs: ShareInputs): string[] {
  const others = changedFields(asSent(seen, state), inputs);
  return changedFields(seen, inputs).filter((key) => others.includes(key));
}

type Sights = ReturnType<typeof sightsOf>;

/** Returns checks of what the service shows during an update. An entry can lack some fields. */
function sightsOf(state: ShareOutputs, live: WireShare | undefined, inputs: ShareInputs) {
  const isAsBefore = (seen: WireShare, key: string) =>
    [live, state, state.__shown].some(
      (before) => before && has(before, key) && valueOf(before, key) === valueOf(seen, key),
    );
  const isSpelled = (seen: WireShare, key: string) => sameSpelling(valueOf(seen, key), valueOf(inputs, key));
  /** The fields that show neither the input, nor a new value that differs from the input in spelling only. */
  const missing = (seen: WireShare, fields?: string[]) =>
    differing(seen, state, inputs).filter(
      (key) =>
        (fields === undefined || fields.includes(key)) &&
        !(mayLack.includes(key) && !isIn(seen, key)) &&
        (isAsBefore(seen, key) || !isSpelled(seen, key)),
    );
  return {
    /** Returns a check that an entry shows the inputs of these fields, or of all. */
    showsAll: (fields?: string[]) => (seen: WireShare) => missing(seen, fields).length === 0,
    /**
     * Returns a check that the written fields can show in another spelling. A value as before counts only after the write has begun, and
     * if the service also showed the value before in another spelling, or the new value differs from it in spelling only.
     */
    respelled: (fields: string[], statusBefore: string) => ({
      statusBefore,
      canShow: (seen: WireShare, hasBegun: boolean): boolean =>
        missing(seen, fields).every(
          (key) => !isAsBefore(seen, key) || (hasBegun && (isSpelled(seen, key) || has(state.__shown ?? {}, key))),
        ),
    }),
  };
}

/** Returns a check that an entry shows what the state says that was sent. An entry can lack some fields. */
export const showsSent = (state: ShareOutputs) =>
  sightsOf(state, undefined, (rules.inputsOf(state) ?? state) as ShareInputs).showsAll();

const isIn = (seen: WireShare, key: string) => valueOf(seen, key) !== undefined;
