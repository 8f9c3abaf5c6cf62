import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../sdk";
import * as plugin from "../../sdk/plugin";
import { classesOf, mockEngine, must, optionsOf, registered, resolved } from "./registered";
import { shareKey } from "../../provider/fields/values";

const web = { target: "web.internal:443", ingressPort: 443 };

const tunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };

beforeAll(mockEngine);

beforeEach(() => {
  registered.length = 0;
});

describe("share sets", () => {
  const database = { target: "10.8.0.15:5432", ingressPort: 5432 };

  const args = { ipsecTunnelId: "tnl-1", envZId: "env-1", shares: { web, database } };

  const types = { dynamic: "pulumi-nodejs:dynamic/frontdoor:IpsecShareSet", plugin: "frontdoor:index:IpsecShareSet" };

  const inputsOf = (type: string) => registered.findLast((each) => each.type === type)?.inputs ?? {};

  describe.each(["dynamic", "plugin"] as const)("IpsecShareSet of the %s classes", (provider) => {
    const { IpsecShare, IpsecShareSet, IpsecSite, IpsecTunnel } = classesOf[provider];
    const type = types[provider];
    /** The arguments that reach the engine, without those that the dynamic provider hides. */
    const given = async (set: pulumi.CustomResource) => {
      await resolved(set.id);
      return Object.fromEntries(Object.entries(inputsOf(type)).filter(([key]) => !key.startsWith("__")));
    };

    it("takes outputs as its shares, as each of them, and as all that is in them", async () => {
      const tunnel = new IpsecTunnel("hq", tunnelArgs);
      const inShares = { web: pulumi.output(web), database: { ...database, target: pulumi.output(database.target) } };
      const whole = new IpsecShareSet("services", { ...args, ipsecTunnelId: tunnel.id, shares: inShares });
      expect(await given(whole)).toEqual({ ...args, ipsecTunnelId: "id-hq" });
      registered.length = 0;
      expect(await given(new IpsecShareSet("others", { ...args, shares: pulumi.output(inShares) }))).toEqual(args);
      expect([IpsecShareSet.isInstance(whole), IpsecShare.isInstance(whole)]).toEqual([true, false]);
    });

    it("has the environment in one spelling, for all and in each, and leaves two to check", async () => {
      const shares = { web: { ...web, envId: "env-2" }, database: { ...database, envId: "env-3", envZId: "env-3" } };
      const set = new IpsecShareSet("services", { ipsecTunnelId: "tnl-1", envId: "env-1", shares: shares as never });
      expect(await given(set)).toEqual({ ...args, shares: { ...shares, web: { ...web, envZId: "env-2" } } });
    });

    it("has it so in options, too, and leaves deletedWith out", () => {
      const keys = ["envId", 'shares["web"].envId', "shares.web.envId", "shares.envId", 'shares["a.envId"]', "shares"];
      const spelled = { ignoreChanges: keys, replaceOnChanges: keys, additionalSecretOutputs: ["envId"] };
      const deletedWith = new IpsecTunnel("hq", tunnelArgs);
      const options = optionsOf((opts) => new IpsecShareSet("services", args, { ...opts, ...spelled, deletedWith }));
      const own = ["envZId", 'shares["web"].envZId', "shares.web.envZId", ...keys.slice(3)];
      expect(options).toMatchObject({ ignoreChanges: own, replaceOnChanges: own, additionalSecretOutputs: ["envZId"] });
      expect(options).not.toHaveProperty("deletedWith");
    });

    it("also has its own aliases with the type of the other provider", () => {
      const other = { type: types[provider === "dynamic" ? "plugin" : "dynamic"] };
      const { aliases } = optionsOf(
        (opts) => new IpsecShareSet("services", args, { ...opts, aliases: [{ name: "old" }] }),
      );
      expect(aliases).toEqual([{ name: "old" }, { name: "old", ...other }, other]);
    });

    it("is what a site has where that is asked for, with the names as keys", async () => {
      const site = new IpsecSite("branch", {
        ...tunnelArgs,
        envZId: "env-1",
        asSet: true,
        shares: { web: { ...web, retain: true }, database },
      });
      const of = (port: number) => expect.stringMatching(new RegExp(`:${port}$`)) as string;
      expect(await resolved(site.endpoints)).toEqual({ web: of(443), database: of(5432) });
      const names = registered.map(({ name }) => name).filter((name) => name.startsWith("branch"));
      expect(names).toEqual(["branch", "branch", "branch-shares"]);
      expect(inputsOf(type)).toMatchObject({ ...args, ipsecTunnelId: "id-branch", shares: { web: { retain: true } } });
      expect([Object.keys(site.shares), IpsecShareSet.isInstance(site.shareSet)]).toEqual([[], true]);
    });

    it("makes no secret of a site's endpoints where a target of it is one", async () => {
      const shares = { web: { ...web, target: pulumi.secret(web.target) } };
      const site = new IpsecSite("branch", { ...tunnelArgs, envZId: "env-1", asSet: true, shares });
      expect(await resolved(site.endpoints)).toEqual({ web: expect.stringMatching(/:443$/) as string });
      expect(await pulumi.isSecret(site.endpoints)).toBe(false);
      expect(await pulumi.isSecret(pulumi.output(site.shareSet?.shares))).toBe(true);
    });

    it("is one in a site without shares, too, and none where none is asked for", async () => {
      const empty = new IpsecSite("empty", { ...tunnelArgs, asSet: true, shares: {} });
      expect(await given(must(empty.shareSet))).toEqual({ ipsecTunnelId: "id-empty", shares: {} });
      expect(await resolved(empty.endpoints)).toEqual({});
      registered.length = 0;
      const single = new IpsecSite("branch", { ...tunnelArgs, envZId: "env-1", shares: { web } });
      expect([single.shareSet, Object.keys(single.shares)]).toEqual([undefined, ["web"]]);
      expect(await resolved(single.endpoints)).toEqual({ web: expect.stringMatching(/:443$/) as string });
      expect(inputsOf(type)).toEqual({});
    });
  });

  describe("the secrets of a set in the inputs of the dynamic provider", () => {
    const secrets = async (shares: dynamic.IpsecShareSetArgs["shares"]) => {
      registered.length = 0;
      await resolved(new dynamic.IpsecShareSet("services", { ...args, shares }).id);
      return inputsOf(types.dynamic)["__secrets"];
    };

    it.each<[string, dynamic.IpsecShareSetArgs["shares"], path: string]>([
      [
        "a value in a share",
        { web, database: { ...database, target: pulumi.secret(database.target) } },
        'shares["database"].target',
      ],
      ["a share", { web, database: pulumi.secret(database) }, 'shares["database"]'],
      ["all of them", pulumi.secret({ web, database }), "shares"],
      [
        "a value in a promise",
        Promise.resolve({ web, database: { ...database, target: pulumi.secret("db:1") } }),
        "shares",
      ],
      [
        "a share in a promise",
        { web, database: Promise.resolve({ ...database, target: pulumi.secret("db:1") }) },
        'shares["database"]',
      ],
    ])("have the path of %s", async (_what, shares, path) => {
      expect(await secrets(shares)).toEqual([path]);
    });

    it("names nothing where nothing is one", async () => {
      expect(
        await secrets({ web: pulumi.output(web), database: { ...database, target: pulumi.output("db:1") } }),
      ).toEqual([]);
      expect(await secrets(Promise.resolve({ web, database }))).toEqual([]);
      expect(await secrets({ web, database })).toBeUndefined();
    });
  });

  it("the plugin's is read by the tunnel that has the shares", async () => {
    await resolved(plugin.IpsecShareSet.get("services", "tunnel/tnl-1").id);
    expect(registered).toEqual([{ ...registered[0], type: types.plugin, inputs: {}, id: "tunnel/tnl-1" }]);
  });
});

const inherited = Object.getOwnPropertyNames(Object.prototype);

describe.each(["dynamic", "plugin"] as const)(
  "with the %s classes, a name that every JavaScript object has",
  (family) => {
    const { IpsecShareSet, IpsecSite } = classesOf[family];
    it("options of a site reach the child that has the argument, and the others are refused", async () => {
      const seen: Record<string, unknown> = {};
      const transformation: pulumi.ResourceTransformation = ({ name, opts }) => {
        seen[name] = { ignoreChanges: opts.ignoreChanges, replacementTrigger: opts.replacementTrigger as unknown };
        return undefined;
      };
      const options = {
        ignoreChanges: ["peerCidr", "target"],
        replacementTrigger: "1",
        transformations: [transformation],
      };
      const siteArgs = { ...tunnelArgs, envZId: "env-1", shares: { web } };
      const site = new IpsecSite("opt", siteArgs, options);
      await Promise.all([resolved(site.endpoints), resolved(must(site.shares["web"]).urn)]);
      expect(seen).toMatchObject({
        opt: { ignoreChanges: ["peerCidr"], replacementTrigger: "1" },
        "opt-web": { ignoreChanges: ["target"], replacementTrigger: undefined },
      });
    });

    it("protect of a site protects its tunnel, and each share only by its own", () => {
      const isProtected = (of: unknown) => (of as { __protect: boolean }).__protect;
      const siteArgs = { ...tunnelArgs, envZId: "env-1", shares: { web } };
      const parent = new pulumi.ComponentResource("acme:index:Office", "protected", {}, { protect: true });
      for (const [opts, ofSite] of [
        [{ protect: true }, undefined],
        [{ parent }, true],
      ] as const) {
        const shares = { web, db: { ...web, ingressPort: 5432, protect: true } };
        const site = new IpsecSite("kept", { ...siteArgs, shares }, opts);
        const children = [site.tunnel, site.shares["web"], site.shares["db"]];
        expect([site, ...children].map(isProtected)).toEqual([ofSite, true, false, true]);
        const asSet = new IpsecSite("kept-too", { ...siteArgs, asSet: true }, opts);
        expect([asSet.tunnel, asSet.shareSet].map(isProtected)).toEqual([true, false]);
      }
    });

    it("a site has the ids of its shares, by key", async () => {
      const site = new IpsecSite("idle", { ...tunnelArgs, envZId: "env-1", shares: { web } });
      expect(await resolved(site.shareIds)).toEqual({ web: "id-idle-web" });
      const asSet = new IpsecSite("many", { ...tunnelArgs, envZId: "env-1", asSet: true, shares: { web } });
      expect(asSet.shareIds).toBe(asSet.shareSet?.ids);
    });

    it.each([
      [{ protect: true }, { asSet: true }, /shares\["web"\]\.protect can't be true with asSet.*retain: true/],
      [{ protect: pulumi.output(true) }, {}, /shares\["web"\]\.protect must be true or false, and no output/],
    ])("a protect that has no effect is refused: %#", (more, site, refused) => {
      const args = { ...tunnelArgs, ...site, envZId: "env-1", shares: { web: { ...web, ...more } } };
      expect(() => new IpsecSite("no", args as never)).toThrow(refused);
      expect(registered).toEqual([]);
    });

    it.each([
      [{ hideDiffs: ["target"] }, /hideDiffs.*\[invalid-input\]$/],
      [{ deletedWith: new pulumi.ComponentResource("acme:index:Group", "group") }, /deletedWith.*\[invalid-input\]$/],
      [{ ignoreChanges: ["targett"] }, /"targett" of ignoreChanges.*\[invalid-input\]$/],
      [{ replaceOnChanges: ["shares.web.target"] }, /"shares.web.target" of replaceOnChanges.*\[invalid-input\]$/],
    ])("an option of a site that no child has is refused: %#", (options, refused) => {
      const siteArgs = { ...tunnelArgs, envZId: "env-1", shares: { web } };
      expect(() => new IpsecSite("no", siteArgs, options as object)).toThrow(refused);
    });

    it.each([
      [{ formerly: { site: "north" } }, {}, /formerly must be a key of this site, or \{ site, key \}/],
      [{ formerly: { site: "north", key: "db" } }, { asSet: true }, /formerly has no effect with asSet.*Set adopt/],
    ])("a formerly that has no effect is refused: %j %j", (more, site, refused) => {
      const args = { ...tunnelArgs, ...site, envZId: "env-1", shares: { web: { ...web, ...more } } };
      expect(() => new IpsecSite("no", args as never)).toThrow(refused);
    });

    it("a formerly has the URN of the share in the other site, wherever that site stands", async () => {
      const parent = new pulumi.ComponentResource("acme:index:Office", "office");
      const inOffice = new IpsecSite("inside", { ...tunnelArgs, shares: {} }, { parent });
      const urnsOf = async (site: string | typeof inOffice, opts: pulumi.ComponentResourceOptions = {}) => {
        const aliases: pulumi.Alias[] = [];
        const transformation: pulumi.ResourceTransformation = ({ name, opts: { aliases: each = [] } }) => {
          if (name === "new-db") aliases.push(...(each as pulumi.Alias[]));
          return undefined;
        };
        const shares = { db: { ...web, formerly: { site, key: "db" } } };
        const args = { ...tunnelArgs, envZId: "env-1", shares };
        const made = new IpsecSite("new", args, { ...opts, transformations: [transformation] });
        await resolved(must(made.shares["db"]).urn);
        const named = aliases.filter(({ name, type }) => name !== undefined && type === undefined);
        return Promise.all(
          named.map(async ({ name, parent: of }) => [
            await resolved(pulumi.output(name)),
            (await resolved(pulumi.output(of as pulumi.Input<string>))).replace(/^.*?::.*?::/, ""),
          ]),
        );
      };
      const [inside, outside] = ["acme:index:Office$frontdoor:index:IpsecSite", "frontdoor:index:IpsecSite"];
      expect(await urnsOf("north")).toEqual([["north-db", `${outside}::north`]]);
      expect(await urnsOf("north", { parent })).toEqual([
        ["north-db", `${inside}::north`],
        ["north-db", `${outside}::north`],
      ]);
      expect(await urnsOf(inOffice)).toEqual([["inside-db", `${inside}::inside`]]);
    });

    it("a formerly that is still a key is refused", () => {
      const shares = { web, api: { ...web, ingressPort: 8443, formerly: "web" } };
      expect(() => new IpsecSite("no", { ...tunnelArgs, envZId: "env-1", shares })).toThrow(
        /shares\["api"\]\.formerly is "web", which is still a key.*\[invalid-input\]$/,
      );
    });

    it.each(["*", "adopt", "envId", "storeSampleConfig", "nlbDnsName", "shares.web.target"])(
      "an option of a site can have the path %s",
      async (path) => {
        const siteArgs = { ...tunnelArgs, envZId: "env-1", shares: { web }, asSet: true };
        const site = new IpsecSite("one-path", siteArgs, { ignoreChanges: [path] });
        await expect(resolved(site.endpoints)).resolves.toHaveProperty("web");
      },
    );

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
      "with an output for a share",
      { ...tunnelArgs, shares: { web: pulumi.output(web) } },
      /^IpsecSite "branch": shares\["web"\] must be a share, .*Only its properties can be outputs\. \[invalid-input\]$/,
    ],
    [
      "with an output for all shares",
      { ...tunnelArgs, shares: pulumi.output({ web }) },
      /^IpsecSite "branch": shares must be .*\[invalid-input\]$/,
    ],
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

describe.each(["dynamic", "plugin"] as const)("wrong values of a site of the %s classes", (family) => {
  const { IpsecSite } = classesOf[family];
  const refusal = (args: object, opts = {}): string | undefined => {
    try {
      new IpsecSite("branch", { ...tunnelArgs, envZId: "env-1", ...args } as never, opts);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const cidr =
    /^peerCidr \("10\.20\.0\.1\/16"\) must be an IPv4 network .* Did you mean 10\.20\.0\.0\/16\? \[invalid-input\]$/m;
  const target = /^shares\["web"\]\.target \("web"\) must be host:port .*\[invalid-input\]$/m;
  const wrong = { peerCidr: "10.20.0.1/16", shares: { web: { target: "web", ingressPort: 443 } } };

  it.each([{}, { asSet: true }])("of tunnel and shares are refused together, each on its argument: %j", (more) => {
    const shares = { ...wrong.shares, db: { ...web, colour: 1 }, mail: { ...web, ingressPort: 993, retain: "yes" } };
    const said = refusal({ ...wrong, ...more, shares }) ?? "";
    expect(said).toMatch(/^IpsecSite "branch": nothing was sent for it\. Correct these arguments:\n/);
    for (const problem of [cidr, target]) expect(said).toMatch(problem);
    expect(said).toMatch(/^shares\["db"\]\.colour \(1\) is not an argument of .*\[unknown-input\]$/m);
    expect(said).toMatch(/^shares\["db"\]\.ingressPort \(443\) is also the port of .*web.*\[port-twice\]$/m);
    expect(said).toMatch(/^shares\["mail"\]\.retain \("yes"\) must be true or false\. \[invalid-input\]$/m);
    expect(said.split("\n")).toHaveLength(6);
    expect(registered).toEqual([]);
  });

  it("of several shares are refused together, and an environment of the site is named once", () => {
    const { web: first } = wrong.shares;
    expect(
      refusal({ envZId: 7, shares: { web: first, db: { target: "db:5432", ingressPort: 0 } } })?.split("\n"),
    ).toEqual([
      expect.stringContaining("Correct these arguments"),
      expect.stringMatching(/^envZId \(7\) must be /),
      expect.stringMatching(target),
      expect.stringMatching(/^shares\["db"\]\.ingressPort \(0\) must be /),
    ]);
  });

  it("of one resource are left to check, and so is an environment that a transform can add", () => {
    expect(refusal({ ...wrong, shares: { web } })).toBeUndefined();
    expect(refusal({ shares: wrong.shares })).toBeUndefined();
    expect(refusal({ shares: { web, again: web } })).toBeUndefined();
    expect(refusal({ envZId: undefined, shares: { web, db: { ...web, ingressPort: 5432 } } })).toBeUndefined();
    expect(refusal({ ...wrong, envZId: undefined })).toMatch(
      /^shares\["web"\]\.envZId is required: .*, here or as envId\. /m,
    );
  });

  it("are not those that Pulumi replaces, or that are not known yet", () => {
    expect(refusal(wrong, { ignoreChanges: ["target"] })).toBeUndefined();
    const late = pulumi.output("10.20.0.1/16");
    expect(refusal({ ...wrong, peerCidr: late })).toBeUndefined();
    expect(refusal({ ...wrong, peerCidr: Promise.resolve("10.20.0.1/16") })).toBeUndefined();
  });

  it.each(["", "a::b", "a\nb", " web"])("a key that is none is refused, with the words of a set: %j", (key) => {
    for (const asSet of [false, true])
      expect(refusal({ asSet, shares: { [key]: web } })).toContain(
        `\nshares[${JSON.stringify(key)}] must be a key: 1 to 255 characters without control characters or white space at either end, without "::"`,
      );
  });
});

it("the plugin's connection is read by the id of its tunnel", async () => {
  await resolved(plugin.IpsecTunnelConnection.get("up", "tnl-1").id);
  const type = "frontdoor:index:IpsecTunnelConnection";
  expect(registered).toEqual([{ ...registered[0], type, inputs: {}, id: "tnl-1" }]);
});
