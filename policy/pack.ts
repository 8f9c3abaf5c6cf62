import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { policies } from "./index";
import { refuseUnknownNames } from "./sdk";

// The build bundles this file into policy/pack.js, which starts the pack when Pulumi loads it. To import only the policies, use
// policy/index (`pulumi-frontdoor/policy` for users).

/** Returns Pulumi's SDK for packs. It is in none of our bundles, because it must be the copy that runs this pack. */
function loadSdk() {
  try {
    return createRequire(__filename)("@pulumi/policy") as typeof import("@pulumi/policy");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    const { dependencies } = JSON.parse(readFileSync(join(__dirname, "package.json"), "utf8")) as {
      dependencies: { "@pulumi/policy": string };
    };
    const missing = new Error(
      `the policy pack needs @pulumi/policy, which is not installed. Nothing was checked. ` +
        `Run "npm install --save-dev @pulumi/policy@${dependencies["@pulumi/policy"]}". [policy-sdk-missing]`,
    );
    // Pulumi prints the stack, which does not help the author of a program.
    missing.stack = missing.message;
    throw missing;
  }
}

const { PolicyPack } = loadSdk();

refuseUnknownNames(policies.map(({ name }) => name));

new PolicyPack("frontdoor", {
  displayName: "Front door",
  description: "Policies for IPsec tunnels and IPsec shares",
  policies: [...policies],
});
