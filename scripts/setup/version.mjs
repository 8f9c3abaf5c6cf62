/** Whether text such as "v3.213.0" or "24.1.0-rc.1" names a version not below the oldest one; false for any other text. */
export function atLeast(text, oldest) {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text.trim());
  if (!found) return false;
  const wanted = oldest.split(".").map(Number);
  const parts = found.slice(1).map(Number);
  const differing = parts.findIndex((part, at) => part !== wanted[at]);
  return differing === -1 || parts[differing] > wanted[differing];
}
