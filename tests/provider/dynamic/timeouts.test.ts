import { durationSeconds } from "../../../provider/time";

describe("a duration", () => {
  it.each([
    ["90s", 90],
    ["1h30m", 5_400],
    ["1.5m", 90],
    ["250ms", 0.25],
    ["1h2m3s4ms", 3_723.004],
  ])("%s is %d s", (text, seconds) => {
    expect(durationSeconds(text)).toBe(seconds);
  });

  it.each(["", "90", "s", "1 m", "-1s", "1d", "1e3s", `${"1".repeat(50)}s`, 90, null, undefined])(
    "%j is none",
    (text) => {
      expect(durationSeconds(text)).toBeUndefined();
    },
  );
});
