/** What inputs and state note besides a resource's own fields; a host carries it as it is. */
export interface Notes {
  /** Names inputs that the program did not give: `name` where it was derived. */
  __defaults?: string[] | undefined;
  /** The derived name of what was adopted and kept its own. */
  __derivedName?: string | undefined;
}

export const isNameDerived = ({ __defaults }: Notes) => __defaults?.includes("name") ?? false;

/** What exists and was given no name, neither when it was made nor now, keeps the one that it has: what was adopted has its own. */
export const withOwnName = <Inputs extends Notes>(olds: { name?: unknown } & Notes, news: Inputs): Inputs =>
  isNameDerived(news) && isNameDerived(olds) ? { ...news, name: olds.name } : news;

/** What the state notes of what was made from these inputs. */
export function notesOf(outputs: { name?: string }, inputs: { name?: string } & Notes): Notes {
  const { __defaults, name } = inputs;
  return { __defaults, __derivedName: isNameDerived(inputs) && outputs.name !== name ? name : undefined };
}

/** The inputs that outputs stand for, with what the state notes of them; undefined where it does not tell them. */
export const inputsNoted = (
  inputs: object | undefined,
  { __defaults, __derivedName }: Notes,
): (object & Notes) | undefined =>
  inputs && { ...inputs, ...(__derivedName !== undefined && { name: __derivedName }), __defaults };
