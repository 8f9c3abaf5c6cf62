import { createHash } from "node:crypto";

/** True if the mutant belongs to the sample of one in `size`. Lines and columns count from `first`. */
export function isInSample(size, file, { location: { start, end }, mutatorName, replacement }, first) {
  const place = [start.line, start.column, end.line, end.column].map((each) => each - first);
  const text = JSON.stringify([file.slice(file.lastIndexOf("provider/")), place, mutatorName, replacement]);
  return createHash("sha256").update(text).digest().readUInt32BE(0) % size === 0;
}
