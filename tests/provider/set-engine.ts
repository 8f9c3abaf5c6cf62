import type { Made } from "../../provider/resources/lifecycle";
import type { ShareSetInputs, ShareSetOutputs } from "../../provider/resources/share-set-inputs";
import { derived, type World } from "./world";

interface Kept {
  id: string;
  inputs: ShareSetInputs;
  outputs: ShareSetOutputs;
}

/** What the engine does of one set, and keeps of it, from one run to the next. */
export class SetEngine {
  state: Kept | undefined;
  /** What was replaced and is not deleted yet. */
  private readonly replaced: Kept[] = [];

  /** A create, an update or a replacement, as the diff says; what `check` is given are the inputs in the state. */
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
    if (!changes) return { id: state.id, outputs: state.outputs };
    if (replaces.length === 0) return keep(await world.sets.update(state.id, state.outputs, inputs, until));
    // To replace it the engine checks once more, as if there were no state.
    const made = keep(await world.sets.create(check({}), derived, until));
    this.replaced.push(state);
    return made;
  }

  /** What the engine does last, where nothing has failed; what can't be deleted stays in the state. */
  async deleteReplaced(world: World, seconds: number): Promise<void> {
    for (let [old] = this.replaced; old; [old] = this.replaced) {
      await world.sets.delete(old.id, old.outputs, world.within(seconds));
      this.replaced.shift();
    }
  }
}
