import { keysIn } from "../../policy/keys";
import { settingKeys, talkingOfKeys } from "./key-texts";

describe("texts with pre-shared keys", () => {
  it("are many, of both kinds", () => {
    expect(new Set(settingKeys).size).toBeGreaterThanOrEqual(60);
    expect(new Set(talkingOfKeys).size).toBeGreaterThanOrEqual(60);
  });
  it.each(settingKeys)("finds the key in %j", (text) => {
    expect(keysIn(text)).toHaveLength(1);
  });
  it.each(talkingOfKeys)("finds none in %j", (text) => {
    expect(keysIn(text)).toEqual([]);
  });
  it("takes time with the length of a text alone", () => {
    const long = [
      "psk ".repeat(20_000),
      `${"pre-shared".repeat(9_000)}-key`,
      `psk="${"a".repeat(90_000)}`,
      "-".repeat(90_000),
    ];
    const started = performance.now();
    for (const text of long) keysIn(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
