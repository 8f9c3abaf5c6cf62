import { ownImports, pluginClasses } from "../harness/plugin";
import type { Driver } from "./driver";
import { rowsOf } from "./rows";
import { runRow } from "./run-row";

/** Every row on the host that the run is for; on the other one what only that does. */
const rowsHere = (host: "dynamic" | "plugin", imports: string) =>
  rowsOf(host).filter((row) => imports === ownImports || row.host === host);

const hosts: [name: "dynamic" | "plugin", imports: string][] = [
  ["dynamic", "pulumi-frontdoor"],
  ["plugin", pluginClasses],
];

/** Declares the tests of all rows on the engine: most of the time a row waits, so as many run beside each other as jest lets, each on a stack of its own. */
export function onEngine(open: (imports: string) => Promise<Driver>): void {
  describe.each(hosts)("on the %s host", (host, imports) => {
    const idle: Driver[] = [];
    afterAll(() => Promise.all(idle.map((driver) => driver.close())));

    it.concurrent.each(rowsHere(host, imports))("$name", async (row) => {
      const driver = idle.pop() ?? (await open(imports));
      await runRow(driver, row).finally(() => idle.push(driver));
    });
  });
}
