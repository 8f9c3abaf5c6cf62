import { quickstart } from "./quickstart.mjs";
import { runMain } from "./setup/environment.mjs";

const stays = process.argv.includes("--watch");

await runMain(() =>
  quickstart(
    async (pulumi, _quietly, page) => {
      if (stays) console.log(`Watch it live: ${page}`);
      const code =
        (await pulumi(["up", "--yes", "--skip-preview", "--suppress-outputs"])) || (await pulumi(["stack", "output"]));
      const tryNext = "change an ingressPort in examples/quickstart/index.ts and run";
      if (code !== 0) return code;
      console.log(
        stays
          ? `\nLook: ${page}, until Ctrl-C. Try next: ${tryNext} "npm start" in another terminal.`
          : `\nLook: npm start -- --watch. Try next: ${tryNext} "npm start" again.`,
      );
      return code;
    },
    { stays },
  ),
);
