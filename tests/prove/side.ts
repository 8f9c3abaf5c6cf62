import { flatState, type Kept } from "../model/state";
import { type Args, plain, type Program, withEach } from "./alphabet";
import { heldOf } from "./checks";
import { type Command, type Ran, run, type Setting, type Snapshot } from "./run";
import { start } from "./walk";

type Stack = "test" | "second";

/** One run of a history: its program, and the slot of each id before the run. */
export interface Step {
  edit: string;
  program: Program;
  slots: ReadonlyMap<string, string>;
  requests: number;
}

/** The world after a run of a history. */
interface Moment {
  world: Omit<Snapshot, "state">;
  stacks: Readonly<Record<Stack, { program: Program; state: readonly Kept[] }>>;
  /** Message of the first run that failed. */
  error: string | undefined;
}

const nothing: Moment = {
  world: start,
  stacks: { test: { program: [], state: [] }, second: { program: [], state: [] } },
  error: undefined,
};

/** One of the two histories of a pair, while it is played. */
export class Side {
  /** The world now. Set an earlier one to go back. */
  now = nothing;

  constructor(readonly setting: Setting) {}

  get program(): Program {
    return this.now.stacks.test.program;
  }

  /** Runs `up` of a program, or the command of `how`. */
  async up(program: Program, how: Partial<Command> = {}, stack: Stack = "test"): Promise<Ran> {
    const { world, stacks, error } = this.now;
    const snapshot = { ...world, state: stacks[stack].state };
    const ran = await run(this.setting, snapshot, { isRefreshed: false, ...how, program });
    this.now = {
      world: ran.after,
      stacks: { ...stacks, [stack]: { program: how.does ? stacks[stack].program : program, state: ran.after.state } },
      error: error ?? (how.fault ? undefined : ran.error),
    };
    return ran;
  }

  /** A step's program with the ids of this side's resources. */
  of({ program, slots }: Step): Program {
    const ids = this.ids();
    const own = (args: Args): Args =>
      args["adopt"] === undefined ? args : { ...args, adopt: ids.get(slots.get(args["adopt"] as string) ?? "") };
    return program.map((one) => withEach(one, own));
  }

  /** Ids by slot, those of keys included. */
  ids(): Map<string, string> {
    return new Map(Object.values(this.now.stacks).flatMap(({ program, state }) => [...heldOf(program, state)]));
  }

  /** Loses the provider's files. */
  forgetRecords(): void {
    this.now = { ...this.now, world: { ...this.now.world, records: new Map() } };
  }

  /** `pulumi state delete`. */
  forget(stack: Stack, program: Program): void {
    const { stacks } = this.now;
    const state = stacks[stack].state.filter(({ urn }) => !program.some((one) => one.urn === urn));
    this.now = { ...this.now, stacks: { ...stacks, [stack]: { program: stacks[stack].program, state } } };
  }

  /** The lines that must be identical on both sides: everything at the service and in the states, without ids and derived names. */
  end(): string[] {
    const { world, stacks, error } = this.now;
    const slots = new Map([...this.ids()].map(([slot, id]) => [id, slot]));
    const nameOf = (name: string) => (name.startsWith("prove-") ? "derived" : name);
    const idOf = (id: string) => slots.get(id) ?? (id.includes("stranger") ? id : "in no state");
    const items = world.items
      .filter(({ status }) => status !== "DELETED")
      .map(({ id, kind, status, fields }) => {
        const { name, ipsecTunnelId: on, ...rest } = fields;
        const told = { name: nameOf(String(name)), ...(on !== undefined && { on: idOf(String(on)) }), ...rest };
        return `at the service: ${kind} ${idOf(id)} ${status} ${JSON.stringify(Object.entries(told).sort())}`;
      });
    const kept = Object.values(stacks).flatMap(({ state }) => flatState([...state]));
    const held = kept.map(({ id, outputs, isPartial, delete: isDoomed = false }) =>
      ["in the state:", idOf(id), outputs["status"], isPartial && "partial", isDoomed && "to be deleted"].join(" "),
    );
    // A record of a delete may stay for days.
    const creates = [...world.records.values()].filter((text) => text.includes("postedAtMs"));
    const records = creates.map(() => "a record of an unfinished create");
    return [...items, ...held, ...records, ...(error === undefined ? [] : [`failed: ${error}`])].sort();
  }
}

export const adopting = (program: Program, ids: ReadonlyMap<string, string>): Program =>
  plain(program).map((one) => withEach(one, (args, slot) => ({ ...args, adopt: ids.get(slot) })));

/** The program of one of two stacks. A share names its tunnel by id if the other stack declares the tunnel. */
export const apart = (program: Program, ids: ReadonlyMap<string, string>): Program =>
  program.map(({ on, ...one }) =>
    on === undefined || program.some(({ slot }) => slot === on)
      ? { ...one, ...(on !== undefined && { on }) }
      : { ...one, args: { ...one.args, ipsecTunnelId: ids.get(on) } },
  );
