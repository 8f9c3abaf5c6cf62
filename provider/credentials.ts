/** Settings that belong together: with all of `whole` in one place, nothing is added from another; any of `names` chooses the kind. */
const kinds = [
  { names: ["token", "username"], whole: ["token"], keys: ["token", "username"] },
  {
    names: ["tokenUrl", "clientId", "clientSecret"],
    whole: ["tokenUrl", "clientId", "clientSecret"],
    keys: ["tokenUrl", "clientId", "clientSecret", "audience", "scope", "tokenRequest"],
  },
];

/**
 * The settings of the stack, and those of the environment that go with them (contract: Configuration). Credentials go together: the
 * kind that the stack names is used, and the environment adds to it only where the stack holds a part of it.
 */
export function together(stack: Record<string, string>, environment: Record<string, string>): Record<string, string> {
  const has = (key: string) => (stack[key] ?? "") !== "";
  const named = kinds.filter(({ names }) => names.some(has));
  const open = named.length === 0 ? kinds : named.filter(({ whole }) => !whole.every(has));
  const isClosed = (key: string) =>
    kinds.some(({ keys }) => keys.includes(key)) && !open.some(({ keys }) => keys.includes(key));
  const added = Object.entries(environment).filter(([key]) => !isClosed(key));
  const settings = Object.entries({ ...Object.fromEntries(added), ...stack });
  return Object.fromEntries(settings.filter(([, value]) => value !== ""));
}
