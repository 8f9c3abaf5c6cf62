import { type Resources, Stack } from "../engine/engine";

const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const web = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const branch = { peerPublicIp: "203.0.113.9", peerCidr: "10.30.0.0/16", locationId: "loc-2", envZId: "env-1" };
const type = "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel";
const urnOf = (name: string, path = type) => `urn:pulumi:test::engine::${path}::${name}`;
const siteUrn = urnOf("branch", `frontdoor:index:IpsecSite$${type}`);

const methods = (stack: Stack) => stack.writes().map((write) => write.split(" {")[0]);

describe("replaceOnChanges", () => {
  const program = (
    target = "web.internal:443",
    siteTarget = "mail.internal:25",
    storeSampleConfig = true,
  ): Resources => ({
    tunnels: { hq: { ...hq, storeSampleConfig, opts: { replaceOnChanges: ["storeSampleConfig"] } } },
    shares: { web: { ...web, target, opts: { replaceOnChanges: ["target"] } } },
    sites: {
      branch: {
        ...branch,
        shares: { mail: { target: siteTarget, ingressPort: 25 } },
        // Pulumi's SDK makes false of deleteBeforeReplace where a transform hands on options that leave it out.
        opts: { transforms: { IpsecShare: { replaceOnChanges: ["*"], deleteBeforeReplace: true } } },
      },
    },
  });

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({}, "options-program");
    expect(await stack.up(program())).toMatchObject({ code: 0 });
  });
  beforeEach(() => void stack.writes());
  afterAll(() => stack.close());

  it("makes a share anew where a change would have been an update", async () => {
    const share = stack.id("web");
    expect(await stack.up(program("web2.internal:443"))).toMatchObject({ code: 0, errors: [] });
    expect(methods(stack)).toEqual([`DELETE /ipsec-shares/${share}`, "POST /ipsec-shares"]);
  });

  it("makes a site's share anew, where a transform has given the option", async () => {
    const share = stack.id("branch-mail");
    expect(await stack.up(program("web2.internal:443", "mail2.internal:25"))).toMatchObject({ code: 0, errors: [] });
    expect(methods(stack)).toEqual([`DELETE /ipsec-shares/${share}`, "POST /ipsec-shares"]);
  });

  it("makes a tunnel anew, its shares deleted first", async () => {
    const [tunnel, share] = [stack.id("hq"), stack.id("web")];
    expect(await stack.up(program("web2.internal:443", "mail2.internal:25", false))).toMatchObject({
      code: 0,
      errors: [],
    });
    expect(methods(stack)).toEqual([
      `DELETE /ipsec-shares/${share}`,
      `DELETE /ipsec-tunnels/${tunnel}`,
      "POST /ipsec-tunnels",
      "POST /ipsec-shares",
    ]);
  });
});

describe("--replace of a tunnel with shares", () => {
  const program = (deleteBeforeReplace?: boolean): Resources => ({
    tunnels: { hq: { ...hq, opts: { deleteBeforeReplace } } },
    shares: { web },
    sites: {
      branch: {
        ...branch,
        shares: { mail: { target: "mail.internal:25", ingressPort: 25 } },
        opts: deleteBeforeReplace ? { transforms: { IpsecTunnel: { deleteBeforeReplace } } } : {},
      },
    },
  });
  const names = ["hq", "web", "branch", "branch-mail"];
  const ids = () => names.map((name) => stack.id(name));
  const flags = ["--replace", urnOf("hq"), "--replace", siteUrn];

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({}, "options-program");
    expect(await stack.up(program())).toMatchObject({ code: 0 });
  });
  beforeEach(() => void stack.writes());
  afterAll(() => stack.close());

  it("keeps them where the new one would come first: its place is held by the old one, and deleteBeforeReplace is named", async () => {
    const [before, alive] = [ids(), stack.published()];
    const run = await stack.up(program(), ...flags);
    expect(run.text).toContain("deleteBeforeReplace");
    expect(stack.writes().filter((write) => !write.startsWith("POST /ipsec-tunnels"))).toEqual([]);
    expect(stack.published()).toEqual(alive);

    expect(await stack.up(program())).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
    expect(ids()).toEqual(before);
  });

  it("makes tunnels and shares anew where they are deleted first", async () => {
    const [tunnel, share, siteTunnel, mail] = ids();
    expect(await stack.up(program(true), ...flags)).toMatchObject({ code: 0, errors: [] });
    const writes = methods(stack);
    expect([...writes].sort()).toEqual(
      [
        `DELETE /ipsec-shares/${share}`,
        `DELETE /ipsec-tunnels/${tunnel}`,
        `DELETE /ipsec-shares/${mail}`,
        `DELETE /ipsec-tunnels/${siteTunnel}`,
        ...["POST /ipsec-tunnels", "POST /ipsec-tunnels", "POST /ipsec-shares", "POST /ipsec-shares"],
      ].sort(),
    );
    expect(writes.indexOf(`DELETE /ipsec-shares/${share}`)).toBeLessThan(
      writes.indexOf(`DELETE /ipsec-tunnels/${tunnel}`),
    );
    expect(stack.published()).toHaveLength(4);
  });
});
