/** Values over time; undefined where there is none. */
export interface Series {
  name: string;
  unit: string | undefined;
  points: [ms: number, value: number | undefined][];
}

export function seriesIn(body: unknown): Series[];
