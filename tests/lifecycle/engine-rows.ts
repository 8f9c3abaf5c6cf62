import { ownImports, pluginClasses } from "../harness/plugin";
import type { Driver } from "./driver";
import type { Row } from "./row";
import { rowsOf } from "./rows";
import { runRow } from "./run-row";

type Name = "dynamic" | "plugin";

/** Every row on the adapter that the run is for; on the other one what only that does. */
const rowsHere = (adapter: Name, imports: string, rows: (name: Name) => Row[]) =>
  rows(adapter).filter((row) => imports === ownImports || row.adapter === adapter);

const adapters: [name: Name, imports: string][] = [
  ["dynamic", "pulumi-frontdoor"],
  ["plugin", pluginClasses],
];

/** True for the rows that `npm test` runs on the engine: an eighth of them on each adapter. `npm run test:long` runs the others. */
export const isQuick = (index: number, adapter: string): boolean => index % 8 === (adapter === "plugin" ? 2 : 0);

/** Declares the tests of rows on the engine, all of them unless told which: most of the time a row waits, so as many run beside each other as jest lets, each on a stack of its own. */
export function onEngine(
  open: (imports: string) => Promise<Driver>,
  isWanted: (index: number, adapter: string) => boolean = () => true,
  from: (name: Name) => Row[] = rowsOf,
): void {
  const wanted = adapters.map(([adapter, imports]) => ({
    ...{ adapter, imports },
    rows: rowsHere(adapter, imports, from).filter((_row, index) => isWanted(index, adapter)),
  }));
  describe.each(wanted.filter(({ rows }) => rows.length > 0))("on the $adapter adapter", ({ imports, rows }) => {
    const idle: Driver[] = [];
    afterAll(() => Promise.all(idle.map((driver) => driver.close())));

    it.concurrent.each(rows)("$name", async (row) => {
      const driver = idle.pop() ?? (await open(imports));
      await runRow(driver, row).finally(() => idle.push(driver));
    });
  });
}
