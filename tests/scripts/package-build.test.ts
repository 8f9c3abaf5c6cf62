import { evaluate } from "./evaluate";

it("dist/ is compiled again after a change of the version or of a bundled dependency", async () => {
  expect(await evaluate("../setup", "it.sources")).toEqual(
    expect.arrayContaining(["package.json", "package-lock.json", "provider", "cli"]),
  );
});
