import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "./command";
import { terminal } from "./terminal";

let emulator: Emulator;
let place: Place;
let key: string;

beforeEach(async () => {
  emulator = await startEmulator();
  place = new Place(emulator);
  emulator.seedTunnel({ id: "tnl-1", name: "hq" });
  key = emulator.samplePsk("tnl-1");
});
afterEach(async () => {
  await emulator.close();
  place.remove();
});

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe("frontdoor sample-config", () => {
  it("writes a file that only its owner can read, also over one that others could", async () => {
    const file = place.path("hq.conf");
    const first = await place.run(["sample-config", "hq", "--out", "hq.conf"]);
    expect([first.code, first.stdout]).toEqual([0, ""]);
    expect(readFileSync(file, "utf8")).toContain(`pre-shared-key ${key}`);
    expect(modeOf(file)).toBe(0o600);
    expect(first.text).not.toContain(key);

    writeFileSync(file, "mine");
    chmodSync(file, 0o644);
    const refused = await place.run(["sample-config", "hq", "--out", "hq.conf"]);
    expect(refused.code).toBe(2);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect((await place.run(["sample-config", "hq", "--out", "hq.conf", "--force"])).code).toBe(0);
    expect([modeOf(file), readFileSync(file, "utf8").includes(key)]).toEqual([0o600, true]);
  });

  it("is printed with --force or --out - only, on a terminal or not", async () => {
    emulator.requests.length = 0;
    const refused = await place.run(["sample-config", "tnl-1"]);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(/not printed\. Name a file with --out FILE\. \[key-not-printed\]\n$/);
    expect((await place.run(["sample-config", "tnl-1", "--json"])).code).toBe(2);
    expect((await terminal(place, ["sample-config", "hq"]).end).code).toBe(2);
    expect(emulator.requests).toEqual([]);

    for (const way of [["--force"], ["--out", "-"], ["--out", "-", "--json"]]) {
      expect((await place.run(["sample-config", "tnl-1", ...way])).stdout).toContain(key);
      expect((await terminal(place, ["sample-config", "hq", ...way]).end).stdout).toContain(key);
    }
    expect(existsSync(place.path("-"))).toBe(false);
  });

  it("refuses a symbolic link, and leaves alone what it leads to", async () => {
    writeFileSync(place.path("mine"), "mine");
    symlinkSync("mine", place.path("link.conf"));
    symlinkSync("nothing", place.path("dangling.conf"));
    emulator.requests.length = 0;
    for (const [file, ...more] of [
      ["link.conf"],
      ["link.conf", "--force"],
      ["dangling.conf"],
      ["dangling.conf", "--force"],
    ]) {
      const { code, stderr } = await place.run(["sample-config", "hq", "--out", file ?? "", ...more]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/symbolic link.*nothing was written.*\[not-a-plain-file\]\n$/),
      ]);
    }
    expect([readFileSync(place.path("mine"), "utf8"), existsSync(place.path("nothing"))]).toEqual(["mine", false]);
    expect(emulator.requests).toEqual([]);
  });

  it("--diff says whether a site's file is current, and shows no line of it", async () => {
    await place.run(["sample-config", "hq", "--out", "hq.conf"]);
    const text = readFileSync(place.path("hq.conf"), "utf8");
    writeFileSync(place.path("dos.conf"), text.replaceAll("\n", "\r\n"));
    const current = await place.run(["sample-config", "hq", "--diff", "dos.conf"]);
    expect([current.code, current.text]).toEqual([0, "dos.conf is current\n"]);

    const old = text.replace(key, "an-older-key").replace(" group 14\n", "");
    writeFileSync(place.path("old.conf"), old);
    const stale = await place.run(["sample-config", "hq", "--diff", "old.conf", "--json"]);
    const line = old.split("\n").findIndex((each) => each.includes("an-older-key")) + 1;
    expect(stale.code).toBe(1);
    expect(JSON.parse(stale.stdout)).toMatchObject({ isCurrent: false, changedLines: [line], missingLines: 2 });
    expect(stale.stderr).toMatch(
      new RegExp(`old.conf is not current: no longer in it: line ${line} of the file; the file lacks 2 of`),
    );
    for (const secret of [key, "an-older-key"]) expect(stale.text).not.toContain(secret);
  });

  it("in another order is not current", async () => {
    const { stdout } = await place.run(["sample-config", "hq", "--force"]);
    writeFileSync(place.path("hq.conf"), stdout.trimEnd().split("\n").reverse().join("\n"));
    const { code, stderr } = await place.run(["sample-config", "hq", "--diff", "hq.conf"]);
    expect([code, stderr]).toEqual([1, "frontdoor: hq.conf is not current: its lines are in another order\n"]);
  });

  it.each([
    [["--out", "a", "--diff", "b"], /don't go together/],
    [["--diff", "nothing"], /nothing can't be read \(ENOENT\)/],
    [["--out", "/dev/null", "--force"], /\/dev\/null is a symbolic link, a folder or a device/],
    [["--out", "nowhere/hq.conf"], /nowhere\/hq\.conf can't be written \(ENOENT\)/],
  ])("%j is wrong usage", async (args, message) => {
    const { code, stderr } = await place.run(["sample-config", "hq", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("of a tunnel that is not ready is refused, and nothing is written", async () => {
    emulator.setStatus("tnl-1", "NEW");
    expect((await place.run(["sample-config", "hq", "--out", "hq.conf"])).code).toBe(1);
    expect(existsSync(place.path("hq.conf"))).toBe(false);
  });
});
