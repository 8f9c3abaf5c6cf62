/** True if text such as "v3.213.0" or "24.1.0-rc.1" names a version not below the oldest one; false for any other text. */
export function isAtLeast(text: string, oldest: string): boolean {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text.trim()) ?? [];
  const wanted = oldest.split(".").map(Number);
  const differing = parts.findIndex((part, at) => Number(part) !== wanted[at]);
  return parts.length > 0 && (differing === -1 || Number(parts[differing]) > (wanted[differing] ?? 0));
}
