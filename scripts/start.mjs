import { quickstart } from "./quickstart.mjs";
import { runMain } from "./setup/progress.mjs";

await runMain(() =>
  quickstart(async (pulumi) => {
    const code = await pulumi(["up", "--yes", "--skip-preview", "--suppress-outputs"]);
    return code || pulumi(["stack", "output"]);
  }),
);
