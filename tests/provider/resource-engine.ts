import type { Lifecycle, Outcome } from "../../provider/lifecycle/lifecycle";
import { derived, type World } from "./world";

/** What the engine does with one resource, and keeps of it, from one run to the next. No edit of these tests replaces it. */
export class ResourceEngine<Inputs, Outputs> {
  state: { id: string; inputs: Inputs; outputs: Outputs } | undefined;

  constructor(private readonly of: (world: World) => Lifecycle<Inputs, Outputs>) {}

  /** A create or an update, as the diff says; what `check` is given are the inputs in the state. */
  async up(world: World, check: (olds: object) => Inputs, seconds: number): Promise<Outcome<Outputs>> {
    const { state } = this;
    const lifecycle = this.of(world);
    const inputs = check(state?.inputs ?? {});
    const until = world.within(seconds);
    const keep = (made: Outcome<Outputs>) => {
      this.state = { id: made.id, inputs, outputs: made.outputs };
      return made;
    };
    if (!state) return keep(await lifecycle.create(inputs, derived, until));
    const { changes, replaces } = await lifecycle.diff(state.id, state.outputs, inputs, until);
    expect(replaces).toEqual([]);
    if (!changes) return { id: state.id, outputs: state.outputs };
    return keep(await lifecycle.update(state.id, state.outputs, inputs, until));
  }
}
