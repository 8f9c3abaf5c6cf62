import type { Made } from "../../provider/resources/lifecycle";
import type { ShareSetInputs, ShareSetOutputs } from "../../provider/resources/share-set-inputs";
import { derived, type World } from "./world";

interface Kept {
  id: string;
  inputs: ShareSetInputs;
  outputs: ShareSetOutputs;
}

/** What the engine does with one set, and keeps of it, from one run to the next. No edit of these tests replaces the set. */
export class SetEngine {
  state: Kept | undefined;

  /** A create or an update, as the diff says; what `check` is given are the inputs in the state. */
  async up(world: World, check: (olds: object) => ShareSetInputs, seconds: number): Promise<Made<ShareSetOutputs>> {
    const { state } = this;
    const inputs = check(state?.inputs ?? {});
    const until = world.within(seconds);
    const keep = (made: Made<ShareSetOutputs>) => {
      this.state = { id: made.id, inputs, outputs: made.outputs };
      return made;
    };
    if (!state) return keep(await world.sets.create(inputs, derived, until));
    const { changes, replaces } = await world.sets.diff(state.id, state.outputs, inputs, until);
    expect(replaces).toEqual([]);
    if (!changes) return { id: state.id, outputs: state.outputs };
    return keep(await world.sets.update(state.id, state.outputs, inputs, until));
  }
}
