import { join } from "node:path";
import { PolicyPack } from "@pulumi/policy";
import { policies } from "./policies";

// The engine starts a pack in its folder, and PolicyPack takes its version from package.json there: the package's own is wanted.
process.chdir(join(__dirname, "..", ".."));

new PolicyPack("frontdoor", {
  displayName: "Front door",
  description: "Policies for IPsec tunnels and IPsec shares",
  policies: [...policies],
});
