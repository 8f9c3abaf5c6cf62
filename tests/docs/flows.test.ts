import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import type { dynamic } from "@pulumi/pulumi";
import { DynamicAdapter } from "../../provider/host/dynamic";
import { Host } from "../../provider/host/host";
import { openShareWorld, type ShareWorld } from "../provider/world";
import { textOf } from "./pages";

/** Returns the files of provider/ of which a function runs meanwhile. */
async function ranIn(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const files = result.flatMap(({ url, functions }) => {
    const file = /^.*\/(provider\/.*\.ts)$/.exec(url)?.[1];
    return file !== undefined && !url.includes("/tests/") && functions.some(hasRun) ? [file] : [];
  });
  return files.sort();
}

/** The functions without a name are modules. */
const hasRun = ({ functionName, ranges }: Profiler.FunctionCoverage) =>
  functionName !== "" && ranges.some(({ count }) => count > 0);

/** Returns the files that a column of the table names: 1 for both flows, 2 for the update, 3 for the create. */
const namedIn = (column: number): string[] => {
  const [, section = ""] = textOf("docs/how-it-works.md").split("## Two flows, file by file\n");
  return section.split("\n").flatMap((line) => line.split("|")[column + 1]?.match(/provider\/[\w./-]+\.ts/g) ?? []);
};

describe("the flows of how-it-works.md name each file that runs, and no other", () => {
  let opened: ShareWorld;
  const adapter = () => {
    const host = new Host(opened.world.service);
    const share = new DynamicAdapter("IpsecShare", () => host);
    void share.configure({ config: { get: () => undefined } as unknown as dynamic.Config });
    return share;
  };
  const propsOf = (props: object) => props as Record<string, unknown>;

  beforeEach(async () => {
    opened = await openShareWorld();
  });

  it("an update of a share's target", async () => {
    const { id, outputs, inputs } = await opened.deployed();
    const share = adapter();
    const news = { ...inputs, target: "db.internal:5433" };
    const ran = await ranIn(() => share.update(id, propsOf(outputs), propsOf(news)));
    expect(opened.world.writes()).toContain(`PATCH /ipsec-shares/${id} {"target":"db.internal:5433"}`);
    expect(ran).toEqual([...namedIn(1), ...namedIn(2)].sort());
  });

  it("a create of a share whose answer is lost", async () => {
    const { inputs } = await opened.deployed();
    const share = adapter();
    opened.world.emulator.faults.add({ fault: "drop", method: "POST", when: "after" });
    const ran = await ranIn(() => share.create(propsOf({ ...inputs, name: "lost", ingressPort: 9 })));
    expect(opened.world.writes().filter((line) => line.includes('"lost"'))).toHaveLength(1);
    expect(ran).toEqual([...namedIn(1), ...namedIn(3)].sort());
  });
});
