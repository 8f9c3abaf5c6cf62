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

/** What `npm test` has on the engine: every other row, and none that is like another one but for a refresh. `npm run test:long` has the rest. */
export const isQuick = ({ isRefreshed }: Row, index: number): boolean => isRefreshed === undefined && index % 2 === 0;

/** Declares the tests of rows on the engine, all of them unless told which: most of the time a row waits, so as many run beside each other as jest lets, each on a stack of its own. */
export function onEngine(
  open: (imports: string) => Promise<Driver>,
  isWanted: (row: Row, index: number) => boolean = () => true,
  from: (name: Name) => Row[] = rowsOf,
): void {
  const wanted = hosts.map(([host, imports]) => ({
    ...{ host, imports },
    rows: rowsHere(host, imports, from).filter(isWanted),
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
