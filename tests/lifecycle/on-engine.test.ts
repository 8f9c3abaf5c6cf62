import type { Driver } from "./driver";
import { openEngine } from "./engine";
import { rows } from "./rows";
import { runRow } from "./run-row";

const hosts: [name: string, imports: string][] = [["dynamic", "pulumi-frontdoor"]];

describe.each(hosts)("the lifecycle on the %s host, on the engine", (_, imports) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await openEngine(imports);
  });
  afterAll(() => driver.close());

  it.each(rows.filter(({ isOnEngine }) => isOnEngine))("$name", (row) => runRow(driver, row));
});
