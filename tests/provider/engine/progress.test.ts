import { isWatched, progressLines } from "../../../provider/engine/engine";

const progressOf = (isWatched: boolean) => {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const add = (urn: string, line: string) => lines.push(`${urn}: ${line}`);
  return { show: progressLines(add, isWatched, () => clock.ms), clock, lines };
};

describe("progress", () => {
  it("shows every line if somebody watches", () => {
    const { show, lines } = progressOf(true);
    for (const line of ["NEW for 1 s", "NEW for 2 s"]) show("a", line);
    expect(lines).toEqual(["a: NEW for 1 s", "a: NEW for 2 s"]);
  });

  it("shows one line a minute for each resource if nobody watches", () => {
    const { show, clock, lines } = progressOf(false);
    for (clock.ms = 0; clock.ms <= 125_000; clock.ms += 5_000)
      for (const urn of ["a", "b"]) show(urn, `${clock.ms / 1000} s`);
    expect(lines).toEqual(["a: 60 s", "b: 60 s", "a: 120 s", "b: 120 s"]);
  });

  it("is cleared at the end, if somebody watches", () => {
    const [watched, unwatched] = [progressOf(true), progressOf(false)];
    for (const { show } of [watched, unwatched]) for (const line of ["NEW for 1 s", ""]) show("a", line);
    expect([watched.lines, unwatched.lines]).toEqual([["a: NEW for 1 s", "a: "], []]);
  });

  it("counts nobody as watching in CI", () => {
    expect(isWatched({ CI: "true" })).toBe(false);
  });
});
