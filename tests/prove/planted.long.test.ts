import { root } from "../harness/folder";
import { planted } from "./planted";
import { find } from "./try-planted";

describe("the walk finds the planted bug", () => {
  it.each(planted)("$name", async (bug) => {
    expect(await find(root, bug, [0, 1])).toMatchObject({ violation: expect.any(String) as string });
  });
});
