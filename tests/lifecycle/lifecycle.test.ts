import { dynamicAdapter } from "../model/dynamic-adapter";
import type { OpenAdapter } from "../model/adapter";
import { pluginAdapter } from "../model/plugin-adapter";
import type { Driver } from "./driver";
import { rowsOf } from "./rows";
import { runRow } from "./run-row";
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

  it.each(rowsOf(adapter))("$name", (row) => runRow(driver, row));
});
