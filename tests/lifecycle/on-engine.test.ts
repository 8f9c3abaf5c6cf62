import { ownImports, pluginClasses } from "../harness/plugin";
import type { Driver } from "./driver";
import { openEngine } from "./engine";
import { rowsOf } from "./rows";
import { runRow } from "./run-row";

/** Every row on the host that the run is for; on the other one what only that does. */
const rowsHere = (host: "dynamic" | "plugin", imports: string) =>
  rowsOf(host).filter((row) => imports === ownImports || row.host === host);

const hosts: [name: "dynamic" | "plugin", imports: string][] = [
  ["dynamic", "pulumi-frontdoor"],
  ["plugin", pluginClasses],
];

describe.each(hosts)("the lifecycle on the %s host, on the engine", (host, imports) => {
  /** Most of the time a row waits: as many run beside each other as jest lets, each on a stack of its own. */
  const idle: Driver[] = [];
  afterAll(() => Promise.all(idle.map((driver) => driver.close())));

  it.concurrent.each(rowsHere(host, imports))("$name", async (row) => {
    const driver = idle.pop() ?? (await openEngine(imports));
    await runRow(driver, row).finally(() => idle.push(driver));
  });
});
