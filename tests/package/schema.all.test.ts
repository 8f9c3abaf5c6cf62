import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf, examplesIn, schema, schemaFile, typeErrorsIn } from "../docs/pages";
import { siteOutputs } from "../../sdk/any-site";
import { removeFolder, root } from "../harness/folder";

const flagged = (flag: string) =>
  Object.entries(
    (schema.resources["frontdoor:index:IpsecTunnel"]?.["inputProperties"] ?? {}) as Record<
      string,
      Record<string, unknown>
    >,
  )
    .filter(([, property]) => property[flag] === true)
    .map(([name]) => name);

describe("the plugin's schema", () => {
  it("is one to Pulumi", () => {
    expect(() => execFileSync("pulumi", ["schema", "check", schemaFile], { stdio: "pipe" })).not.toThrow();
  });

  it("gives the Go module and the Java group names of the owner that package.json names, and of nobody else", () => {
    const { pulumi } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { pulumi: { server: string } };
    const owner = pulumi.server.split("/").at(3) ?? "";
    const { go, java } = schema.language;
    expect([go?.["importBasePath"], java?.["basePackage"]]).toEqual([
      `github.com/${owner}/pulumi-frontdoor/sdk/go/frontdoor`,
      `io.github.${owner.toLowerCase().replaceAll("-", "_")}`,
    ]);
    for (const text of Object.values(examplesIn("go"))) expect(text).toContain(`"${String(go?.["importBasePath"])}"`);
    for (const text of Object.values(examplesIn("java")))
      expect(text).toContain(`import ${String(java?.["basePackage"])}.frontdoor.`);
  });

  it("has the programs that pulumi import writes use the classes of the installed package", () => {
    const { packageName } = (schema as unknown as { language: { nodejs: { packageName: string } } }).language.nodejs;
    const script = `console.log(Object.keys(require(${JSON.stringify(packageName)})).join(" "))`;
    const classes = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" }).trim().split(" ");
    const wanted = Object.keys(schema.resources).map((token) => token.replace("frontdoor:index:", ""));
    expect(classes).toEqual(expect.arrayContaining([...wanted, "Provider"]));
  });

  it("has the engine replace on no change that can be without one", () => {
    expect(flagged("willReplaceOnChanges")).toEqual([
      "frontdoorId",
      "locationId",
      "name",
      "nlbPrivateIp",
      "peerCidr",
      "peerPublicIp",
      "rotation",
    ]);
    // Newly named with the value they have, these are an update.
    expect(flagged("replaceOnChanges")).not.toEqual(expect.arrayContaining(["locationId"]));
    expect(flagged("replaceOnChanges")).not.toEqual(expect.arrayContaining(["nlbPrivateIp"]));
  });

  it("has a site as a component, whose shares' keys are known to the plugin, and of which no output is left out", () => {
    const site = schema.resources["frontdoor:index:IpsecSite"];
    expect(site).toMatchObject({ isComponent: true, requiredInputs: ["peerPublicIp", "peerCidr", "shares"] });
    const outputs = Object.entries((site?.["properties"] ?? {}) as Record<string, { secret?: boolean }>);
    expect(outputs.map(([name]) => name).sort()).toEqual([...siteOutputs].sort());
    // Generated from a secret output, the component of Java and C# does not compile: its options lack additionalSecretOutputs.
    expect(outputs.filter(([, { secret }]) => secret)).toEqual([]);
    expect(site?.["inputProperties"]).toMatchObject({
      shares: { plain: true, additionalProperties: { $ref: "#/types/frontdoor:index:SiteShare" } },
    });
  });

  it("shows the same examples in every language that Pulumi documents", () => {
    const names = Object.keys(examplesIn("typescript"));
    expect(names).toHaveLength(15);
    for (const language of ["python", "csharp", "go", "java", "yaml"])
      expect(Object.keys(examplesIn(language))).toEqual(names);
  });
});

it.each([
  ["IpsecSite", "ipsec-site.md"],
  ["IpsecTunnel", "ipsec-tunnel.md"],
  ["IpsecShare", "ipsec-share.md"],
  ["IpsecShareSet", "ipsec-share-set.md"],
  ["IpsecTunnelConnection", "ipsec-tunnel-connection.md"],
])(
  "the page of %s shows its first example in each language, as tests/package/languages.long.test.ts compiles it",
  (title, page) => {
    const blocks = blocksOf(`docs/reference/${page}`);
    const inOneLine = (text = "") => text.replace(/\s+/g, " ");
    for (const language of ["python", "go", "csharp", "java", "yaml"])
      expect(inOneLine(blocks.find((block) => block.language === language)?.code)).toBe(
        inOneLine(examplesIn(language)[`${title}1`]),
      );
  },
);

it("the TypeScript examples compile", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-examples-"));
  try {
    const files = Object.entries(examplesIn("typescript")).map(([name, text]) => {
      const file = join(folder, `${name}.ts`);
      writeFileSync(file, text);
      return file;
    });
    expect(typeErrorsIn(files)).toEqual([]);
  } finally {
    removeFolder(folder);
  }
});

describe("what is made from the tables of fields", () => {
  it("is what the tables say", () => {
    const check = [join(root, "scripts/generate.mjs"), "--check"];
    expect(() => execFileSync(process.execPath, check, { stdio: "pipe" })).not.toThrow();
  });
});
