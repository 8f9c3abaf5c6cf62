import { dynamicHost } from "../model/dynamic-host";
import type { OpenHost } from "../model/host";
import { pluginHost } from "../model/plugin-host";
import type { Driver } from "./driver";
import { rowsOf } from "./rows";
import { runRow } from "./run-row";
import { openVirtual } from "./virtual";

const hosts: [name: "dynamic" | "plugin", open: OpenHost][] = [
  ["dynamic", dynamicHost],
  ["plugin", pluginHost],
];

describe.each(hosts)("the lifecycle on the %s host, in virtual time", (host, open) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await openVirtual(open);
  });
  afterAll(() => driver.close());

  it.each(rowsOf(host))("$name", (row) => runRow(driver, row));
});
