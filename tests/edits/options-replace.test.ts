import type { Resources, Stack } from "../harness/stack";
import { branch, hq, inSite, mail, names, on, openUp, urn } from "./program";

describe("replaceOnChanges", () => {
  const program = (
    target = "web.internal:443",
    siteTarget = "mail.internal:25",
    storeSampleConfig = true,
  ): Resources => ({
    tunnels: { hq: { ...hq, storeSampleConfig, opts: { replaceOnChanges: ["storeSampleConfig"] } } },
    shares: { web: { ...on("hq"), target, opts: { replaceOnChanges: ["target"] } } },
    sites: {
      branch: {
        ...branch,
        shares: { mail: { ...mail, target: siteTarget } },
        // Pulumi's SDK makes false of deleteBeforeReplace where a transform hands on options that leave it out.
        opts: { transforms: { IpsecShare: { replaceOnChanges: ["*"], deleteBeforeReplace: true } } },
      },
    },
  });

  let stack: Stack;
  beforeAll(async () => {
    stack = await openUp(program());
  });
  beforeEach(() => void stack.writes());
  afterAll(() => stack.close());

  it("makes a share anew where a change would have been an update", async () => {
    const share = stack.id("web");
    expect(await stack.steadyUp(program("web2.internal:443"))).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual([`DELETE /ipsec-shares/${share}`, "POST /ipsec-shares"]);
  });

  it("makes a site's share anew, where a transform has given the option", async () => {
    const share = stack.id("branch-mail");
    expect(await stack.steadyUp(program("web2.internal:443", "mail2.internal:25"))).toMatchObject({
      code: 0,
      errors: [],
    });
    expect(stack.calls()).toEqual([`DELETE /ipsec-shares/${share}`, "POST /ipsec-shares"]);
  });

  it("makes a tunnel anew, its shares deleted first", async () => {
    const [tunnel, share] = [stack.id("hq"), stack.id("web")];
    expect(await stack.steadyUp(program("web2.internal:443", "mail2.internal:25", false))).toMatchObject({
      code: 0,
      errors: [],
    });
    expect(stack.calls()).toEqual([
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
    shares: { web: on("hq") },
    sites: {
      branch: {
        ...branch,
        shares: { mail },
        opts: deleteBeforeReplace ? { transforms: { IpsecTunnel: { deleteBeforeReplace } } } : {},
      },
    },
  });
  const ids = () => names.map((name) => stack.id(name));
  const flags = ["--replace", urn("IpsecTunnel", "hq"), "--replace", urn("IpsecTunnel", "branch", inSite)];

  let stack: Stack;
  beforeAll(async () => {
    stack = await openUp(program());
  });
  beforeEach(() => void stack.writes());
  afterAll(() => stack.close());

  it("keeps them where the new one would come first: its place is held by the old one, and deleteBeforeReplace is named", async () => {
    const [before, alive] = [ids(), stack.published()];
    const run = await stack.steadyUp(program(), ...flags);
    expect(run.text).toContain("deleteBeforeReplace");
    expect(stack.writes().filter((write) => !write.startsWith("POST /ipsec-tunnels"))).toEqual([]);
    expect(stack.published()).toEqual(alive);

    expect(await stack.steadyUp(program())).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
    expect(ids()).toEqual(before);
  });

  it("makes tunnels and shares anew where they are deleted first", async () => {
    const [tunnel, share, siteTunnel, siteShare] = ids();
    expect(await stack.steadyUp(program(true), ...flags)).toMatchObject({ code: 0, errors: [] });
    const writes = stack.calls();
    expect([...writes].sort()).toEqual(
      [
        `DELETE /ipsec-shares/${share}`,
        `DELETE /ipsec-tunnels/${tunnel}`,
        `DELETE /ipsec-shares/${siteShare}`,
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
