import type { Kept, OpenAdapter } from "../model/program";
import { component, type Edit, plain, type Program, withEach } from "./alphabet";
import { heldOf } from "./checks";

const other = (urn: string) => (urn.endsWith("-other") ? urn.slice(0, -"-other".length) : `${urn}-other`);
const moved = (urn: string) =>
  urn.includes(component) ? urn.replace(component, "") : urn.replace("::prove::", `::prove::${component}`);

const aliased = (program: Program, name: (urn: string) => string): Program =>
  plain(program).map((one) => ({ ...one, urn: name(one.urn), aliases: [one.urn] }));

/** The resources in another order, and also the keys of sets. */
const reversed = (program: Program): Program =>
  plain(program)
    .toReversed()
    .map(({ args, ...one }) => {
      const shares = args["shares"] && Object.fromEntries(Object.entries(args["shares"]).toReversed());
      return { ...one, args: shares ? { ...args, shares } : args };
    });

/** Edits of every resource at once, which no resource must notice. */
export function editsOfAll(program: Program, state: readonly Kept[]): Edit[] {
  const ids = heldOf(program, state);
  const adopting = plain(program).map((one) => ({
    ...withEach(one, (args, slot) => ({ ...args, adopt: ids.get(slot) })),
    urn: other(one.urn),
  }));
  return [
    { name: "declare all in another order", program: reversed(program) },
    { name: "rename all with aliases", program: aliased(program, other), isOneWay: true },
    { name: "move all with aliases", program: aliased(program, moved), isOneWay: true },
    { name: "rename all with adopt", program: adopting },
  ];
}

/** The adapter with one call at a time, as with `--parallel 1`. */
export const serial =
  (open: OpenAdapter): OpenAdapter =>
  (...given) => {
    const adapter = open(...given);
    let last: Promise<unknown> = Promise.resolve();
    const queued = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
      const answer = last.then(call);
      last = answer.catch(() => undefined);
      return answer;
    };
    return {
      ...adapter,
      check: (...args) => queued(() => adapter.check(...args)),
      diff: (...args) => queued(() => adapter.diff(...args)),
      create: (...args) => queued(() => adapter.create(...args)),
      read: (...args) => queued(() => adapter.read(...args)),
      update: (...args) => queued(() => adapter.update(...args)),
      delete: (...args) => queued(() => adapter.delete(...args)),
    };
  };
