// What the test of a new field runs of its copy of the sources.
export { readsOf } from "../../../provider/functions/reads";
export type { ShareInputs, ShareOutputs } from "../../../provider/resources/share/inputs";
export { openWorld, shareInputs, type World } from "../world";
