import { ownImports, pluginClasses } from "../harness/plugin";
import type { Driver } from "./driver";
import type { Row } from "./row";
import { rowsOf } from "./rows";
import { runRow } from "./run-row";

type Name = "dynamic" | "plugin";

/** Every row on the host that the run is for; on the other one what only that does. */
const rowsHere = (host: Name, imports: string, rows: (name: Name) => Row[]) =>
  rows(host).filter((row) => imports === ownImports || row.host === host);

const hosts: [name: Name, imports: string][] = [
  ["dynamic", "pulumi-frontdoor"],
  ["plugin", pluginClasses],
];

/** True for the rows that `npm test` runs on the engine: an eighth of them on each host. `npm run test:long` runs the others. */
export const isQuick = (index: number, host: string): boolean => index % 8 === (host === "plugin" ? 2 : 0);

/** Declares the tests of rows on the engine, all of them unless told which: most of the time a row waits, so as many run beside each other as jest lets, each on a stack of its own. */
export function onEngine(
  open: (imports: string) => Promise<Driver>,
  isWanted: (index: number, host: string) => boolean = () => true,
  from: (name: Name) => Row[] = rowsOf,
): void {
  const wanted = hosts.map(([host, imports]) => ({
    ...{ host, imports },
    rows: rowsHere(host, imports, from).filter((_row, index) => isWanted(index, host)),
  }));
  describe.each(wanted.filter(({ rows }) => rows.length > 0))("on the $host host", ({ imports, rows }) => {
    const idle: Driver[] = [];
    afterAll(() => Promise.all(idle.map((driver) => driver.close())));

    it.concurrent.each(rows)("$name", async (row) => {
      const driver = idle.pop() ?? (await open(imports));
      await runRow(driver, row).finally(() => idle.push(driver));
    });
  });
}
