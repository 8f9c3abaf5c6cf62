import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "../cli/command";
import { quick } from "../harness/environment";
import { root } from "../harness/folder";
import { heldIn, inFolder, nameOf } from "../harness/state";

/** Names that tunnels can have and variables can't. */
const names = ['Büro "Nord"', "büro nord", "a ${b} \\ 'c'", "x".repeat(255), "class"];
const shareNames = ["class", "Web-1", "web-1", "y".repeat(63)];

/** A service on which tunnels and shares were made by hand, and shares that are called like tunnels and like each other. */
async function madeByHand(): Promise<Emulator> {
  const emulator = await startEmulator({ provisionMs: 100, teardownMs: 100, token: "very-secret-token" });
  const at = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  for (const [number, name] of names.entries())
    emulator.seedTunnel({ ...at, id: `tnl-${number}`, name, locationId: `loc-${number}` });
  for (let number = 0; number < 12; number++)
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: shareNames[number] ?? `service-${number}`, ipsecTunnelId: `tnl-${number % 5}` },
      ...{ envZId: `env-${number % 3}`, target: `s${number}.internal:443`, ingressPort: 8000 + number },
      locationId: number % 2 === 0 ? "loc-1" : null,
    });
  return emulator;
}

const files = {
  "Pulumi.yaml": { name: "imports", runtime: "nodejs" },
  "package.json": { main: "index.ts" },
  "tsconfig.json": { compilerOptions: { target: "es2023", module: "node20", strict: true, skipLibCheck: true } },
};

it("what was made by hand is imported, and the program that is written finds nothing to do", async () => {
  const emulator = await madeByHand();
  const place = new Place(emulator);
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(place.path(name), JSON.stringify(content));
    symlinkSync(join(root, "node_modules"), place.path("node_modules"));
    mkdirSync(place.path("state"));
    await place.pulumi(["stack", "init", "test"]);
    await place.run(["import", "--out", "import.json", "--program", "ts", "--program-out", "index.ts"]);
    const file = ["--file", "import.json", "--generate-code=false", "--yes", "--skip-preview"];
    await place.pulumi(["import", ...file]);
    await place.pulumi(["preview", "--expect-no-changes"], { NODE_OPTIONS: quick });
    await place.pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await place.pulumi(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);

    const state = inFolder(place.path("state")).read("imports", "test");
    const { entries } = heldIn(state);
    const all = [...emulator.tunnels(), ...emulator.shares()].map(({ id }) => id);
    expect(entries.map(({ id }) => id).sort()).toEqual(all.sort());
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
