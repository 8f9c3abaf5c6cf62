import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluate } from "./evaluate";

describe("set-up lock", () => {
  let work: string;
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), "set-up-lock-"));
  });
  afterEach(() => {
    rmSync(work, { recursive: true, force: true });
  });

  const lock = () => join(work, "lock");
  /** Takes the lock in a process of its own, and writes down when it has it and when it lets go. */
  const hold = () =>
    evaluate(
      "environment",
      `it.withLock(${JSON.stringify(lock())}, async () => {
        const { appendFileSync } = await import("node:fs");
        const note = (text) => appendFileSync(${JSON.stringify(join(work, "log"))}, text);
        note("in ");
        await new Promise((resolve) => setTimeout(resolve, 200));
        note("out ");
        return "done";
      })`,
    );

  it("lets two processes work one after the other", async () => {
    expect(await Promise.all([hold(), hold()])).toEqual(["done", "done"]);
    expect(readFileSync(join(work, "log"), "utf8")).toBe("in out in out ");
    expect(existsSync(lock())).toBe(false);
  });

  it("is taken over when its holder has shown no life for long", async () => {
    mkdirSync(lock());
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock(), longAgo, longAgo);
    expect(await hold()).toBe("done");
  });
});
