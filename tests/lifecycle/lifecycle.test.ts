import { dynamicHost } from "../model/dynamic-host";
import type { OpenHost } from "../model/host";
import { pluginHost } from "../model/plugin-host";
import type { Driver } from "./driver";
import { rows } from "./rows";
import { runRow } from "./run-row";
import { openVirtual } from "./virtual";

const hosts: [name: string, open: OpenHost][] = [
  ["dynamic", dynamicHost],
  ["plugin", pluginHost],
];

describe.each(hosts)("the lifecycle on the %s host, in virtual time", (_, open) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await openVirtual(open);
  });
  afterAll(() => driver.close());

  it.each(rows)("$name", (row) => runRow(driver, row));
});
