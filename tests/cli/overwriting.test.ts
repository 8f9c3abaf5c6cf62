import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "./command";

let emulator: Emulator;
let place: Place;

beforeEach(async () => {
  emulator = await startEmulator();
  place = new Place(emulator);
  emulator.seedTunnel({ id: "tnl-1", name: "hq" });
});
afterEach(async () => {
  await emulator.close();
  place.remove();
});

const writers = [
  [["metrics", "hq", "--svg"]],
  [["import", "--out"]],
  [["import", "--program", "ts", "--program-out"]],
  [["sample-config", "hq", "--out"]],
];

describe.each(writers)("frontdoor %j FILE", (command) => {
  it("refuses a symbolic link, a folder and a device, also with --force", async () => {
    writeFileSync(place.path("mine"), "mine");
    symlinkSync("mine", place.path("link"));
    symlinkSync("nothing", place.path("dangling"));
    mkdirSync(place.path("folder"));
    emulator.requests.length = 0;
    for (const file of ["link", "dangling", "folder", "/dev/null"])
      for (const more of [["--force"], []]) {
        const { code, stderr } = await place.run([...command, file, ...more]);
        expect([file, code, stderr]).toEqual([file, 2, expect.stringMatching(/\[not-a-plain-file\]\n$/)]);
      }
    expect([readFileSync(place.path("mine"), "utf8"), emulator.requests]).toEqual(["mine", []]);
    expect(lstatSync(place.path("link")).isSymbolicLink()).toBe(true);
  });

  it("overwrites a plain file only with --force, and leaves no other file", async () => {
    writeFileSync(place.path("file"), "mine");
    chmodSync(place.path("file"), 0o600);
    expect((await place.run([...command, "file"])).code).toBe(2);
    expect(readFileSync(place.path("file"), "utf8")).toBe("mine");
    expect((await place.run([...command, "file", "--force"])).code).toBe(0);
    expect(readFileSync(place.path("file"), "utf8")).not.toBe("mine");
    expect(statSync(place.path("file")).mode & 0o777).toBe(0o600);
    expect(readdirSync(place.folder).filter((name) => name.startsWith("file"))).toEqual(["file"]);
  });
});
