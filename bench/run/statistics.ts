export interface Figure {
  median: number;
  least: number;
  most: number;
  values: number[];
}

/** A figure of several rounds: its median and how far it spreads. */
export function figure(values: number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), least: sorted[0] ?? NaN, most: sorted.at(-1) ?? NaN, values };
}

/** Of sorted values. */
export function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
