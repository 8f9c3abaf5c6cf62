import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import type { OpenAdapter } from "../model/program";
import type { Driver } from "./row";
import { rowsOf, runRow } from "./run-row";
import { days } from "./rows/days";
import { hooks } from "./rows/hooks";
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

  it.each([...rowsOf(adapter), ...days, ...hooks])("$name", (row) => runRow(driver, row));
});
