import { join } from "node:path";
import { PolicyPack } from "@pulumi/policy";
import { refuseUnknownNames } from "./config-names";
// By this name: what is compiled loads the policies from their one file.
import { policies } from "./index";

// policy/package.json has this file, compiled, as the folder's main: whoever imports the folder itself starts a pack. The policies
// alone are in policy/index, for users `pulumi-frontdoor/policy`.

// The engine starts a pack in its folder, and PolicyPack takes its version from package.json there: the package's own is wanted.
process.chdir(join(__dirname, "..", ".."));

refuseUnknownNames(policies.map(({ name }) => name));

new PolicyPack("frontdoor", {
  displayName: "Front door",
  description: "Policies for IPsec tunnels and IPsec shares",
  policies: [...policies],
});
