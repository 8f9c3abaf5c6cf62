import { valueOf } from "../fields/field";
import { firstOf } from "../messages/messages";
import type { Service } from "../service";

/** Notes that the provider keeps in inputs and state beside a resource's fields. The adapters pass them on unchanged. */
export interface Notes {
  /** Names of inputs that the program did not give: `name` if it was derived. */
  __defaults?: string[] | undefined;
  /** The derived name of an adopted resource, which has its own name at the service. */
  __derivedName?: string | undefined;
}

export const isNameDerived = ({ __defaults }: Notes) => __defaults?.includes("name") ?? false;

/** Returns the inputs with the name at the service, if the program has never given a name: an adopted resource keeps its own. */
export const withServiceName = <Inputs extends Notes>(olds: { name?: unknown } & Notes, news: Inputs): Inputs =>
  isNameDerived(news) && isNameDerived(olds) ? { ...news, name: olds.name } : news;

/** Returns the notes of a resource that was made from these inputs. */
export function notesOf(outputs: { name?: string }, inputs: { name?: string } & Notes): Notes {
  const { __defaults, name } = inputs;
  return { __defaults, __derivedName: isNameDerived(inputs) && outputs.name !== name ? name : undefined };
}

/** Returns the inputs with their notes; undefined if the state does not tell which inputs were given. */
export const inputsNoted = (
  inputs: object | undefined,
  { __defaults, __derivedName }: Notes,
): (object & Notes) | undefined =>
  inputs && { ...inputs, ...(__derivedName !== undefined && { name: __derivedName }), __defaults };

/** Says which arguments the service shows in another spelling than the given one, of those that it did not show so before. */
export function reportSpellings({ say }: Service, label: string, shown: object = {}, before: object = {}): void {
  const names = Object.keys(shown).filter((name) => valueOf(shown, name) !== valueOf(before, name));
  const properties = firstOf(names.map((name) => `\`${name}\``)).join(", ");
  if (names.length > 0)
    say(
      `${label}: the service shows ${properties} in another spelling than the program. The state has both, ` +
        "so later runs change nothing because of that. No action is needed. [shown-differently]",
    );
}
