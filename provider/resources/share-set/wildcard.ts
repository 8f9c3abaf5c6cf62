/** True if the name matches the pattern, in which `*` stands for any characters. The time grows with the length of both, not faster. */
export function isWildcardMatch(name: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === first;
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= end;
}
