import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "../cli/command";
import { quick } from "../harness/environment";
import { root } from "../harness/folder";

/** Names that tunnels can have and variables can't. */
const names = ['Büro "Nord"', "büro nord", "a ${b} \\ 'c'", "x".repeat(255), "class"];

/** A service on which so many tunnels and shares were made by hand, and shares that are called like tunnels and like each other. */
export async function madeByHand(tunnels: number, shares: number): Promise<Emulator> {
  const emulator = await startEmulator({ provisionMs: 100, teardownMs: 100, token: "very-secret-token" });
  for (let number = 0; number < tunnels; number++)
    emulator.seedTunnel({
      ...{ id: `tnl-${number}`, name: names[number] ?? `site ${number}`, locationId: `loc-${number}` },
      ...{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" },
    });
  const called = ["class", "Web-1", "web-1", "y".repeat(63)];
  for (let number = 0; number < shares; number++)
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: called[number] ?? `service-${number}`, ipsecTunnelId: `tnl-${number % tunnels}` },
      ...{ envZId: `env-${number % 3}`, target: `s${number}.internal:443`, ingressPort: 8000 + number },
      locationId: number % 2 === 0 ? "loc-1" : null,
    });
  return emulator;
}

/** What a program in this language needs beside it, and where it goes. */
const projects = {
  ts: {
    file: "index.ts",
    beside: {
      "Pulumi.yaml": { name: "imports", runtime: "nodejs" },
      "package.json": { main: "index.ts" },
      "tsconfig.json": { compilerOptions: { target: "es2023", module: "node20", strict: true, skipLibCheck: true } },
    },
  },
  yaml: { file: "Main.yaml", beside: { "Pulumi.yaml": { name: "imports", runtime: "yaml" } } },
};

/** A project without resources, with a stack. */
export async function emptyProject(emulator: Emulator, language: keyof typeof projects): Promise<Place> {
  const place = new Place(emulator);
  for (const [name, content] of Object.entries(projects[language].beside))
    writeFileSync(place.path(name), JSON.stringify(content));
  symlinkSync(join(root, "node_modules"), place.path("node_modules"));
  mkdirSync(place.path("state"));
  await place.pulumi(["stack", "init", "test"]);
  return place;
}

/** Finds, imports and looks whether the program finds anything to do; how long the first two took, in seconds. */
export async function importAll(place: Place, language: keyof typeof projects) {
  const seconds = async (work: Promise<unknown>) => {
    const beganMs = performance.now();
    await work;
    return (performance.now() - beganMs) / 1000;
  };
  const out = ["--out", "import.json", "--program", language, "--program-out", projects[language].file];
  const found = await seconds(place.run(["import", ...out]));
  const file = ["--file", "import.json", "--generate-code=false", "--yes", "--skip-preview"];
  const imported = await seconds(place.pulumi(["import", ...file]));
  await place.pulumi(["preview", "--expect-no-changes"], { NODE_OPTIONS: quick });
  return { found, imported };
}
