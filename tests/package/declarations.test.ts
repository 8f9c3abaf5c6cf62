import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** Every module that the declarations of an entry point reach, starting from the compiled package. */
const reachedFrom = (entry: string) => {
  const files = [join(root, entry)];
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
      const next = `${resolve(dirname(file), from)}${existsSync(`${resolve(dirname(file), from)}.d.ts`) ? ".d.ts" : "/index.d.ts"}`;
      if (!from.startsWith(".")) packages.add(from);
      else if (!files.includes(next)) files.push(next);
    }
  }
  return { files, packages: [...packages] };
};

describe("declarations", () => {
  // zod's and undici's own declarations do not compile under the settings of a plain Pulumi project.
  it.each(["dist/sdk/index.d.ts", "dist/sdk/plugin/index.d.ts"])(
    "%s speak of Pulumi alone, so that they compile under any settings",
    (entry) => {
      const { files, packages } = reachedFrom(entry);
      expect(files.length).toBeGreaterThan(3);
      expect(packages).toEqual(["@pulumi/pulumi"]);
    },
  );

  it.each([
    ["TunnelArgs", "peerCidr"],
    ["ShareArgs", "target"],
    ["ShareSetArgs", "shares"],
    ["SetShareArgs", "target"],
  ])("tell what each argument of %s is", (name, one) => {
    const text = reachedFrom("dist/sdk/index.d.ts").files.map((file) => readFileSync(file, "utf8"));
    const [, body = ""] = new RegExp(`interface ${name} \\{\n(.*?)\n\\}`, "s").exec(text.join("\n")) ?? [];
    const lines = body.split("\n").map((line) => line.trim());
    const members = lines.flatMap((line, index) => {
      const [, member] = /^(\w+)\??:/.exec(line) ?? [];
      return member === undefined ? [] : { member, isTold: lines[index - 1]?.endsWith("*/") };
    });
    expect(members).toContainEqual({ member: one, isTold: true });
    expect(members.filter(({ isTold }) => !isTold)).toEqual([]);
  });
});
