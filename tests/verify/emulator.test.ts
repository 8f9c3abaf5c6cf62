import { linesOf } from "../../cli/verify/verify";
import { checkAll, peopled } from "./served";

it("holds in every row that can be seen, and leaves nothing behind", async () => {
  const emulator = await peopled();
  const { findings, ended, left } = await checkAll(emulator);
  const differing = linesOf(findings).filter(({ state }) => state === "differs");
  expect(differing.map(({ id, found }) => `${id}: ${found ?? ""}`)).toEqual([]);
  expect(ended).toBeUndefined();
  expect(left).toEqual([]);
  console.log(
    linesOf(findings)
      .filter(({ state }) => state === "not seen")
      .map(({ id }) => id)
      .join(),
  );
  await emulator.close();
});
