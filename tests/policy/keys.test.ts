import { keysIn } from "../../policy/keys";
import { settingKeys, talkingOfKeys } from "./key-texts";

describe("texts with pre-shared keys", () => {
  it.each(settingKeys)("finds the key in %j", (text) => {
    expect(keysIn(text)).toHaveLength(1);
  });
  it.each(talkingOfKeys)("finds none in %j", (text) => {
    expect(keysIn(text)).toEqual([]);
  });
  it("ends on long texts of parts of a key's name", () => {
    const parts = ["psk ".repeat(20_000), `${"pre-shared".repeat(9_000)}-key`, "-".repeat(90_000)];
    for (const text of parts) expect(keysIn(text)).toEqual([]);
  });
});
