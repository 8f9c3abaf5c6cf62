import { join } from "node:path";
import { PolicyPack } from "@pulumi/policy";
import { refuseUnknownNames } from "./sdk";
// Imported by this name, because the compiled pack loads the policies from one file.
import { policies } from "./index";

// policy/package.json names this compiled file as main, so an import of the folder starts a pack. To import only the policies, use
// policy/index (`pulumi-frontdoor/policy` for users).

// PolicyPack reads its version from package.json in the working folder. The version must be that of the package.
process.chdir(join(__dirname, "..", ".."));

refuseUnknownNames(policies.map(({ name }) => name));

new PolicyPack("frontdoor", {
  displayName: "Front door",
  description: "Policies for IPsec tunnels and IPsec shares",
  policies: [...policies],
});
