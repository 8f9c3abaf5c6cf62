import { start } from "../harness/command";

describe("a command of a test", () => {
  const where = { cwd: process.cwd(), env: { PATH: process.env["PATH"] } };

  it("is heard to the end of what it leaves behind", async () => {
    const lines = "for line in 1 2 3 4 5; do sleep 0.1; echo $line; done";
    const { code, stdout } = await start("sh", ["-c", `(${lines}) & exit 3`], where).end;
    expect([code, stdout]).toEqual([3, "1\n2\n3\n4\n5\n"]);
  });

  it("ends if what it leaves behind is silent", async () => {
    const startedMs = Date.now();
    await start("sh", ["-c", "sleep 20 & exit 0"], where).end;
    expect(Date.now() - startedMs).toBeLessThan(5000);
  });
});
