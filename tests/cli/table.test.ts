import { tableOf } from "../../cli/output";

const row = (n: number) => [`shr-${n}`, "x".repeat(n % 40), n % 7 === 0 ? "" : "é東", `target-${n}.internal:443`];
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n));

describe("a table", () => {
  it("has the same columns in all rows, however many there are", () => {
    const text = tableOf(["id", "name", "status", "target"], rows(1_000));
    const lines = text.split("\n").slice(1, -1);
    expect(lines).toHaveLength(1_000);
    const at = new Set(lines.filter((line) => !line.includes("東")).map((line) => line.indexOf("target-")));
    expect(at.size).toBe(1);
    const wide = new Set(lines.filter((line) => line.includes("東")).map((line) => line.indexOf("target-")));
    expect([...wide]).toEqual([...at].map((column) => column - 1));
    expect(lines.map((line) => line.split(/ +/)[0])).toEqual(rows(1_000).map(([id]) => id));
  });

  it("leaves out columns that do not fit, in tables of any length", () => {
    for (const count of [5, 500]) {
      const text = tableOf(["id", "name", "status", "target"], rows(count), 40);
      expect(text).toMatch(/No room for .*target: see --json\.\n$/);
    }
  });

  it("of 20,000 rows takes a moment", () => {
    const begunMs = performance.now();
    tableOf(["id", "name", "status", "target"], rows(20_000));
    expect(performance.now() - begunMs).toBeLessThan(3_000);
  });
});
