import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bringUp, destroy, outputsOf } from "../harness/copies";
import { type Ended, well } from "../harness/command";
import { Copies } from "../harness/copies";
import { root } from "../harness/folder";

describe("examples", () => {
  let copies: Copies;

  beforeAll(async () => {
    copies = await Copies.open();
  });

  afterAll(() => copies.close());

  beforeEach(() => {
    copies.emulator.reset();
  });

  describe("sample-config", () => {
    it("delivers the text to a file that only its owner can read, and to nothing else", async () => {
      copies.copy("sample-config");
      await bringUp(copies, "sample-config");
      const [tunnel] = copies.emulator.tunnels();
      const psk = copies.emulator.samplePsk(tunnel?.id ?? "");
      expect((await outputsOf(copies, "sample-config"))["sampleConfig"]).toBe("[secret]");

      const delivery = await copies.start("sample-config", "npm", "run", "--silent", "deliver", "--", "branch.conf")
        .end;
      expect(delivery).toMatchObject({ code: 0 });
      expect(delivery.stdout + delivery.stderr).not.toContain(psk);
      const file = join(copies.folder, "sample-config", "branch.conf");
      expect(readFileSync(file, "utf8")).toContain(psk);
      expect((statSync(file).mode & 0o777).toString(8)).toBe("600");

      const again = await copies.start("sample-config", "npm", "run", "--silent", "deliver", "--", "branch.conf").end;
      const ignored = readFileSync(join(copies.folder, "sample-config", ".gitignore"), "utf8").split("\n");
      expect(ignored).toContain("*.conf");
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("is there already") as string });
      await destroy(copies, "sample-config");
    });
  });

  it("ci comes up with a protected tunnel, and its state has no key", async () => {
    copies.copy("ci");
    expect(await bringUp(copies, "ci")).toEqual([
      "POST /ipsec-tunnels",
      ...Array<string>(2).fill("POST /ipsec-shares"),
    ]);
    const { stdout: state } = well(await copies.pulumi("ci", "stack", "export", "--show-secrets"));
    expect(state).not.toContain(copies.emulator.samplePsk(copies.emulator.tunnels()[0]?.id ?? ""));
    well(await copies.pulumi("ci", "state", "unprotect", "--all", "--yes"));
    await destroy(copies, "ci");
  });

  describe("share-set", () => {
    const example = "share-set";
    const pulumi = async (...args: string[]) => well(await copies.pulumi(example, ...args));
    const up = () => pulumi("up", "--yes", "--skip-preview");
    const fileOf = (name: string) => join(copies.folder, example, name);
    const output = async (name: string) => (await outputsOf(copies, example))[name];

    beforeAll(async () => {
      copies.copy(example);
      await pulumi("stack", "init", "dev");
    });

    it("publishes what the file has, and writes what an edit of it changes and nothing else", async () => {
      await up();
      expect(copies.writes()).toEqual(["POST /ipsec-tunnels", ...Array<string>(3).fill("POST /ipsec-shares")]);
      await pulumi("preview", "--expect-no-changes");
      expect(await output("endpoints")).toMatchObject({ wiki: expect.stringMatching(/:8444$/) as string });

      const services = fileOf("services.json");
      const { tickets, ...others } = JSON.parse(readFileSync(services, "utf8")) as Record<string, object>;
      writeFileSync(services, JSON.stringify({ tickets: { ...tickets, ingressPort: 8445 }, ...others }));
      await up();
      expect(copies.writes()).toEqual([expect.stringMatching(/^PATCH /)]);
      expect(await output("endpoints")).toMatchObject({ tickets: expect.stringMatching(/:8445$/) as string });
      await destroy(copies, example);
    });

    /** What the page says under this title, as a program on a tunnel that is there. */
    function documented(title: string, id = "shr-1"): string {
      const page = readFileSync(join(root, "docs/reference/ipsec-share-set.md"), "utf8");
      const [, code = ""] = page.split(`\`\`\`ts title="${title}"\n`);
      return [
        'import { IpsecShare, IpsecShareSet, IpsecTunnel } from "pulumi-frontdoor";',
        'const tunnel = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });',
        'const place = { ipsecTunnelId: tunnel.id, envZId: "env-1" };',
        (code.split("```")[0] ?? "").replaceAll("shr-1", id),
        "void IpsecShare, IpsecShareSet;",
      ].join("\n");
    }

    it("moves a single share into a set and out of it as the page says, without a write", async () => {
      writeFileSync(fileOf("index.ts"), documented("out of the set").replace(', adopt: "shr-1"', ""));
      await up();
      const ids = (await output("ids")) as Record<string, string>;
      copies.writes();
      for (const title of ["in a set", "out of the set"]) {
        writeFileSync(fileOf("index.ts"), documented(title, ids["web"]));
        await up();
        expect([title, copies.writes(), await output("ids")]).toEqual([title, [], ids]);
        await pulumi("preview", "--expect-no-changes");
      }
      await destroy(copies, example);
    });
  });
});

// The examples examples/network and examples/services, as two teams copy them.
describe("two stacks", () => {
  let copies: Copies;
  let oldTunnel: string;

  beforeAll(async () => {
    copies = await Copies.open();
    for (const name of ["network", "services"]) {
      copies.copy(name);
      well(await copies.pulumi(name, "stack", "init", "dev"));
    }
    well(await copies.pulumi("services", "config", "set", "networkStack", "organization/frontdoor-network/dev"));
  });
  afterAll(() => copies.close());

  const up = (stack: string) => copies.pulumi(stack, "up", "--yes", "--skip-preview");
  const outputs = async (stack: string) =>
    JSON.parse(well(await copies.pulumi(stack, "stack", "output", "--json")).stdout) as {
      tunnel: { tunnelId: string; locationId: string; nlbDnsName: string };
      endpoints: Record<string, string>;
    };
  const live = () => copies.emulator.tunnels().filter(({ status }) => status !== "DELETED");
  /** The shares, as messages name them. */
  const shares = () =>
    copies.emulator
      .shares()
      .map(({ id, name }) => `"${name}" (${id})`)
      .join(", ");
  const said = ({ stdout, stderr }: Ended) => stdout + stderr;

  it("the services stack publishes on the network stack's tunnel", async () => {
    well(await up("network"));
    well(await up("services"));
    const [tunnel] = live();
    oldTunnel = tunnel?.id ?? "";
    expect((await outputs("network")).tunnel).toMatchObject({ tunnelId: oldTunnel, locationId: "loc-1" });
    expect((await outputs("services")).endpoints["intranet"]).toBe(`${tunnel?.nlbDnsName ?? ""}:443`);
    expect(copies.emulator.shares().map((share) => share.ipsecTunnelId)).toEqual([oldTunnel, oldTunnel]);
    copies.writes();
  });

  it("a move of the tunnel makes the new one, names the shares that hold the old one and keeps that in the state", async () => {
    well(await copies.pulumi("network", "config", "set", "locationId", "loc-2"));
    const run = await up("network");
    expect(run.code).not.toBe(0);
    expect(said(run)).toContain(`still use the tunnel: ${shares()}.`);
    expect(copies.writes()).toEqual(["POST /ipsec-tunnels", `DELETE /ipsec-tunnels/${oldTunnel}`]);
    expect(live().map(({ locationId, status }) => [locationId, status])).toEqual([
      ["loc-1", "DEPLOYED"],
      ["loc-2", "DEPLOYED"],
    ]);
    const { stdout } = well(await copies.pulumi("network", "stack", "export"));
    const { deployment } = JSON.parse(stdout) as { deployment: { resources: { id?: string; delete?: boolean }[] } };
    expect(deployment.resources.find(({ id }) => id === oldTunnel)).toMatchObject({ delete: true });
    const { tunnel } = await outputs("network");
    expect(tunnel).toMatchObject({ tunnelId: live()[1]?.id, locationId: "loc-2" });
  });

  it("the services move over by one PATCH each, and the network's next up deletes the old tunnel", async () => {
    const [, moved] = live();
    well(await up("services"));
    expect(copies.writes()).toEqual([expect.stringMatching(/^PATCH/), expect.stringMatching(/^PATCH/)]);
    expect(copies.emulator.shares().map((share) => share.ipsecTunnelId)).toEqual([moved?.id, moved?.id]);
    expect((await outputs("services")).endpoints["intranet"]).toBe(`${moved?.nlbDnsName ?? ""}:443`);

    well(await up("network"));
    expect(copies.writes()).toEqual([`DELETE /ipsec-tunnels/${oldTunnel}`]);
    expect(live().map(({ id }) => id)).toEqual([moved?.id]);
    for (const stack of ["network", "services"]) {
      well(await copies.pulumi(stack, "refresh", "--yes", "--skip-preview", "--expect-no-changes"));
      well(await copies.pulumi(stack, "preview", "--expect-no-changes"));
    }
    expect(copies.writes()).toEqual([]);
  });
});
