// What the test of a new field runs of its copy of the sources.
export { readsOf } from "../../../provider/functions/functions";
export type { ShareInputs, ShareOutputs } from "../../../provider/fields/share";
export { openWorld, shareInputs, type World } from "../world";
