import { quickstart, wasStarted } from "./quickstart.mjs";
import { runMain } from "./setup/environment.mjs";

await runMain(async () => {
  if (!wasStarted()) {
    console.log("Nothing to destroy: the quickstart was not started in this checkout.");
    return 0;
  }
  return quickstart(async (pulumi, quietly) => {
    const { deployment } = JSON.parse(await quietly(["stack", "export"]));
    if (!deployment.resources?.length) {
      console.log("Nothing to destroy: the quickstart's stack is empty.");
      return 0;
    }
    return pulumi(["destroy", "--yes", "--skip-preview"]);
  });
});
