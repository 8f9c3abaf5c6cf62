import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/environment.mjs";

// The names that only the owner of the repository can publish. The owner stands in package.json, in the address of the archives.

const { pulumi } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [, owner] = /([^/]+)\/pulumi-frontdoor\//.exec(pulumi.server);

/** The module of the Go SDK. */
export const goModule = `github.com/${owner}/pulumi-frontdoor/sdk/go`;

/** The group of the Java SDK. A part of a Java package has no hyphen. */
export const javaGroup = `io.github.${owner.toLowerCase().replaceAll("-", "_")}`;
