import { shareKey } from "../../provider/fields/values";
import { classesOf, mockEngine, registered } from "./registered";

const tunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const web = { target: "web.internal:443", ingressPort: 443 };
const inherited = Object.getOwnPropertyNames(Object.prototype);

beforeAll(mockEngine);
beforeEach(() => {
  registered.length = 0;
});

describe.each(["dynamic", "plugin"] as const)(
  "with the %s classes, a name that every JavaScript object has",
  (family) => {
    const { IpsecShareSet, IpsecSite } = classesOf[family];
    it.each(inherited)("is refused as the key of a share: %s", (key) => {
      const shares = Object.fromEntries([[key, web]]);
      const refused = new RegExp(`"${key}" .*\\[invalid-input\\]$`);
      const set = { ipsecTunnelId: "tnl-1", envZId: "env-1", shares };
      expect(() => new IpsecShareSet("services", set)).toThrow(refused);
      for (const asSet of [true, false])
        expect(() => new IpsecSite("branch", { ...tunnelArgs, envZId: "env-1", asSet, shares })).toThrow(refused);
      expect(shareKey.safeParse(key).success).toBe(false);
      expect(registered).toEqual([]);
    });

    it("is refused where a program writes __proto__ as a literal", () => {
      const shares = { web, __proto__: web };
      expect(() => new IpsecShareSet("services", { ipsecTunnelId: "tnl-1", envZId: "env-1", shares })).toThrow(
        /"__proto__" .*\[invalid-input\]$/,
      );
    });
  },
);

describe.each(["dynamic", "plugin"] as const)("a site of the %s classes", (family) => {
  // A program without types can give anything.
  const site = (args: unknown) => () => new classesOf[family].IpsecSite("branch", args as never);
  it.each<[string, unknown, RegExp]>([
    ["without arguments", undefined, /^IpsecSite "branch": shares is required/],
    ["without shares", tunnelArgs, /^IpsecSite "branch": shares is required/],
    ["with null for shares", { ...tunnelArgs, shares: null }, /^IpsecSite "branch": shares is required/],
    ["with a list of shares", { ...tunnelArgs, shares: [web] }, /^IpsecSite "branch": shares must be/],
    ["with something else for a share", { ...tunnelArgs, shares: { web: 443 } }, /shares\["web"\] must be a share/],
    [
      "with a misspelt argument",
      { ...tunnelArgs, envZid: "env-1", shares: { web } },
      /^IpsecSite "branch": envZid is not an argument of IpsecSite\. .*Write envZId instead\. \[unknown-input\]$/,
    ],
    [
      "with the other spelling of the environment",
      { ...tunnelArgs, envId: "env-1", shares: { web } },
      /envId is not an argument of IpsecSite\. .*Write envZId instead\./,
    ],
    [
      "with a strange argument",
      { ...tunnelArgs, colour: "red", shares: { web } },
      /Use one of: peerPublicIp, .*asSet\./,
    ],
  ])("%s is refused in one line before anything is registered", (_what, args, says) => {
    expect(site(args)).toThrow(says);
    expect(registered).toEqual([]);
  });
});
