import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import type { OpenAdapter } from "../model/program";
import type { Driver } from "./row";
import { rowsOf, runRow } from "./run-row";
import { days } from "./rows/days";
import { hiding } from "./rows/errors";
import { spelling } from "./rows/spelling";
import { hooks, readTimeouts } from "./rows/timeouts";
import { openVirtual } from "./virtual";

const adapters: [name: "dynamic" | "plugin", open: OpenAdapter][] = [
  ["dynamic", dynamicAdapter],
  ["plugin", pluginAdapter],
];

describe.each(adapters)("the lifecycle on the %s adapter, in virtual time", (adapter, open) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await openVirtual(open);
  });
  afterAll(() => driver.close());

  it.each([...rowsOf(adapter), ...days, ...hiding, ...hooks, ...readTimeouts, ...spelling])("$name", (row) =>
    runRow(driver, row),
  );
});
