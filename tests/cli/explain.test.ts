import { catalogue } from "../../cli/codes/catalogue";
import { policies } from "../../cli/codes/policies";
import { useEmulator } from "./command";

const here = useEmulator(() => undefined);

describe("frontdoor explain", () => {
  it("prints meaning, cause and remedies of a code", async () => {
    const { code, stdout } = await here.run("explain port-in-use");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^port-in-use: Another share .*\n\nCause: .*\n\nRemedies:\n- Choose another `ingressPort`\.\n/,
    );
  });

  it("takes a code as the message shows it", async () => {
    const { stdout } = await here.run("explain [port-in-use] --json");
    expect(JSON.parse(stdout)).toMatchObject({ code: "port-in-use", remedies: expect.any(Array) as unknown });
  });

  it("takes the name of a policy", async () => {
    const { stdout } = await here.run("explain limit-peer-networks");
    expect(stdout).toMatch(/^limit-peer-networks: .*\n\nCause: .*\n\nRemedies:\n- Set peerCidr /);
  });

  it("lists every code with its meaning", async () => {
    const { stdout } = await here.run("explain");
    const json = await here.run("explain --json");
    const entries = [...catalogue.flatMap((group) => group.entries), ...policies];
    for (const { code, meaning } of entries)
      expect(stdout).toMatch(new RegExp(`^  ${code} +${meaning.slice(0, 20)}`, "m"));
    expect((JSON.parse(json.stdout) as { codes: unknown[] }).codes).toHaveLength(entries.length);
  });

  it.each([
    ["port-in-us", /Did you mean port-in-use or .*\? \[unknown-code\]$/],
    ["tunnel-broken", /Did you mean .*tunnel-error.*\? \[unknown-code\]$/],
    ["xyzzy", /Run frontdoor explain to list all codes\. \[unknown-code\]$/],
  ])("refuses %s with near matches", async (wrong, hint) => {
    const { code, stdout, stderr } = await here.run(`explain ${wrong}`);
    expect([code, stdout, stderr.trimEnd()]).toEqual([2, "", expect.stringMatching(hint)]);
  });
});
