import { pair, relations } from "./relations";

const pairs = 15;

describe("two histories that must end in the same state of the service", () => {
  it.each(Object.keys(relations))("do so: %s", async (name) => {
    for (let seed = 1; seed <= pairs; seed++) expect(await pair(name, seed)).toBeUndefined();
  });
});
