import { emptyProject, importAll, madeByHand } from "../engine/imported";

it("40 tunnels and 200 shares that were made by hand are found and imported, and nothing is to do then", async () => {
  const emulator = await madeByHand(40, 200);
  const place = await emptyProject(emulator, "ts");
  try {
    const { found, imported } = await importAll(place, "ts");
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    // How long it takes is the machine's: said, not judged.
    console.info(`240 resources: found in ${found.toFixed(1)} s, imported in ${imported.toFixed(1)} s`);
  } finally {
    await emulator.close();
    place.remove();
  }
});
