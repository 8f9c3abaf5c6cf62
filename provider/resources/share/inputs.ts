import type { Planned } from "../../fields/field";
import { rulesOf } from "../../fields/rules";
import { shareFields } from "../../fields/share";
import type { ShareInputs, ShareOutputs as Outputs, WireShare } from "../../fields/types";

export type { ShareInputs } from "../../fields/types";

export interface ShareOutputs extends Outputs {
  /**
   * The status from before the last write, if the written values cannot prove that write: they can have shown before it. Set only while
   * the write is not proved.
   */
  readonly __statusBefore?: string | undefined;
}

export const rules = rulesOf<ShareOutputs>(shareFields);

/** Returns the fields that differ in meaning and that an update can change. */
export const changedFields = (olds: Partial<WireShare>, news: Planned<ShareInputs> | ShareOutputs) =>
  rules.changedFields(olds, news, "update");

/** True if an update has something to change or to clear. */
export const isChanged = (olds: ShareOutputs, news: Planned<ShareInputs>): boolean =>
  changedFields(olds, news).length > 0 || rules.clearedFields(olds, news).length > 0;
