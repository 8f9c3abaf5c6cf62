import { parse } from "yaml";
import type { Declared } from "../../cli/import/plan";
import { importFile } from "../../cli/import/write";
import { programOf } from "../../cli/import/programs";

const odd = 'Bü "ro" \\ ${x}\u2028\u00a0';
const args = (given: object) => Object.entries(given) as Declared["args"];
const hq: Declared = {
  ...{ kind: "tunnel", importId: "tnl-1", name: "branch-office" },
  args: args({ peerPublicIp: "203.0.113.7", name: odd }),
};
const web: Declared = {
  ...{ kind: "share", importId: "fd-2/shr-1", name: "web" },
  args: args({ ipsecTunnelId: { tunnel: "branch-office" }, envZId: "env-1", ingressPort: 443 }),
};

/** Without the words at the top. */
const bodyOf = (text: string) => text.replace(/^(?:(?:\/\/|#).*\n)+\n?/, "");

describe("the import file", () => {
  it("names type, name and id, and nothing that would take inputs away", () => {
    expect(importFile([hq, web])).toEqual({
      resources: [
        { type: "frontdoor:index:IpsecTunnel", name: "branch-office", id: "tnl-1" },
        { type: "frontdoor:index:IpsecShare", name: "web", id: "fd-2/shr-1" },
      ],
    });
  });
});

describe("the program", () => {
  it("is TypeScript as prettier leaves it", () => {
    expect(bodyOf(programOf("ts", [hq, web]))).toBe(`import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor/plugin";

const branchOffice = new IpsecTunnel(
  "branch-office",
  {
    peerPublicIp: "203.0.113.7",
    name: "Bü \\"ro\\" \\\\ \${x}\\u2028\\u00a0",
  },
  { protect: true },
);

new IpsecShare(
  "web",
  {
    ipsecTunnelId: branchOffice.id,
    envZId: "env-1",
    ingressPort: 443,
  },
  { protect: true },
);
`);
  });

  it("is Python, with arguments as Pulumi spells them there", () => {
    expect(bodyOf(programOf("python", [hq, web]))).toBe(`import pulumi
import pulumi_frontdoor as frontdoor

branch_office = frontdoor.IpsecTunnel(
    "branch-office",
    peer_public_ip="203.0.113.7",
    name="Bü \\"ro\\" \\\\ \${x}\\u2028\\u00a0",
    opts=pulumi.ResourceOptions(protect=True),
)

frontdoor.IpsecShare(
    "web",
    ipsec_tunnel_id=branch_office.id,
    env_z_id="env-1",
    ingress_port=443,
    opts=pulumi.ResourceOptions(protect=True),
)
`);
  });

  it("is YAML, where a dollar and a brace begin no expression", () => {
    const { resources } = parse(programOf("yaml", [hq, web])) as { resources: unknown };
    expect(resources).toEqual({
      "branch-office": {
        type: "frontdoor:index:IpsecTunnel",
        properties: { peerPublicIp: "203.0.113.7", name: 'Bü "ro" \\ $${x}\u2028\u00a0' },
        options: { protect: true },
      },
      web: {
        type: "frontdoor:index:IpsecShare",
        properties: { ipsecTunnelId: "${branch-office.id}", envZId: "env-1", ingressPort: 443 },
        options: { protect: true },
      },
    });
  });

  it("of nothing is also one, and imports no class that it does not use", () => {
    const bodies = (["ts", "python", "yaml"] as const).map((language) => bodyOf(programOf(language, [])));
    expect(bodies).toEqual(["", "import pulumi\nimport pulumi_frontdoor as frontdoor\n", "resources: {}\n"]);
    expect(programOf("ts", [hq])).toContain("import { IpsecTunnel } from");
  });
});
