import * as pulumi from "@pulumi/pulumi";
import { version } from "../../package.json";
import { pluginDownloadURL } from "../../provider/plugin/schema.json";
import { functionTable } from "../../provider/functions/table";
import * as dynamic from "../../sdk";
import {
  IpsecShare,
  type GetTunnelArgs,
  type GetTunnelOutputArgs,
  type GetTunnelResult,
  type IpsecShareArgs,
  type IpsecShareSetArgs,
  type IpsecTunnelArgs,
  type OneArgs,
  type SetShareArgs,
  type SiteShareArgs,
  type TunnelResult,
} from "../../sdk";
import * as plugin from "../../sdk/plugin";
import { classesOf, mockEngine, optionsOf, registered, resolved } from "./registered";
import { derivedName } from "../../provider/origin";
import { logicalName } from "../../provider/resources/names";

describe("classes", () => {
  const tunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };

  const shareArgs = { ipsecTunnelId: "tnl-1", target: "db.internal:5432", ingressPort: 5432 };

  const wholeShare = { ...shareArgs, envZId: "env-1" };

  const types = {
    dynamic: ["pulumi-nodejs:dynamic/frontdoor:IpsecTunnel", "pulumi-nodejs:dynamic/frontdoor:IpsecShare"],
    plugin: ["frontdoor:index:IpsecTunnel", "frontdoor:index:IpsecShare"],
  };

  beforeAll(mockEngine);

  beforeEach(() => {
    registered.length = 0;
  });

  /** Arguments as they reach the engine, without those that the dynamic provider hides. */
  const given = ({ inputs }: { inputs: Record<string, unknown> }) =>
    Object.fromEntries(Object.entries(inputs).filter(([key]) => !/^__(provider|origin|secrets|timeouts)$/.test(key)));

  describe.each(["dynamic", "plugin"] as const)("the %s classes", (provider) => {
    const { IpsecShare, IpsecSite, IpsecTunnel } = classesOf[provider];

    it("hand the same arguments to the engine, each under its own type", async () => {
      const tunnel = new IpsecTunnel("hq", tunnelArgs);
      const share = new IpsecShare("db", { ...shareArgs, ipsecTunnelId: tunnel.id, envZId: "env-1" });
      await resolved(share.id);
      expect(registered.map(({ type, name }) => [type, name])).toEqual([
        [types[provider][0], "hq"],
        [types[provider][1], "db"],
      ]);
      expect(registered.map(given)).toEqual([tunnelArgs, { ...shareArgs, ipsecTunnelId: "id-hq", envZId: "env-1" }]);
    });

    it("keep the sample configuration secret, and know their own", async () => {
      const tunnel: unknown = new IpsecTunnel("hq", tunnelArgs);
      expect([IpsecTunnel.isInstance(tunnel), IpsecShare.isInstance(tunnel)]).toEqual([true, false]);
      if (!IpsecTunnel.isInstance(tunnel)) throw new Error("it is none");
      expect(await pulumi.isSecret(tunnel.sampleConfig)).toBe(true);
      const options = optionsOf(
        (opts) =>
          new IpsecTunnel("other", tunnelArgs, { ...opts, additionalSecretOutputs: ["peerCidr"], deletedWith: tunnel }),
      );
      expect(options.additionalSecretOutputs).toEqual(["peerCidr", "sampleConfig"]);
      expect(options).not.toHaveProperty("deletedWith");
    });

    it("take either spelling of the environment, in options too, and leave deletedWith out", async () => {
      const deletedWith = new IpsecTunnel("hq", tunnelArgs);
      const spelled = { ignoreChanges: ["envId"], replaceOnChanges: ["envId"], additionalSecretOutputs: ["envId"] };
      const make = (opts: pulumi.CustomResourceOptions) =>
        new IpsecShare("db", { ...shareArgs, envId: "env-1" }, { ...opts, ...spelled, deletedWith });
      expect(optionsOf(make)).toMatchObject({
        ignoreChanges: ["envZId"],
        replaceOnChanges: ["envZId"],
        additionalSecretOutputs: ["envZId"],
      });
      expect(optionsOf(make)).not.toHaveProperty("deletedWith");
      await resolved(make({}).id);
      expect(registered.map(given)).toContainEqual({ ...shareArgs, envZId: "env-1" });
    });

    it("take an environment that a transform sets, whatever the spelling of the program", async () => {
      const forced: pulumi.ResourceTransformation = ({ props, opts }) => ({
        props: { ...props, envZId: "env-2" },
        opts,
      });
      const share = new IpsecShare("db", { ...shareArgs, envId: "env-1" }, { transformations: [forced] });
      await resolved(share.id);
      expect(registered.map(given)).toContainEqual({ ...shareArgs, envZId: "env-2" });
    });

    it("make a site of their own kind, with one type and the same names", async () => {
      const site = new IpsecSite("branch", {
        ...tunnelArgs,
        envZId: "env-1",
        shares: { web: { target: "web.internal:443", ingressPort: 443 } },
      });
      const { endpoints, tunnel, shares } = site;
      await resolved(endpoints);
      expect([IpsecSite.isInstance(site), IpsecSite.isInstance(tunnel)]).toEqual([true, false]);
      expect(registered.map(({ type, name }) => [type, name])).toEqual([
        ["frontdoor:index:IpsecSite", "branch"],
        [types[provider][0], "branch"],
        [types[provider][1], "branch-web"],
      ]);
      expect([IpsecTunnel.isInstance(tunnel), IpsecShare.isInstance(shares["web"])]).toEqual([true, true]);
    });

    it("publish a tunnel to other stacks", async () => {
      const tunnel = new IpsecTunnel("hq", { ...tunnelArgs, frontdoorId: "fd-1", locationId: "loc-1" });
      const published = await resolved(classesOf[provider].publishedTunnel(tunnel));
      expect(published).toMatchObject({ frontdoorId: "fd-1", tunnelId: "id-hq" });
    });
  });

  describe.each(["dynamic", "plugin"] as const)("get of the %s classes", (family) => {
    const { IpsecShare, IpsecTunnel } = classesOf[family];

    it("reads what exists, and hands the engine nothing but what finds the provider", async () => {
      const tunnel = IpsecTunnel.get("hq", "tnl-1");
      const share = IpsecShare.get("db", "fd-1/shr-1");
      await Promise.all([resolved(tunnel.urn), resolved(share.urn)]);
      const keys = family === "plugin" ? [] : ["__provider"];
      const [ofTunnel, ofShare] = types[family];
      expect(registered.map(({ type, id, inputs }) => [type, id, Object.keys(inputs)]).sort()).toEqual([
        [ofShare, "fd-1/shr-1", keys],
        [ofTunnel, "tnl-1", keys],
      ]);
      expect(await pulumi.isSecret(tunnel.sampleConfig)).toBe(true);
      expect([IpsecTunnel.isInstance(tunnel), IpsecShare.isInstance(share)]).toEqual([true, true]);
    });
  });

  describe("the plugin's classes", () => {
    const { IpsecShare, IpsecTunnel } = plugin;

    it("hide nothing among the arguments", async () => {
      await resolved(new IpsecTunnel("hq", tunnelArgs, { customTimeouts: { create: "5m" } }).id);
      expect(registered.map(({ inputs }) => inputs)).toEqual([tunnelArgs]);
    });

    it("ask for the plugin of their version, and are those of the dynamic type too, under the program's own aliases as well", () => {
      const options = optionsOf((opts) => new IpsecTunnel("hq", tunnelArgs, { ...opts, aliases: [{ name: "old" }] }));
      const type = "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel";
      expect(options.aliases).toEqual([{ name: "old" }, { name: "old", type }, { type }]);
      expect(options.version).toBe(version);
      expect(options.pluginDownloadURL).toBe(pluginDownloadURL);
      expect(optionsOf((opts) => new IpsecShare("db", wholeShare, opts)).aliases).toEqual([
        { type: "pulumi-nodejs:dynamic/frontdoor:IpsecShare" },
      ]);
    });

    it("can import; the dynamic ones say what to do instead", () => {
      expect(() => new dynamic.IpsecTunnel("hq", tunnelArgs, { import: "tnl-1" })).toThrow('adopt: "tnl-1"');
    });
  });

  it("the dynamic provider and the plugin have the functions of the table", () => {
    const functions = (of: object) => Object.keys(of).filter((name) => name.startsWith("get"));
    expect(functions(plugin)).toEqual(functions(dynamic));
    const promised = functions(plugin).filter((name) => !name.endsWith("Output"));
    expect(promised.sort()).toEqual(Object.keys(functionTable).sort());
  });
});

const args = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "db:5432", ingressPort: 5432 };

/** Returns the inputs of a share without a name, in a stack of this organization. */
async function sent(organization: string): Promise<unknown> {
  await mockEngine(organization);
  await resolved(new IpsecShare("web", args).urn);
  return registered.at(-1)?.inputs;
}

// A file back end has only one organization: what the engine tests can't show.
it("two organizations with a project and a stack of one name hand over different origins of a name", async () => {
  expect(await sent("acme")).toEqual(await sent("acme"));
  expect(await sent("acme")).not.toEqual(await sent("umbrella"));
});

it("an error names both its own place and where the resource was declared, and leaves stacks as they were", async () => {
  await mockEngine();
  const framesOfAStack = Error.stackTraceLimit;
  const refuse = () => {
    throw new Error("not here");
  };
  const declare = () => {
    try {
      new IpsecShare("db", args, { transformations: [refuse] });
    } catch (error) {
      return (error as Error).stack;
    }
    return "nothing thrown";
  };
  expect(declare()).toMatch(/^Error: not here\n +at refuse .*\n +at declare /);
  expect(Error.stackTraceLimit).toBe(framesOfAStack);
});

const type = "pulumi-nodejs:dynamic/frontdoor:IpsecShare";

const originOf = (project: string, stack: string, name: string, parents = "", organization = "organization") =>
  `${organization}::urn:pulumi:${stack}::${project}::${parents}${type}::${name}`;

describe("the derived name", () => {
  it("is project, stack and resource where they are legal and short enough", () => {
    expect(derivedName(originOf("network", "dev", "web-1"))).toBe("network-dev-web-1");
  });

  // Not legal, with hyphens that could stand elsewhere, too long, with a parent, of an organization.
  const cut = [
    ...["web.1", "web_1", "-web-", "…"].map((name) => originOf("a", "b", name)),
    ...[originOf("a-b", "c", "x"), originOf("a", "b-c", "x"), originOf("a", "b", "x".repeat(64))],
    ...["a", "b"].map((last) => originOf("p".repeat(80), "b", last)),
    ...["One", "Two"].map((parent) => originOf("a", "b", "web-1", `acme:index:${parent}$`)),
    originOf("a", "b", "web-1", "", "acme"),
  ];

  it.each(cut)("is cut to the limit, with a hash of the whole: %s", (origin) => {
    const name = derivedName(origin);
    expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]{0,61}[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(derivedName(origin)).toBe(name);
  });

  it("is another one for every URN", () => {
    const origins = [...cut, originOf("a", "b", "c-x"), originOf("a", "b", "web-1")];
    expect(new Set(origins.map(derivedName)).size).toBe(origins.length);
  });

  it("comes with the logical name, whatever that holds", () => {
    expect(logicalName(originOf("a", "b", "a::b$c", "acme:index:One$"))).toBe("a::b$c");
  });
});

const share = { ipsecTunnelId: "tnl-1", target: "web.internal:443", ingressPort: 443 };

const part = { target: "web.internal:443", ingressPort: 443 };

declare const env: pulumi.Output<string>;

declare const perhaps: string | undefined;

/** Compiled, and never called. */
export function environments(): object[] {
  const shares: IpsecShareArgs[] = [
    { ...share, envZId: env },
    { ...share, envId: Promise.resolve("env-1") },
    // @ts-expect-error: one of the two is required
    { ...share },
    // @ts-expect-error: it must be a value
    { ...share, envZId: perhaps },
    // @ts-expect-error: not both
    { ...share, envZId: "env-1", envId: "env-1" },
    // @ts-expect-error: a misspelt name
    { ...share, envZId: "env-1", tagret: "web.internal:443" },
  ];
  const parts: (SetShareArgs & SiteShareArgs)[] = [
    part,
    { ...part, envZId: perhaps },
    { ...part, envId: env, retain: true },
    // @ts-expect-error: not both
    { ...part, envZId: "env-1", envId: "env-1" },
  ];
  const sets: IpsecShareSetArgs[] = [
    { ipsecTunnelId: "tnl-1", shares: {} },
    { ipsecTunnelId: "tnl-1", envId: "env-1", shares: { web: { ...part, envZId: "env-2" } } },
    // @ts-expect-error: not both
    { ipsecTunnelId: "tnl-1", envZId: "env-1", envId: "env-1", shares: {} },
  ];
  const tunnel: IpsecTunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  // @ts-expect-error: arguments are not changed after they are given
  tunnel.name = "hq";
  return [...shares, ...parts, ...sets];
}

/** True if the two types are the same. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

it("the types of functions have the names that Pulumi's SDKs give them, with both imports", () => {
  const same: [
    Same<GetTunnelArgs, OneArgs>,
    Same<GetTunnelResult, TunnelResult>,
    Same<plugin.GetTunnelArgs, OneArgs>,
    Same<plugin.GetTunnelOutputArgs, GetTunnelOutputArgs>,
    Same<plugin.IpsecTunnelArgs, IpsecTunnelArgs>,
  ] = [true, true, true, true, true];
  expect(same).not.toContain(false);
});

describe("the stack's configuration", () => {
  const { IpsecTunnel, getTunnel } = classesOf.dynamic;

  const declare = () =>
    new IpsecTunnel("t", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", frontdoorId: "fd" });

  beforeEach(async () => {
    await mockEngine();
    registered.length = 0;
  });

  afterEach(() => {
    pulumi.runtime.setAllConfig({});
  });

  it("is refused where it holds a key that is none, with the nearest right one", async () => {
    pulumi.runtime.setAllConfig({ "frontdoor:baseurl": "https://example.com/frontdoor" });
    const problem =
      /frontdoor:baseurl is no setting of the provider\. .*Write frontdoor:baseUrl instead\. \[unknown-setting\]/;
    expect(declare).toThrow(problem);
    expect(registered).toEqual([]);
    await expect(getTunnel({ id: "tnl-1" })).rejects.toThrow(problem);
  });

  it("names no nearest one where none is near", () => {
    pulumi.runtime.setAllConfig({ "frontdoor:somethingElse": "x" });
    expect(declare).toThrow(/Use one of: baseUrl, .*oneTunnelPerLocation\. \[unknown-setting\]/);
  });

  it("may hold all that there are, what the engine takes from it, and keys of other packages", () => {
    const right = { "frontdoor:baseUrl": "x", "frontdoor:version": "1.0.0", "aws:baseurl": "y", "net:frontdoor": "z" };
    pulumi.runtime.setAllConfig(right);
    expect(declare).not.toThrow();
  });
});
