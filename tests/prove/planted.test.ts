import { readFileSync } from "node:fs";
import { join } from "node:path";
import { planted } from "./planted";
import { find } from "./try-planted";

const root = join(__dirname, "..", "..");

describe("planted bugs", () => {
  it("have their places in the sources", () => {
    for (const { file, from } of planted.flatMap(({ patches }) => patches))
      expect([file, from, readFileSync(join(root, file), "utf8").split(from).length - 1]).toEqual([file, from, 1]);
  });

  it.each(planted.filter(({ name }) => name === "an id is dropped on timeout"))(
    "the walk finds: $name",
    async (bug) => {
      expect(await find(root, { ...bug, only: "dynamic singles" }, [0, 0])).toMatchObject({
        violation: expect.stringContaining("an id is lost") as string,
      });
    },
  );
});
