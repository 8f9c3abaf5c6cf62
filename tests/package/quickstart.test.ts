import { start } from "../harness/command";
import { root } from "../harness/folder";

const quickstart = (...words: string[]) =>
  start("node", ["scripts/quickstart.mjs", ...words], { cwd: root, env: process.env }).end;

it("a misspelled option of npm start starts nothing, and --help shows the options", async () => {
  const wrong = await quickstart("start", "--wacth");
  expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  expect(wrong.stderr).toMatch(/--wacth is no option\. Nothing was started\.\nnpm start .*--watch/s);
  const help = await quickstart("start", "--help");
  expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^npm start/)]);
});
