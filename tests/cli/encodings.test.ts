import { readFileSync, writeFileSync } from "node:fs";
import { useEmulator } from "./command";

/** PowerShell 5 writes UTF-16, and later ones and some editors put a mark before UTF-8. */
const encodings: [name: string, encoded: (text: string) => Buffer][] = [
  ["UTF-8", (text) => Buffer.from(text, "utf8")],
  ["UTF-8 with a mark", (text) => Buffer.from(`\uFEFF${text}`, "utf8")],
  ["UTF-16 LE", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["UTF-16 BE", (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
];

describe("a file that a user gives is read as UTF-16 and with a mark, as PowerShell writes it", () => {
  const here = useEmulator((emulator) => emulator.seedTunnel({ id: "tnl-1", name: "zürich" }));
  const none = { FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined };
  const preview = JSON.stringify({ steps: [], changeSummary: {} });
  const found = [0, expect.stringContaining("zürich")];

  it.each(encodings)("%s", async (...[, encoded]) => {
    const write = (name: string, text: string) => {
      writeFileSync(here.path(name), encoded(text));
      return name;
    };
    const ended = async (line: string, env = {}) => {
      const { code, stdout } = await here.run(line, env);
      return [code, stdout];
    };
    const nothing = [0, "The preview changes no tunnel and no share.\n"];
    expect(await ended(`impact ${write("preview.json", preview)}`)).toEqual(nothing);
    const piped = await here.workspace.open(["impact"], { stdin: encoded(preview) }).end;
    expect([piped.code, piped.stdout]).toEqual(nothing);

    const { baseUrl, token, settings, tokenUrl } = here.emulator;
    const stack = `config:\n  frontdoor:baseUrl: ${baseUrl}\n  frontdoor:frontdoorId: fd-1 # Zürich\n`;
    const withStack = `tunnels --stack-config ${write("Pulumi.prod.yaml", stack)}`;
    expect(await ended(`${withStack} --token-file ${write("token", `${token}\r\n`)}`, none)).toEqual(found);
    const { oauthClientId: clientId, oauthClientSecret: password } = settings;
    const account = write("credentials.json", JSON.stringify({ clientId, password, authenticationUrl: tokenUrl }));
    expect(await ended(withStack, { ...none, FRONTDOOR_CREDENTIALS_FILE: here.path(account) })).toEqual(found);

    expect((await here.run("sample-config tnl-1 --out plain.conf --force")).code).toBe(0);
    write("theirs.conf", readFileSync(here.path("plain.conf"), "utf8"));
    expect(await ended("sample-config tnl-1 --diff theirs.conf")).toEqual([0, ""]);
  });

  it("and a document that is cut short is refused with what to do", async () => {
    for (const [, encoded] of encodings) {
      writeFileSync(here.path("preview.json"), encoded(preview).subarray(0, -8));
      const { code, stderr } = await here.run("impact preview.json");
      const refusal =
        /^frontdoor: The preview is not understood: it is no whole JSON document\. .*\[impact-not-understood\]\n$/;
      expect([code, stderr]).toEqual([2, expect.stringMatching(refusal)]);
    }
  });
});
