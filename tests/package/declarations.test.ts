import { readFileSync } from "node:fs";
import { root } from "../harness/folder";
import { declarationsReachedFrom } from "./reached";

describe("declarations", () => {
  // zod's and undici's own declarations do not compile under the settings of a plain Pulumi project.
  it.each([
    ["dist/sdk/index.d.ts", "@pulumi/pulumi"],
    ["dist/sdk/plugin/index.d.ts", "@pulumi/pulumi"],
    ["dist/policy/index.d.ts", "@pulumi/policy"],
  ])("%s speak of %s alone, so that they compile under any settings", (entry, name) => {
    const { files, packages } = declarationsReachedFrom(entry);
    expect(files.length).toBeGreaterThan(3);
    expect(packages).toEqual([name]);
  });

  it.each([
    ["IpsecTunnelArgs", "peerCidr"],
    ["IpsecShareFields", "target"],
    ["IpsecShareSetFields", "shares"],
    ["SetShareFields", "target"],
    ["IpsecSiteArgs", "shares"],
    ["PublishedTunnel", "tunnelId"],
    ["TunnelConfig", "insideCidr"],
    ["TunnelConfigEntry", "status"],
    ["TunnelConfigResult", "tunnels"],
  ])("tell what each member of %s is", (name, one) => {
    const text = declarationsReachedFrom("dist/sdk/index.d.ts").files.map((file) => readFileSync(file, "utf8"));
    const [, body = ""] =
      new RegExp(`interface ${name} (?:extends \\w+ )?\\{\n(.*?)\n\\}`, "s").exec(text.join("\n")) ?? [];
    const lines = body.split("\n").map((line) => line.trim());
    const members = lines.flatMap((line, index) => {
      const [, member] = /^(?:readonly )?(\w+)\??:/.exec(line) ?? [];
      return member === undefined ? [] : { member, isTold: lines[index - 1]?.endsWith("*/") };
    });
    expect(members).toContainEqual({ member: one, isTold: true });
    expect(members.filter(({ isTold }) => !isTold)).toEqual([]);
  });

  it("cite nothing that users do not have", () => {
    const shown = ["dist/sdk/index.d.ts", "dist/sdk/plugin/index.d.ts"].flatMap(
      (entry) => declarationsReachedFrom(entry).files,
    );
    const citing = shown.filter((file) => /\((spec|contract): /.test(readFileSync(file, "utf8")));
    expect(citing.map((file) => file.slice(root.length + 1))).toEqual([]);
  });
});
