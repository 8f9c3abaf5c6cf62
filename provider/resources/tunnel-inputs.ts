import { type Planned, UNKNOWN } from "../fields/field";
import { rulesOf } from "../fields/rules";
import { tunnelFields } from "../fields/tunnel";
import type { TunnelInputs, TunnelOutputs } from "../fields/types";

export { tunnelFields } from "../fields/tunnel";
export type { TunnelInputs, TunnelOutputs } from "../fields/types";

const rules = rulesOf<TunnelOutputs>(tunnelFields);
export const { fullBody, outputsOf, required } = rules;

/** Optional arguments that show among the outputs. */
export const optional = rules.optional.filter((name) => name !== "storeSampleConfig");

// Whether the sample configuration is stored is no output: it shows by there being one, and the state notes it where it is not wanted.

/** What the state notes of optional inputs. */
export const setBy = ({ storeSampleConfig, ...inputs }: TunnelInputs): string[] =>
  rules.setBy(storeSampleConfig === false ? { ...inputs, storeSampleConfig } : inputs);

/** The inputs that the state's outputs stand for; undefined where it does not tell which were set. */
export function inputsOf(outputs: TunnelOutputs) {
  const told = { ...outputs, storeSampleConfig: false };
  return rules.inputsOf(told);
}

/** The outputs as far as they are known before a create or update. */
export function knownOutputs(inputs: Planned<TunnelInputs>, olds?: TunnelOutputs): Planned<TunnelOutputs> {
  const { sampleConfig = UNKNOWN, ...others } = rules.knownOutputs(inputs, olds);
  return inputs.storeSampleConfig === false ? { ...others, sampleConfig: undefined } : { ...others, sampleConfig };
}

/** The inputs in which a tunnel and a program differ, by what a change of each does. */
export function changedInputs(olds: TunnelOutputs, news: Planned<TunnelInputs>) {
  const isStored = { storeSampleConfig: olds.sampleConfig !== undefined };
  const isWanted = { storeSampleConfig: news.storeSampleConfig !== false };
  return {
    updates: rules.changedFields(isStored, isWanted, "update"),
    replaces: rules.changedFields(olds, news, "replace", "move"),
    moves: rules.changedFields(olds, news, "move"),
  };
}

/** True where the state notes that the user had it otherwise with the sample configuration. */
export const isOtherwiseStored = ({ __set }: TunnelOutputs, { storeSampleConfig }: Planned<TunnelInputs>): boolean =>
  __set !== undefined && __set.includes("storeSampleConfig") !== (storeSampleConfig === false);
