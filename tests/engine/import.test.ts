import { readFileSync } from "node:fs";
import { heldIn, inFolder, nameOf } from "../harness/state";
import { emptyProject, importAll, madeByHand } from "./imported";

describe("what was made by hand", () => {
  it("is imported, and the program that is written finds nothing to do", async () => {
    const emulator = await madeByHand(5, 12);
    const place = await emptyProject(emulator, "ts");
    try {
      await importAll(place, "ts");
      await place.pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
      await place.pulumi(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);

      const state = inFolder(place.path("state")).read("imports", "test");
      const { entries } = heldIn(state);
      expect(entries.map(({ id }) => id).sort()).toEqual(
        [...emulator.tunnels(), ...emulator.shares()].map(({ id }) => id).sort(),
      );
      expect(new Set(entries.map(({ urn }) => nameOf(urn))).size).toBe(17);
      const written = ["import.json", "index.ts"].map((name) => readFileSync(place.path(name), "utf8"));
      for (const text of [...written, state]) expect(text).not.toContain(emulator.samplePsk("tnl-0"));

      // Since the up, the state knows that shares go before their tunnel.
      await place.pulumi(["state", "unprotect", "--all", "--yes"]);
      await place.pulumi(["destroy", "--yes", "--skip-preview"]);
      expect(emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
    } finally {
      await emulator.close();
      place.remove();
    }
  });
});
