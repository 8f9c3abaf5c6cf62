import { type Planned, UNKNOWN, valueOf } from "../../fields/field";
import { rulesOf } from "../../fields/rules";
import { tunnelFields } from "../../fields/tunnel";
import type { TunnelInputs, TunnelOutputs } from "../../fields/types";

export type { TunnelInputs, TunnelOutputs } from "../../fields/types";

const byTable = rulesOf<TunnelOutputs>(tunnelFields);
const isStoring = (name: string) => name === "storeSampleConfig";

// `__set` has `storeSampleConfig` only if the program gives false. Otherwise the outputs have a sample configuration.
export const rules: typeof byTable = {
  ...byTable,
  setBy: (inputs) => byTable.setBy(inputs).filter((name) => !isStoring(name) || valueOf(inputs, name) === false),
  inputsOf: (outputs) => byTable.inputsOf({ ...outputs, storeSampleConfig: false } as TunnelOutputs),
  knownOutputs(inputs, olds) {
    const { sampleConfig = UNKNOWN, ...others } = byTable.knownOutputs(inputs, olds);
    const isStored = valueOf(inputs, "storeSampleConfig") !== false;
    return { ...others, sampleConfig: isStored ? sampleConfig : undefined };
  },
  blank(frontdoorId) {
    const blank = byTable.blank(frontdoorId);
    return { ...blank, sampleConfig: "", __set: byTable.optional.filter((name) => !isStoring(name)) };
  },
};

/** Returns the inputs in which a tunnel and the program differ, by the effect of the change. */
export function changedInputs(olds: TunnelOutputs, news: Planned<TunnelInputs>) {
  const before = { storeSampleConfig: olds.sampleConfig !== undefined };
  const after = { storeSampleConfig: news.storeSampleConfig !== false };
  return {
    updates: rules.changedFields(before, after, "update"),
    replaces: rules.changedFields(olds, news, "replace", "move"),
    /** Those that differ in more than their spelling. */
    others: rules.otherFields(olds, news, "replace", "move"),
    moves: rules.changedFields(olds, news, "move"),
  };
}

/** True if the program had another `storeSampleConfig` when the state was written. */
export const isStoringChanged = ({ __set }: TunnelOutputs, { storeSampleConfig }: Planned<TunnelInputs>): boolean =>
  __set !== undefined && __set.includes("storeSampleConfig") !== (storeSampleConfig === false);
