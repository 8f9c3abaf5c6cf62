import { isWatched, Progress } from "../../../provider/plugin/progress";

const told = (isWatched: boolean) => {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const tell = (urn: string, line: string) => lines.push(`${urn}: ${line}`);
  return { progress: new Progress(tell, isWatched, () => clock.ms), clock, lines };
};

describe("progress", () => {
  it("is told at each look where somebody watches", () => {
    const { progress, lines } = told(true);
    for (const line of ["NEW for 1 s", "NEW for 2 s"]) progress.show("a", line);
    expect(lines).toEqual(["a: NEW for 1 s", "a: NEW for 2 s"]);
  });

  it("is told once a minute for each resource where nobody does", () => {
    const { progress, clock, lines } = told(false);
    for (clock.ms = 0; clock.ms <= 125_000; clock.ms += 5_000)
      for (const urn of ["a", "b"]) progress.show(urn, `${clock.ms / 1000} s`);
    expect(lines).toEqual(["a: 60 s", "b: 60 s", "a: 120 s", "b: 120 s"]);
  });

  it("is watched by nobody in CI", () => {
    expect(isWatched({ CI: "true" })).toBe(false);
  });
});
