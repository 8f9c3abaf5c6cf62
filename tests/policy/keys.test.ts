import { keysIn } from "../../policy/keys";
import { bounded } from "../harness/bounded";
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
  it.each(["psk ", "pre-shared", 'psk="', "a", "-"])("is not hung by a million characters of %j", (part) => {
    const long = part.repeat(1_000_000 / part.length);
    bounded(() => {
      for (const text of [long, `psk="${long}`, `${long}-key`]) keysIn(text);
    });
  });
});
