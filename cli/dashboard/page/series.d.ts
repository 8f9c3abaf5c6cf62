/** Values over time; undefined where there is none. */
export interface Series {
  name: string;
  unit: string | undefined;
  points: Point[];
}

type Point<Value = number | undefined> = [ms: number, value: Value];

export function seriesIn(body: unknown): Series[];
export function thinned<Value>(points: Point<Value>[], most: number): Point<Value>[];
