import { type Resources, Stack } from "../harness/stack";
import { branch, hq, mail, names, on, openUp } from "./program";

const web = { ...on("hq"), target: "Web.Internal:443" };

/** The first, after a drift, tells what has changed; all that follows finds nothing more and writes nothing. */
async function isQuiet(stack: Stack, resources: Resources): Promise<void> {
  const refresh = await stack.refresh("--expect-no-changes");
  expect(refresh).toMatchObject({ code: 0, steps: [] });
  const preview = await stack.preview(resources, "--expect-no-changes");
  expect(preview).toMatchObject({ code: 0, steps: [] });
  expect(stack.writes()).toEqual([]);
}

describe("ignoreChanges", () => {
  const program = (share: object = {}, tunnel: object = {}, siteShare: object = {}, site: object = {}): Resources => ({
    tunnels: { hq: { ...hq, ...tunnel, opts: { ignoreChanges: ["peerCidr"] } } },
    shares: { web: { ...web, ...share, opts: { ignoreChanges: ["target"] } } },
    sites: {
      branch: {
        ...branch,
        ...site,
        shares: { mail: { ...mail, ...siteShare } },
        opts: {
          transforms: { IpsecTunnel: { ignoreChanges: ["peerCidr"] }, IpsecShare: { ignoreChanges: ["target"] } },
        },
      },
    },
  });

  let stack: Stack;
  let ids: string[];
  const targets = () => stack.emulator.shares().map(({ target }) => target);
  const drift = (target: string) => {
    for (const name of ["web", "branch-mail"]) stack.emulator.patchShare(stack.id(name), { target });
  };

  beforeAll(async () => {
    stack = await openUp(program());
    ids = names.map((name) => stack.id(name));
  });
  afterAll(() => stack.close());

  it("passes over an edit of what is ignored: no update of a share, no replacement of a tunnel", async () => {
    const edited = program(
      { target: "web2.internal:443" },
      { peerCidr: "10.21.0.0/16" },
      { target: "mail2.internal:25" },
      { peerCidr: "10.31.0.0/16" },
    );
    expect(await stack.steadyUp(edited)).toMatchObject({ code: 0, steps: [] });
    await isQuiet(stack, edited);
    expect(targets()).toEqual(["Web.Internal:443", "mail.internal:25"]);
  });

  it("leaves what someone has changed at the service, without a refresh before", async () => {
    drift("elsewhere.internal:443");
    expect(await stack.steadyUp(program())).toMatchObject({ code: 0, steps: [] });
    expect(stack.writes()).toEqual([]);
  });

  it("leaves it after a refresh too, which takes it into the state", async () => {
    expect((await stack.refresh()).code).toBe(0);
    expect(stack.kept()["web"]).toMatchObject({
      inputs: { target: "elsewhere.internal:443" },
      outputs: { target: "elsewhere.internal:443" },
    });
    await isQuiet(stack, program());
    expect(await stack.steadyUp(program())).toMatchObject({ code: 0, steps: [] });
    expect(stack.writes()).toEqual([]);
    expect(targets()).toEqual(["elsewhere.internal:443", "elsewhere.internal:443"]);
  });

  it("writes another field alone", async () => {
    drift("again.internal:443");
    expect((await stack.refresh()).code).toBe(0);
    const edited = program({ ingressPort: 8443 }, {}, { ingressPort: 2525 });
    expect(await stack.steadyUp(edited)).toMatchObject({
      code: 0,
      steps: expect.arrayContaining(["update web"]) as string[],
    });
    expect(stack.writes().sort()).toEqual(
      [
        `PATCH /ipsec-shares/${stack.id("web")} {"ingressPort":8443}`,
        `PATCH /ipsec-shares/${stack.id("branch-mail")} {"ingressPort":2525}`,
      ].sort(),
    );
    expect(names.map((name) => stack.id(name))).toEqual(ids);
  });

  it("puts the program's value back once nothing is ignored any more", async () => {
    const { shares = {} } = program({ ingressPort: 8443 }, {}, { ingressPort: 2525 });
    const edited = { ...program({}, {}, { ingressPort: 2525 }), shares: { web: { ...shares["web"], opts: {} } } };
    expect(await stack.steadyUp(edited)).toMatchObject({ code: 0, steps: ["update web"] });
    expect(stack.writes()).toEqual([`PATCH /ipsec-shares/${stack.id("web")} {"target":"Web.Internal:443"}`]);
  });
});

describe("ignoreChanges where the program says envId", () => {
  const shares = { opts: { transforms: { IpsecShare: { ignoreChanges: ["envId"] } } } };
  const program = (env: string, more: object = {}): Resources => {
    const share = { ipsecTunnelId: "tnl-1", target: "web.internal:443", envId: env };
    return {
      shares: {
        byEnvId: { ...share, ingressPort: 441, opts: { ignoreChanges: ["envId"] } },
        byEnvZId: { ...share, ingressPort: 442, ...more, opts: { ignoreChanges: ["envZId"] } },
      },
      sites: {
        branch: {
          ...branch,
          envZId: undefined,
          shares: { mail: { ...mail, envId: env } },
          ...shares,
        },
      },
    };
  };
  const environments = () => stack.emulator.shares().map(({ envZId }) => envZId);

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1" });
    expect(await stack.up(program("env-1"))).toMatchObject({ code: 0, errors: [] });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("finds nothing to change in the same program", () => isQuiet(stack, program("env-1")));

  it("passes over an edit of the environment, under either name in ignoreChanges", async () => {
    expect(await stack.steadyUp(program("env-2"))).toMatchObject({ code: 0, errors: [], steps: [] });
    await isQuiet(stack, program("env-2"));
    expect(environments()).toEqual(["env-1", "env-1", "env-1"]);
  });

  it("leaves an environment that someone has changed, after a refresh too", async () => {
    for (const { id } of stack.emulator.shares()) stack.emulator.patchShare(id, { envZId: "env-3" });
    expect(await stack.steadyUp(program("env-2"))).toMatchObject({ code: 0, errors: [], steps: [] });
    expect((await stack.refresh()).code).toBe(0);
    expect(await stack.steadyUp(program("env-2"))).toMatchObject({ code: 0, errors: [], steps: [] });
    await isQuiet(stack, program("env-2"));
    expect(environments()).toEqual(["env-3", "env-3", "env-3"]);
  });

  it("goes on ignoring it where the program changes the spelling to envZId", async () => {
    const edited = program("env-2", { envId: undefined, envZId: "env-4" });
    expect(await stack.steadyUp(edited)).toMatchObject({ code: 0, errors: [], steps: [] });
    await isQuiet(stack, edited);
  });
});
