import { chmodSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { blocksOf } from "../../docs/pages";
import { start } from "../../harness/command";
import { installed, useEmulator } from "../command";
import { startReceiver, until } from "./receiver";

const page = "docs/how-to/monitoring.md";
const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "hq" });
  // A DOWN is told after five minutes, an ERROR at once.
  emulator.setStatus("tnl-1", "ERROR");
});

describe(page, () => {
  it.each(
    blocksOf(page)
      .filter(({ mark }) => mark?.file === "tests/cli/watch/alerts-page.test.ts")
      .map(({ code }) => code),
  )("as pasted: %s", async (code) => {
    const receiver = await startReceiver();
    const isWebhook = code.includes("--webhook");
    // Without these words the command runs until Ctrl-C.
    const script = code
      .replace("https://alerts.example.com/frontdoor", receiver.url)
      .replace("--serve 9464", "--serve 0")
      .replace("frontdoor watch", "frontdoor watch --for 4s");
    writeFileSync(here.path("frontdoor"), `#!/bin/sh\nexec '${process.execPath}' '${installed}' "$@"\n`);
    chmodSync(here.path("frontdoor"), 0o755);
    const PATH = [here.place.folder, process.env["PATH"]].join(delimiter);
    const { code: exitCode, text } = await start("bash", ["-e", "-c", script], here.place.where({ PATH })).end;
    expect([exitCode, text]).toEqual([0, expect.not.stringMatching(/^frontdoor: /m)]);
    if (isWebhook) await until(() => receiver.bodies.length === 1);
    else expect(text).toMatch(/^metrics: http:\/\/127\.0\.0\.1:\d+\/metrics$/m);
    receiver.close();
  });
});
